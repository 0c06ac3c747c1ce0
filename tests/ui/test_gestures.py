"""What the mouse means outside of a pane's text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from orca_tui.base.ids import PaneId
from orca_tui.config import Keys
from orca_tui.layout import Axis, open_split
from orca_tui.ui.geometry import SidebarWish
from orca_tui.ui.gestures import SIDEBAR_EDGE, Gestures
from orca_tui.ui.keymap import keymap
from orca_tui.ui.scene import Mood, Scene, scene
from orca_tui.ui.symbols import UNICODE
from orca_tui.ui.widgets.chrome import LEFT_BUTTON, RIGHT_BUTTON, Chrome
from orca_tui.ui.widgets.grips import Grip, PaneTitle, VerticalLine
from tests.ui.examples import NOW, layout_of, pane, world_of


def picture(mood: Mood | None = None) -> Scene:
    """p1 above p2, p3 beside both; 121 columns, so that both halves have 45 and the border is column 76."""
    layout = open_split(layout_of((("p1", "p3"),)), PaneId("p2"), PaneId("p1"), Axis.DOWN)
    return scene(
        size=(122, 42),
        world=world_of(layout, pane("p1"), pane("p2"), pane("p3")),
        mood=mood or Mood(),
        keymap=keymap(Keys()),
        symbols=UNICODE,
        now=NOW,
    )


@dataclass
class Hand:
    scene: Scene = field(default_factory=picture)
    done: list[tuple[Any, ...]] = field(default_factory=list)

    def perform(self, action: str) -> None:
        self.done.append(("perform", action))

    def focus_pane(self, pane: str) -> None:
        self.done.append(("focus", pane))

    def show_target(self, target: str) -> None:
        self.done.append(("show", target))

    def set_ratio(self, tab: str, path: tuple[int, ...], ratio: float) -> None:
        self.done.append(("ratio", tab, path, round(ratio, 2)))

    def set_sidebar_cols(self, cols: int) -> None:
        self.done.append(("cols", cols))

    def open_menu(self, pane: str, x: int, y: int) -> None:
        self.done.append(("menu", pane, x, y))


@pytest.fixture
def hand() -> Hand:
    return Hand()


def pick(hand: Hand, target: str, button: int = LEFT_BUTTON) -> list[tuple[Any, ...]]:
    Gestures(hand).picked(Chrome.Picked(Chrome(), target, button, 7, 3))
    return hand.done


@pytest.mark.parametrize(
    ("target", "done"),
    [
        ("p2", ("focus", "p2")),
        ("t1", ("show", "t1")),
        ("w1", ("show", "w1")),
        ("zoom", ("perform", "zoom")),
        ("new", ("perform", "new_tab")),
    ],
)
def test_a_piece_does_what_it_names(hand: Hand, target: str, done: tuple[Any, ...]) -> None:
    assert pick(hand, target) == [done]


def test_the_right_button_opens_a_panes_menu(hand: Hand) -> None:
    assert pick(hand, "p2", RIGHT_BUTTON) == [("focus", "p2"), ("menu", "p2", 7, 3)]


def test_a_title_gives_the_focus_and_with_the_right_button_the_menu(hand: Hand) -> None:
    title = PaneTitle("p1")

    Gestures(hand).title_pressed(PaneTitle.Pressed(title, LEFT_BUTTON, 40, 1))
    Gestures(hand).title_pressed(PaneTitle.Pressed(title, RIGHT_BUTTON, 40, 1))

    assert hand.done == [("focus", "p1"), ("focus", "p1"), ("menu", "p1", 40, 1)]


def test_a_border_follows_the_pointer_from_where_the_drag_began(hand: Hand) -> None:
    (column,) = hand.scene.columns()
    x = column.place.x
    gestures, line = Gestures(hand), VerticalLine(UNICODE)

    gestures.dragged(Grip.Moved(line, (x, 10), (x - 9, 10)))
    hand.scene = picture(Mood(sidebar=SidebarWish(cols=20)))  # It has moved away from under the pointer.
    gestures.dragged(Grip.Moved(line, (x, 10), (x - 18, 12)))

    assert hand.done == [("ratio", "t1", (), 0.4), ("ratio", "t1", (), 0.3)]


def test_the_title_of_a_lower_pane_moves_the_border_that_it_stands_on(hand: Hand) -> None:
    row = next(border for border in hand.scene.places.borders if border.axis is Axis.DOWN)

    Gestures(hand).dragged(Grip.Moved(PaneTitle("p2"), (40, row.place.y), (40, row.place.y - 10)))

    assert hand.done == [("ratio", "t1", (0,), 0.25)]


def test_a_title_at_the_top_moves_nothing(hand: Hand) -> None:
    Gestures(hand).dragged(Grip.Moved(PaneTitle("p1"), (40, 1), (40, 9)))

    assert hand.done == []


def test_the_sidebars_edge_makes_it_as_wide_as_the_pointer_is(hand: Hand) -> None:
    edge = VerticalLine(UNICODE, id=SIDEBAR_EDGE)

    Gestures(hand).dragged(Grip.Moved(edge, (30, 5), (44, 5)))
    hand.scene = picture(Mood(sidebar=SidebarWish(right=True)))
    Gestures(hand).dragged(Grip.Moved(edge, (91, 5), (81, 5)))

    assert hand.done == [("cols", 44), ("cols", 40)]
