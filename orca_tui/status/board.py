"""The status of every pane: the one holder that changes. It applies the machine and keeps what it saw; no rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec
from msgspec.structs import replace as with_fields

from orca_tui.base.errors import PaneNotFound
from orca_tui.status import reporters
from orca_tui.status.effects import Effect, Observation, Persist, StatusChanged
from orca_tui.status.events import Event, TimePassed
from orca_tui.status.expectations import Missing, missing
from orca_tui.status.hosting import Hosting, hosting_of
from orca_tui.status.machine import advance
from orca_tui.status.pane import Pane, profile_of
from orca_tui.status.profile import Profile
from orca_tui.status.record import Status, StatusRecord
from orca_tui.status.session_table import ProcessKey
from orca_tui.status.shifting import by_clock

MAX_OBSERVATIONS = 50  # What `explain` prints: a screen of it.

SAVED_VERSION = 2
"""Rises with every change of `Pane` that an earlier program could not read."""


class _Saved(msgspec.Struct, frozen=True):
    version: int
    pane: Pane


@dataclass(kw_only=True, slots=True)
class _Entry:
    pane: Pane
    observations: deque[Observation] = field(default_factory=lambda: deque(maxlen=MAX_OBSERVATIONS))

    def keep(self, observation: Observation) -> None:
        """Keep an observation; one that only repeats the last takes its place."""
        if self.observations and replace(self.observations[-1], at=observation.at) == observation:
            self.observations.pop()
        self.observations.append(observation)


class Board:
    """Who does what. Times are Unix seconds; every method but `open` raises `PaneNotFound` for unknown panes."""

    def __init__(self, profiles: Mapping[str, Profile]) -> None:
        """`profiles` is what is known of each agent beforehand: `agents.registry.Agents.profiles()`."""
        self._profiles = profiles
        self._entries: dict[str, _Entry] = {}

    def open(
        self, pane: str, *, agent: str | None, at: float, saved: bytes | None = None, adopted: bool = False
    ) -> list[Effect]:
        """Begin with a pane; one that was open before starts anew.

        `agent` is given when the pane's own process is that agent, and None for a shell. `saved` is what
        `save` gave before the server restarted. `adopted`: the pane's programs ran before this server, and
        nothing was saved of them: what they say first is no news. What cannot be read of `saved` counts as
        that.
        """
        state = None if saved is None else _restored(saved, pane, at)
        if state is None:
            record = StatusRecord(pane=pane, agent=agent, since=at)
            state = Pane(
                record=record,
                now=at,
                agent_at=at,
                child_is_agent=agent is not None,
                adopted=adopted or saved is not None,
            )
        self._entries[pane] = _Entry(pane=state)
        opened = StatusChanged(before=StatusRecord(pane=pane), after=state.record)
        return [opened, Persist(pane=pane), *self.observe(pane, TimePassed(at=at))]

    def observe(self, pane: str, event: Event) -> list[Effect]:
        """Take an event; perform the effects in their order."""
        entry = self._entry(pane)
        entry.pane, outcomes = advance(entry.pane, event, self._profiles)
        effects: list[Effect] = []
        for outcome in outcomes:
            if isinstance(outcome, Observation):
                entry.keep(outcome)
            else:
                effects.append(outcome)
        return effects

    def close(self, pane: str) -> None:
        """Forget a pane."""
        self._entry(pane)
        del self._entries[pane]

    def record(self, pane: str) -> StatusRecord:
        """What is shown of a pane."""
        return self._entry(pane).pane.record

    def records(self) -> list[StatusRecord]:
        """All panes, in the order in which they were opened."""
        return [entry.pane.record for entry in self._entries.values()]

    def explain(self, pane: str) -> list[Observation]:
        """The last observations, oldest first."""
        return list(self._entry(pane).observations)

    def hosting(self, pane: str) -> Hosting | None:
        """Which process hosts the pane's session, and in which mode; None where no reporter knows it."""
        return hosting_of(self._entry(pane).pane)

    def hosts(self, pane: str, session: str) -> bool:
        """Whether a reporter of the pane has told of that session, shown or not."""
        reporters = self._entry(pane).pane.reporters.by_process.values()
        return any(session in reporter.sessions.by_id for reporter in reporters)

    def missing(self, pane: str, at: float) -> list[Missing]:
        """The sources that its agent should have and has not, and why."""
        state = self._entry(pane).pane
        return missing(state, profile_of(state, self._profiles), at)

    def knows(self, pane: str, process: ProcessKey) -> bool:
        """Whether a reporter's table was taken; if not, ask it for everything again."""
        return self._entry(pane).pane.reporters.knows(process)

    def reporters(self, pane: str) -> list[ProcessKey]:
        """The processes that report for a pane: `ReporterDied` is due for those that are gone."""
        return [reporter.process for reporter in self._entry(pane).pane.reporters.by_process.values()]

    def resumable(self, pane: str) -> tuple[str, str] | None:
        """The agent and session that a pane can be resumed by, if there is or was one."""
        state = self._entry(pane).pane
        agent, session = state.record.agent, state.record.session_id
        if agent is None or session is None:
            agent, session = state.resume_agent, state.resume_session
        return None if agent is None or session is None else (agent, session)

    def save(self, pane: str) -> bytes:
        """Everything that is known of a pane, for `open` after a restart. Holds prompts: store it 0600."""
        return msgspec.msgpack.encode(_Saved(version=SAVED_VERSION, pane=self._entry(pane).pane))

    def _entry(self, pane: str) -> _Entry:
        entry = self._entries.get(pane)
        if entry is None:
            raise PaneNotFound(pane)
        return entry


def _restored(saved: bytes, pane: str, at: float) -> Pane | None:
    """The saved pane, unconfirmed until it is heard of again; None when this program cannot read it."""
    try:
        found = msgspec.msgpack.decode(saved, type=_Saved)
    except (msgspec.DecodeError, RecursionError):
        return None
    if found.version != SAVED_VERSION or found.pane.record.pane != pane:
        return None
    before = by_clock(found.pane, at)
    now = max(before.now, at)
    return replace(
        before,
        record=with_fields(before.record, confirmed=before.record.status is Status.EXITED),
        now=now,
        reporters=reporters.restarted(before.reporters, now),
        watched=False,
        pending_ask=None,  # An ask that has not rung yet is given its moment again.
        wake_at=None,
    )
