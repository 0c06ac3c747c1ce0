"""Brings a saved session back whose programs are gone: the same places, and programs that go on where they can.

Rule 1: an agent with a conversation goes on with it, by its own options and with those it was started with; one
that was never prompted starts anew.
Rule 2: a shell opens where it was. An agent that ran in it is one key away: its command is typed, not sent.
Rule 3: any other command waits for Enter in its pane, unless it is marked to be relaunched.
Rule 4: what had ended comes back as ended, with its last screen, and is started again by Enter alone.
Rule 5: programs get the environment of whoever restores; what was set for a pane is set again.
"""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import dataclass
from enum import Enum, auto

from orca_tui.agents.registry import Agents
from orca_tui.agents.resuming import resume_command
from orca_tui.base.errors import Conflict
from orca_tui.base.ids import PaneId
from orca_tui.commands.open import OpenRequest
from orca_tui.commands.sessions import RestoreReply
from orca_tui.layout import Layout, all_panes, close_pane, grafted
from orca_tui.server.launch import Launch
from orca_tui.server.memory import PaneMemory
from orca_tui.server.opening import Opener
from orca_tui.server.panes import Pane
from orca_tui.server.saved_session import SavedPane, SavedSession
from orca_tui.server.session import Session
from orca_tui.status.events import AgentRecognised, Event, ProcessExited
from orca_tui.status.record import Source
from orca_tui.term.engine import TerminalEngine


class How(Enum):
    """How a pane comes back."""

    RESUMED = auto()
    STARTED = auto()
    HELD = auto()
    ENDED = auto()


PLAIN = "\x1b[!p\x1b[m"
"""Below what had ended a line is written with no style, margin or mode of its (DECSTR, SGR 0)."""
WAITING = (How.HELD, How.ENDED)
"""These are started by a key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Return:
    """What is done for one pane."""

    how: How
    command: tuple[str, ...]
    agent: str | None
    typed: str = ""
    """What is typed into it, and left to be sent."""


class Restorer:
    """Restores into a session."""

    def __init__(self, session: Session, opener: Opener) -> None:
        self._session = session
        self._opener = opener

    async def restore(
        self, session_id: str, saved: SavedSession, *, run: bool, environment: dict[str, str] | None
    ) -> RestoreReply:
        """Bring everything back; what cannot be run shows why in its pane."""
        panes = {pane.id: pane for pane in saved.panes}
        layout, renamed = grafted(self._session.layout, _known(saved.layout, set(panes)))
        agents = self._session.parts.agents
        returns = {renamed[PaneId(old)]: returning(panes[old], agents, run=run) for old in map(str, renamed)}
        starting = []
        for old, new in renamed.items():
            request = _request(panes[old], returns[new], environment)
            launch = self._opener.planned(request)
            ended = returns[new].how is How.ENDED
            screen = self._last_screen(session_id, panes[old], new) if ended else None
            inbox = self._free(panes[old].inbox)
            pane = self._opener.add(request, launch, layout, new, inbox=inbox, screen=screen)
            if ended:
                self._end(pane, panes[old])
            if returns[new].how in WAITING:
                self._hold(pane, launch, request, told=ended and self._says_so(panes[old]))
            else:
                starting.append(self._start(pane, launch, request, returns[new].typed))
        await asyncio.gather(*starting)
        return RestoreReply(
            session=session_id,
            panes=tuple(returns),
            resumed=tuple(pane for pane, one in returns.items() if one.how is How.RESUMED),
            held=tuple(pane for pane, one in returns.items() if one.how in WAITING),
        )

    def _free(self, inbox: str) -> str:
        """A saved pane's inbox, unless another pane was made of the same one."""
        panes = self._session.panes.values()
        taken = self._session.notices.home(inbox) is not None or any(
            one.facts.inbox == inbox for one in panes
        )
        return "" if taken else inbox

    def hold(self, pane: Pane, saved: SavedPane, environment: dict[str, str] | None) -> None:
        """Have a pane wait for its key again, after another server held it."""
        held = Return(how=How.HELD, command=saved.asked, agent=saved.agent)
        request = _request(saved, held, environment)
        self._wait_for_key(pane, self._opener.planned(request), request)

    def _says_so(self, saved: SavedPane) -> bool:
        """Its last screen ends with what a key does, from the restore before."""
        return saved.held and self._session.keeping.screens is not None

    def _last_screen(
        self, session_id: str, saved: SavedPane, pane: PaneId
    ) -> tuple[TerminalEngine, PaneMemory]:
        return self._session.keeping.last_screen(session_id, saved.id, pane, saved.size)

    def _end(self, pane: Pane, saved: SavedPane) -> None:
        """Rule 4: the same end, and the same conversation to go on with."""
        exit_code = saved.exit_code or 0
        pane.facts.title, pane.facts.titled_by_program = saved.title, saved.titled_by_program
        pane.end_before(exit_code)
        now = self._session.now()
        events: list[Event] = [ProcessExited(at=now, exit_code=exit_code)]
        if saved.resumes is not None and saved.resumes[0] == saved.agent:
            agent, session_id = saved.resumes
            named = AgentRecognised(at=now, source=Source.PROCESS, agent=agent, session_id=session_id)
            events.insert(0, named)
        self._session.observe(pane.id, events)

    def _hold(self, pane: Pane, launch: Launch, request: OpenRequest, *, told: bool) -> None:
        """`told`: its screen says it already."""
        if not told:
            if pane.exit_code is not None:
                pane.show(PLAIN)
            pane.show(shlex.join(launch.argv))
            pane.show(f"Enter runs it again in {launch.directory}")
        self._wait_for_key(pane, launch, request)

    def _wait_for_key(self, pane: Pane, launch: Launch, request: OpenRequest) -> None:
        def start() -> None:
            if pane.exit_code is not None:
                self._session.begin_again(pane)
            self._session.tasks.start(self._opener.start(pane, launch, request), f"start {pane.id}")

        pane.hold(start)

    async def _start(self, pane: Pane, launch: Launch, request: OpenRequest, typed: str) -> None:
        await self._opener.start(pane, launch, request)
        if typed and pane.pid is not None:
            try:
                pane.write(typed.encode())
            except Conflict:
                return  # It has ended already, and its pane says how.


