"""The turns and asks that one source of separate events tells of (hooks, a log), folded. Pure.

Rule 1: events of a turn that has ended change nothing, in whatever order they arrive: turns are told apart by
        their ids, and by time where a source has none.
Rule 2: a second end of a turn is no end. An end of a turn that is not the running one ends nothing.
Rule 3: an end with background tasks leaves the agent working; the end after them ends the turn.
Rule 4: an ask is closed by its own reply, by a start, by an end, or by another session.
Rule 5: another session is a boundary: the turn before it is dropped, and is no end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from orca_tui.status.events import (
    Ask,
    Asked,
    End,
    Ending,
    LifecycleEvent,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.reading import Reading, status_of_end
from orca_tui.status.record import Kind, Source, Status

MAX_ENDED_TURNS = 64  # Ids of turns whose late events are still recognised.


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifecycle:
    """What one source has told."""

    source: Source
    turn: str | None = None
    """The id of the running turn, or of the last one."""
    turn_open: bool = False
    ended_turns: tuple[str, ...] = ()
    ended_at: float = float("-inf")
    background: int = 0
    asks: tuple[Ask, ...] = ()
    last_end: End | None = None
    ends: int = 0
    session_id: str | None = None
    prompt: str | None = None
    last_message: str | None = None
    tool: str | None = None
    changed_at: float = 0.0


def told(lifecycle: Lifecycle, event: LifecycleEvent) -> Lifecycle:
    """Fold an event in; the same object comes back when it changes nothing."""
    if not isinstance(event, SessionChanged) and _is_late(lifecycle, event.turn, event.at):
        return lifecycle  # Rule 1.
    changed = _changed(lifecycle, event)
    return lifecycle if changed == lifecycle else replace(changed, changed_at=event.at)


def interrupted(lifecycle: Lifecycle, at: float) -> Lifecycle:
    """The user ended the running turn at that time, of which the source tells nothing."""
    end = End(how=Ending.INTERRUPTED)
    return told(lifecycle, TurnEnded(at=at, source=lifecycle.source, end=end, turn=lifecycle.turn))


def read(lifecycle: Lifecycle) -> Reading:
    """What the source says."""
    permissions = [ask for ask in lifecycle.asks if ask.kind is Kind.PERMISSION]
    if lifecycle.asks:
        ask = permissions[0] if permissions else lifecycle.asks[-1]
        said = replace(_said(lifecycle, Status.WAITING, f"it asks ({ask.kind})"), kind=ask.kind)
        return replace(said, ask=f"{lifecycle.source} {ask.id}", message=ask.text)
    if lifecycle.turn_open:
        return _said(lifecycle, Status.WORKING, "a turn runs")
    end = lifecycle.last_end
    if end is None:
        return _said(lifecycle, Status.IDLE, "no turn has run")
    return replace(
        _said(lifecycle, status_of_end(end), f"the turn ended: {end.how}"),
        kind=end.kind,
        message=end.message,
        resets_at=end.resets_at,
        interrupted=end.how is Ending.INTERRUPTED,
    )


def _is_late(lifecycle: Lifecycle, turn: str | None, at: float) -> bool:
    if turn is not None:
        return turn in lifecycle.ended_turns
    return at < lifecycle.ended_at


def _changed(lifecycle: Lifecycle, event: LifecycleEvent) -> Lifecycle:
    match event:
        case TurnStarted():
            return _started(lifecycle, event)
        case TurnEnded():
            return _ended(lifecycle, event)
        case ToolUsed(turn=turn, tool=tool):
            # Without the id of a turn it may be the late word of one that has ended.
            opens = turn is not None and turn != lifecycle.turn
            lifecycle = replace(lifecycle, turn=turn, turn_open=True) if opens else lifecycle
            return replace(lifecycle, tool=tool) if lifecycle.turn_open else lifecycle
        case Asked(ask=ask):
            kept = tuple(other for other in lifecycle.asks if other.id != ask.id)
            return replace(lifecycle, asks=(*kept, ask))
        case Resolved(ask_id=ask_id):
            kept = tuple(ask for ask in lifecycle.asks if ask_id is not None and ask.id != ask_id)
            return replace(lifecycle, asks=kept)
        case SessionChanged(session_id=session_id):
            if session_id == lifecycle.session_id:
                return lifecycle
            return _bounded(_remember_ended(lifecycle, lifecycle.turn), session_id, event.at)
        case _:
            assert_never(event)


def _started(lifecycle: Lifecycle, event: TurnStarted) -> Lifecycle:
    if lifecycle.turn_open and event.turn is not None and event.turn == lifecycle.turn:
        return replace(lifecycle, prompt=event.prompt or lifecycle.prompt)
    return replace(
        lifecycle,
        turn=event.turn,
        turn_open=True,
        background=0,
        asks=(),
        session_id=event.session_id or lifecycle.session_id,
        prompt=event.prompt,
        last_message=None,
        tool=None,
    )


def _ended(lifecycle: Lifecycle, event: TurnEnded) -> Lifecycle:
    if event.turn is None and not lifecycle.turn_open:
        return lifecycle  # Rule 2.
    other = None not in (event.turn, lifecycle.turn) and event.turn != lifecycle.turn
    if other and lifecycle.turn_open:
        return _remember_ended(lifecycle, event.turn)  # Rule 2.
    lifecycle = replace(
        lifecycle,
        session_id=event.session_id or lifecycle.session_id,
        last_message=event.last_message or lifecycle.last_message,
        asks=(),
        tool=None,
        background=event.background,
    )
    if event.background > 0:
        return replace(lifecycle, turn=event.turn or lifecycle.turn, turn_open=True)  # Rule 3.
    return replace(
        _remember_ended(lifecycle, event.turn or lifecycle.turn),
        turn_open=False,
        last_end=event.end,
        ends=lifecycle.ends + 1,
        ended_at=event.at,
    )


def _bounded(lifecycle: Lifecycle, session_id: str, at: float) -> Lifecycle:
    """Rule 5."""
    return Lifecycle(
        source=lifecycle.source,
        ended_turns=lifecycle.ended_turns,
        ended_at=at,
        ends=lifecycle.ends,
        session_id=session_id,
    )


def _remember_ended(lifecycle: Lifecycle, turn: str | None) -> Lifecycle:
    if turn is None:
        return lifecycle
    return replace(lifecycle, ended_turns=(*lifecycle.ended_turns, turn)[-MAX_ENDED_TURNS:])


def _said(lifecycle: Lifecycle, status: Status, detail: str) -> Reading:
    return Reading(
        source=lifecycle.source,
        status=status,
        at=lifecycle.changed_at,
        detail=detail,
        ends=lifecycle.ends,
        session_id=lifecycle.session_id,
        prompt=lifecycle.prompt,
        last_message=lifecycle.last_message,
        tool=lifecycle.tool,
        subagents=lifecycle.background,
    )
