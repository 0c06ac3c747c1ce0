"""Workspaces and tabs: whatever is done to them, in whatever order, the layout stays whole."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from orca_tui.base.errors import Invalid, NotFound, PaneNotFound
from orca_tui.base.ids import PaneId
from orca_tui.layout import (
    Axis,
    Direction,
    Layout,
    Leaf,
    Node,
    Preset,
    Rect,
    Split,
    Tab,
    active_tab,
    active_workspace,
    all_panes,
    arrange,
    close_pane,
    find_pane,
    find_tab,
    focus,
    focused_pane,
    move_to_new_tab,
    move_to_new_workspace,
    move_to_tab,
    new_pane_id,
    open_in_tab,
    open_in_workspace,
    open_split,
    panes_of,
    rename,
    resize,
    set_ratio,
    swap,
    visible_rectangles,
    zoom,
)
from orca_tui.layout.tree import SMALLEST_SHARE


def opened(count: int) -> Layout:
    """A workspace with one tab of so many panes side by side; the last one has the focus."""
    layout, pane = new_pane_id(Layout())
    layout = open_in_workspace(layout, pane)
    for _ in range(count - 1):
        layout, another = new_pane_id(layout)
        layout = open_split(layout, another, pane, Axis.RIGHT)
        pane = another
    return layout


def tabs_of(layout: Layout) -> list[Tab]:
    return [tab for workspace in layout.workspaces for tab in workspace.tabs]


def ratios(node: Node) -> list[float]:
    if isinstance(node, Leaf):
        return []
    return [node.ratio, *ratios(node.first), *ratios(node.second)]


def split_paths(node: Node, here: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    if isinstance(node, Leaf):
        return []
    return [here, *split_paths(node.first, (*here, 0)), *split_paths(node.second, (*here, 1))]


class AnySequence(RuleBasedStateMachine):
    """Random operations; what holds afterwards is what the module's docstring promises."""

    @initialize()
    def begin(self) -> None:
        self.layout = Layout()
        self.panes: set[PaneId] = set()
        self.ever: set[str] = set()
        """Every pane, tab and workspace id that was ever seen."""

    def _some_pane(self, data: st.DataObject) -> PaneId:
        return data.draw(st.sampled_from(sorted(self.panes)))

    def _some_tab(self, data: st.DataObject) -> Tab:
        return data.draw(st.sampled_from(tabs_of(self.layout)))

    def _some_workspace(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([workspace.id for workspace in self.layout.workspaces]))

    def _new_pane(self) -> PaneId:
        self.layout, pane = new_pane_id(self.layout)
        assert pane not in self.ever
        self.panes.add(pane)
        return pane

    @rule()
    def open_a_workspace(self) -> None:
        pane = self._new_pane()
        self.layout = open_in_workspace(self.layout, pane, "work")
        assert focused_pane(self.layout) == pane

    @rule(data=st.data(), named=st.booleans())
    def open_a_tab(self, data: st.DataObject, named: bool) -> None:
        target = self._some_workspace(data) if named and self.layout.workspaces else None
        pane = self._new_pane()
        self.layout = open_in_tab(self.layout, pane, target)
        assert focused_pane(self.layout) == pane

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), axis=st.sampled_from(list(Axis)))
    def split(self, data: st.DataObject, axis: Axis) -> None:
        beside = self._some_pane(data)
        pane = self._new_pane()
        self.layout = open_split(self.layout, pane, beside, axis)
        assert focused_pane(self.layout) == pane
        assert find_pane(self.layout, pane)[1].id == find_pane(self.layout, beside)[1].id

    @precondition(lambda self: self.panes)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        pane = self._some_pane(data)
        self.layout = close_pane(self.layout, pane)
        self.panes.remove(pane)

    @precondition(lambda self: self.panes)
    @rule(data=st.data())
    def focus_something(self, data: st.DataObject) -> None:
        pane, tab, workspace = self._some_pane(data), self._some_tab(data), self._some_workspace(data)
        target = data.draw(st.sampled_from([pane, tab.id, workspace]))
        self.layout = focus(self.layout, target)
        if target == pane:
            assert focused_pane(self.layout) == pane

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), on=st.sampled_from([None, True, False]))
    def zoom_a_pane(self, data: st.DataObject, on: bool | None) -> None:
        self.layout = zoom(self.layout, self._some_pane(data), on)

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), direction=st.sampled_from(list(Direction)), share=st.floats(0, 1))
    def move_a_border(self, data: st.DataObject, direction: Direction, share: float) -> None:
        self.layout = resize(self.layout, self._some_pane(data), direction, share)

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), ratio=st.floats(-1, 2))
    def drag_a_border(self, data: st.DataObject, ratio: float) -> None:
        tab = self._some_tab(data)
        if paths := split_paths(tab.root):
            self.layout = set_ratio(self.layout, tab.id, data.draw(st.sampled_from(paths)), ratio)

    @precondition(lambda self: self.panes)
    @rule(data=st.data())
    def swap_two(self, data: st.DataObject) -> None:
        tab = self._some_tab(data)
        one, other = (data.draw(st.sampled_from(list(panes_of(tab.root)))) for _ in range(2))
        had_focus = tab.focused
        self.layout = swap(self.layout, one, other)
        assert find_tab(self.layout, tab.id)[1].focused == had_focus

    @precondition(lambda self: self.panes)
    @rule(data=st.data())
    def move_to_some_tab(self, data: st.DataObject) -> None:
        pane, tab = self._some_pane(data), self._some_tab(data)
        self.layout = move_to_tab(self.layout, pane, tab.id)
        assert find_pane(self.layout, pane)[1].id == tab.id

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), named=st.booleans())
    def move_to_a_tab_of_its_own(self, data: st.DataObject, named: bool) -> None:
        pane = self._some_pane(data)
        target = self._some_workspace(data) if named else find_pane(self.layout, pane)[0].id
        self.layout = move_to_new_tab(self.layout, pane, target)
        workspace, tab = find_pane(self.layout, pane)
        assert (workspace.id, tab.root) == (target, Leaf(pane))

    @precondition(lambda self: self.panes)
    @rule(data=st.data())
    def move_to_a_workspace_of_its_own(self, data: st.DataObject) -> None:
        pane = self._some_pane(data)
        self.layout = move_to_new_workspace(self.layout, pane)
        workspace, _ = find_pane(self.layout, pane)
        assert [tab.root for tab in workspace.tabs] == [Leaf(pane)]

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), preset=st.sampled_from(list(Preset)))
    def arrange_a_tab(self, data: st.DataObject, preset: Preset) -> None:
        tab = self._some_tab(data)
        self.layout = arrange(self.layout, tab.id, preset)
        assert list(panes_of(find_tab(self.layout, tab.id)[1].root)) == list(panes_of(tab.root))

    @precondition(lambda self: self.panes)
    @rule(data=st.data(), name=st.text(max_size=5))
    def name_something(self, data: st.DataObject, name: str) -> None:
        target = data.draw(st.sampled_from([self._some_tab(data).id, self._some_workspace(data)]))
        self.layout = rename(self.layout, target, name)

    @invariant()
    def every_pane_stands_exactly_once(self) -> None:
        assert sorted(all_panes(self.layout)) == sorted(self.panes)

    @invariant()
    def what_has_the_focus_is_there(self) -> None:
        for tab in tabs_of(self.layout):
            assert tab.focused in panes_of(tab.root)
        for workspace in self.layout.workspaces:
            assert workspace.active in [tab.id for tab in workspace.tabs]
        ids = [workspace.id for workspace in self.layout.workspaces]
        assert self.layout.active in (ids or [None])

    @invariant()
    def only_a_tab_of_several_panes_is_zoomed(self) -> None:
        assert all(isinstance(tab.root, Split) for tab in tabs_of(self.layout) if tab.zoomed)

    @invariant()
    def every_ratio_is_in_range(self) -> None:
        for tab in tabs_of(self.layout):
            assert all(SMALLEST_SHARE <= ratio <= 1 - SMALLEST_SHARE for ratio in ratios(tab.root))

    @invariant()
    def no_id_is_ever_used_again(self) -> None:
        now = [*self.panes, *(tab.id for tab in tabs_of(self.layout))]
        now += [workspace.id for workspace in self.layout.workspaces]
        assert len(now) == len(set(now))
        self.ever |= set(now)
        counters = {"p": self.layout.next_pane, "t": self.layout.next_tab, "w": self.layout.next_workspace}
        assert all(int(name[1:]) < counters[name[0]] for name in self.ever)

    @invariant()
    def a_layout_survives_the_wire(self) -> None:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(self.layout), type=Layout) == self.layout

    @invariant()
    def what_is_visible_is_a_pane_of_the_tab(self) -> None:
        for tab in tabs_of(self.layout):
            visible = visible_rectangles(tab, Rect(0, 0, 80, 24))
            wanted = [tab.focused] if tab.zoomed else list(panes_of(tab.root))
            assert list(visible) == wanted


