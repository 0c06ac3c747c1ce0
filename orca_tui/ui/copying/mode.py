"""Copy mode as a machine: `advance(state, event, paper) -> (state, effects)`. Pure.

Rule 1: keys are those of vi; arrows, page up, page down, home and end do what they say. Digits before a motion
        repeat it.
Rule 2: `v`, `V` and `ctrl+v` begin a selection of characters, rows or a block; the same key again ends it, another
        changes its kind. `o` goes to its other end.
Rule 3: `y` and enter copy the selection, or without one the row under the cursor, and leave.
Rule 4: `/` and `?` search while they are typed, from where the cursor was; enter keeps the place, escape goes back.
        `ctrl+r` there takes the text for a regular expression, or again for plain text.
Rule 5: escape drops the selection, then the search, then leaves; `q` and `ctrl+c` leave at once.
Rule 6: the view moves no more than it must to have the cursor in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from orca_tui.base.errors import Invalid
from orca_tui.ui.copying import motions
from orca_tui.ui.copying.paper import Match, Paper
from orca_tui.ui.copying.search import Search, next_match
from orca_tui.ui.selection import Selection, Shape, Spot, Unit

MOST_REPEATS = 10_000  # More than any history has rows.


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """The selection goes to the clipboard."""

    selection: Selection


class Leave(msgspec.Struct, frozen=True, kw_only=True):
    """Back to the program."""


class OpenLink(msgspec.Struct, frozen=True, kw_only=True):
    """Open the link at the cursor."""

    at: Spot


class Keep(StrEnum):
    """Where the whole history goes."""

    FILE = "file"
    EDITOR = "editor"


class KeepAll(msgspec.Struct, frozen=True, kw_only=True):
    where: Keep


Effect: TypeAlias = Copy | Leave | OpenLink | KeepAll


class Typed(msgspec.Struct, frozen=True, kw_only=True):
    """A key by its name, such as `ctrl+d` or `g`; `text` is what it types."""

    key: str
    text: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A search that is being typed; `origin` is where the cursor was before."""

    search: Search
    origin: Spot
    problem: str = ""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """`top` is the first row in view of `height`."""

    cursor: Spot
    top: int
    height: int
    wanted_col: int = 0
    """Where a vertical motion would like to be; a shorter row only holds it up."""
    selection: Selection | None = None
    entry: Entry | None = None
    search: Search = Search()
    matches: tuple[Match, ...] = ()
    at_match: int | None = None
    count: str = ""
    pending: str = ""
    """The first of two keys: `g`, or `f`, `F`, `t`, `T` that wait for a character."""


Motion: TypeAlias = Callable[[Paper, State], Spot]

CHARACTER_KEYS = frozenset("fFtT")
SHAPES: Mapping[str, tuple[Shape, Unit]] = {
    "v": (Shape.FLOW, Unit.CELL),
    "V": (Shape.FLOW, Unit.LINE),
    "ctrl+v": (Shape.BLOCK, Unit.CELL),
}


def advance(state: State, event: Typed, paper: Paper) -> tuple[State, tuple[Effect, ...]]:
    """Take one key."""
    if state.entry is not None:
        return _in_view(_searching(state, state.entry, event, paper), paper), ()
    if state.pending:
        moved = _second_key(replace(state, pending="", count=""), state, event, paper)
        return _in_view(moved, paper), ()
    if event.key.isdigit() and len(event.key) == 1 and (state.count or event.key != "0"):
        return replace(state, count=(state.count + event.key)[:5]), ()
    if event.key == "g" or event.key in CHARACTER_KEYS:
        return replace(state, pending=event.key), ()
    after, effects = _command(replace(state, count=""), state, event.key, paper)
    return _in_view(after, paper), effects


def resized(state: State, height: int, paper: Paper) -> State:
    """The view has so many rows now."""
    return _in_view(replace(state, height=max(1, height)), paper)


def scrolled(state: State, rows: int, paper: Paper) -> State:
    """The view was moved, down being positive; the cursor stays in it."""
    top = max(0, min(state.top + rows, _lowest_top(state, paper)))
    line = min(max(state.cursor.line, top), top + state.height - 1)
    return _moved(replace(state, top=top), Spot(line, state.wanted_col), paper, keep_col=True)


