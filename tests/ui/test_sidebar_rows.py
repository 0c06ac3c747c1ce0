"""The sidebar's rows."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Kind, Status
from orca_tui.ui.pieces import target_at, width_of
from orca_tui.ui.sidebar_rows import groups, sidebar_lines
from orca_tui.ui.symbols import ASCII, UNICODE, Symbols
from orca_tui.ui.world import World
from tests.ui.examples import NOW, layout_of, pane, world_of

COLS = 30

PANES = (
    pane("p1", Status.WORKING, agent="claude", tool="edit src/app.ts", since=NOW - 200),
    pane("p2", Status.WORKING, agent="opencode", since=NOW - 720),
    pane("p3", Status.DONE, agent="codex", last_message="all tests pass", since=NOW - 4000),
    pane("p4", Status.WAITING, agent="opencode", kind=Kind.PERMISSION, message='run "git push"', unread=True),
    pane("p5", Status.WAITING, agent="claude", message="which colour?", since=NOW - 3000),
    pane("p6", Status.DONE, agent="gemini", unread=True, since=NOW - 5),
    pane("p7", Status.UNKNOWN, agent=None, command=("/bin/bash",)),
    pane("p8", Status.EXITED, agent="claude", exit_code=0),
    pane("p9", Status.UNKNOWN, agent="pi"),
    pane("p10", Status.ERROR, agent="claude", kind=Kind.RATE_LIMIT, message="try again at 5"),
)


@pytest.fixture
def world() -> World:
    return world_of(layout_of(tuple((one.pane,) for one in PANES)), *PANES)


def texts(world: World, symbols: Symbols = UNICODE) -> list[str]:
    lines = sidebar_lines(world, cols=COLS, now=NOW, symbols=symbols)
    return ["".join(piece.text for piece in line) for line in lines]


def test_groups_stand_in_the_order_of_what_they_want(world: World) -> None:
    found = {group.title: [one.pane for one in group.panes] for group in groups(world)}

    assert list(found) == ["needs you", "error", "working", "done", "unknown", "exited", "shells"]
    assert found["needs you"] == ["p5", "p4"]
    assert found["working"] == ["p1", "p2"]
    assert found["done"] == ["p6", "p3"]
    assert found["shells"] == ["p7"]
    assert found["unknown"] == ["p9"]


def test_a_row_says_glyph_name_id_and_time_and_below_what_it_is_about(world: World) -> None:
    lines = texts(world)
    at = next(number for number, line in enumerate(lines) if " p1 " in line)

    assert lines[at] == " ● claude p1               3m "
    assert lines[at + 1] == "   edit src/app.ts            "


def test_what_was_not_seen_is_marked(world: World) -> None:
    marked = [line.split()[2] for line in texts(world) if "◆" in line]

    assert marked == ["p4", "p6"]


def test_every_line_fills_the_sidebar_exactly(world: World) -> None:
    for symbols in (UNICODE, ASCII):
        for line in sidebar_lines(world, cols=COLS, now=NOW, symbols=symbols):
            assert width_of(line) == COLS


def test_the_focused_pane_has_a_bar(world: World) -> None:
    assert [line.split()[1] for line in texts(world) if line.startswith("▌")] == ["claude"]


def test_a_click_on_either_row_of_a_pane_means_the_pane(world: World) -> None:
    lines = sidebar_lines(world, cols=COLS, now=NOW, symbols=UNICODE)
    at = next(number for number, line in enumerate(lines) if "p1" in [piece.text.strip() for piece in line])

    assert target_at(lines[at], 0) == target_at(lines[at], COLS - 1) == "p1"
    assert target_at(lines[at + 1], 5) == target_at(lines[at + 1], COLS - 1) == "p1"
    assert target_at(lines[0], 3) == ""


def test_ascii_terminals_get_ascii(world: World) -> None:
    assert all(line.isascii() for line in texts(world, ASCII))


def test_workspaces_are_named_when_there_are_several() -> None:
    panes = pane("p1", workspace="w1"), pane("p2", workspace="w2")
    lines = texts(world_of(layout_of((("p1",),), (("p2",),)), *panes))

    assert [line.split("·")[1].split()[0] for line in lines if "·" in line] == ["w1", "w2"]


def test_text_of_agents_cannot_write_over_the_sidebar() -> None:
    hostile = pane("p1", tool="\x1b[2J\u202egnp\n" + "x" * 100, name="na\x07me")
    lines = texts(world_of(layout_of((("p1",),)), hostile))

    assert "\x1b" not in "".join(lines)
    assert "name p1" in lines[1]
    assert lines[2].rstrip().endswith("…")


def test_an_empty_sidebar_says_so() -> None:
    assert texts(World()) == [" nothing runs here".ljust(COLS)]
