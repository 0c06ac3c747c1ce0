"""A layout of another time comes into this one."""

from __future__ import annotations

from orca_tui.base.ids import PaneId
from orca_tui.layout import (
    Axis,
    Layout,
    Rect,
    active_tab,
    all_panes,
    close_pane,
    find_pane,
    focused_pane,
    grafted,
    new_pane_id,
    open_in_tab,
    open_in_workspace,
    open_split,
    rectangles,
    rename,
    set_ratio,
)

SCREEN = Rect(0, 0, 100, 40)


def built() -> Layout:
    """Two workspaces; in the first a split tab and another one."""
    layout = Layout()
    for number in range(1, 5):
        layout, pane = new_pane_id(layout)
        match number:
            case 1 | 4:
                layout = open_in_workspace(layout, pane, f"space {number}")
            case 2:
                layout = open_split(layout, pane, PaneId("p1"), Axis.DOWN)
            case _:
                layout = open_in_tab(layout, pane)
    layout = set_ratio(layout, "t1", (), 0.3)
    return rename(layout, "t1", "my tab")


def test_into_nothing_it_comes_as_it_is() -> None:
    layout, renamed = grafted(Layout(), built())

    assert layout == built()
    assert renamed == {PaneId(f"p{n}"): PaneId(f"p{n}") for n in range(1, 5)}


def test_beside_others_everything_gets_new_ids_and_keeps_its_place() -> None:
    layout, renamed = grafted(built(), built())

    assert list(renamed.values()) == [f"p{n}" for n in range(5, 9)]
    assert list(all_panes(layout)) == [f"p{n}" for n in range(1, 9)]
    assert [workspace.id for workspace in layout.workspaces] == ["w1", "w2", "w3", "w4"]
    assert [tab.id for one in layout.workspaces for tab in one.tabs] == [f"t{n}" for n in range(1, 7)]
    _, old = find_pane(layout, "p1")
    _, new = find_pane(layout, renamed[PaneId("p1")])
    assert new.name == "my tab"
    assert list(rectangles(old.root, SCREEN).values()) == list(rectangles(new.root, SCREEN).values())
    assert focused_pane(layout) == renamed[PaneId("p4")]
    assert (layout.next_pane, layout.next_tab, layout.next_workspace) == (9, 7, 5)


def test_an_id_that_was_used_is_not_used_again() -> None:
    emptied = close_pane(open_in_workspace(*new_pane_id(Layout())), PaneId("p1"))

    layout, renamed = grafted(emptied, built())

    assert set(renamed.values()) == {f"p{n}" for n in range(2, 6)}
    tab = active_tab(layout)
    assert tab is not None
    assert focused_pane(layout) in renamed.values()
