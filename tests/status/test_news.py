"""When a pane is unread and when it rings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.effects import ClearUnread, Ring, StatusChanged
from orca_tui.status.events import (
    Asked,
    Event,
    ProgramReported,
    ProgramState,
    Resolved,
    Seen,
    SessionChanged,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.news import ASK_SETTLE_S, MAX_RINGS, RING_WINDOW_S
from orca_tui.status.profile import Profile
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import Ask, End, Ending
from tests.status.told import PROFILES, file

MakePane = Callable[..., Any]


def start(at: float) -> Event:
    return TurnStarted(at=at, source=Source.HOOK)


def end(at: float, how: Ending = Ending.OK) -> Event:
    return TurnEnded(at=at, source=Source.HOOK, end=End(how=how))


def ask(at: float, id: str = "a", kind: Kind = Kind.PERMISSION) -> Event:
    return Asked(at=at, source=Source.HOOK, ask=Ask(id=id, kind=kind, text=id))


def reply(at: float, id: str = "a") -> Event:
    return Resolved(at=at, source=Source.HOOK, ask_id=id)


@pytest.mark.parametrize(("how", "status"), [(Ending.OK, Status.DONE), (Ending.ERROR, Status.ERROR)])
def test_an_end_rings_once_and_stays_unread_until_it_is_seen(
    timeline: MakePane, how: Ending, status: Status
) -> None:
    pane = timeline("claude")

    pane.observe(start(1), end(2, how))
    pane.run_until(100)
    assert (pane.record.status, pane.record.unread, pane.rings) == (status, True, [status])
    effects = pane.observe(Seen(at=101))

    assert (pane.record.status, pane.record.unread) == (status, False)
    assert ClearUnread(pane="p1") in effects


def test_the_record_is_unread_before_the_bell_rings(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1))
    effects = pane.observe(end(2))

    changed, rings = effects[:2]
    assert isinstance(changed, StatusChanged)
    assert changed.after.unread
    assert rings == Ring(pane="p1", why=Status.DONE)


def test_the_users_own_interrupt_is_no_news(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), end(2, Ending.INTERRUPTED))

    assert (pane.record.status, pane.record.unread, pane.rings) == (Status.IDLE, False, [])


def test_a_session_boundary_is_no_news_and_takes_the_old_one_back(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), end(2), SessionChanged(at=3, source=Source.HOOK, session_id="s2"))

    assert (pane.record.status, pane.record.unread, pane.rings) == (Status.IDLE, False, [Status.DONE])


def test_another_turn_takes_the_mark_back_and_rings_again(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), end(2), start(3))
    assert not pane.record.unread
    pane.observe(end(4))

    assert (pane.record.unread, pane.rings) == (True, [Status.DONE, Status.DONE])


# Asks.


def test_an_ask_is_shown_at_once_and_rings_when_it_has_been_open_for_a_moment(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), ask(2))
    assert (pane.record.status, pane.record.unread, pane.rings) == (Status.WAITING, False, [])
    pane.run_until(2 + ASK_SETTLE_S)

    assert (pane.record.unread, pane.rings) == (True, [Status.WAITING])


def test_an_ask_that_a_program_answers_itself_does_not_ring(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), ask(2), reply(2 + ASK_SETTLE_S / 2))
    pane.run_until(10)

    assert (pane.statuses(), pane.rings) == ([Status.WORKING, Status.WAITING, Status.WORKING], [])


def test_an_ask_rings_once_however_long_it_waits(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), ask(2), ask(10), Watched(at=20, watched=True), Watched(at=21, watched=False))
    pane.run_until(5000)

    assert pane.rings == [Status.WAITING]


def test_a_second_ask_rings_when_it_is_shown(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), ask(2, "a"), ask(3, "b"))
    pane.run_until(4)
    assert pane.rings == [Status.WAITING]
    pane.observe(reply(5, "a"))
    assert not pane.record.unread
    pane.run_until(6)

    assert (pane.record.unread, pane.rings) == (True, [Status.WAITING, Status.WAITING])


def test_an_answer_takes_the_mark_back(timeline: MakePane) -> None:
    pane = timeline("claude")
    pane.observe(start(1), ask(2))
    pane.run_until(3)

    effects = pane.observe(reply(4))

    assert not pane.record.unread
    assert ClearUnread(pane="p1") in effects


# The user in front of the pane.


def test_what_happens_before_the_users_eyes_does_not_ring(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(Watched(at=0, watched=True), start(1), ask(2), reply(5), end(6))

    assert (pane.rings, pane.record.unread) == ([], False)


def test_to_come_before_the_pane_is_to_see_it(timeline: MakePane) -> None:
    pane = timeline("claude")
    pane.observe(start(1), end(2))

    effects = pane.observe(Watched(at=3, watched=True))

    assert not pane.record.unread
    assert ClearUnread(pane="p1") in effects


def test_what_was_seen_is_not_unread_when_the_user_leaves(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(Watched(at=0, watched=True), start(1), end(2), Watched(at=3, watched=False))
    pane.run_until(100)

    assert (pane.rings, pane.record.unread) == ([], False)


def test_an_ask_that_the_user_leaves_at_once_still_rings(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(Watched(at=0, watched=True), start(1), ask(2), Watched(at=2.1, watched=False))
    pane.run_until(3)

    assert pane.rings == [Status.WAITING]


def test_an_ask_that_is_seen_before_it_rings_does_not_ring(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(start(1), ask(2), Seen(at=2.1))
    pane.run_until(10)

    assert (pane.rings, pane.record.status, pane.record.unread) == ([], Status.WAITING, False)


# Untrusted text.


def test_text_of_the_terminal_cannot_ring_like_a_siren(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board({"claude": Profile(emits_program_status=True)}))

    for turn in range(20):
        at = 1 + turn * 0.4
        pane.observe(ProgramReported(at=at, state=ProgramState.WORKING))
        pane.observe(ProgramReported(at=at + 0.2, state=ProgramState.DONE))
    assert len(pane.rings) == MAX_RINGS
    assert pane.record.unread
    late = 1 + 20 * 0.4 + RING_WINDOW_S
    pane.observe(ProgramReported(at=late, state=ProgramState.WORKING))
    effects = pane.observe(ProgramReported(at=late + 1, state=ProgramState.DONE))

    assert Ring(pane="p1", why=Status.DONE) in effects


def test_an_ask_that_a_second_source_tells_of_rings_once(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))

    pane.observe(file(1, "working"), start(1), file(5, "waiting"), ask(5.2))
    pane.observe(file(9, "nothing"))  # The hooks hold now.
    pane.run_until(20)

    assert (pane.record.status, pane.record.evidence.source) == (Status.WAITING, Source.HOOK)
    assert pane.rings == [Status.WAITING]


def test_an_ask_that_a_second_source_tells_of_later_is_another(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))

    pane.observe(file(1, "working"), start(1), file(5, "waiting"), Seen(at=6))
    pane.observe(ask(8, "b"), file(9, "nothing"))
    pane.run_until(20)

    assert pane.rings == [Status.WAITING, Status.WAITING]
