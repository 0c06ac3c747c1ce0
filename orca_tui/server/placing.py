"""Where a new pane goes in the layout. Pure."""

from __future__ import annotations

from pathlib import PurePath

from orca_tui.base.errors import Invalid
from orca_tui.base.ids import PaneId
from orca_tui.commands.open import OpenRequest
from orca_tui.layout import (
    Axis,
    Layout,
    find_pane,
    focus,
    focused_pane,
    new_pane_id,
    open_in_tab,
    open_in_workspace,
    open_split,
)


def placed(
    layout: Layout, request: OpenRequest, directory: str, *, focused: bool = True
) -> tuple[Layout, PaneId]:
    """The layout with a new pane; raises `NotFound` for a pane or workspace that is not there, and `Invalid` for
    a place that contradicts itself.

    Rule 1: with `split`, `beside` or `tab: current` it splits `beside`, else the focused pane.
    Rule 2: else it gets a tab of its own, in the workspace that was named, else in the active one.
    Rule 3: where there is nothing yet it gets a workspace, named after its directory.
    Rule 4: what splits a pane goes where that pane is: another tab or workspace cannot be asked for.
    Rule 5: it is focused when the request says so; where that says nothing, `focused` does.
    """
    focused_before = focused_pane(layout)
    layout, pane = new_pane_id(layout)
    layout = _opened(layout, pane, request, PurePath(directory).name)
    wanted = focused if request.focus is None else request.focus
    if not wanted and focused_before is not None:
        layout = focus(layout, focused_before)
    return layout, pane


def _opened(layout: Layout, pane: PaneId, request: OpenRequest, name: str) -> Layout:
    beside = request.beside or focused_pane(layout)
    splits = request.split or request.beside or request.tab == "current"
    if splits and (request.tab == "new" or request.workspace is not None):
        raise Invalid(
            "a split goes beside a pane that is there; it cannot be in a new tab or another workspace"
        )
    if splits and beside is not None:
        find_pane(layout, beside)
        return open_split(layout, pane, PaneId(beside), Axis(request.split or Axis.RIGHT))
    if request.workspace == "new" or (request.workspace is None and layout.active is None):
        return open_in_workspace(layout, pane, name)
    return open_in_tab(layout, pane, request.workspace)
