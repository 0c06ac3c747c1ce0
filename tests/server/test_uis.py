"""What follows from what the attached UIs show."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from orca_tui.commands.ui import OuterColors, ViewRequest
from orca_tui.server.uis import Ui, Uis
from orca_tui.wire import PaneView

pytestmark = pytest.mark.anyio


def ui(*panes: tuple[str, int, int], focused: str | None = None, terminal_focused: bool = True) -> Ui:
    made = Ui(lambda *_: None, 80, 24)
    views = tuple(
        PaneView(pane=pane, channel=number, cols=cols, rows=rows)
        for number, (pane, cols, rows) in enumerate(panes)
    )
    made.view = ViewRequest(panes=views, focused=focused, terminal_focused=terminal_focused)
    return made


def attached(*uis: Ui) -> Uis:
    found = Uis()
    for one in uis:
        found.add(one)
    return found


async def test_a_pane_has_the_size_of_the_ui_used_last_that_shows_it() -> None:
    small = ui(("p1", 40, 10), ("p2", 40, 10))
    large = ui(("p1", 100, 50))
    uis = attached(small, large)
    assert uis.sizes() == {"p1": (100, 50), "p2": (40, 10)}

    uis.use(small)

    assert uis.sizes() == {"p1": (40, 10), "p2": (40, 10)}


async def test_using_the_same_ui_again_is_no_change() -> None:
    one, other = ui(), ui()
    uis = attached(one, other)

    assert not uis.use(other)
    assert uis.use(one)
    assert uis.used_last is one


async def test_without_the_ui_used_last_the_one_before_it_counts() -> None:
    one, other = ui(("p1", 40, 10)), ui(("p1", 100, 50))
    uis = attached(one, other)

    uis.remove(other)

    assert uis.used_last is one
    assert uis.sizes() == {"p1": (40, 10)}


@pytest.mark.parametrize(
    ("focused", "terminal_focused", "watched"),
    [("p1", True, {"p1"}), ("p1", False, set()), (None, True, set()), ("p9", True, set())],
)
async def test_a_pane_is_watched_when_it_has_the_keyboard_of_a_focused_terminal(
    focused: str | None, terminal_focused: bool, watched: set[str]
) -> None:
    uis = attached(ui(("p1", 80, 24), ("p2", 80, 24), focused=focused, terminal_focused=terminal_focused))

    assert uis.watched() == watched


async def test_nobody_attached_means_no_sizes_and_nothing_watched() -> None:
    uis = Uis()

    assert (uis.used_last, uis.sizes(), uis.watched(), len(uis)) == (None, {}, frozenset(), 0)


async def test_pictures_are_shown_as_long_as_some_ui_shows_them() -> None:
    pictured, plain = ui(), ui()
    pictured.view = replace(pictured.view, pictures=True)
    uis = attached(pictured, plain)
    assert uis.shows_pictures() is True

    uis.remove(pictured)
    assert uis.shows_pictures() is False

    uis.remove(plain)
    assert uis.shows_pictures() is None


LIGHT = OuterColors(foreground=(0, 0, 0), background=(255, 255, 255), cursor=(0, 0, 0))
DARK = OuterColors(foreground=(255, 255, 255), background=(0, 0, 0), cursor=(255, 255, 255))


async def test_the_colors_are_those_of_the_ui_used_last_that_has_told_its_own() -> None:
    light, dark, silent = ui(), ui(), ui()
    light.view = replace(light.view, colors=LIGHT)
    dark.view = replace(dark.view, colors=DARK)
    uis = attached(light, dark, silent)
    assert uis.colors() == DARK

    uis.use(light)
    assert uis.colors() == LIGHT

    uis.remove(light)
    uis.remove(dark)
    assert uis.colors() is None
