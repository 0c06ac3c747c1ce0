"""Writes a recording: its lines in the order of their times, without the paths of the machine that made it."""

from __future__ import annotations

import base64
import gzip
import json
import sys
import time
from pathlib import Path
from typing import Any

HOME = "/home/user"
"""What stands in recordings for the home of whoever made them."""
REPOSITORY = Path(__file__).parents[3]
STAND_INS = {str(REPOSITORY): "/opt/orca-tui", sys.prefix: "/opt/python"}
"""Other paths of that machine: of the hooks' script and of what runs it."""


class Log:
    """Collects lines, with times in ms since it was made."""

    def __init__(self, header: dict[str, Any], home: Path) -> None:
        """`home` has as many characters as `HOME`, so that nothing moves on the screen."""
        assert len(str(home)) == len(HOME)
        self._lines: list[dict[str, Any]] = [header]
        self._home = str(home)
        self._began = time.monotonic()

    def put(self, kind: str, **what: Any) -> None:
        """A line that happened now."""
        at = round((time.monotonic() - self._began) * 1000)
        self._lines.append({"at": at, "kind": kind, **what})

    def put_bytes(self, kind: str, data: bytes) -> None:
        """A line of bytes: as text where they are some, since that is what people can read."""
        try:
            self.put(kind, text=data.decode())
        except UnicodeDecodeError:
            self.put(kind, base64=base64.b64encode(data).decode())

    def save(self, path: Path) -> None:
        """Compressed when the name ends in `.gz`; the same lines give the same bytes."""
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines)
        in_names = {self._home.replace("/", "-"): HOME.replace("/", "-")}
        for ours, theirs in {self._home: HOME, **in_names, **STAND_INS}.items():
            text = text.replace(ours, theirs)
        data = text.encode()
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
