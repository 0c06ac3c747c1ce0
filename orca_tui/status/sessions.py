"""The sessions of one reporting process, folded from the tables that its factories post. Pure.

Rule 1: a row's turn number and whether that turn ended are its claim. A row that is not busy and names no
        end claims nothing: it was made without hearing of a turn. An end without a turn claims nothing.
Rule 2: a claim counts when it is of a later turn, or the end of the same one. A running turn that has ended
        does not run again, whoever says so.
Rule 3: a table older than what its session is known by still tells of later turns, and of nothing else.
Rule 4: what a generation reported stays known until a later one says otherwise.
Rule 5: an ask is closed by its own reply, by the end of its session's turn, or by the end of its root's.
        A closed ask does not open again. A table that lists an ask beside an end tells of a later ask.
Rule 6: only the end of a root session is an end for the pane; one whose lineage becomes known later counts
        from then on.
Rule 7: a factory that is gone has ended the turns and asks that it was the last to tell of: interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from orca_tui.status.session_table import UNKNOWN_PARENT, Retry, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

MAX_SESSIONS = 256  # Quiet ones beyond that are forgotten, oldest first; hosts list far fewer.
MAX_CLOSED_ASKS = 256  # Per session: a host has long forgotten an ask that is older.
MAX_DEPTH = 32  # Of sub-agents within sub-agents; beyond it a lineage counts as unknown.

GONE = End(how=Ending.INTERRUPTED, message="the host was torn down")


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenAsk:
    """An ask that waits for its reply."""

    ask: Ask
    order: int
    """When it was first heard of, among everything of the process."""
    factory: str
    """Who listed it last: when that one lists it no more, it is closed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """What is known of one session."""

    id: str
    parent: str | None = UNKNOWN_PARENT
    seq: int = -1
    """Of the newest table that told of it."""
    factory: str = ""
    """Of the factory that told of it last."""
    row: SessionRow | None = None
    """What that one told: most rows of a table are as they were in the one before."""
    turn: int = 0
    busy: bool = False
    end: End | None = None
    counted: bool = True
    """The end was counted for the pane, or there is none."""
    order: int = 0
    """When its turn last started or ended, or it was first heard of."""
    asks: tuple[OpenAsk, ...] = ()
    closed: tuple[str, ...] = ()
    retry: Retry | None = None
    prompt: str | None = None
    last_message: str | None = None
    tool: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sessions:
    """All sessions of one process."""

    by_id: Mapping[str, Session] = field(default_factory=dict)
    factories: Mapping[str, int] = field(default_factory=dict)
    """Living factories, `factory.generation`, and the number of their last table."""
    order: int = 0
    """Of the last table that was taken; the caller counts, over all processes of the pane."""
    ends: int = 0
    last_end: End | None = None
    last_ended: str | None = None
    """The root session of the last end."""
    end_order: int = 0


def take(sessions: Sessions, table: SessionTable, order: int) -> Sessions:
    """Fold a table in; one that its factory has already replaced changes nothing."""
    factory = f"{table.factory}.{table.generation}"
    if table.seq <= sessions.factories.get(factory, -1):
        return sessions
    sessions = replace(sessions, order=order)
    known = dict(sessions.by_id)
    for row in table.sessions:
        known[row.id] = _take_row(known.get(row.id), row, table.seq, factory, sessions.order)
    factories = {**sessions.factories, factory: table.seq}
    if table.gone:
        del factories[factory]
        known = {id: _gone(session, factory) for id, session in known.items()}
    taken = _count_ends(replace(sessions, by_id=known, factories=factories), table)
    return replace(taken, by_id=_pruned(taken.by_id))


def release(sessions: Sessions) -> Sessions:
    """The agent has left its pane: nothing runs and nothing is asked. What was counted stays counted."""
    quiet = {
        id: replace(session, busy=False, asks=(), retry=None, tool=None, row=None)
        for id, session in sessions.by_id.items()
    }
    return replace(sessions, by_id=quiet)


def root_of(sessions: Sessions, session: Session) -> Session | None:
    """The root that a session belongs to; None while its lineage is unknown or its root was never heard of."""
    for _ in range(MAX_DEPTH):
        if session.parent is None:
            return session
        parent = sessions.by_id.get(session.parent)
        if parent is None:
            return None
        session = parent
    return None