TestAnySequence = AnySequence.TestCase
TestAnySequence.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_an_empty_layout_has_no_focus() -> None:
    assert focused_pane(Layout()) is None
    assert active_tab(Layout()) is None
    assert active_workspace(Layout()) is None


def test_a_new_tab_stands_behind_the_active_one() -> None:
    layout = opened(1)
    layout = open_in_tab(layout, PaneId("p2"))
    layout = open_in_tab(focus(layout, "t1"), PaneId("p3"))

    assert [tab.id for tab in layout.workspaces[0].tabs] == ["t1", "t3", "t2"]


def test_closing_the_focused_pane_focuses_the_one_before_it() -> None:
    layout = close_pane(opened(3), PaneId("p3"))

    assert focused_pane(layout) == "p2"
    assert focused_pane(close_pane(focus(layout, "p1"), PaneId("p1"))) == "p2"


def test_closing_another_pane_leaves_the_focus_alone() -> None:
    assert focused_pane(close_pane(opened(3), PaneId("p1"))) == "p3"


def test_closing_the_last_pane_of_a_tab_activates_the_tab_before_it() -> None:
    layout = open_in_tab(opened(1), PaneId("p2"))

    layout = close_pane(layout, PaneId("p2"))

    assert [tab.id for tab in tabs_of(layout)] == ["t1"]
    assert focused_pane(layout) == "p1"


