"""What the server said there is."""

from __future__ import annotations

from orca_tui.status.record import Status
from orca_tui.ui.world import World, advance, attention, counts, next_needing_you
from orca_tui.wire import LayoutChanged, PaneChanged, PaneGone, Synced
from tests.ui.examples import NOW, layout_of, pane, world_of


def test_nothing_is_known_before_the_first_word() -> None:
    assert not World().synced
    assert World().focused is None
    assert World().in_order() == []


def test_the_whole_state_replaces_what_was_there() -> None:
    world = world_of(layout_of((("p1",),)), pane("p1"))

    world = advance(world, Synced(layout=layout_of((("p2",),)), panes=(pane("p2"),)))

    assert set(world.panes) == {"p2"}
    assert world.focused == pane("p2")


def test_panes_are_in_the_order_of_workspaces_and_tabs() -> None:
    layout = layout_of((("p2", "p1"), ("p4",)), (("p3",),))
    world = world_of(layout, *(pane(f"p{number}") for number in range(1, 5)))

    assert [one.pane for one in world.in_order()] == ["p2", "p1", "p4", "p3"]


def test_a_pane_that_comes_before_its_layout_is_kept() -> None:
    world = advance(World(), PaneChanged(pane=pane("p1")))
    assert world.in_order() == []

    world = advance(world, LayoutChanged(layout=layout_of((("p1",),))))

    assert [one.pane for one in world.in_order()] == ["p1"]


def test_a_pane_that_is_gone_is_forgotten_though_the_layout_names_it() -> None:
    world = world_of(layout_of((("p1", "p2"),)), pane("p1"), pane("p2"))

    world = advance(world, PaneGone(pane="p2"))

    assert [one.pane for one in world.in_order()] == ["p1"]
    assert world.focused is None


def test_the_oldest_ask_is_first_then_errors_then_unread_results() -> None:
    panes = (
        pane("p1", Status.DONE, unread=True),
        pane("p2", Status.ERROR, unread=True),
        pane("p3", Status.WAITING, since=NOW - 10),
        pane("p4", Status.WAITING, since=NOW - 90),
        pane("p5", Status.DONE),
        pane("p6", Status.ERROR),
        pane("p7", Status.WORKING),
    )
    world = world_of(layout_of(tuple((one.pane,) for one in panes)), *panes)

    assert [one.pane for one in attention(world)] == ["p4", "p3", "p2", "p1"]


def test_the_next_that_needs_you_is_never_the_one_you_are_in() -> None:
    panes = (pane("p1", Status.WAITING, since=NOW - 9), pane("p2", Status.WAITING, since=NOW - 99))
    world = world_of(layout_of((("p1",), ("p2",))), *panes)

    found = next_needing_you(world)

    assert found is not None
    assert found.pane == "p1"
    assert next_needing_you(world_of(layout_of((("p2",),)), panes[1])) is None


def test_the_roll_up_counts_results_only_until_they_were_seen() -> None:
    panes = (
        pane("p1", Status.DONE, unread=True),
        pane("p2", Status.DONE),
        pane("p3", Status.WAITING),
        pane("p4", Status.WORKING),
        pane("p5", Status.IDLE),
    )

    assert counts(panes) == {Status.WAITING: 1, Status.ERROR: 0, Status.WORKING: 1, Status.DONE: 1}