def _command(state: State, before: State, key: str, paper: Paper) -> tuple[State, tuple[Effect, ...]]:
    if key in SHAPES:
        return replace(state, selection=_reshaped(state, key)), ()
    match key:
        case "y" | "enter":
            selection = state.selection or _row(state.cursor.line)
            return state, (Copy(selection=selection), Leave())
        case "q" | "ctrl+c":
            return state, (Leave(),)
        case "escape":
            return _escaped(state)
        case "o" if state.selection is not None:
            turned = replace(state.selection, anchor=state.selection.head, head=state.selection.anchor)
            return _jumped(replace(state, selection=turned), turned.head, paper), ()
        case "o" | "ctrl+o":
            return state, (OpenLink(at=state.cursor),)
        case "s":
            return state, (KeepAll(where=Keep.FILE),)
        case "x":
            return state, (KeepAll(where=Keep.EDITOR),)
        case "/" | "?":
            search = Search(regex=state.search.regex, backwards=key == "?")
            return replace(state, entry=Entry(search=search, origin=state.cursor)), ()
        case "n" | "N":
            return _next(state, paper, times=_times(before), reverse=key == "N"), ()
        case "*" | "#":
            return _search_word(state, paper, times=_times(before), backwards=key == "#"), ()
        case _:
            return _motion(state, before, key, paper), ()


def _reshaped(state: State, key: str) -> Selection | None:
    """Rule 2."""
    shape, unit = SHAPES[key]
    selection = state.selection
    if selection is None:
        return Selection(anchor=state.cursor, head=state.cursor, unit=unit, shape=shape)
    if (selection.shape, selection.unit) == (shape, unit):
        return None
    return replace(selection, unit=unit, shape=shape)


def _row(row: int) -> Selection:
    return Selection(anchor=Spot(row, 0), head=Spot(row, 0), unit=Unit.LINE)


def _escaped(state: State) -> tuple[State, tuple[Effect, ...]]:
    """Rule 5."""
    if state.selection is not None:
        return replace(state, selection=None), ()
    if state.matches:
        return replace(state, matches=(), at_match=None), ()
    return state, (Leave(),)


# Search


def _searching(state: State, entry: Entry, event: Typed, paper: Paper) -> State:
    """Rule 4."""
    search = entry.search
    match event.key:
        case "enter" if entry.problem:
            return state  # It stands there to be mended.
        case "enter":
            return replace(state, entry=None, search=search)
        case "escape" | "ctrl+c":
            return _jumped(replace(state, entry=None, matches=(), at_match=None), entry.origin, paper)
        case "ctrl+r":
            search = replace(search, regex=not search.regex)
        case "ctrl+u":
            search = replace(search, text="")
        case "backspace" if not search.text:
            return _jumped(replace(state, entry=None), entry.origin, paper)
        case "backspace":
            search = replace(search, text=search.text[:-1])
        case _ if event.text:
            search = replace(search, text=search.text + event.text)
        case _:
            return state
    return _found(state, replace(entry, search=search), paper)


def _found(state: State, entry: Entry, paper: Paper) -> State:
    """The state with what the typed search finds; at its origin while it finds nothing."""
    try:
        matches = _matches(entry.search, paper)
    except Invalid as error:
        return replace(state, entry=replace(entry, problem=error.message), matches=(), at_match=None)
    at = next_match(matches, entry.origin, backwards=entry.search.backwards, here=True)
    state = replace(state, entry=replace(entry, problem=""), matches=matches, at_match=at)
    return _jumped(state, entry.origin if at is None else matches[at].first, paper)


def _matches(search: Search, paper: Paper) -> tuple[Match, ...]:
    """Raises `Invalid` for a search that cannot be made."""
    pattern = search.pattern()
    return tuple(paper.find(pattern)) if pattern is not None else ()


def _next(state: State, paper: Paper, *, times: int, reverse: bool) -> State:
    """`n`, `N`: the next match of the last search, which escape may have dropped, or one so many further."""
    try:
        matches = state.matches or _matches(state.search, paper)
    except Invalid as error:
        entry = Entry(search=state.search, origin=state.cursor, problem=error.message)
        return replace(state, entry=entry)
    backwards = state.search.backwards is not reverse
    at = next_match(matches, state.cursor, backwards=backwards)
    if at is not None:
        at = (at + (1 - times if backwards else times - 1)) % len(matches)
    state = replace(state, matches=matches, at_match=at)
    return state if at is None else _jumped(state, matches[at].first, paper)


def _search_word(state: State, paper: Paper, *, times: int, backwards: bool) -> State:
    word = motions.word_under(paper, state.cursor)
    if not word:
        return state
    search = Search(text=word, backwards=backwards)
    return _next(replace(state, search=search, matches=()), paper, times=times, reverse=False)


# Motions


def _motion(state: State, before: State, key: str, paper: Paper) -> State:
    times = _times(before)
    if key in VERTICAL:
        rows = VERTICAL[key](state) * times
        return _moved(state, Spot(state.cursor.line + rows, state.wanted_col), paper, keep_col=True)
    if key == "G":
        row = int(before.count) - 1 if before.count else paper.last_row
        return _jumped(state, Spot(row, 0), paper)
    motion = MOTIONS.get(key)
    for _ in range(times if motion is not None else 0):
        assert motion is not None
        spot = paper.within(motion(paper, state))
        if spot == state.cursor:
            break
        state = _moved(state, spot, paper, keep_col=False)
    return replace(state, wanted_col=paper.cols) if key in ("$", "end") else state


