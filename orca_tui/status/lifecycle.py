"""The turns and asks that one source of separate events tells of (hooks, a log), folded. Pure.

Rule 1: events of a turn that has ended change nothing, in whatever order they arrive: turns are told apart by
        their ids, and by time where a source has none.
Rule 2: a second end of a turn is no end. An end of a turn that is not the running one ends nothing.
Rule 3: an end with background tasks leaves the agent working; the end after them ends the turn. An end without
        any ends all sub-agents as well, for their own ends may be lost.
Rule 4: an ask is closed by its own reply, by a later start, by the end of the turn or of the sub-agent that
        asked, or by another session. A reply that overtakes its ask closes it all the same.
Rule 5: another session is a boundary: the turn before it is dropped, and is no end. The first session that is
        heard of, before any turn, only gets its name.
Rule 6: a sub-agent that runs makes the agent work, and its ask makes it wait; its end ends nothing else. One
        that has ended does not run again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    LifecycleEvent,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.reading import Reading, status_of_end
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import Ask, End, Ending

MAX_ENDED = 64  # Ids of turns, sub-agents and asks whose late events are still recognised, each.


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenAsk:
    """An ask that waits for its reply."""

    ask: Ask
    at: float
    child: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifecycle:
    """What one source has told."""

    source: Source
    turn: str | None = None
    """The id of the running turn, or of the last one."""
    turn_open: bool = False
    began_at: float = float("-inf")
    """When the running turn, or the last one, began."""
    resumed_at: float = float("-inf")
    """When the last ask was closed."""
    ended_turns: tuple[str, ...] = ()
    ended_at: float = float("-inf")
    background: int = 0
    note: str | None = None
    """What the agent says of its background tasks."""
    children: tuple[str, ...] = ()
    """Sub-agents that run."""
    ended_children: tuple[str, ...] = ()
    asks: tuple[OpenAsk, ...] = ()
    resolved: tuple[str, ...] = ()
    """Ids of asks that were answered, heard of or not."""
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
    return lifecycle if changed == lifecycle else _at(lifecycle, changed, event.at)


def stopped(lifecycle: Lifecycle, at: float, end: End) -> Lifecycle:
    """The running turn ended at that time, of which the source tells nothing."""
    return told(lifecycle, TurnEnded(at=at, source=lifecycle.source, end=end, turn=lifecycle.turn))


def answered(lifecycle: Lifecycle, at: float) -> Lifecycle:
    """Everything that was asked has been answered at that time, of which the source tells nothing."""
    return lifecycle if not lifecycle.asks else _at(lifecycle, _answer_all(lifecycle, at), at)


def _at(before: Lifecycle, after: Lifecycle, at: float) -> Lifecycle:
    """What has changed at that time, with what follows from when."""
    resumed = bool(before.asks) and not after.asks
    return replace(after, changed_at=at, resumed_at=at if resumed else after.resumed_at)


def crosses(lifecycle: Lifecycle, event: SessionChanged) -> bool:
    """Whether another session was shown before (rule 5), be it one without a name."""
    if lifecycle.session_id is None:
        return tells_of_turns(lifecycle)
    return event.session_id != lifecycle.session_id


def read(lifecycle: Lifecycle) -> Reading:
    """What the source says."""
    if lifecycle.asks:
        return _waiting(lifecycle)
    if lifecycle.turn_open:
        return replace(_said(lifecycle, Status.WORKING, "a turn runs"), message=lifecycle.note)
    if lifecycle.children:
        return replace(_said(lifecycle, Status.WORKING, "a sub-agent runs"), is_turn=False)
    end = lifecycle.last_end
    if end is None:
        return _said(lifecycle, Status.IDLE, "no turn has run")
    return replace(
        _said(lifecycle, status_of_end(end), f"the turn ended: {end.how}"),
        kind=end.kind,
        message=end.message,
        resets_at=end.resets_at,
        interrupted=end.how is Ending.INTERRUPTED,
        failed=end if end.how is Ending.ERROR else None,
    )


def tells_of_turns(lifecycle: Lifecycle) -> bool:
    """It has told of more than the name of a session."""
    return lifecycle.turn_open or lifecycle.ends > 0 or bool(lifecycle.asks or lifecycle.children)


def _waiting(lifecycle: Lifecycle) -> Reading:
    """The first permission, else the latest ask."""
    permissions = [open for open in lifecycle.asks if open.ask.kind is Kind.PERMISSION]
    open = permissions[0] if permissions else lifecycle.asks[-1]
    whose = "" if open.child is None else "a sub-agent of "
    return replace(
        _said(lifecycle, Status.WAITING, f"{whose}it asks ({open.ask.kind})"),
        kind=open.ask.kind,
        ask=f"{lifecycle.source} {open.ask.id}",
        message=open.ask.text,
        is_turn=lifecycle.turn_open,
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
        case ToolUsed(turn=turn, tool=tool, child=child):
            if child is not None:
                return lifecycle
            lifecycle = _opened(lifecycle, turn, event.at)
            return replace(lifecycle, tool=tool) if lifecycle.turn_open else lifecycle
        case ChildStarted(child=child):
            known = child in lifecycle.children or child in lifecycle.ended_children
            return lifecycle if known else replace(lifecycle, children=(*lifecycle.children, child))
        case ChildEnded(child=child):
            return _child_ended(lifecycle, child)
        case Asked():
            return _asked(lifecycle, event)
        case Resolved(ask_id=ask_id, child=child):
            if ask_id is None:
                return _answer_all(lifecycle, event.at, child)
            kept = tuple(open for open in lifecycle.asks if open.ask.id != ask_id)
            return replace(lifecycle, asks=kept, resolved=_remembering(lifecycle.resolved, ask_id))
        case SessionChanged():
            return _bounded(lifecycle, event)
        case _:
            assert_never(event)


def _started(lifecycle: Lifecycle, event: TurnStarted) -> Lifecycle:
    if lifecycle.turn_open and event.turn is not None and event.turn == lifecycle.turn:
        return replace(lifecycle, prompt=event.prompt or lifecycle.prompt)
    return replace(
        lifecycle,
        turn=event.turn,
        turn_open=True,
        began_at=event.at,
        background=0,
        note=None,
        asks=tuple(open for open in lifecycle.asks if open.at > event.at),
        session_id=event.session_id or lifecycle.session_id,
        prompt=event.prompt,
        last_message=None,
        tool=None,
    )


def _opened(lifecycle: Lifecycle, turn: str | None, at: float) -> Lifecycle:
    """A turn whose start was missed runs. Without its id this may be the late word of one that has ended."""
    if turn is None or turn == lifecycle.turn:
        return lifecycle
    return replace(lifecycle, turn=turn, turn_open=True, began_at=at)


def _ended(lifecycle: Lifecycle, event: TurnEnded) -> Lifecycle:
    if event.turn is None and not lifecycle.turn_open:
        return lifecycle  # Rule 2.
    other = None not in (event.turn, lifecycle.turn) and event.turn != lifecycle.turn
    if other and lifecycle.turn_open:
        return replace(lifecycle, ended_turns=_remembering(lifecycle.ended_turns, event.turn))  # Rule 2.
    lifecycle = replace(
        lifecycle,
        session_id=event.session_id or lifecycle.session_id,
        last_message=event.last_message or lifecycle.last_message,
        tool=None,
        background=event.background,
        note=event.background_note if event.background > 0 else None,
    )
    if event.background > 0:  # Rule 3. What a sub-agent asks stays open.
        asks = tuple(open for open in lifecycle.asks if open.child is not None)
        return replace(lifecycle, turn=event.turn or lifecycle.turn, turn_open=True, asks=asks)
    return replace(
        lifecycle,
        turn_open=False,
        asks=(),
        children=(),
        ended_children=_remembering(lifecycle.ended_children, *lifecycle.children),
        ended_turns=_remembering(lifecycle.ended_turns, event.turn or lifecycle.turn),
        last_end=event.end,
        ends=lifecycle.ends + 1,
        ended_at=event.at,
    )


def _child_ended(lifecycle: Lifecycle, child: str) -> Lifecycle:
    """Rule 6."""
    if child in lifecycle.ended_children:
        return lifecycle
    return replace(
        lifecycle,
        children=tuple(other for other in lifecycle.children if other != child),
        ended_children=_remembering(lifecycle.ended_children, child),
        asks=tuple(open for open in lifecycle.asks if open.child != child),
    )


def _asked(lifecycle: Lifecycle, event: Asked) -> Lifecycle:
    if event.ask.id in lifecycle.resolved or event.child in lifecycle.ended_children:
        return lifecycle  # Rules 4 and 6.
    lifecycle = _opened(lifecycle, event.turn, event.at)
    kept = tuple(open for open in lifecycle.asks if open.ask.id != event.ask.id)
    return replace(lifecycle, asks=(*kept, OpenAsk(ask=event.ask, at=event.at, child=event.child)))


def _answer_all(lifecycle: Lifecycle, at: float, child: str | None = None) -> Lifecycle:
    """Close what that one asked until then."""
    closed = [open for open in lifecycle.asks if open.child == child and open.at <= at]
    kept = tuple(open for open in lifecycle.asks if open not in closed)
    ids = [open.ask.id for open in closed]
    return replace(lifecycle, asks=kept, resolved=_remembering(lifecycle.resolved, *ids))


def _bounded(lifecycle: Lifecycle, event: SessionChanged) -> Lifecycle:
    """Rule 5."""
    if not crosses(lifecycle, event):
        return replace(lifecycle, session_id=event.session_id)
    return Lifecycle(
        source=lifecycle.source,
        ended_turns=_remembering(lifecycle.ended_turns, lifecycle.turn),
        ended_children=_remembering(lifecycle.ended_children, *lifecycle.children),
        ended_at=event.at,
        ends=lifecycle.ends,
        session_id=event.session_id,
    )


def _remembering(known: tuple[str, ...], *ids: str | None) -> tuple[str, ...]:
    new = tuple(id for id in ids if id is not None and id not in known)
    return (*known, *new)[-MAX_ENDED:]


def _said(lifecycle: Lifecycle, status: Status, detail: str) -> Reading:
    return Reading(
        source=lifecycle.source,
        status=status,
        at=lifecycle.changed_at,
        began=lifecycle.began_at,
        works_since=max(lifecycle.began_at, lifecycle.resumed_at),
        detail=detail,
        ends=lifecycle.ends,
        session_id=lifecycle.session_id,
        prompt=lifecycle.prompt,
        last_message=lifecycle.last_message,
        tool=lifecycle.tool,
        subagents=max(lifecycle.background, len(lifecycle.children)),
    )
