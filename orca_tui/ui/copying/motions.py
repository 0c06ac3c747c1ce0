"""Where the keys of vi lead in a text. Pure: a text and a cell in, a cell out.

Rule 1: a word is a row of letters, digits and `_`, or a row of other signs; a big word (W, B, E) is anything
        without blanks. The end of a row is a blank.
Rule 2: a motion that finds nothing stays where it is, or ends at the end of the text, as in vi.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from rich.cells import cell_len

from orca_tui.ui.copying.paper import Paper, index_of
from orca_tui.ui.selection import Spot


class Class(Enum):
    """What vi tells apart in words."""

    BLANK = 0
    WORD = 1
    SIGN = 2


def next_word(paper: Paper, at: Spot, *, big: bool) -> Spot:
    """`w`, `W`: the beginning of the next word."""
    kind = _class(paper.char_at(at), big=big)
    for spot in _forward(paper, at):
        found = _class(paper.char_at(spot), big=big)
        if spot.col == 0 and spot.line > at.line:
            kind = Class.BLANK  # A new row begins a word.
        if found is not Class.BLANK and found is not kind:
            return spot
        kind = found
    return Spot(paper.last_row, paper.end_of(paper.last_row))


def end_of_word(paper: Paper, at: Spot, *, big: bool) -> Spot:
    """`e`, `E`: the end of this word, or of the next one from its end."""
    previous: tuple[Spot, Class] | None = None
    for spot in _forward(paper, at):
        found = _class(paper.char_at(spot), big=big)
        if previous is not None and previous[1] is not Class.BLANK:
            new_row = spot.line > previous[0].line
            if new_row or found is not previous[1]:
                return previous[0]
        previous = (spot, found)
    return Spot(paper.last_row, paper.end_of(paper.last_row))


def previous_word(paper: Paper, at: Spot, *, big: bool) -> Spot:
    """`b`, `B`: the beginning of this word, or of the one before from its beginning."""
    best: Spot | None = None
    kind = Class.BLANK
    for spot in _backward(paper, at):
        found = _class(paper.char_at(spot), big=big)
        if best is not None and (found is not kind or spot.line < best.line):
            return best
        if found is not Class.BLANK:
            best, kind = spot, found
    return best or Spot(0, 0)


def first_sign(paper: Paper, row: int) -> int:
    """`^`: the column of a row's first character that is no blank."""
    text = paper.text_of(row)
    return cell_len(text) - cell_len(text.lstrip()) if text.strip() else 0


def paragraph(paper: Paper, row: int, *, down: bool) -> int:
    """`{`, `}`: the next empty row, beyond those that follow on this one."""
    step = 1 if down else -1
    at = row
    while 0 <= at + step <= paper.last_row and not paper.text_of(at).strip():
        at += step
    while 0 <= at + step <= paper.last_row and paper.text_of(at).strip():
        at += step
    return at


def to_char(paper: Paper, at: Spot, char: str, *, backwards: bool, before: bool) -> Spot:
    """`f`, `F`, `t`, `T`: the next such character of the row, or the cell before it."""
    text = paper.text_of(at.line)
    index = index_of(text, at.col)
    found = text.rfind(char, 0, index) if backwards else text.find(char, index + 1)
    if found < 0:
        return at
    if before:
        found += 1 if backwards else -1
    return Spot(at.line, cell_len(text[:found]))


def prompt(paper: Paper, row: int, *, down: bool) -> int:
    """The row of the next shell prompt; the same row where there is none."""
    if down:
        return next((mark for mark in paper.prompts if mark > row), row)
    return next((mark for mark in reversed(paper.prompts) if mark < row), row)


def word_under(paper: Paper, at: Spot) -> str:
    """`*`: the word at a cell, or the next one of its row."""
    text = paper.text_of(at.line)
    index = index_of(text, at.col)
    while index < len(text) and not _of_word(text[index]):
        index += 1
    return _run(text, index, _of_word)


def _run(text: str, index: int, belongs: Callable[[str], bool]) -> str:
    start = end = index
    while start > 0 and belongs(text[start - 1]):
        start -= 1
    while end < len(text) and belongs(text[end]):
        end += 1
    return text[start:end]


def _of_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _class(char: str, *, big: bool) -> Class:
    if char.isspace():
        return Class.BLANK
    return Class.WORD if big or _of_word(char) else Class.SIGN


def _forward(paper: Paper, at: Spot) -> Iterator[Spot]:
    """The cells behind `at` in which characters begin, and one blank for each end of a row."""
    for row in range(at.line, paper.last_row + 1):
        col = 0
        for char in paper.text_of(row) or " ":
            if row > at.line or col > at.col:
                yield Spot(row, col)
            col += cell_len(char)


def _backward(paper: Paper, at: Spot) -> Iterator[Spot]:
    for row in range(at.line, -1, -1):
        cols = []
        col = 0
        for char in paper.text_of(row) or " ":
            cols.append(col)
            col += cell_len(char)
        yield from (Spot(row, col) for col in reversed(cols) if row < at.line or col < at.col)
