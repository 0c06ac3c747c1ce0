"""The selection in one pane while the mouse makes it."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.clicks import CLICK_S
from orca_tui.ui.selection import Shape
from orca_tui.ui.widgets.pane_selection import PaneSelection
from tests.ui.test_pane_model import Pair


@pytest.fixture
def pair(engines: GhosttyFactory) -> Pair:
    pair = Pair(engines, cols=30)
    pair.output(b"".join(b"see src/app.ts line %d\r\n" % number for number in range(20)) + b"the end")
    pair.snapshot(with_history=True)
    pair.shown()
    return pair


@pytest.fixture
def selection(pair: Pair) -> PaneSelection:
    return PaneSelection(pair.model, pair.clock)


def test_a_click_alone_selects_nothing(selection: PaneSelection) -> None:
    assert not selection.begin(3, 1)

    assert selection.span is None
    assert selection.text() == ""


def test_a_drag_selects_from_its_start_to_the_pointer(selection: PaneSelection) -> None:
    selection.begin(4, 2)

    assert selection.extend(6, 3)
    assert not selection.extend(6, 3)
    assert selection.text() == "src/app.ts line 18\nsee src"


def test_clicks_on_one_cell_take_a_word_a_line_and_a_cell_again(selection: PaneSelection) -> None:
    texts = []
    for _ in range(4):
        selection.begin(6, 2)
        texts.append(selection.text())

    assert texts == ["", "src/app.ts", "see src/app.ts line 18", ""]


def test_a_late_click_begins_anew(pair: Pair, selection: PaneSelection) -> None:
    selection.begin(6, 2)
    pair.clock.jump(2 * CLICK_S)

    selection.begin(6, 2)

    assert selection.text() == ""


def test_a_click_on_another_cell_begins_anew(selection: PaneSelection) -> None:
    selection.begin(6, 2)
    selection.begin(7, 2)

    assert selection.text() == ""


def test_the_selection_stays_on_its_text_while_output_pushes_it_up(
    pair: Pair, selection: PaneSelection
) -> None:
    selection.begin(0, 4)
    selection.extend(6, 4)
    assert selection.text() == "the end"

    pair.output(b"\r\n\r\n\r\nmore")
    pair.shown()

    assert selection.text() == "the end"


def test_a_selection_that_began_out_of_view_is_copied_whole(pair: Pair, selection: PaneSelection) -> None:
    pair.model.scroll_to(10)
    pair.shown()
    selection.begin(0, 0)
    pair.model.scroll_to(0)
    pair.shown()
    selection.extend(2, 4)

    assert len(selection.text().splitlines()) == 15
    assert selection.text().startswith("see src/app.ts line 6")


def test_nothing_is_selected_after_it_was_cleared(selection: PaneSelection) -> None:
    assert not selection.clear()
    selection.begin(4, 2)
    selection.extend(6, 3)

    assert selection.clear()
    assert selection.span is None
    assert not selection.extend(1, 1)


def test_a_block_is_selected_by_its_corners_however_often_it_was_clicked(selection: PaneSelection) -> None:
    for _ in range(3):
        selection.begin(4, 2, Shape.BLOCK)
    selection.extend(6, 3)

    assert selection.text() == "src\nsrc"
