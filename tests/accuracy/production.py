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
from orca_tui.process.table import ProcessFacts
from orca_tui.server.launch import Launch
from orca_tui.server.observing import Observer
from orca_tui.server.opening import Opener
from orca_tui.server.panes import Pane
from orca_tui.server.parts import Parts
from orca_tui.server.preparing import Prepared, Preparer
from orca_tui.server.session import Session
from orca_tui.server.tasks import Tasks
from orca_tui.server.uis import Ui
from orca_tui.status.effects import Observation
from orca_tui.status.session_table import ProcessKey
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.input_events import InputEvent
from tests.accuracy.recording import Recording
from tests.accuracy.shown import Watcher
from tests.accuracy.stand_ins import FIRST_PID, RecordedProcesses, RecordedSpawner
from tests.accuracy.virtual_loop import LoopClock, VirtualLoop
from tests.server.rooms import stored_notices

EPOCH = 1_767_225_600.0
"""When recordings begin whose agents' start was not written down."""
ENDING_S = 0.1  # How long a pane's end takes, in the loop's time.
TOLD_THEIR_SESSION = {"claude", "gemini", "copilot"}


class Production:
    """One pane with an agent, and a UI that looks on from afar (so that the bell may ring)."""

    def __init__(
        self,
        session: Session,
        observer: Observer,
        pane: Pane,
        spawner: RecordedSpawner,
        processes: RecordedProcesses,
    ) -> None:
        self._session = session
        self._observer = observer
        self._pane = pane
        self._spawner = spawner
        self._processes = processes
        self.watcher = Watcher(self.now_ms)

    def now_ms(self) -> float:
        """Since the recording began."""
        return self._session.parts.clock.monotonic() * 1000

    @property
    def epoch(self) -> float:
        """When the recording began, in Unix seconds."""
        return self._session.now() - self._session.parts.clock.monotonic()

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
        self._processes.has_ended = True
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
    processes = RecordedProcesses(ProcessFacts(pid=pid, argv=(recording.agent,), started=started))
    parts = _parts(LoopClock(loop, started), spawner, processes, home)
    async with stored_notices() as store, asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        session = Session(parts, tasks, store)
        observer = Observer(session)
        pane = await _open(session, observer, recording, home)
        made = Production(session, observer, pane, spawner, processes)
        ui = Ui(lambda *_: None, recording.cols, recording.rows)
        ui.mailbox = made.watcher
        session.uis.add(ui)
        ui.mailbox.put(session.synced())
        try:
            yield made
        finally:
            for left in tuple(session.panes.values()):
                session.remove(left)
            while session.ending:  # noqa: ASYNC110 - in a loop whose time jumps.
                await asyncio.sleep(ENDING_S)
            session.reports.close()
            tasks.cancel()


def _parts(clock: LoopClock, spawner: RecordedSpawner, processes: RecordedProcesses, home: Path) -> Parts:
    environment = Environment({"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": ""})
    return Parts(
        name="default",
        settings=Config,
        paths=environment.paths(),
        environment=environment,
        clock=clock,
        agents=Agents(),
        engines=GhosttyFactory(),
        spawner=spawner,
        processes=processes,
    )


async def _open(session: Session, observer: Observer, recording: Recording, home: Path) -> Pane:
    known = session.parts.agents.by_name(recording.agent) is not None
    program = home / recording.agent
    program.touch(mode=0o755)  # A pane opens for a program that is there; what runs in it is the recording.
    request = OpenRequest(
        agent=recording.agent if known else None,
        command=(recording.agent,),
        cwd=str(home),
        environment={"HOME": str(home), "PATH": str(home)},
        size=(recording.cols, recording.rows),
    )
    reply = await Opener(session, observer, AsRecorded(recording)).open(request)
    return session.pane(reply.pane)


class AsRecorded(Preparer):
    """Prepares nothing: the recorded agent has been given what it needs, and the session that it began."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    async def prepare(self, launch: Launch, environment: Environment) -> Prepared:
        return Prepared(argv=launch.argv, session_id=_session_of(self._recording))


def _session_of(recording: Recording) -> str | None:
    """The id that the agent was told to give its session: the first that its hooks name."""
    if recording.agent not in TOLD_THEIR_SESSION:
        return None
    payloads = (line.what["payload"] for line in recording.lines if line.kind == "hook")
    return next((payload.get("session_id") or payload.get("sessionId") for payload in payloads), None)
