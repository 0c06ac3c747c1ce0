"""Runs a real agent in a PTY that our own engine answers, and writes down everything that it says.

Output and hooks are written when they come, files when they are seen to have changed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orca_tui.base.clock import SystemClock
from orca_tui.base.ids import PaneId
from orca_tui.process.pty_io import PtyIo
from orca_tui.process.spawner import Program
from orca_tui.process.table import SystemTable
from orca_tui.term.engine import TitleChanged
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.input_encoder import encode
from orca_tui.term.input_events import Text
from orca_tui.term.key_names import parse_key
from tests.accuracy.record.log import Log
from tests.accuracy.record.steps import Step
from tests.process.local_spawner import LocalChild, LocalSpawner

COLS, ROWS = 120, 40
LOOK_S = 0.02  # How often the screen is looked at for what a step waits for.
FILES_S = 0.1  # How often watched files are.
PATIENCE_S = 60.0
POLL_S = 25.0
PANE = PaneId("p1")
SUBMIT_AFTER_S = 0.4  # Agents take a text and its Enter in one burst for a paste.


class Stage:
    """One agent on stage: `perform` steps, then `leave`."""

    def __init__(self, log: Log, program: Program, watched: tuple[str, ...], home: Path) -> None:
        """`watched` are glob patterns below `home`: files that the agent writes its state to."""
        self._log = log
        self._program = program
        self._watched = watched
        self._home = home
        self._engine = GhosttyFactory().new(COLS, ROWS, scrollback_lines=1000)
        self._title = ""
        self._files: dict[Path, bytes] = {}
        self._exited = asyncio.Event()
        self._hooks = asyncio.Semaphore(0)
        self._child: LocalChild
        self._io: PtyIo

    async def enter(self) -> None:
        """Start the agent."""
        self._child = await LocalSpawner().spawn(self._program, self._ended)
        facts = SystemTable().process(self._child.pid)
        self._log.put("process", pid=self._child.pid, started=facts.started if facts else None)
        self._io = PtyIo(self._child.master, SystemClock(), received=self._received, ended=lambda: None)
        self._io.resume()

    async def leave(self) -> None:
        """End the agent if it is still there."""
        if not self._exited.is_set():
            self._child.hang_up()
            try:
                async with asyncio.timeout(3):
                    await self._exited.wait()
            except TimeoutError:
                self._child.kill()
                await self._exited.wait()
        self._io.close()
        self._child.close()

    async def perform(self, step: Step) -> None:
        """Do one step; raises `TimeoutError` when what it waits for does not come."""
        match step.do:
            case "say":
                self._type(step.what)
                await asyncio.sleep(SUBMIT_AFTER_S)
                self._press("enter")
            case "type":
                self._type(step.what)
            case "key":
                self._press(step.what)
            case "see":
                await self._until(lambda: re.search(step.what, self._screen()) is not None, step)
                self._log.put("mark", what=f"sees {step.what}")
            case "gone":
                await self._until(lambda: re.search(step.what, self._screen()) is None, step)
                self._log.put("mark", what=f"sees {step.what} no more")
            case "titled":
                await self._until(lambda: re.search(step.what, self._title) is not None, step)
                self._log.put("mark", what=f"title {step.what}")
            case "pause":
                await asyncio.sleep(int(step.what) / 1000)
            case "mark":
                self._log.put("mark", what=step.what)
            case "signal":
                self._log.put("mark", what=f"signal {step.what}")
                os.kill(self._child.pid, signal.Signals[f"SIG{step.what}"])
            case "exits":
                await self._until(self._exited.is_set, step)
            case _:
                raise ValueError(step.do)

    async def hook(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One hook has run; see `hook_sink.py`."""
        event, _, payload = (await reader.read()).partition(b"\n")
        writer.close()
        self._log.put("hook", event=event.decode(), payload=json.loads(payload or b"null"))
        self._hooks.release()

    async def heard_hooks(self, count: int) -> None:
        """Wait until so many hooks have run."""
        for _ in range(count):
            await self._hooks.acquire()

    # The `ReportSink` of a status plugin.

    def pane_of(self, token: str) -> PaneId | None:
        return PANE

    def reported(self, pane: PaneId, agent: str, body: bytes) -> bool:
        """A status plugin has posted its table."""
        self._log.put("table", table=json.loads(body))
        return True

    async def work(self, pane: PaneId, process: str) -> list[dict[str, Any]]:
        await asyncio.sleep(POLL_S)
        return []

    async def watch_files(self) -> None:
        """Write down what changes in the watched files, until cancelled."""
        while True:
            self._look_at_files()
            await asyncio.sleep(FILES_S)

    def _look_at_files(self) -> None:
        found = {path for pattern in self._watched for path in self._home.glob(pattern)}
        for path in sorted(found):
            try:
                data = path.read_bytes()
            except OSError:
                continue
            before = self._files.get(path, b"")
            if data == before and path in self._files:
                continue
            self._files[path] = data
            name = str(path)
            if path.suffix == ".jsonl" and data.startswith(before):
                self._log.put("file", path=name, append=data[len(before) :].decode(errors="replace"))
            else:
                self._log.put("file", path=name, text=data.decode(errors="replace"))
        for path in self._files.keys() - found:
            del self._files[path]
            self._log.put("file", path=str(path), gone=True)

    def screen(self) -> str:
        """For whoever wonders why a step did not come to pass."""
        return self._screen()

    def _screen(self) -> str:
        return self._engine.screen_text(unwrap=False)

    def _type(self, text: str) -> None:
        self._log.put("key", text=text)
        self._io.write(encode(Text(data=text.encode()), self._engine.modes()))

    def _press(self, name: str) -> None:
        self._log.put("key", name=name)
        self._io.write(encode(parse_key(name), self._engine.modes()))

    async def _until(self, holds: Callable[[], bool], step: Step) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                if self._exited.is_set():
                    raise TimeoutError(f"the agent has ended before: {step.do} {step.what}")
                await asyncio.sleep(LOOK_S)

    def _received(self, data: bytes) -> None:
        self._log.put_bytes("output", data)
        fed = self._engine.feed(data)
        if fed.replies:
            self._io.write(fed.replies)
        for fact in fed.facts:
            if isinstance(fact, TitleChanged):
                self._title = fact.title

    def _ended(self, exit_code: int) -> None:
        self._io.drain()
        self._look_at_files()
        self._log.put("process", exit=exit_code)
        self._exited.set()
