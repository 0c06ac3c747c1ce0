"""A pane on a board with a clock that jumps: events in, and what was shown of them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import assert_never

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.status.board import Board
from orca_tui.status.effects import (
    Changed,
    ClearUnread,
    Effect,
    Persist,
    Ring,
    StatusChanged,
    WakeAt,
)
from orca_tui.status.events import Event, TimePassed
from orca_tui.status.record import Kind, Status, StatusRecord

PANE = "p1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A status as it was shown from a moment on; `at` and `since` in Unix seconds."""

    at: float
    since: float
    status: Status
    kind: Kind | None = None
    message: str | None = None
    interrupted: bool = False
    code: int | None = None
    rings: int = 0
    another_ask: bool = False
    """The status stays waiting, and another ask is shown."""


class Timeline:
    """One pane; every timer that it sets goes off in time."""

    def __init__(self, agent: str | None, *, board: Board | None = None, saved: bytes | None = None) -> None:
        self.board = Board(Agents().profiles()) if board is None else board
        self.shown: list[Shown] = []
        self.rings: list[Status] = []
        self.effects: list[Effect] = []
        self._wake_at: float | None = None
        self.now = 0.0
        self._perform(self.board.open(PANE, agent=agent, at=0.0, saved=saved))
        self.shown.clear()

    @property
    def record(self) -> StatusRecord:
        return self.board.record(PANE)

    def observe(self, *events: Event) -> list[Effect]:
        """What the events, and the timers before them, led to."""
        before = len(self.effects)
        for event in events:
            self.run_until(event.at)
            self._perform(self.board.observe(PANE, event))
        return self.effects[before:]

    def run_until(self, at: float) -> None:
        """Let time pass, timers included."""
        while self._wake_at is not None and self._wake_at <= at:
            self.now, self._wake_at = max(self.now, self._wake_at), None
            self._perform(self.board.observe(PANE, TimePassed(at=self.now)))
        self.now = max(self.now, at)

    def statuses(self) -> list[Status]:
        """Every status that was shown, in order."""
        return [shown.status for shown in self.shown if not shown.another_ask]

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case StatusChanged(after=after):
                    self.shown.append(self._shown(after))
                case Changed(after=after):
                    self._changed(after)
                case Ring(why=why):
                    self.rings.append(why)
                    if self.shown:
                        self.shown[-1] = replace(self.shown[-1], rings=self.shown[-1].rings + 1)
                case WakeAt(at=at):
                    self._wake_at = at
                case ClearUnread() | Persist():
                    pass
                case _:
                    assert_never(effect)

    def _changed(self, after: StatusRecord) -> None:
        if not self.shown:
            return
        last = self.shown[-1]
        if after.status is Status.WAITING and (after.kind, after.message) != (last.kind, last.message):
            self.shown.append(replace(self._shown(after), another_ask=True))
        else:
            self.shown[-1] = replace(last, interrupted=after.interrupted)

    def _shown(self, record: StatusRecord) -> Shown:
        return Shown(
            at=self.now,
            since=record.since,
            status=record.status,
            kind=record.kind,
            message=record.message,
            interrupted=record.interrupted,
            code=record.exit_code,
        )


@pytest.fixture
def timeline() -> Callable[..., Timeline]:
    """Makes panes: `timeline("opencode")` is one whose process is the agent, `timeline(None)` a shell."""
    return Timeline
