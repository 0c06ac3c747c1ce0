"""Where panes stand and what they are called, against a running server."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from orca_tui.base.errors import Invalid, NotFound, OrcaError
from orca_tui.commands.arranging import (
    ARRANGE,
    MOVE,
    RESIZE,
    SET_RATIO,
    ZOOM,
    ArrangeRequest,
    MoveRequest,
    ResizeRequest,
    SetRatioRequest,
    ZoomRequest,
)
from orca_tui.commands.targets import FOCUS, RENAME, SEEN, RenameRequest, SeenRequest, TargetRequest
from orca_tui.layout import Direction, Layout, Preset, Split, active_tab, focused_pane, panes_of
from orca_tui.wire import LayoutChanged, PaneChanged
from tests.server.running import Api, Server, Ui

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ui(server: Server) -> Ui:
    return await server.ui()


async def two_panes(api: Api) -> tuple[str, str]:
    """Two panes side by side in one tab; the second has the focus."""
    first = await api.open("/bin/sh", "-c", "read x")
    return first, await api.open("/bin/sh", "-c", "read x", split="right")


async def layout(server: Server) -> Layout:
    """The layout as a UI that attaches now is told it."""
    return (await server.ui()).synced().layout


async def test_a_focused_pane_tab_or_workspace_is_told_to_uis(server: Server, api: Api, ui: Ui) -> None:
    first, second = await two_panes(api)
    third = await api.open("/bin/sh", "-c", "read x", workspace="new")

    for target, focused in ((first, first), ("w2", third), ("t1", first), (second, second)):
        await api.call(FOCUS, TargetRequest(target=target))
        assert focused_pane(await layout(server)) == focused
    await ui.item(LayoutChanged, lambda item: focused_pane(item.layout) == second)


async def test_names_are_given_cleaned_and_taken_back(server: Server, api: Api, ui: Ui) -> None:
    first, _ = await two_panes(api)

    await api.call(RENAME, RenameRequest(target=first, name=" my\npane\x1b[31m "))
    await api.call(RENAME, RenameRequest(target="t1", name="review"))
    await api.call(RENAME, RenameRequest(target="w1", name="api"))

    assert (await api.info(first)).name == "my pane [31m"
    now = await layout(server)
    assert (now.workspaces[0].name, now.workspaces[0].tabs[0].name) == ("api", "review")
    await ui.item(PaneChanged, lambda item: item.pane.name.startswith("my"))
    await api.call(RENAME, RenameRequest(target=first, name=""))
    assert (await api.info(first)).name == ""
    await api.call(RENAME, RenameRequest(target="w1", name=""))
    assert (await layout(server)).workspaces[0].name == PurePath((await api.info(first)).cwd).name


async def test_a_pane_moves_within_its_tab_and_to_others(server: Server, api: Api) -> None:
    first, second = await two_panes(api)

    async def tabs() -> list[list[str]]:
        return [
            [str(pane) for pane in panes_of(tab.root)]
            for workspace in (await layout(server)).workspaces
            for tab in workspace.tabs
        ]

    await api.call(MOVE, MoveRequest(pane=second, direction=Direction.LEFT))
    assert await tabs() == [[second, first]]
    await api.call(MOVE, MoveRequest(pane=second, direction=Direction.UP))
    assert await tabs() == [[second, first]]
    await api.call(MOVE, MoveRequest(pane=first, tab="new"))
    assert await tabs() == [[second], [first]]
    await api.call(MOVE, MoveRequest(pane=first, tab="t1"))
    assert await tabs() == [[second, first]]
    await api.call(MOVE, MoveRequest(pane=first, workspace="new"))
    assert await tabs() == [[second], [first]]
    await api.call(MOVE, MoveRequest(pane=first, workspace="w1"))
    assert (await api.info(first)).workspace == "w1"


async def test_borders_move_by_direction_and_by_ratio(server: Server, api: Api) -> None:
    first, _ = await two_panes(api)

    async def ratio() -> float:
        tab = active_tab(await layout(server))
        assert tab is not None
        assert isinstance(tab.root, Split)
        return tab.root.ratio

    await api.call(RESIZE, ResizeRequest(pane=first, direction=Direction.RIGHT, percent=10))
    assert await ratio() == pytest.approx(0.6)
    await api.call(SET_RATIO, SetRatioRequest(tab="t1", path=(), ratio=0.25))
    assert await ratio() == pytest.approx(0.25)


async def test_zooming_and_arranging(server: Server, api: Api) -> None:
    first, _ = await two_panes(api)

    await api.call(ZOOM, ZoomRequest(pane=first))
    tab = active_tab(await layout(server))
    assert tab is not None
    assert (tab.zoomed, tab.focused) == (True, first)
    await api.call(ARRANGE, ArrangeRequest(tab="t1", preset=Preset.EVEN_ROWS))
    tab = active_tab(await layout(server))
    assert tab is not None
    assert not tab.zoomed


@pytest.mark.parametrize(
    "request_",
    [
        MoveRequest(pane="p1"),
        MoveRequest(pane="p1", tab="t1", workspace="w1"),
        MoveRequest(pane="p1", direction=Direction.LEFT, tab="new"),
    ],
)
async def test_a_move_needs_exactly_one_goal(api: Api, request_: MoveRequest) -> None:
    await api.open("/bin/sh", "-c", "read x")

    with pytest.raises(Invalid):
        await api.call(MOVE, request_)


@pytest.mark.parametrize("request_", [{}, {"direction": Direction.LEFT, "size": (10, 10)}])
async def test_a_resize_needs_a_direction_or_a_size(api: Api, request_: dict[str, object]) -> None:
    await api.open("/bin/sh", "-c", "read x")

    with pytest.raises(Invalid):
        await api.call(RESIZE, ResizeRequest(pane="p1", **request_))  # type: ignore[arg-type]


async def test_what_is_not_there_is_not_found(api: Api) -> None:
    for command, request in (
        (FOCUS, TargetRequest(target="p9")),
        (SEEN, SeenRequest(pane="p9")),
        (RENAME, RenameRequest(target="p9", name="x")),
        (RENAME, RenameRequest(target="t9", name="x")),
        (MOVE, MoveRequest(pane="p9", tab="new")),
        (ZOOM, ZoomRequest(pane="p9")),
        (ARRANGE, ArrangeRequest(tab="t9", preset=Preset.TILED)),
    ):
        with pytest.raises(OrcaError) as caught:
            await api.call(command, request)  # type: ignore[arg-type]
        assert isinstance(caught.value, NotFound), command


async def test_a_pane_that_moves_says_where_it_is_now(server: Server, api: Api, ui: Ui) -> None:
    _, second = await two_panes(api)

    await api.call(MOVE, MoveRequest(pane=second, workspace="new"))

    moved = await ui.item(PaneChanged, lambda item: item.pane.pane == second and item.pane.workspace == "w2")
    assert moved.pane.tab == (await api.info(second)).tab
