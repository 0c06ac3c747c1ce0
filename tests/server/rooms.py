"""A session without doors: panes with engines and no programs, for looking at one part of the server."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from orca_tui.agents.registry import Agents
from orca_tui.commands.open import OpenRequest
from orca_tui.config import Config, Environment
from orca_tui.notices.store import NoticeStore
from orca_tui.process.table import SystemTable
from orca_tui.server.observing import Observer
from orca_tui.server.pane_facts import PaneFacts
from orca_tui.server.panes import Pane
from orca_tui.server.parts import Parts
from orca_tui.server.placing import placed
from orca_tui.server.screen_watch import ScreenWatch
from orca_tui.server.session import Session
from orca_tui.server.tasks import Tasks
from orca_tui.status.events import TimePassed
from orca_tui.term.ghostty import GhosttyFactory
from tests.fakes import FakeClock
from tests.process.local_spawner import LocalSpawner


class Rooms:
    """The session with what it is made of."""

    def __init__(self, session: Session, observer: Observer, clock: FakeClock) -> None:
        self.session = session
        self.observer = observer
        self.clock = clock

    def pane(self, agent: str | None = None) -> Pane:
        """A new pane, without a program."""
        layout, pane_id = placed(self.session.layout, OpenRequest(), "/")
        engine = self.session.parts.engines.new(80, 24, scrollback_lines=100)
        facts = PaneFacts(command=(agent or "sh",), directory="/")
        pane = Pane(pane_id, engine, facts, self.observer, self.clock)
        self.session.add(pane, layout, agent)
        return pane

    def jump(self, seconds: float) -> None:
        """Let time pass, for the board too."""
        self.clock.jump(seconds)
        for pane in tuple(self.session.panes):
            self.session.observe(pane, [TimePassed(at=self.clock.now())])

    def writes(self, pane: Pane, data: bytes) -> None:
        """What a program would have written."""
        pane._received(data)


@asynccontextmanager
async def rooms() -> AsyncIterator[Rooms]:
    clock = FakeClock()
    root = tempfile.gettempdir()
    environment = Environment({"HOME": root, "XDG_RUNTIME_DIR": root, "PATH": os.environ["PATH"]})
    parts = Parts(
        name="default",
        settings=Config,
        paths=environment.paths(),
        environment=environment,
        clock=clock,
        agents=Agents(),
        engines=GhosttyFactory(),
        spawner=LocalSpawner(),
        processes=SystemTable(),
    )
    async with stored_notices() as store, asyncio.TaskGroup() as group:
        session = Session(parts, Tasks(group), store)
        session.screens = ScreenWatch(session, clock.call_later)
        session.notices.hooks.call_later = clock.call_later
        session.notices.retries.call_later = clock.call_later
        made = Rooms(session, Observer(session), clock)
        yield made
        for pane in tuple(session.panes.values()):
            session.remove(pane)
        session.reports.close()
        session.notices.close()


@asynccontextmanager
async def stored_notices() -> AsyncIterator[NoticeStore]:
    """A store of its own for one test."""
    with tempfile.TemporaryDirectory() as folder:
        store = NoticeStore.open(Path(folder) / "notices")
        yield store
        store.close()
