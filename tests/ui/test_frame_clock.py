"""One clock for all panes, on a clock of its own."""

from __future__ import annotations

from itertools import pairwise

import pytest

from orca_tui.server.channel import STALL_S
from orca_tui.ui.frame_clock import ACKNOWLEDGE_AT_BYTES
from orca_tui.ui.pacing import ECHO_S, FRAME_S, HOLD_S, TYPING_BYTES, URGENT_FLOOR_S
from tests.ui.frame_table import Pane, Table


@pytest.fixture
def table() -> Table:
    return Table()


def test_the_first_output_after_silence_is_drawn_at_once(table: Table) -> None:
    pane = table.pane("a")
    start = table.time.at

    table.output(pane, 100)
    table.time.run(0)

    assert table.drawn == [(start, ["a"])]


def test_panes_are_drawn_together_sixty_times_a_second(table: Table) -> None:
    one, two = table.pane("a"), table.pane("b")

    for _ in range(500):
        table.output(one, 100)
        table.output(two, 100)
        table.time.run(0.002)

    assert 58 <= len(table.drawn) <= 62
    assert all(names == ["a", "b"] for _, names in table.drawn)


def test_nothing_is_scheduled_while_nothing_happens(table: Table) -> None:
    pane = table.pane("a")
    table.output(pane, 100)
    table.time.run(1.0)

    assert table.time.scheduled == 0


def test_an_echo_is_drawn_at_once_between_two_frames(table: Table) -> None:
    pane, other = table.pane("a"), table.pane("b")
    table.clock.focus(pane)
    table.output(other, 100)
    table.time.run(0.005)
    table.clock.key_pressed(pane)

    table.output(pane, 1)

    assert table.drawn[-1] == (table.time.at, ["a"])


def test_an_echo_within_the_floor_is_drawn_at_its_end_and_not_at_the_next_frame(table: Table) -> None:
    pane, other = table.pane("a"), table.pane("b")
    table.clock.focus(pane)
    table.output(other, 100)
    table.time.run(0)
    drawn_at = table.drawn[-1][0]
    table.time.run(0.001)
    table.clock.key_pressed(pane)

    table.output(pane, 1)
    table.time.run(0.010)

    assert table.drawn[-1] == (pytest.approx(drawn_at + URGENT_FLOOR_S), ["a"])


def test_an_echo_is_acknowledged_though_no_frame_follows(table: Table) -> None:
    pane = table.pane("a")
    table.clock.focus(pane)
    table.clock.key_pressed(pane)

    table.output(pane, 7)
    table.time.run(1.0)

    assert table.acked == [(pytest.approx(1000.0), "a", 7)]


def test_nobody_waits_for_an_echo_until_it_is_acknowledged(table: Table) -> None:
    pane = table.pane("a")
    table.clock.focus(pane)
    table.clock.key_pressed(pane)
    table.drawing_s = 0.002

    table.output(pane, 7)

    (drawn_at, _), (acked_at, _, _) = table.drawn[-1], table.acked[-1]
    assert acked_at == pytest.approx(drawn_at + table.drawing_s)


def test_a_quarter_of_the_window_is_acknowledged_when_it_was_fed(table: Table) -> None:
    pane = table.pane("a")
    table.output(pane, 10)
    table.time.run(0)
    table.acked.clear()
    table.time.run(0.001)
    at = table.time.at

    table.output(pane, ACKNOWLEDGE_AT_BYTES)

    assert table.acked == [(at, "a", ACKNOWLEDGE_AT_BYTES)]


def test_everything_that_was_fed_is_acknowledged_once(table: Table) -> None:
    panes = [table.pane(name) for name in "abc"]
    for number in range(300):
        table.output(panes[number % 3], 1000 + number)
        table.time.run(0.003)
    table.time.run(1.0)

    for pane in panes:
        assert sum(count for _, name, count in table.acked if name == pane.name) == pane.fed


def test_feeding_gives_way_after_a_slice(table: Table) -> None:
    pane = table.pane("a", chunk_s=0.0004)

    table.output(pane, *[1000] * 10)

    assert pane.fed == 3000  # Three chunks of 0.4 ms; the rest comes after whatever else is due.
    table.time.run(0.1)
    assert pane.fed == 10_000


def test_a_flooding_pane_feeds_little_while_somebody_types_in_another(table: Table) -> None:
    typed, flood = table.pane("a"), table.pane("b")
    table.clock.focus(typed)
    table.output(flood, *[16_384] * 100)
    table.time.run(0.02)
    before, frames = flood.fed, len(table.drawn)
    table.clock.key_pressed(typed)

    table.output(flood, *[16_384] * 100)
    table.time.run(0.1)

    fed, drawn = flood.fed - before, len(table.drawn) - frames
    assert fed <= (drawn + 1) * TYPING_BYTES


def test_a_flood_alone_is_not_held_back(table: Table) -> None:
    pane = table.pane("a", chunk_s=0.0002)
    table.output(pane, *[16_384] * 400)

    table.time.run(0.1)

    assert pane.fed == 400 * 16_384


def test_two_floods_share_the_frame(table: Table) -> None:
    one, two = table.pane("a", chunk_s=0.0002), table.pane("b", chunk_s=0.0002)
    table.output(one, *[16_384] * 1000)
    table.output(two, *[16_384] * 1000)

    table.time.run(0.5)

    assert one.fed > 0
    assert 0.5 < one.fed / two.fed < 2


def test_a_held_screen_is_drawn_when_its_time_is_over(table: Table) -> None:
    pane = table.pane("a")
    pane.held_until = table.time.at + HOLD_S
    start = table.time.at

    table.output(pane, 100)
    table.time.run(HOLD_S - 0.001)
    assert table.drawn == []
    assert sum(count for _, _, count in table.acked) == 100

    table.time.run(FRAME_S)
    assert table.drawn == [(pytest.approx(start + HOLD_S, abs=0.001), ["a"])]


