"""Where a new pane goes."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid, NotFound
from orca_tui.commands.open import OpenRequest
from orca_tui.layout import Axis, Layout, Leaf, Split, active_tab, find_pane, focused_pane
from orca_tui.server.placing import placed


def opened(*requests: OpenRequest) -> Layout:
    layout = Layout()
    for request in requests:
        layout, _ = placed(layout, request, "/src/api")
    return layout


def test_the_first_pane_gets_a_workspace_named_after_its_directory() -> None:
    layout = opened(OpenRequest())

    assert [workspace.name for workspace in layout.workspaces] == ["api"]
    assert focused_pane(layout) == "p1"


def test_the_next_pane_gets_a_tab_of_its_own() -> None:
    layout = opened(OpenRequest(), OpenRequest())

    assert [tab.root for tab in layout.workspaces[0].tabs] == [Leaf("p1"), Leaf("p2")]


@pytest.mark.parametrize(
    ("request_", "axis"),
    [
        (OpenRequest(split="down"), Axis.DOWN),
        (OpenRequest(split="right"), Axis.RIGHT),
        (OpenRequest(tab="current"), Axis.RIGHT),
    ],
)
def test_a_split_divides_the_focused_pane(request_: OpenRequest, axis: Axis) -> None:
    tab = active_tab(opened(OpenRequest(), OpenRequest(), request_))

    assert tab is not None
    assert tab.root == Split(axis, Leaf("p2"), Leaf("p3"))


def test_a_split_beside_a_pane_divides_that_one() -> None:
    layout = opened(OpenRequest(), OpenRequest(), OpenRequest(split="down", beside="p1"))

    assert find_pane(layout, "p3") == find_pane(layout, "p1")


def test_a_split_of_nothing_opens_a_workspace() -> None:
    assert focused_pane(opened(OpenRequest(split="right"))) == "p1"


def test_a_named_workspace_gets_the_tab_and_a_new_one_is_made_on_request() -> None:
    layout = opened(OpenRequest(), OpenRequest(workspace="new"), OpenRequest(workspace="w1"))

    assert find_pane(layout, "p2")[0].id == "w2"
    assert find_pane(layout, "p3")[0].id == "w1"


def test_without_focus_what_was_focused_stays_so() -> None:
    layout = opened(OpenRequest(), OpenRequest(focus=False), OpenRequest(workspace="new", focus=False))

    assert focused_pane(layout) == "p1"


def test_a_request_that_says_nothing_of_the_focus_leaves_it_to_whoever_opens() -> None:
    layout, first = placed(Layout(), OpenRequest(), "/", focused=False)

    beside, _ = placed(layout, OpenRequest(), "/", focused=False)
    taken, second = placed(layout, OpenRequest(focus=True), "/", focused=False)

    assert focused_pane(beside) == first
    assert focused_pane(taken) == second


def test_the_very_first_pane_is_focused_anyway() -> None:
    assert focused_pane(opened(OpenRequest(focus=False))) == "p1"


@pytest.mark.parametrize("request_", [OpenRequest(split="right", beside="p9"), OpenRequest(workspace="w9")])
def test_a_place_that_is_not_there_is_not_found(request_: OpenRequest) -> None:
    with pytest.raises(NotFound):
        opened(OpenRequest(), request_)


@pytest.mark.parametrize(
    "request_",
    [
        OpenRequest(split="right", tab="new"),
        OpenRequest(beside="p1", tab="new"),
        OpenRequest(split="down", workspace="new"),
        OpenRequest(tab="current", workspace="w1"),
    ],
)
def test_a_split_in_a_new_tab_or_another_workspace_is_refused(request_: OpenRequest) -> None:
    with pytest.raises(Invalid, match="beside a pane that is there"):
        opened(OpenRequest(), request_)
