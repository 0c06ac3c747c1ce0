"""The numbers of feeding and drawing."""

from __future__ import annotations

import pytest

from orca_tui.ui import pacing
from orca_tui.ui.pacing import Drawing, Meter, allowance, draw_at, draw_echo_at, is_echo

LONG_AGO = float("-inf")


def allowed(meter: Meter, *, focused: bool = False, key: float = LONG_AGO, others: float = LONG_AGO) -> int:
    return allowance(meter, focused=focused, now=100.0, last_key=key, others_last_output=others)


def test_a_pane_alone_has_no_limit() -> None:
    assert allowed(Meter(fed_bytes=10**9, fed_s=5.0)) == pacing.ALONE_BYTES


@pytest.mark.parametrize("wanted_by", [{"key": 99.95}, {"others": 99.95}])
def test_a_limit_holds_while_somebody_else_wants_the_processor(wanted_by: dict[str, float]) -> None:
    assert allowed(Meter(fed_bytes=100_000), focused=True, **wanted_by) == 300_000
    assert allowed(Meter(fed_bytes=400_000), focused=True, **wanted_by) == 0


def test_the_focused_pane_may_take_twice_the_time() -> None:
    assert allowed(Meter(fed_s=0.004), others=99.99) == 0
    assert allowed(Meter(fed_s=0.004), focused=True, others=99.99) > 0
    assert allowed(Meter(fed_s=0.006), focused=True, others=99.99) == 0


def test_while_somebody_types_other_panes_feed_little() -> None:
    assert allowed(Meter(), key=99.8) == 32 << 10
    assert allowed(Meter(fed_bytes=30 << 10), key=99.8) == 2 << 10
    assert allowed(Meter(fed_bytes=40 << 10), key=99.8) == 0
    assert allowed(Meter(), focused=True, key=99.8) == pacing.ALONE_BYTES


def test_an_echo_is_a_short_answer_of_the_focused_pane_soon_after_a_key() -> None:
    assert is_echo(focused=True, fed_bytes=3, now=1.04, last_key=1.0)
    assert not is_echo(focused=False, fed_bytes=3, now=1.04, last_key=1.0)
    assert not is_echo(focused=True, fed_bytes=5000, now=1.04, last_key=1.0)
    assert not is_echo(focused=True, fed_bytes=3, now=1.06, last_key=1.0)


def drawn_at(last: Drawing, *, focused: bool = False, key: float = LONG_AGO) -> float:
    return draw_at(last, now=5.0, focused=focused, last_key=key)


def test_a_first_change_is_drawn_at_once_and_the_next_at_the_frame() -> None:
    assert drawn_at(Drawing()) == 5.0
    assert drawn_at(Drawing(began=4.0)) == 5.0
    assert drawn_at(Drawing(began=4.995)) == pytest.approx(4.995 + 1 / 60)


def test_what_is_drawn_slowly_is_drawn_half_of_the_time() -> None:
    assert drawn_at(Drawing(began=4.96, took=0.035)) == pytest.approx(4.96 + 0.07)
    assert drawn_at(Drawing(began=4.9, took=0.035)) == 5.0


def test_while_somebody_types_other_panes_are_drawn_at_half_the_rate() -> None:
    assert drawn_at(Drawing(began=4.995), key=4.9) == pytest.approx(4.995 + 1 / 30)
    assert drawn_at(Drawing(began=4.995), key=4.9, focused=True) == pytest.approx(4.995 + 1 / 60)
    assert drawn_at(Drawing(began=4.995), key=4.7) == pytest.approx(4.995 + 1 / 60)


def test_an_echo_waits_only_for_the_floor() -> None:
    assert draw_echo_at(Drawing(began=4.990, took=0.05), now=5.0) == 5.0
    assert draw_echo_at(Drawing(began=4.998), now=5.0) == pytest.approx(5.002)