def _take_row(known: Session | None, row: SessionRow, seq: int, factory: str, order: int) -> Session:
    session = known or Session(id=row.id, order=order)
    newer = seq > session.seq
    if newer and session.row == row and session.factory == factory:
        return replace(session, seq=seq)
    parent = session.parent if row.parent == UNKNOWN_PARENT else row.parent
    session = _take_turn(replace(session, parent=parent), row, newer, order)
    session = _close(session, frozenset(row.resolved))
    if not newer:
        return session
    session = _take_asks(session, row, factory, order)
    return replace(
        session,
        seq=seq,
        factory=factory,
        row=row,
        retry=row.retry if row.busy else None,
        prompt=row.prompt or session.prompt,
        last_message=row.last_message or session.last_message,
        tool=row.tool if row.busy else None,
    )


def _take_turn(session: Session, row: SessionRow, newer: bool, order: int) -> Session:
    if row.turn == 0 or (not row.busy and row.end is None):
        return session  # Rule 1.
    if row.turn < session.turn and not newer:
        return session  # Rule 3. From a newer table: the process had forgotten the session and counts anew.
    same = row.turn == session.turn
    if same and not session.busy and session.end is not None:
        if row.busy or not newer:
            return session  # Rule 2.
        return replace(session, end=row.end)  # The host's own word after a guess of the plugin's.
    if row.busy:
        return replace(session, busy=True) if same else _started(session, row, order)
    return replace(_without_asks(session), turn=row.turn, busy=False, end=row.end, counted=False, order=order)


def _started(session: Session, row: SessionRow, order: int) -> Session:
    if session.busy:  # The end of the turn before was never heard.
        session = _without_asks(session)
    return replace(
        session, turn=row.turn, busy=True, end=None, counted=True, order=order, prompt=None, last_message=None
    )


def _without_asks(session: Session) -> Session:
    return _close(session, frozenset(open.ask.id for open in session.asks))


def _take_asks(session: Session, row: SessionRow, factory: str, order: int) -> Session:
    listed = {ask.id: ask for ask in row.asks if ask.id not in session.closed}
    gone = frozenset(
        open.ask.id for open in session.asks if open.factory == factory and open.ask.id not in listed
    )
    session = _close(session, gone)
    kept = tuple(
        replace(open, ask=listed.pop(open.ask.id), factory=factory) if open.ask.id in listed else open
        for open in session.asks
    )
    opened = tuple(OpenAsk(ask=ask, order=order, factory=factory) for ask in listed.values())
    return replace(session, asks=kept + opened)


def _close(session: Session, ids: frozenset[str]) -> Session:
    if not ids:
        return session
    closed = session.closed + tuple(id for id in sorted(ids) if id not in session.closed)
    kept = tuple(open for open in session.asks if open.ask.id not in ids)
    return replace(session, asks=kept, closed=closed[-MAX_CLOSED_ASKS:])


def _gone(session: Session, factory: str) -> Session:
    if session.factory != factory:
        return session
    session = _without_asks(session)
    if not session.busy:
        return session
    return replace(session, busy=False, end=GONE, counted=False, retry=None, tool=None, row=None)


def _count_ends(sessions: Sessions, table: SessionTable) -> Sessions:
    """Rule 6, in the order of the table; the last one is the one that is shown."""
    for id in [row.id for row in table.sessions] + list(sessions.by_id):
        session = sessions.by_id[id]
        if session.counted or session.parent is not None or session.end is None:
            continue
        by_id = {**sessions.by_id, id: replace(session, counted=True)}
        sessions = replace(
            _close_descendants(replace(sessions, by_id=by_id), session),
            ends=sessions.ends + 1,
            last_end=session.end,
            last_ended=id,
            end_order=sessions.order,
        )
    return _amended(sessions)


def _amended(sessions: Sessions) -> Sessions:
    shown = sessions.by_id.get(sessions.last_ended or "")
    if shown is None or shown.busy or shown.end is None:
        return sessions
    return replace(sessions, last_end=shown.end)


def _close_descendants(sessions: Sessions, root: Session) -> Sessions:
    """Rule 5. An ask that came with the same table was made after the end, if its session still runs."""
    by_id = dict(sessions.by_id)
    for id, session in sessions.by_id.items():
        if id == root.id or not session.asks or root_of(sessions, session) is not by_id[root.id]:
            continue
        stale = frozenset(
            open.ask.id for open in session.asks if open.order < sessions.order or not session.busy
        )
        by_id[id] = _close(session, stale)
    return replace(sessions, by_id=by_id)


def _pruned(by_id: Mapping[str, Session]) -> Mapping[str, Session]:
    if len(by_id) <= MAX_SESSIONS:
        return by_id
    quiet = [session for session in by_id.values() if not session.busy and not session.asks]
    quiet.sort(key=lambda session: session.order)
    forgotten = {session.id for session in quiet[: len(by_id) - MAX_SESSIONS]}
    return {id: session for id, session in by_id.items() if id not in forgotten}
