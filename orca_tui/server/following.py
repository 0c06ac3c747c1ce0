"""Follows the files that some agents keep of their state. Says when they are looked at; no rules about status.

Rule 1: nothing is looked at while no pane has such an agent.
Rule 2: one pass over all panes at a time, in a thread: a slow disk slows nothing but this down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from orca_tui.agents.adapter import AgentAdapter, LogKeeper, StateFileKeeper
from orca_tui.base.ids import PaneId
from orca_tui.server.log_files import LogFile
from orca_tui.server.sight import Follower, Sight
from orca_tui.server.state_files import StateFile
from orca_tui.status.events import Event
from orca_tui.status.record import Status, StatusRecord

if TYPE_CHECKING:
    from orca_tui.server.session import Session

LOOK_EVERY_S = 0.25
"""A status must be right within a second of its evidence, and rest may have to be seen for half of that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Followed:
    agent: str
    follower: Follower


class Following:
    """The files that are followed for a session's panes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._environments: dict[PaneId, Mapping[str, str]] = {}
        self._followed: dict[PaneId, _Followed] = {}
        self._looking = False

    def started(self, pane: PaneId, environment: Mapping[str, str]) -> None:
        """A pane's program is started with that environment, which says where its agents' files are."""
        self._environments[pane] = environment
        self.changed(self._session.board.record(pane))

    def changed(self, record: StatusRecord) -> None:
        """A pane has another record: its agent may have come or gone."""
        pane = PaneId(record.pane)
        agent = record.agent if record.status is not Status.EXITED else None
        known = self._followed.get(pane)
        if agent == (known.agent if known else None):
            return
        self._followed.pop(pane, None)
        adapter = self._session.parts.agents.by_name(agent)
        environment = self._environments.get(pane)
        if adapter is None or environment is None:
            return
        follower = self._follower(adapter, environment)
        if follower is not None:
            self._followed[pane] = _Followed(agent=adapter.name, follower=follower)
            self._begin()

    def environment(self, pane: PaneId) -> Mapping[str, str]:
        """What a pane's program was started with; nothing as long as it has not been started."""
        return self._environments.get(pane, {})

    def forget(self, pane: PaneId) -> None:
        """The pane is closed."""
        self._environments.pop(pane, None)
        self._followed.pop(pane, None)

    def _follower(self, adapter: AgentAdapter, environment: Mapping[str, str]) -> Follower | None:
        if isinstance(adapter, StateFileKeeper):
            folder = adapter.state_folder(environment)
            processes = self._session.parts.processes
            return None if folder is None else StateFile(adapter, Path(folder), processes)
        return LogFile(adapter, environment) if isinstance(adapter, LogKeeper) else None

    def _begin(self) -> None:
        if not self._looking:
            self._looking = True
            self._session.tasks.start(self._look_on(), "follow agents' files")

    async def _look_on(self) -> None:
        try:
            while self._followed:
                await self._look()
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            self._looking = False

    async def _look(self) -> None:
        session = self._session
        followed = [(pane, one, self._sight(pane)) for pane, one in self._followed.items()]
        found = await asyncio.to_thread(_look_at, followed, session.now())
        for pane, one, events in found:
            if self._followed.get(pane) is one:
                session.observe(pane, events)

    def _sight(self, pane_id: PaneId) -> Sight:
        session = self._session
        master = session.pane(pane_id).master
        return Sight(
            group=None if master is None else session.parts.processes.foreground_group(master),
            session_id=session.board.record(pane_id).session_id,
        )


def _look_at(
    followed: list[tuple[PaneId, _Followed, Sight]], at: float
) -> list[tuple[PaneId, _Followed, list[Event]]]:
    looked = [(pane, one, one.follower.look(sight, at)) for pane, one, sight in followed]
    return [(pane, one, events) for pane, one, events in looked if events]