def test_closing_the_last_pane_of_all_leaves_nothing_and_remembers_the_numbers() -> None:
    layout = close_pane(opened(1), PaneId("p1"))

    assert (layout.workspaces, layout.active) == ((), None)
    assert new_pane_id(layout)[1] == "p2"


def test_zoom_turns_over_and_takes_the_focus_along() -> None:
    layout = zoom(opened(3), PaneId("p1"))
    tab = active_tab(layout)

    assert tab is not None
    assert (tab.focused, tab.zoomed) == ("p1", True)
    assert visible_rectangles(tab, Rect(0, 0, 80, 24)) == {PaneId("p1"): Rect(0, 0, 80, 24)}
    again = active_tab(zoom(layout, PaneId("p1")))
    assert again is not None
    assert not again.zoomed


def test_zooming_another_pane_of_a_zoomed_tab_shows_that_one() -> None:
    tab = active_tab(zoom(zoom(opened(3), PaneId("p1")), PaneId("p2")))

    assert tab is not None
    assert (tab.focused, tab.zoomed) == ("p2", True)


def test_a_split_of_a_zoomed_tab_shows_all_panes_again() -> None:
    layout = zoom(opened(2), PaneId("p1"))

    tab = active_tab(open_split(layout, PaneId("p9"), PaneId("p1"), Axis.DOWN))

    assert tab is not None
    assert not tab.zoomed


def test_the_zoomed_pane_goes_and_the_zoom_with_it() -> None:
    tab = active_tab(close_pane(zoom(opened(3), PaneId("p2")), PaneId("p2")))

    assert tab is not None
    assert not tab.zoomed


def test_panes_of_different_tabs_do_not_swap() -> None:
    layout = open_in_tab(opened(1), PaneId("p2"))

    with pytest.raises(Invalid):
        swap(layout, PaneId("p1"), PaneId("p2"))


@pytest.mark.parametrize("target", ["p9", "t9", "w9", "", "x1"])
def test_what_is_not_there_cannot_be_focused(target: str) -> None:
    with pytest.raises(NotFound):
        focus(opened(2), target)


def test_what_is_not_there_cannot_be_changed() -> None:
    layout = opened(1)

    with pytest.raises(PaneNotFound):
        close_pane(layout, PaneId("p9"))
    with pytest.raises(NotFound):
        rename(layout, "t9", "x")
    with pytest.raises(NotFound):
        open_in_tab(layout, PaneId("p2"), "w9")
    with pytest.raises(NotFound):
        move_to_new_tab(layout, PaneId("p1"), "w9")
    with pytest.raises(Invalid):
        set_ratio(layout, "t1", (), 0.5)
