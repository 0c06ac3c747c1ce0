"""Opening a pane: its place at once, its program as soon as what it needs is known."""

from __future__ import annotations

import asyncio
import sysconfig

from orca_tui.agents.adapter import AgentAdapter, NeedsConsent
from orca_tui.base.ids import PaneId
from orca_tui.commands.open import OpenReply, OpenRequest
from orca_tui.config import Environment
from orca_tui.layout import Layout, find_pane
from orca_tui.process.spawner import Program
from orca_tui.server.environment import PaneIdentity, pane_environment
from orca_tui.server.launch import Launch, planned
from orca_tui.server.memory import PaneMemory
from orca_tui.server.names import one_line
from orca_tui.server.notify import ask_consent
from orca_tui.server.pane_facts import PaneFacts, new_inbox
from orca_tui.server.pane_listener import PaneListener
from orca_tui.server.panes import Pane
from orca_tui.server.placing import placed
from orca_tui.server.preparing import Prepared, Preparer
from orca_tui.server.runnable import check_runnable
from orca_tui.server.session import Session
from orca_tui.status.events import AgentRecognised
from orca_tui.status.record import Source
from orca_tui.term.engine import TerminalEngine


class Opener:
    """Opens panes of a session; their news goes to `listener`."""

    def __init__(self, session: Session, listener: PaneListener, preparer: Preparer) -> None:
        self._session = session
        self._listener = listener
        self._preparer = preparer

    async def open(self, request: OpenRequest, *, openers: tuple[str, ...] = ()) -> OpenReply:
        """Open a pane. Raises for a request that cannot be placed and for what cannot be run, before there is a
        pane; what shows only when the program is run is no error: its pane shows why."""
        session = self._session
        launch = self.planned(request)
        await asyncio.to_thread(check_runnable, launch, launch.base | dict(request.set_environment))
        layout, pane_id = placed(session.layout, request, launch.directory, focused=not len(session.uis))
        pane = self.add(request, launch, layout, pane_id)
        pane.facts.openers = openers
        await self.start(pane, launch, request)
        workspace, tab = find_pane(layout, pane_id)
        return OpenReply(pane=pane_id, tab=tab.id, workspace=workspace.id)

    def planned(self, request: OpenRequest) -> Launch:
        """What a request asks for; raises `Invalid`."""
        parts = self._session.parts
        return planned(request, parts.environment, parts.config.terminal.shell, parts.agents)

    def add(
        self,
        request: OpenRequest,
        launch: Launch,
        layout: Layout,
        pane_id: PaneId,
        *,
        inbox: str = "",
        screen: tuple[TerminalEngine, PaneMemory] | None = None,
    ) -> Pane:
        """A pane at its place in `layout`, without its program; `inbox` and `screen` are of an earlier life."""
        session = self._session
        engine, memory = screen or self._blank(pane_id, request.size)
        facts = PaneFacts(
            command=launch.argv,
            directory=launch.directory,
            name=one_line(request.name),
            agent=launch.agent,
            asked=launch.argv,
            added=request.set_environment,
            relaunch=request.relaunch,
            closes_on_clean_exit=launch.plain_shell,
            inbox=inbox or new_inbox(),
        )
        pane = Pane(pane_id, engine, facts, self._listener, session.parts.clock, memory, session.reading)
        session.add(pane, layout, launch.agent)
        return pane

    def _blank(self, pane_id: PaneId, size: tuple[int, int]) -> tuple[TerminalEngine, PaneMemory]:
        parts = self._session.parts
        engine = parts.engines.new(*size, scrollback_lines=parts.config.terminal.scrollback_lines)
        return engine, self._session.keeping.begun(pane_id, *size)

    async def start(self, pane: Pane, launch: Launch, request: OpenRequest) -> None:
        """Run the program of a pane that was added."""
        session = self._session
        identity = PaneIdentity(
            server=session.parts.name,
            pane=pane.id,
            token=session.tokens.give(pane.id),
            intake=str(session.parts.sockets().intake),
            api=str(session.parts.sockets().http),
            programs=sysconfig.get_path("scripts"),
        )
        environment = pane_environment(launch.base, identity, launch.directory, request.set_environment)
        if launch.plain_shell:
            session.tasks.start(self._preparer.prepare_shell(Environment(environment)), f"prepare {pane.id}")
        prepared = await self._preparer.prepare(launch, Environment(environment))
        pane.facts.note = prepared.note
        pane.facts.command = prepared.argv
        self._tell_session(pane, launch, prepared)
        environment |= prepared.environment
        session.keeping.saver.write()  # Before the program runs, which names itself by its token.
        program = Program(
            argv=prepared.argv,
            environment=environment,
            directory=launch.directory,
            cols=pane.engine.cols,
            rows=pane.engine.rows,
            key=pane.id,
        )
        if not pane.closed:
            session.following.started(pane.id, environment)
            await pane.start(session.parts.spawner, program)
            session.callers.started(pane)
        if not pane.closed and pane.id in session.panes:
            session.tell_changed(pane)  # It has a process id, or an exit code, now.
            # Somebody who asks for the keyboard has it; a script that opens a pane must not take it from a person.
            if launch.adapter is not None and prepared.lacks_consent and request.focus:
                self._ask_consent(launch.adapter)

    def _tell_session(self, pane: Pane, launch: Launch, prepared: Prepared) -> None:
        """The agent was told which session to begin."""
        if launch.agent is None or prepared.session_id is None:
            return
        session = self._session
        recognised = AgentRecognised(
            at=session.now(),
            source=Source.PROCESS,
            agent=launch.agent,
            session_id=prepared.session_id,
        )
        session.observe(pane.id, [recognised])

    def _ask_consent(self, adapter: AgentAdapter) -> None:
        """Ask somebody, if anybody is there, for what the next pane of this agent could have."""
        session = self._session
        if not isinstance(adapter, NeedsConsent) or not len(session.uis):
            return
        if session.consent.is_to_be_asked(adapter.name):
            ask_consent(session.uis, adapter.name, adapter.title, adapter.consent)