def returning(saved: SavedPane, agents: Agents, *, run: bool) -> Return:
    """Rules 1 to 4."""
    resume = _resume(saved, agents)
    if saved.exit_code is not None:
        command = () if saved.closes_on_clean_exit else resume or saved.asked
        return Return(how=How.ENDED, command=command, agent=saved.agent)
    if saved.closes_on_clean_exit:
        typed = shlex.join(resume) if saved.runs_agent and resume else ""
        return Return(how=How.STARTED, command=(), agent=None, typed=typed)
    if saved.agent is not None and not saved.held:
        if resume:
            return Return(how=How.RESUMED, command=resume, agent=saved.agent)
        return Return(how=How.STARTED, command=saved.asked, agent=saved.agent)
    how = How.STARTED if run or saved.relaunch else How.HELD
    return Return(how=how, command=resume or saved.asked, agent=saved.agent)


def _resume(saved: SavedPane, agents: Agents) -> tuple[str, ...]:
    """The command that goes on with the conversation; empty where there is none."""
    if saved.resumes is None or not saved.prompted:
        return ()
    name, session_id = saved.resumes
    adapter = agents.by_name(name)
    if adapter is None:
        return ()
    return resume_command(adapter, session_id, saved.asked if saved.agent == name else ())


def _request(saved: SavedPane, how: Return, environment: dict[str, str] | None) -> OpenRequest:
    return OpenRequest(
        agent=how.agent,
        command=how.command,
        cwd=saved.directory,
        name=saved.name,
        environment=environment,
        set_environment=saved.added,
        size=saved.size,
        relaunch=saved.relaunch,
    )


def _known(layout: Layout, panes: set[str]) -> Layout:
    """The layout without places of panes of which nothing was saved."""
    for pane in tuple(all_panes(layout)):
        if pane not in panes:
            layout = close_pane(layout, pane)
    return layout
