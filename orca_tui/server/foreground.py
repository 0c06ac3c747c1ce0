"""Looks at who is in front of a shell pane's terminal, when something suggests a change. No rules: those are in
`status/reconcile.py`.

A pane whose own program is the agent is never looked at: only its exit ends the agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orca_tui.agents.registry import Agents
from orca_tui.base.ids import PaneId
from orca_tui.process.exits import when_gone
from orca_tui.process.table import ProcessFacts
from orca_tui.server.panes import Pane
from orca_tui.status.reconcile import CONSISTENT_S, Look, Member, Watch, look_again_in, looked

if TYPE_CHECKING:
    from orca_tui.server.session import Session

LOOK_EVERY_S = CONSISTENT_S  # Titles may change many times a second; looking more often decides nothing.


@dataclass(kw_only=True, slots=True)
class _Watched:
    """What is known of one pane, and when it is looked at next."""

    watch: Watch = field(default_factory=Watch)
    looked_at: float | None = None
    """Monotonic seconds."""
    timer: asyncio.TimerHandle | None = None
    """Set while a look is due or under way."""
    suspected: bool = False
    """Something came up since."""
    group: int | None = None
    """Who was in front when it was looked at last."""
    stop_waiting: Callable[[], None] | None = None
    """Ends the waiting for the known agent's end, where that can be waited for."""


class ForegroundWatch:
    """Watches the shell panes of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._panes: dict[PaneId, _Watched] = {}

    def suspect(self, pane: Pane) -> None:
        """Something may have changed: look soon, but not all the time."""
        if pane.facts.is_agent or pane.master is None:
            return
        watched = self._panes.setdefault(pane.id, _Watched())
        if watched.timer is not None:
            watched.suspected = True  # A look may be under way, and see what was before.
            return
        now = self._session.parts.clock.monotonic()
        last = watched.looked_at
        self._look_in(pane, watched, 0.0 if last is None else max(0.0, last + LOOK_EVERY_S - now))

    def forget(self, pane_id: PaneId) -> None:
        """The pane's own program is gone."""
        watched = self._panes.pop(pane_id, None)
        if watched is None:
            return
        if watched.timer is not None:
            watched.timer.cancel()
        if watched.stop_waiting is not None:
            watched.stop_waiting()

    def _look_in(self, pane: Pane, watched: _Watched, delay: float) -> None:
        loop = asyncio.get_running_loop()
        watched.timer = loop.call_later(delay, self._start_look, pane, watched)

    def _start_look(self, pane: Pane, watched: _Watched) -> None:
        if pane.closed:
            self.forget(pane.id)
            return
        watched.looked_at = self._session.parts.clock.monotonic()
        watched.suspected = False
        self._session.tasks.start(self._look(pane, watched), f"look at {pane.id}")

    async def _look(self, pane: Pane, watched: _Watched) -> None:
        look = await self._looked(pane, watched)
        watched.timer = None
        if pane.closed or pane.exit_code is not None:
            self.forget(pane.id)
            return
        known = watched.watch.agent
        watched.watch, events = looked(watched.watch, look)
        if watched.watch.agent != known:
            self._wait_for_end(pane, watched, watched.watch.agent)
        self._session.observe(pane.id, list(events))
        again = look_again_in(watched.watch, self._session.now())
        if again is None and watched.suspected:
            again = LOOK_EVERY_S
        if again is not None:
            self._look_in(pane, watched, again)

    def _wait_for_end(self, pane: Pane, watched: _Watched, agent: Member | None) -> None:
        """A killed agent says nothing, and its shell may be silent too: its end is a reason to look."""
        if watched.stop_waiting is not None:
            watched.stop_waiting()
        watched.stop_waiting = (
            None if agent is None else when_gone(agent.pid, lambda: self._agent_ended(pane))
        )

    def _agent_ended(self, pane: Pane) -> None:
        if pane.closed:
            self.forget(pane.id)
        else:
            self.suspect(pane)

    async def _looked(self, pane: Pane, watched: _Watched) -> Look:
        group = (
            self._session.parts.processes.foreground_group(pane.master) if pane.master is not None else None
        )
        agent = watched.watch.agent
        alive = agent is not None and self._lives(agent)
        if agent is not None and alive and group == watched.group and group != pane.pid:
            members: tuple[Member, ...] | None = (agent,)  # As before; the others cannot change that.
        else:
            members = await self._members(group, pane)
        watched.group = group
        return Look(
            at=self._session.now(), shell_in_front=group == pane.pid, members=members, agent_alive=alive
        )

    async def _members(self, group: int | None, pane: Pane) -> tuple[Member, ...] | None:
        """Who is in front; None when nobody can be seen."""
        processes, agents = self._session.parts.processes, self._session.parts.agents
        if group is None:
            return None
        if group == pane.pid:
            shell = processes.process(group)  # It may have become the agent itself, by exec.
            return (_member(shell, agents),) if shell is not None else None
        members = await asyncio.to_thread(processes.members, group)
        return tuple(_member(member, agents) for member in members) or None

    def _lives(self, agent: Member) -> bool:
        found = self._session.parts.processes.process(agent.pid)
        return found is not None and found.started == agent.started


def _member(facts: ProcessFacts, agents: Agents) -> Member:
    adapter = agents.recognise(facts.argv) if facts.argv else None
    return Member(pid=facts.pid, started=facts.started, agent=adapter.name if adapter else None)
