"""What agents report of themselves over the intake: the `ReportSink`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId
from orca_tui.process.exits import when_gone
from orca_tui.status.events import (
    AgentRecognised,
    Event,
    ReporterDied,
    ReporterHeard,
    StateSaid,
    TablePosted,
    TurnEnded,
)
from orca_tui.status.record import Source
from orca_tui.status.session_table import ProcessKey
from orca_tui.status.turns import Ending

if TYPE_CHECKING:
    from orca_tui.server.session import Session

MAX_PROCESSES = 64
"""Reporting processes that are remembered per pane; a pane has one or two, and each costs a descriptor."""

FIRST_TABLE = 1  # `seq` of what a process posts first.

POLL_S = 25.0
"""How long a poll for work is held: below the half minute after which proxies and libraries lose patience."""


class Reports:
    """Takes reports and polls; knows which processes have spoken, and notices when they are gone."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[PaneId, dict[ProcessKey, Callable[[], None] | None]] = {}
        """Of each process what stops watching it, where it can be watched."""

    def pane_of(self, token: str) -> PaneId | None:
        """The living pane that a token was given to."""
        return self._session.tokens.pane_of(token)

    def reported(self, pane: PaneId, agent: str, body: bytes) -> bool:
        """Take one report. False asks for the full state again: the process has reported before, to a server
        that is not this one. Raises `Invalid`, `TooLarge` or `NotFound` (agent)."""
        reader = self._session.parts.agents.reader(agent)
        if reader is None:
            raise NotFound(f"no agent {agent!r} reports here", agent=agent)
        events = reader.report_posted(body, pane, self._session.now())
        complete = all(self._is_complete(pane, event) for event in events)
        for event in events:
            if isinstance(event, TablePosted):
                self._meet(pane, event.table.process)
        self._session.observe(
            pane, [one for one in self._fitting(pane, agent, events) if self._is_over(pane, agent, one)]
        )
        return complete

    def _is_over(self, pane: PaneId, agent: str, event: Event) -> bool:
        """Not for the end of a turn that a hook has kept from it: such an end is reported all the same."""
        if (
            not isinstance(event, TurnEnded)
            or event.source is not Source.HOOK
            or event.end.how is not Ending.OK
        ):
            return True
        return not self._session.notices.hooks.goes_on(pane, agent, event.turn)

    def _fitting(self, pane: PaneId, agent: str, events: list[Event]) -> list[Event]:
        """Without what an agent that runs inside another one would say in that one's name, or take from it."""
        if self._session.board.record(pane).agent in (None, agent):
            return events
        return [event for event in events if not isinstance(event, StateSaid | AgentRecognised)]

    async def work(self, pane: PaneId, process: str, takes: frozenset[str]) -> list[dict[str, Any]]:
        """Hold a reporter's poll, its heartbeat, until there is work of a kind that it takes."""
        key = ProcessKey.parse(process)
        self._meet(pane, key)
        self._heard(pane, key, polling=True)
        try:
            return await self._session.notices.plugin.work(pane, key, takes, POLL_S)
        finally:
            self._heard(pane, key, polling=False)

    def told(self, pane: PaneId, body: bytes) -> None:
        """Take what became of work."""
        self._session.notices.plugin.told(pane, body)

    def collect(self, pane: PaneId, body: bytes) -> list[dict[str, Any]]:
        """What may come in now, for a hook that asks."""
        return self._session.notices.plugin.collect(pane, body)

    def ask(self, pane: PaneId, agent: str, event: str, body: bytes) -> bytes:
        """The answer to a hook that asks for notices."""
        return self._session.notices.hooks.ask(pane, agent, event, body)

    async def bell(self, pane: PaneId, agent: str) -> str:
        """Hold a doorbell until it is to ring."""
        return await self._session.notices.hooks.bell(pane, agent)

    def _is_complete(self, pane: PaneId, event: Event) -> bool:
        """The first table of a process is complete; a later one of a process never met leaves some out."""
        if not isinstance(event, TablePosted) or event.table.seq <= FIRST_TABLE:
            return True
        return self._session.board.knows(pane, event.table.process)

    def resume(self, pane: PaneId) -> None:
        """Watch the processes that reported to the server before; those that are gone meanwhile are told."""
        for process in self._session.board.reporters(pane):
            if self._session.parts.processes.process(process.pid) is None:
                self._gone(pane, process)
            else:
                self._meet(pane, process)

    def forget(self, pane: PaneId) -> None:
        """The pane is closed."""
        for stop in self._known.pop(pane, {}).values():
            if stop is not None:
                stop()

    def close(self) -> None:
        """The server stops."""
        for pane in tuple(self._known):
            self.forget(pane)

    def _meet(self, pane: PaneId, process: ProcessKey) -> None:
        """Watch for a process's end. Of too many, what was met first is let go: it is the likeliest to be gone."""
        known = self._known.setdefault(pane, {})
        if process in known:
            return
        known[process] = when_gone(process.pid, lambda: self._gone(pane, process))
        if len(known) > MAX_PROCESSES:
            oldest = next(iter(known))
            stop = known.pop(oldest)
            if stop is not None:
                stop()
            self._session.notices.plugin.gone(pane, oldest)

    def _gone(self, pane: PaneId, process: ProcessKey) -> None:
        self._known.get(pane, {}).pop(process, None)
        self._session.notices.plugin.gone(pane, process)
        self._session.observe(pane, [ReporterDied(at=self._session.now(), process=process)])

    def _heard(self, pane: PaneId, process: ProcessKey, *, polling: bool) -> None:
        self._session.observe(pane, [ReporterHeard(at=self._session.now(), process=process, polling=polling)])
