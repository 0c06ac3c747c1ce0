"""A recording of an agent, as values; tests/captured/README.md describes the format. Judges nothing."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SUFFIXES = (".jsonl", ".jsonl.gz")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Something that happened, `at` ms after the recording began."""

    at: float
    kind: str
    """`output`, `key`, `hook`, `file`, `table`, `process` or `mark`."""
    what: dict[str, Any]

    def data(self) -> bytes:
        """The bytes of an output: `text` where they are UTF-8, else `base64`."""
        text = self.what.get("text")
        return base64.b64decode(self.what["base64"]) if text is None else str(text).encode()


def output(at: float, data: bytes) -> Line:
    """A line of output."""
    try:
        return Line(at=at, kind="output", what={"text": data.decode()})
    except UnicodeDecodeError:
        return Line(at=at, kind="output", what={"base64": base64.b64encode(data).decode()})


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """All of it."""

    name: str
    agent: str
    version: str
    lines: tuple[Line, ...]
    cols: int = 120
    rows: int = 40

    @property
    def pid(self) -> int | None:
        """Of the agent, where it was written down."""
        return next((line.what["pid"] for line in self.lines if "pid" in line.what), None)

    @property
    def started(self) -> float | None:
        """When the agent's process began, in Unix seconds, where that was written down."""
        return next((line.what["started"] for line in self.lines if line.what.get("started")), None)


def load(path: Path) -> Recording:
    """Read a recording; its name is that of the file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    header, *lines = (json.loads(line) for line in text.splitlines())
    return Recording(
        name=name_of(path),
        agent=header["agent"],
        version=header["version"],
        cols=header.get("cols", 120),
        rows=header.get("rows", 40),
        lines=tuple(Line(at=line.pop("at"), kind=line.pop("kind"), what=line) for line in lines),
    )


def name_of(path: Path) -> str:
    """`claude_main` of `claude_main.jsonl.gz`."""
    return path.name.partition(".jsonl")[0]
