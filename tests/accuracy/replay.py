"""Plays a recording to the server, line by line at its times, and gives back what was shown meanwhile."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orca_tui.agents import hook_post
from orca_tui.status.effects import Observation
from orca_tui.status.session_table import ProcessKey
from orca_tui.term.input_events import InputEvent, Text
from orca_tui.term.key_names import parse_key
from tests.accuracy import virtual_loop
from tests.accuracy.production import Production, production
from tests.accuracy.recording import Line, Recording
from tests.accuracy.shown import Bell, Span
from tests.accuracy.stand_ins import FIRST_PID
from tests.accuracy.virtual_loop import VirtualLoop

HOME = "/home/user"
TRAILING_S = 3.0  # What the last line leads to is still seen.
TURNS = 3
"""Of the loop, until what was written to a descriptor has been read and taken."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """What came of it."""

    spans: tuple[Span, ...]
    bells: tuple[Bell, ...]
    explained: tuple[Observation, ...]


def replay(recording: Recording) -> Replayed:
    """Play it to a server of its own."""
    with tempfile.TemporaryDirectory(prefix="ot-") as home:
        return virtual_loop.run(lambda loop: _replay(recording, loop, Path(home)))


async def _replay(recording: Recording, loop: VirtualLoop, home: Path) -> Replayed:
    async with production(recording, loop, home) as server:
        player = _Player(recording, server, home)
        await player.play(recording.lines)
        await asyncio.sleep(TRAILING_S)
        player.stop()
        return Replayed(
            spans=tuple(server.watcher.spans()),
            bells=tuple(server.watcher.bells),
            explained=tuple(server.explain()),
        )


class _Player:
    def __init__(self, recording: Recording, server: Production, home: Path) -> None:
        self._recording = recording
        self._server = server
        self._home = home
        self._asked_for = _asked_for(recording.agent)
        self._polling: dict[ProcessKey, asyncio.Task[None]] = {}

    async def play(self, lines: Sequence[Line]) -> None:
        for line in lines:
            await asyncio.sleep(max(0.0, (line.at - self._server.now_ms()) / 1000))
            self._do(line)
            for _ in range(TURNS):
                await asyncio.sleep(0)

    def stop(self) -> None:
        for task in self._polling.values():
            task.cancel()

    def _do(self, line: Line) -> None:
        match line.kind:
            case "output" if not self._server.exited:
                self._server.outputs(line.data())
            case "key" if not self._server.exited:
                self._server.pressed(_key(line))
            case "hook":
                self._hook(line)
            case "table":
                self._table(line)
            case "file":
                self._file(line)
            case "process" if "exit" in line.what:
                self.stop()
                self._server.exits(line.what["exit"])
            case _:
                pass

    def _hook(self, line: Line) -> None:
        """What the agent's hook would post, if it is one of those that we ask for."""
        agent, event = self._recording.agent, line.what["event"]
        if event not in self._asked_for:
            return
        started = line.what.get("started", line.at) / 1000
        body = {
            **hook_post.facts(hook_post.members(json.dumps(line.what["payload"]))),
            "at": self._server.epoch + started,
            "pid": FIRST_PID,
            "ppid": self._recording.pid or FIRST_PID,
        }
        body.setdefault("hook_event_name", event)
        self._server.posted(agent, json.dumps(body).encode())

    def _table(self, line: Line) -> None:
        """The status plugin posts; from its first table on, its process polls."""
        started = line.what["table"]["process"]["started"]
        process = ProcessKey(
            pid=FIRST_PID, started=started
        )  # Nobody's, so that nobody's end is seen as its own.
        table = {**line.what["table"], "process": {"pid": process.pid, "started": started}}
        self._server.posted(self._recording.agent, json.dumps(table).encode())
        if process not in self._polling and not self._server.exited:
            task = asyncio.get_running_loop().create_task(self._server.polls(process))
            self._polling[process] = task

    def _file(self, line: Line) -> None:
        path = Path(line.what["path"].replace(HOME, str(self._home), 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        if "append" in line.what:
            with path.open("a") as file:
                file.write(line.what["append"])
        elif "text" in line.what:
            path.write_text(line.what["text"])
        else:
            path.unlink(missing_ok=True)
            return
        written = self._server.epoch + line.at / 1000  # Not all of it within the same tick of the real clock.
        os.utime(path, (written, written))


def _key(line: Line) -> InputEvent:
    name = line.what.get("name")
    return parse_key(name) if name else Text(data=line.what["text"].encode())


def _asked_for(agent: str) -> Sequence[str]:
    """The hooks that we have an agent run; recordings have more."""
    name = f"orca_tui.agents.{agent}_hooks"
    if importlib.util.find_spec(name) is None:
        return ()
    hooks = importlib.import_module(name)
    events: Sequence[str] = getattr(hooks, "EVENTS", None) or (hooks.EVENT,)
    return events
