"""Tabs, titles and hints."""

from __future__ import annotations

import msgspec
import pytest

from orca_tui.base.ids import PaneId
from orca_tui.config import Keys
from orca_tui.layout import focus, rename, zoom
from orca_tui.status.record import Kind, Status
from orca_tui.ui.actions import ACTIONS, HINTS
from orca_tui.ui.chrome_lines import NEW_TAB, hints_line, roll_up_text, tabs_line, title_line
from orca_tui.ui.keymap import keymap
from orca_tui.ui.pieces import Line, target_at, width_of
from orca_tui.ui.symbols import ASCII, UNICODE
from orca_tui.ui.world import World
from tests.ui.examples import layout_of, pane, world_of

KEYMAP = keymap(Keys())
ASK = pane("p2", Status.WAITING, agent="opencode", kind=Kind.PERMISSION, message='run "git push"')


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


@pytest.fixture
def world() -> World:
    layout = rename(layout_of((("p1",), ("p2",), ("p3",))), "t2", "review")
    return world_of(layout, pane("p1"), ASK, pane("p3", Status.DONE, unread=True, agent="codex"))


def test_the_first_row_shows_the_roll_up_and_the_tabs_with_their_status(world: World) -> None:
    line = text(tabs_line(world, 100, UNICODE))

    assert line.startswith(" orca-tui  ▲1 ✗0 ●1 ✓1   w1 ▸  0 claude ●  1 review ▲  2 codex ✓  + ")
    assert len(line) == 100


def test_a_click_on_a_tab_means_the_tab(world: World) -> None:
    line = tabs_line(world, 100, UNICODE)
    at = text(line).index

    assert target_at(line, at("review")) == "t2"
    assert target_at(line, at("+")) == NEW_TAB
    assert target_at(line, at("w1")) == "w1"
    assert target_at(line, 2) == ""


@pytest.mark.parametrize("cols", [20, 40, 50, 60, 80, 120])
def test_the_first_row_is_as_wide_as_the_terminal(world: World, cols: int) -> None:
    assert width_of(tabs_line(world, cols, UNICODE)) == cols
    assert text(tabs_line(world, cols, UNICODE)).startswith(" orca-tui")


def test_the_active_tab_is_in_sight_when_not_all_fit() -> None:
    names = tuple((f"p{number}",) for number in range(1, 21))
    world = world_of(layout_of(names), *(pane(name) for (name,) in names))

    assert "19 claude" in text(tabs_line(world, 60, UNICODE))


@pytest.mark.parametrize("active", [0, 1, 9, 18, 19])
@pytest.mark.parametrize("cols", [60, 80, 120])
def test_tabs_that_do_not_fit_are_marked_on_their_side_and_new_stays(active: int, cols: int) -> None:
    names = tuple((f"p{number}",) for number in range(1, 21))
    layout = layout_of(names)
    tabs = layout.workspaces[0].tabs
    layout = focus(layout, tabs[active].focused)
    line = tabs_line(world_of(layout, *(pane(name) for (name,) in names)), cols, UNICODE)

    targets = [piece.target for piece in line if piece.target.startswith("t")]
    first, last = tabs_between(line)
    marks = [piece.target for piece in line if piece.text == " … "]
    assert first <= active <= last
    assert marks == [f"t{at + 1}" for at in (first - 1, last + 1) if 0 <= at < 20]
    assert targets
    assert NEW_TAB in [piece.target for piece in line if piece.text == " + "]
    assert width_of(line) == cols


def tabs_between(line: Line) -> tuple[int, int]:
    """The numbers of the first and the last tab that are shown."""
    shown = [int(piece.target[1:]) - 1 for piece in line if piece.target[:1] == "t" and piece.text != " … "]
    return min(shown), max(shown)


def test_a_title_says_who_where_and_what() -> None:
    world = world_of(layout_of((("p2",),)), ASK)

    line = text(title_line(world, ASK, 80, UNICODE, focused=True))

    assert line.startswith('─ ▲ p2 opencode · waiting: permission · run "git push" ──')
    assert len(line) == 80


def test_a_title_that_does_not_fit_is_cut() -> None:
    world = world_of(layout_of((("p2",),)), ASK)

    for cols in range(1, 60):
        assert width_of(title_line(world, ASK, cols, UNICODE, focused=False)) == cols


def test_a_title_tells_of_zoom_and_scrolling() -> None:
    layout = zoom(layout_of((("p1", "p2"),)), PaneId("p2"))
    world = world_of(layout, pane("p1"), ASK)

    line = text(title_line(world, ASK, 100, UNICODE, focused=True, offset=120))

    assert line.endswith(" 120 rows back  zoomed ─")


def test_a_plain_shell_has_no_status_in_its_title() -> None:
    shell = pane("p1", Status.UNKNOWN, agent=None, title="~/src")

    assert text(title_line(world_of(layout_of((("p1",),)), shell), shell, 20, UNICODE, focused=True)) == (
        "─ p1 ~/src ─────────"
    )


def test_a_named_agent_says_both_its_name_and_the_agent() -> None:
    named = msgspec.structs.replace(ASK, name="releases", status=Status.IDLE, unread=True)

    line = text(title_line(world_of(layout_of((("p2",),)), named), named, 80, UNICODE, focused=True))

    assert line.startswith("─ ○ ◆ p2 releases · opencode · idle ─")


def test_the_terminals_title_counts_only_what_there_is(world: World) -> None:
    assert roll_up_text(world, UNICODE) == "▲1 ●1 ✓1"
    assert roll_up_text(World(), UNICODE) == ""


def test_hints_show_the_keys_that_hold_and_leave_out_what_does_not_fit() -> None:
    line = text(hints_line(KEYMAP, 120, UNICODE, prefixed=False))
    assert line.startswith(" ctrl+b then  % split  z zoom  c new")

    other = keymap(Keys(prefix="ctrl+a", bindings={"zoom": "prefix f"}))
    assert " ctrl+a then  % split  f zoom" in text(hints_line(other, 120, UNICODE, prefixed=False))
    for cols in (20, 33, 50):
        assert width_of(hints_line(KEYMAP, cols, UNICODE, prefixed=False)) == cols


@pytest.mark.parametrize("cols", [45, 60, 80])
def test_the_ways_to_all_other_keys_and_out_stay_in_the_hints_longest(cols: int) -> None:
    line = text(hints_line(KEYMAP, cols, UNICODE, prefixed=False))

    assert "? help" in line
    assert "d detach" in line
    assert line.index("? help") < line.index("d detach")


def test_every_action_with_a_hint_has_its_place_among_those_that_stay() -> None:
    assert sorted(HINTS) == sorted(action.id for action in ACTIONS if action.hint)


def test_a_click_on_a_hint_means_its_action() -> None:
    line = hints_line(KEYMAP, 120, UNICODE, prefixed=False)

    assert target_at(line, text(line).index("zoom")) == "zoom"


def test_the_hint_line_says_what_is_awaited_and_what_was_said() -> None:
    assert text(hints_line(KEYMAP, 80, UNICODE, prefixed=True)).startswith(" ctrl+b ")
    assert "no such tab" in text(hints_line(KEYMAP, 80, UNICODE, prefixed=False, message="no such tab"))


def test_ascii_terminals_get_ascii(world: World) -> None:
    lines = (
        tabs_line(world, 100, ASCII),
        title_line(world, ASK, 80, ASCII, focused=True),
        hints_line(KEYMAP, 120, ASCII, prefixed=False),
        hints_line(KEYMAP, 120, ASCII, prefixed=True),
    )

    assert all(text(line).isascii() for line in lines)
