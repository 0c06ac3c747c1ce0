"""The real server without its doors: session, observer, pane, engine and reports, for the agent of a recording.

Time is a virtual loop's, the program is the recorded one; everything between is what users run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from orca_tui.agents.registry import Agents
from orca_tui.base.errors import NotFound
from orca_tui.commands.open import OpenRequest
from orca_tui.config import Config, Environment
from orca_tui.process.spawner import Program
from orca_tui.process.table import ProcessFacts
from orca_tui.server.observing import Observer
from orca_tui.server.panes import Pane, PaneFacts
from orca_tui.server.parts import Parts
from orca_tui.server.placing import placed
from orca_tui.server.session import Session
from orca_tui.server.tasks import Tasks
from orca_tui.server.uis import Ui
from orca_tui.status.effects import Observation
from orca_tui.status.events import ProcessKey
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.input_events import InputEvent
from tests.accuracy.recording import Recording
from tests.accuracy.shown import Watcher
from tests.accuracy.stand_ins import FIRST_PID, RecordedProcesses, RecordedSpawner
from tests.accuracy.virtual_loop import LoopClock, VirtualLoop

EPOCH = 1_767_225_600.0
"""When recordings begin whose agents' start was not written down."""


class Production:
    """One pane with an agent, and a UI that looks on from afar (so that the bell may ring)."""

    def __init__(self, session: Session, observer: Observer, pane: Pane, spawner: RecordedSpawner) -> None:
        self._session = session
        self._observer = observer
        self._pane = pane
        self._spawner = spawner
        self.watcher = Watcher(self.now_ms)

    def now_ms(self) -> float:
        """Since the recording began."""
        return self._session.parts.clock.monotonic() * 1000

    def outputs(self, data: bytes) -> None:
        """The agent writes to its terminal."""
        self._spawner.child.says(data)

    def pressed(self, event: InputEvent) -> None:
        """The user gives the pane a key, as a UI does it."""
        self._pane.press(event)
        self._observer.pressed(self._pane, event)

    def posted(self, agent: str, body: bytes) -> None:
        """A report arrives at the intake. One for which there is no reader is refused there."""
        with suppress(NotFound):
            self._session.reports.reported(self._pane.id, agent, body)

    async def polls(self, process: ProcessKey) -> None:
        """A reporter's poll, again and again, until cancelled."""
        while True:
            await self._session.reports.work(self._pane.id, str(process))

    def exits(self, code: int) -> None:
        """The agent ends."""
        self._spawner.child.exits(code)

    @property
    def exited(self) -> bool:
        return self._pane.exit_code is not None

    def explain(self) -> list[Observation]:
        """What the board says of the last observations."""
        return self._session.board.explain(self._pane.id)


@asynccontextmanager
async def production(recording: Recording, loop: VirtualLoop, home: Path) -> AsyncIterator[Production]:
    """A server with a pane in which the agent of a recording has just been started."""
    pid = recording.pid or FIRST_PID
    started = recording.started or EPOCH
    spawner = RecordedSpawner(pid)
    facts = ProcessFacts(pid=pid, argv=(recording.agent,), started=started)
    parts = _parts(LoopClock(loop, started), spawner, RecordedProcesses(facts), home)
    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        session = Session(parts, tasks)
        observer = Observer(session)
        pane = await _open(session, observer, recording, home)
        made = Production(session, observer, pane, spawner)
        ui = Ui(lambda *_: None, recording.cols, recording.rows)
        ui.mailbox = made.watcher
        session.uis.add(ui)
        ui.mailbox.put(session.synced())
        try:
            yield made
        finally:
            for left in tuple(session.panes.values()):
                session.remove(left)
            session.reports.close()
            tasks.cancel()


def _parts(clock: LoopClock, spawner: RecordedSpawner, processes: RecordedProcesses, home: Path) -> Parts:
    environment = Environment({"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": ""})
    return Parts(
        name="default",
        config=Config(),
        paths=environment.paths(),
        environment=environment,
        clock=clock,
        agents=Agents(),
        engines=GhosttyFactory(),
        spawner=spawner,
        processes=processes,
    )


async def _open(session: Session, observer: Observer, recording: Recording, home: Path) -> Pane:
    layout, pane_id = placed(session.layout, OpenRequest(), str(home))
    engine = session.parts.engines.new(recording.cols, recording.rows, scrollback_lines=1000)
    facts = PaneFacts(command=(recording.agent,), directory=str(home), is_agent=True)
    pane = Pane(pane_id, engine, facts, observer, session.parts.clock)
    session.add(pane, layout, recording.agent)
    program = Program(
        argv=(recording.agent,),
        environment={"HOME": str(home)},
        directory=str(home),
        cols=recording.cols,
        rows=recording.rows,
    )
    await pane.start(session.parts.spawner, program)
    return pane