def test_a_held_pane_keeps_nobody_else_from_being_drawn(table: Table) -> None:
    held, other = table.pane("a"), table.pane("b")
    held.held_until = table.time.at + HOLD_S
    table.output(held, 100)

    table.output(other, 100)
    table.time.run(FRAME_S)

    assert [names for _, names in table.drawn] == [["b"]]


def test_a_forgotten_pane_is_neither_fed_nor_drawn(table: Table) -> None:
    pane = table.pane("a", chunk_s=0.0004)
    table.output(pane, *[1000] * 10)
    fed = pane.fed

    table.clock.forget(pane)
    table.time.run(1.0)

    assert pane.fed == fed
    assert table.drawn == []


def test_after_the_end_nothing_is_scheduled(table: Table) -> None:
    pane = table.pane("a", chunk_s=0.0004)
    table.output(pane, *[1000] * 10)

    table.clock.close()

    assert table.time.scheduled == 0


def test_a_stream_that_cannot_be_read_is_told_once(table: Table) -> None:
    pane = table.pane("a")
    pane.broken = True

    table.output(pane, 100)

    assert [error.message for error in table.failures] == ["no such frame"]


def test_a_scrolled_pane_is_drawn_without_output(table: Table) -> None:
    pane = table.pane("a")
    pane.fresh = True

    table.clock.changed(pane)

    assert [names for _, names in table.drawn] == [["a"]]


def test_a_pane_without_the_focus_that_is_scrolled_within_the_floor_is_drawn_at_its_end(table: Table) -> None:
    typed, scrolled = table.pane("a"), table.pane("b")
    table.clock.focus(typed)
    table.output(typed, 100)
    table.time.run(0.001)
    scrolled.fresh = True

    table.clock.changed(scrolled)
    table.time.run(URGENT_FLOOR_S)

    assert [names for _, names in table.drawn] == [["a"], ["b"]]


def test_a_picture_that_is_slow_to_draw_leaves_half_of_the_time_to_feeding(table: Table) -> None:
    pane = table.pane("a", chunk_s=0.001)
    table.drawing_s = 0.03
    table.output(pane, *[16_384] * 2000)

    table.time.run(1.0)

    assert 0.45 < len(table.drawn) * table.drawing_s < 0.55
    assert pane.fed > 400 * 16_384


def typed_beside_a_flood(table: Table) -> tuple[Pane, Pane, float]:
    """A pane in which a key was pressed 5 ms ago, and one that has flooded since."""
    typed, flood = table.pane("a"), table.pane("b")
    table.clock.focus(typed)
    table.output(flood, *[1000] * 10)
    table.time.run(0.1)
    table.drawn.clear()
    table.clock.key_pressed(typed)
    pressed = table.time.at
    table.output(flood, *[1000] * 10)
    table.time.run(0.005)
    return typed, flood, pressed


def test_until_the_echo_of_a_key_is_drawn_other_panes_are_neither_fed_nor_drawn(table: Table) -> None:
    typed, flood, pressed = typed_beside_a_flood(table)
    fed = flood.fed
    table.time.run(0.015)
    assert (flood.fed, table.drawn) == (fed, [])

    table.output(typed, 1)
    table.time.run(2 * FRAME_S + 0.001)

    assert [names for _, names in table.drawn] == [["a"], ["b"]]
    assert table.drawn[0][0] == pytest.approx(pressed + 0.020)
    assert flood.fed == fed + 10_000


def test_a_key_without_an_echo_holds_other_panes_up_for_no_longer_than_an_echo_takes(table: Table) -> None:
    typed, flood, pressed = typed_beside_a_flood(table)
    fed = flood.fed
    for _ in range(4):  # More keys do not prolong it.
        table.clock.key_pressed(typed)
        table.time.run(0.010)

    table.time.run(FRAME_S)

    assert flood.fed == fed + 10_000
    assert table.drawn == [(pytest.approx(pressed + ECHO_S), ["b"])]


def test_whoever_waited_for_an_echo_is_fed_and_acknowledged_right_behind_it(table: Table) -> None:
    typed, flood, _ = typed_beside_a_flood(table)
    flood.queue.append(ACKNOWLEDGE_AT_BYTES)
    table.acked.clear()

    table.output(typed, 1)
    table.time.run(0.001)

    assert [(name, count) for _, name, count in table.acked] == [
        ("a", 1),
        ("b", 10_000 + ACKNOWLEDGE_AT_BYTES),
    ]


def test_the_acknowledgements_of_a_flood_are_never_far_apart_while_somebody_types(table: Table) -> None:
    typed, flood = table.pane("a"), table.pane("b")
    table.clock.focus(typed)
    table.output(flood, *[4096] * 4000)
    for number in range(40):
        table.clock.key_pressed(typed)
        table.time.run(0.030)
        if number % 3:  # Every third key has no echo.
            table.output(typed, 1)
        table.time.run(0.003)

    times = [at for at, name, _ in table.acked if name == "b"]
    assert max(later - earlier for earlier, later in pairwise(times)) < 0.75 * STALL_S


def test_input_for_a_pane_without_the_focus_holds_nobody_up(table: Table) -> None:
    typed, scrolled = table.pane("a"), table.pane("b")
    table.clock.focus(typed)
    table.time.run(0.1)

    table.clock.key_pressed(scrolled)
    table.output(scrolled, 100)
    table.time.run(0.001)

    assert [names for _, names in table.drawn] == [["b"]]
