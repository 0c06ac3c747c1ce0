"""One picture, but for what is in the panes."""

from __future__ import annotations

import pytest

from orca_tui.config import Keys
from orca_tui.ui.geometry import SidebarWish
from orca_tui.ui.keymap import keymap
from orca_tui.ui.scene import Mood, Scene, overlay_rect, scene
from orca_tui.ui.symbols import UNICODE
from orca_tui.ui.world import World, advance
from orca_tui.wire import PaneGone
from tests.ui.examples import NOW, layout_of, pane, world_of

KEYMAP = keymap(Keys())


def shown(world: World, size: tuple[int, int] = (120, 40), mood: Mood | None = None) -> Scene:
    return scene(size=size, world=world, mood=mood or Mood(), keymap=KEYMAP, symbols=UNICODE, now=NOW)


@pytest.fixture
def world() -> World:
    return world_of(layout_of((("p1", "p2"),)), pane("p1"), pane("p2"))


def test_visible_panes_and_their_room(world: World) -> None:
    assert shown(world).sizes() == {"p1": (44, 37), "p2": (44, 37)}
    assert shown(world).focused == "p2"


def test_a_pane_that_is_gone_leaves_its_place_empty_until_the_layout_follows(world: World) -> None:
    gone = shown(advance(world, PaneGone(pane="p2")))

    assert gone.sizes() == {"p1": (44, 37)}
    assert gone.focused is None


def test_nothing_is_visible_on_a_terminal_that_is_too_small(world: World) -> None:
    small = shown(world, size=(19, 4))

    assert small.areas is None
    assert small.sizes() == {}
    assert small.sidebar() == []


def test_a_world_without_panes_is_empty_only_after_the_server_said_so() -> None:
    assert not shown(World()).empty
    assert shown(world_of(layout_of())).empty


def test_on_a_narrow_terminal_the_sidebar_comes_when_it_is_asked_for(world: World) -> None:
    narrow = shown(world, size=(70, 24))
    assert narrow.areas is not None
    assert narrow.areas.sidebar is None
    assert narrow.sidebar() == []

    asked = shown(world, size=(70, 24), mood=Mood(over_shown=True))
    assert asked.areas is not None
    assert asked.areas.over
    assert asked.sidebar() != []
    assert asked.sizes() == narrow.sizes()


def test_a_hidden_sidebar_gives_its_room_to_the_panes(world: World) -> None:
    hidden = shown(world, mood=Mood(sidebar=SidebarWish(shown=False)))

    assert sum(cols for cols, _ in hidden.sizes().values()) == 119


def test_the_keys_are_listed_when_they_are_to_be_shown(world: World) -> None:
    assert shown(world).which_key() == []
    assert shown(world, mood=Mood(prefixed=True, hints=True)).which_key() != []


def test_a_list_over_the_panes_stands_above_the_hints() -> None:
    place = overlay_rect((80, 24), 6)

    assert (place.x, place.y, place.cols, place.rows) == (0, 17, 80, 6)
    assert overlay_rect((80, 24), 90).y == 1
