"""Recordings of what OpenCode did to its plugin (tests/captured/opencode), as what our plugin posts of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.accuracy.recording import Line, Recording

TESTS = Path(__file__).parents[1]
OPENCODE = TESTS / "captured" / "opencode"
REPLAY = TESTS / "hosts" / "replay.mjs"
VERSIONS = {"v1": "1.18.33", "v2": "2 preview"}
"""What was recorded, by folder."""
SHARED_SERVICE = {"v2tui_service": "opencode serve --service"}
"""Recordings of the service that all of a user's TUIs share, with its command line."""
SIGINT_CODE = -2
"""Of an exit whose mark names no code (see TRUTH.toml)."""
LIMIT_S = 60


def build_plugin(folder: Path) -> Path:
    """The status plugin as Node loads it."""
    path = folder / "orca-tui-status.mjs"
    subprocess.run([sys.executable, "-m", "status_plugin.generate", str(path)], check=True)
    return path


def load(plugin: Path, version: str, name: str) -> Recording:
    """The tables that the plugin posts in a recording, and the end of its process."""
    path = OPENCODE / version / f"{name}.jsonl"
    lines = [*_tables(plugin, path), *_exit(path, version)]
    return Recording(
        name=f"opencode_{version}_{name}",
        agent="opencode",
        version=VERSIONS[version],
        lines=tuple(sorted(lines, key=lambda line: line.at)),
    )


def _tables(plugin: Path, path: Path) -> Iterator[Line]:
    command = ["node", str(REPLAY), "--plugin", str(plugin), str(path)]
    if path.stem in SHARED_SERVICE:
        command += ["--argv", SHARED_SERVICE[path.stem]]
    printed = subprocess.run(command, check=True, capture_output=True, timeout=LIMIT_S).stdout
    for post in map(json.loads, printed.splitlines()):
        yield Line(at=post["at"], kind="table", what={"table": post["table"]})


def _exit(path: Path, version: str) -> Iterator[Line]:
    """The last exit that the driver saw; of a server in its TUI's own process, that of the process."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    seen = [line for line in lines if line["kind"] == "mark" and line["what"] == "exited"]
    ended = [line for line in lines if line["kind"] == "process" and line.get("ev") == "exit"]
    if seen:
        yield Line(at=seen[-1]["at"], kind="process", what={"exit": _code(seen[-1])})
    elif version == "v2" and ended and path.stem not in SHARED_SERVICE:
        yield Line(at=ended[-1]["at"], kind="process", what={"exit": int(ended[-1]["code"])})


def _code(mark: dict[str, Any]) -> int:
    if "rc" in mark:
        return int(mark["rc"])
    told = str(mark.get("line", "")).removeprefix("EXIT=")
    return int(told) if told else SIGINT_CODE