def _times(before: State) -> int:
    """How often the digits before a key want it."""
    return min(int(before.count or "1"), MOST_REPEATS)


def _second_key(state: State, before: State, event: Typed, paper: Paper) -> State:
    """Rule 1: `gg`, and a character to find."""
    match before.pending:
        case "g" if event.key == "g":
            return _jumped(state, Spot(int(before.count or "1") - 1, 0), paper)
        case key if key in CHARACTER_KEYS and event.text:
            found = state.cursor
            for _ in range(min(int(before.count or "1"), paper.cols)):
                found = motions.to_char(paper, found, event.text, backwards=key in "FT", before=False)
            if found != state.cursor and key in "tT":
                found = Spot(found.line, found.col + (1 if key == "T" else -1))
            return _moved(state, paper.within(found), paper, keep_col=False)
        case _:
            return state


def _jumped(state: State, spot: Spot, paper: Paper) -> State:
    return _moved(state, paper.within(spot), paper, keep_col=False)


def _moved(state: State, spot: Spot, paper: Paper, *, keep_col: bool) -> State:
    """The cursor there, with the selection's head; `keep_col`: a short row does not change the wanted column."""
    line = min(max(spot.line, 0), paper.last_row)
    cursor = Spot(line, min(spot.col, paper.end_of(line)) if keep_col else spot.col)
    selection = state.selection
    return replace(
        state,
        cursor=cursor,
        wanted_col=state.wanted_col if keep_col else cursor.col,
        selection=None if selection is None else replace(selection, head=cursor),
    )


def _in_view(state: State, paper: Paper) -> State:
    """Rule 6."""
    line = state.cursor.line
    top = min(max(state.top, line - state.height + 1), line)
    return replace(state, top=max(0, min(top, _lowest_top(state, paper))))


def _lowest_top(state: State, paper: Paper) -> int:
    return max(0, paper.last_row + 1 - state.height)


def _at_col(col: int) -> Motion:
    return lambda _, state: Spot(state.cursor.line, col)


def _beside(cols: int) -> Motion:
    def motion(paper: Paper, state: State) -> Spot:
        return Spot(
            state.cursor.line,
            min(max(0, state.cursor.col + cols), max(paper.end_of(state.cursor.line), state.cursor.col)),
        )

    return motion


VERTICAL: Mapping[str, Callable[[State], int]] = {
    "j": lambda _: 1,
    "down": lambda _: 1,
    "ctrl+n": lambda _: 1,
    "k": lambda _: -1,
    "up": lambda _: -1,
    "ctrl+p": lambda _: -1,
    "ctrl+d": lambda state: max(1, state.height // 2),
    "ctrl+u": lambda state: -max(1, state.height // 2),
    "ctrl+f": lambda state: state.height,
    "pagedown": lambda state: state.height,
    "space": lambda state: state.height,
    "ctrl+b": lambda state: -state.height,
    "pageup": lambda state: -state.height,
}
"""Rows that a key moves by."""

MOTIONS: Mapping[str, Motion] = {
    "h": _beside(-1),
    "left": _beside(-1),
    "l": _beside(1),
    "right": _beside(1),
    "0": _at_col(0),
    "home": _at_col(0),
    "^": lambda paper, state: Spot(state.cursor.line, motions.first_sign(paper, state.cursor.line)),
    "$": lambda paper, state: Spot(state.cursor.line, paper.end_of(state.cursor.line)),
    "end": lambda paper, state: Spot(state.cursor.line, paper.end_of(state.cursor.line)),
    "w": lambda paper, state: motions.next_word(paper, state.cursor, big=False),
    "W": lambda paper, state: motions.next_word(paper, state.cursor, big=True),
    "b": lambda paper, state: motions.previous_word(paper, state.cursor, big=False),
    "B": lambda paper, state: motions.previous_word(paper, state.cursor, big=True),
    "e": lambda paper, state: motions.end_of_word(paper, state.cursor, big=False),
    "E": lambda paper, state: motions.end_of_word(paper, state.cursor, big=True),
    "{": lambda paper, state: Spot(motions.paragraph(paper, state.cursor.line, down=False), 0),
    "}": lambda paper, state: Spot(motions.paragraph(paper, state.cursor.line, down=True), 0),
    "[": lambda paper, state: Spot(motions.prompt(paper, state.cursor.line, down=False), 0),
    "]": lambda paper, state: Spot(motions.prompt(paper, state.cursor.line, down=True), 0),
    "H": lambda _, state: Spot(state.top, 0),
    "M": lambda _, state: Spot(state.top + state.height // 2, 0),
    "L": lambda _, state: Spot(state.top + state.height - 1, 0),
}
