"""When a pane is unread and when it rings. Pure.

Rule 1: an ended turn is news when it ended by itself or by an error; an ask is news once it has been open for
        `ASK_SETTLE_S`, for some programs answer their own.
Rule 2: news rings once, and makes the pane unread until it is seen, or is news no more: the ask was answered,
        another turn runs.
        One that another source tells of as well, within `SAME_ASK_S`, is the same ask.
Rule 3: what happens in a pane that the user watches is seen at once, and does not ring.
Rule 4: sources that any program can write ring at most `MAX_RINGS` times within `RING_WINDOW_S`; the pane is
        unread all the same.
"""

from __future__ import annotations

from dataclasses import replace

from orca_tui.status.arbiter import UNTRUSTED
from orca_tui.status.pane import Pane, PendingAsk, RungAsk
from orca_tui.status.reading import Reading
from orca_tui.status.record import Source, Status

ASK_SETTLE_S = 0.3  # Auto-approvers reply within milliseconds; a person does not notice the delay.
SAME_ASK_S = (
    1.0  # Looks at a session file or a screen come that late; nobody answers and is asked again sooner.
)
MAX_RINGS = 5  # More than a person and an agent get through in the window,
RING_WINDOW_S = 10.0  # and a spoofed stream of ends is no siren.
MAX_RUNG = 256  # Asks remembered; one that is open is among the newest.


def turn_ended(pane: Pane, status: Status, source: Source) -> tuple[Pane, Status | None]:
    """The pane after a turn ended as done or error, and what rings."""
    if pane.watched:
        return replace(pane, unseen=None), None
    return _ring(replace(pane, unseen=status), status, source)


def asked(pane: Pane, reading: Reading) -> tuple[Pane, Status | None]:
    """The pane while an ask is open, and what rings."""
    ask = reading.ask or reading.detail
    if ask in pane.rung:
        return replace(pane, pending_ask=None), None
    if _is_the_last(pane, reading):
        return replace(pane, pending_ask=None, rung=_with_ask(pane.rung, ask)), None
    pending = pane.pending_ask
    if pending is None or pending.id != ask:
        due = PendingAsk(id=ask, rings_at=pane.now + ASK_SETTLE_S)
        return replace(pane, pending_ask=due, unseen=None), None
    if pane.now < pending.rings_at:
        return pane, None
    last = RungAsk(source=reading.source, at=reading.at)
    pane = replace(pane, pending_ask=None, rung=_with_ask(pane.rung, ask), last_ask=last)
    if pane.watched:
        return pane, None
    return _ring(replace(pane, unseen=Status.WAITING), Status.WAITING, reading.source)


def _is_the_last(pane: Pane, reading: Reading) -> bool:
    """Another source tells of the ask that rang last."""
    last = pane.last_ask
    return last is not None and last.source is not reading.source and reading.at <= last.at + SAME_ASK_S


def seen(pane: Pane) -> Pane:
    """The user has seen the pane, and an ask that had not rung yet."""
    rung = pane.rung if pane.pending_ask is None else _with_ask(pane.rung, pane.pending_ask.id)
    return replace(pane, unseen=None, rung=rung, pending_ask=None)


def is_unread(pane: Pane, status: Status) -> bool:
    """Whether the pane is unread while it has that status: an exit leaves unread what ended before it."""
    if status is Status.EXITED:
        return pane.unseen in (Status.DONE, Status.ERROR)
    return pane.unseen is status


def settled(pane: Pane, status: Status) -> Pane:
    """The pane without news that the status has made old. Unknown keeps it: the ask may come back."""
    if status is not Status.WAITING:
        pane = replace(pane, pending_ask=None)
    keeps = status in (Status.UNKNOWN, Status.EXITED) or pane.unseen is status
    return pane if keeps else replace(pane, unseen=None)


def _with_ask(rung: tuple[str, ...], ask: str) -> tuple[str, ...]:
    return (*rung, ask)[-MAX_RUNG:]


def _ring(pane: Pane, why: Status, source: Source) -> tuple[Pane, Status | None]:
    if source not in UNTRUSTED:
        return pane, why
    recent = tuple(at for at in pane.rang_at if pane.now < at + RING_WINDOW_S)
    if len(recent) >= MAX_RINGS:
        return replace(pane, rang_at=recent), None
    return replace(pane, rang_at=(*recent, pane.now)), why
