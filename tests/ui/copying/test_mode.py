"""Copy mode: keys in, cursor, view, selection and effects out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_tui.term.engine import RowMarks
from orca_tui.ui.copying.mode import (
    MOTIONS,
    VERTICAL,
    Copy,
    Effect,
    Keep,
    KeepAll,
    Leave,
    OpenLink,
    State,
    Typed,
    advance,
    resized,
    scrolled,
)
from orca_tui.ui.copying.paper import Paper
from orca_tui.ui.copying.search import Search
from orca_tui.ui.selection import Selection, Shape, Spot, Unit, selected_text

ROWS = ["$ make", *(f"line {number} of Many" for number in range(1, 40)), "$ done"]
PAPER = Paper(ROWS, 20, RowMarks(prompts=(0, 40)))
BOTTOM = State(cursor=Spot(40, 0), top=31, height=10)


def after(*keys: str, state: State = BOTTOM, paper: Paper = PAPER) -> tuple[State, list[Effect]]:
    """The state after keys, and all their effects; `:gg` stands for two keys, `pageup` for one."""
    effects: list[Effect] = []
    for key in keys:
        for one in key[1:] if key.startswith(":") else [key]:
            text = one if len(one) == 1 else ""
            state, more = advance(state, Typed(key="space" if one == " " else one, text=text), paper)
            effects += more
    return state, effects


def place(*keys: str) -> tuple[int, int]:
    cursor = after(*keys)[0].cursor
    return cursor.line, cursor.col


def copied(*keys: str) -> str:
    _, effects = after(*keys)
    (copy,) = (effect for effect in effects if isinstance(effect, Copy))
    assert effects[-1] == Leave()
    return selected_text(copy.selection.span(PAPER.text_of), PAPER.text_of, PAPER.cols)


def test_digits_before_n_skip_so_many_matches_and_go_on_at_the_other_end() -> None:
    rows = Paper([f"x {number}" for number in range(10)], 20)
    top = State(cursor=Spot(0, 0), top=0, height=10)

    def line(*keys: str) -> int:
        return after(":/x", "enter", *keys, state=top, paper=rows)[0].cursor.line

    assert [line(*keys) for keys in ([], ["3", "n"], ["3", "n", "2", "N"], ["1", "2", "n"])] == [0, 3, 1, 2]
    assert after(":?x", "enter", "3", "n", state=top, paper=rows)[0].at_match == 7
    assert after("2", "*", state=top, paper=rows)[0].cursor.line == 2


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        (["k"], (39, 0)),
        (["up", "up", "down"], (39, 0)),
        ([":5k"], (35, 0)),
        ([":99k"], (0, 0)),
        ([":gg"], (0, 0)),
        ([":5gg"], (4, 0)),
        ([":ggG"], (40, 0)),
        ([":7G"], (6, 0)),
        (["ctrl+u"], (35, 0)),
        (["pageup"], (30, 0)),
        ([":H"], (31, 0)),
        ([":M"], (36, 0)),
        ([":kwll"], (39, 7)),
        ([":k$"], (39, 14)),
        ([":k$h0"], (39, 0)),
        ([":k2w"], (39, 8)),
        ([":kfM"], (39, 11)),
        ([":k2fn"], (39, 13)),
        ([":ktM"], (39, 10)),
        ([":k$TM"], (39, 12)),
        ([":["], (0, 0)),
        ([":gg]"], (40, 0)),
        ([":z"], (40, 0)),
    ],
)
def test_motions_move_the_cursor(keys: list[str], there: tuple[int, int]) -> None:
    assert place(*keys) == there


def test_a_short_row_only_holds_the_wanted_column_up() -> None:
    assert place(":k$", "j", "k") == (39, 14)
    assert place(":k$", "j") == (40, 5)


def test_the_view_moves_no_more_than_it_must() -> None:
    assert after(":9k")[0].top == 31
    assert after(":10k")[0].top == 30
    assert after(":gg")[0].top == 0
    assert after(":ggG")[0].top == 31


def test_characters_rows_and_blocks_are_copied() -> None:
    assert copied(":k0vey") == "line"
    assert copied(":kVjy") == "line 39 of Many\n$ done"
    assert copied(":kk", "ctrl+v", ":3ljy") == "line\nline"
    assert copied("k", "y") == "line 39 of Many"
    assert copied(":kwve", "enter") == "39"


def test_a_selection_has_two_ends_and_may_change_its_kind() -> None:
    assert copied(":kwveob", "y") == "line 39"
    state, _ = after(":kv", "V")
    assert state.selection == Selection(anchor=Spot(39, 0), head=Spot(39, 0), unit=Unit.LINE)
    assert after(":kvv")[0].selection is None
    block = after("k", "v", "ctrl+v")[0].selection
    assert block is not None
    assert block.shape is Shape.BLOCK


def test_a_search_moves_while_it_is_typed_and_counts() -> None:
    state, _ = after(":?line 1")
    assert (state.cursor, len(state.matches)) == (Spot(19, 0), 11)

    state, _ = after(":2", state=state)
    assert (state.cursor, len(state.matches), state.at_match) == (Spot(12, 0), 1, 0)

    state, _ = after("enter", state=state)
    assert state.entry is None
    assert state.cursor == Spot(12, 0)


def test_n_goes_on_in_the_direction_of_the_search_and_N_against_it() -> None:
    assert place(":?many", "enter") == (39, 11)
    assert place(":?many", "enter", "n") == (38, 11)
    assert place(":?many", "enter", ":nnN") == (38, 11)
    assert place(":gg/many", "enter") == (1, 10)
    assert place(":gg/many", "enter", ":N") == (39, 11)


def test_a_capital_in_a_search_is_meant() -> None:
    assert len(after(":gg/Many")[0].matches) == 39
    assert len(after(":gg/MANY")[0].matches) == 0


def test_escape_goes_back_to_where_the_search_began() -> None:
    state, _ = after(":?line 7", "escape")

    assert (state.cursor, state.matches, state.entry) == (BOTTOM.cursor, (), None)


def test_a_search_that_finds_nothing_stays() -> None:
    assert place(":?nowhere") == (40, 0)


def test_an_expression_is_tried_as_it_is_typed() -> None:
    state, _ = after("?", "ctrl+r", ":[39]0 o")
    assert [match.first.line for match in state.matches] == [30]
    state, _ = after("?", "ctrl+r", ":(")
    assert state.entry is not None
    assert "no regular expression" in state.entry.problem
    assert state.matches == ()


def test_what_is_no_expression_stays_to_be_mended_when_it_is_entered() -> None:
    state, _ = after("?", "ctrl+r", ":(", "enter")
    assert state.entry is not None

    state, _ = after("?", "ctrl+r", ":(", "enter", "backspace", ":7 of", "enter")
    assert state.entry is None
    assert [match.first.line for match in state.matches] == [37, 27, 17, 7][::-1]


def test_a_search_that_takes_too_long_is_there_again_to_be_mended() -> None:
    slow = Paper(["a" * 60 + "b"], 80)
    state = replace(BOTTOM, search=Search(text="(?:a|aa)+$", regex=True), cursor=Spot(0, 0), top=0)

    state, _ = advance(state, Typed(key="n", text="n"), slow)

    assert state.entry is not None
    assert "takes longer" in state.entry.problem


def test_what_was_typed_of_a_search_can_be_taken_back() -> None:
    assert place(":?line 3x", "backspace") == (39, 0)
    assert place(":?xyz", "ctrl+u", ":make") == (0, 2)
    assert after("?", "backspace")[0].entry is None


def test_the_word_under_the_cursor_is_searched_for() -> None:
    assert place(":kww*") == (1, 7)  # `of`, and on at the other end.
    assert place(":kww#") == (38, 8)


def test_escape_drops_the_selection_then_the_search_then_leaves() -> None:
    state, effects = after(":?line", "enter", "v", "escape")
    assert (state.selection, bool(state.matches), effects) == (None, True, [])
    state, effects = after("escape", state=state)
    assert (state.matches, effects) == ((), [])
    assert after("escape", state=state)[1] == [Leave()]
    assert place(":?line", "enter", "escape", "n") == (38, 0)  # The search can be taken up again.


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_leaving_at_once(key: str) -> None:
    assert after("v", key)[1] == [Leave()]


def test_links_files_and_the_editor_are_asked_for() -> None:
    assert after("k", "o")[1] == [OpenLink(at=Spot(39, 0))]
    assert after("s")[1] == [KeepAll(where=Keep.FILE)]
    assert after("x")[1] == [KeepAll(where=Keep.EDITOR)]


def test_a_smaller_view_keeps_the_cursor_in_it() -> None:
    state = resized(BOTTOM, 4, PAPER)

    assert (state.top, state.height) == (37, 4)


def test_the_wheel_takes_the_cursor_along() -> None:
    state = scrolled(BOTTOM, -5, PAPER)
    assert (state.top, state.cursor.line) == (26, 35)
    assert scrolled(state, 99, PAPER).top == 31
    assert scrolled(state, -99, PAPER).top == 0


KEYS = st.sampled_from(
    [
        *MOTIONS,
        *VERTICAL,
        *"gGfFtTvVyonN/?*#0123456789x",
        "ctrl+v",
        "escape",
        "enter",
        "backspace",
        "ctrl+r",
        "(",
    ]
)


@given(keys=st.lists(KEYS, max_size=30), rows=st.lists(st.text("a 端.", max_size=12), max_size=30))
def test_no_keys_lead_out_of_the_text_or_out_of_the_view(keys: list[str], rows: list[str]) -> None:
    paper = Paper(rows, 12)
    state = resized(State(cursor=Spot(0, 0), top=0, height=1), 5, paper)
    for key in keys:
        state, _ = advance(state, Typed(key=key, text=key if len(key) == 1 else ""), paper)

        assert paper.within(state.cursor) == state.cursor
        assert state.top <= state.cursor.line < state.top + state.height
