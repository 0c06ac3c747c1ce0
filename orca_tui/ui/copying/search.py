"""What is searched for, and which of the places found comes next. Pure.

Rule 1: a text in small letters is found in any case; one with a capital only as it is.
Rule 2: plain text is found as it is; with `regex` it is a regular expression of Python.
Rule 3: a search goes on at the other end when it has come to one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from orca_tui.base.patterns import Pattern
from orca_tui.ui.copying.paper import Match
from orca_tui.ui.selection import Spot


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """A text to look for."""

    text: str = ""
    regex: bool = False
    backwards: bool = False

    def pattern(self) -> Pattern | None:
        """What to look for; None for an empty text. Raises `Invalid` for what is no regular expression."""
        if not self.text:
            return None
        text = self.text if self.regex else re.escape(self.text)
        return Pattern(text=text, ignore_case=not any(char.isupper() for char in self.text))


def next_match(matches: Sequence[Match], at: Spot, *, backwards: bool, here: bool = False) -> int | None:
    """The index of the nearest match in a direction; with `here` one that begins at `at` counts."""
    if not matches:
        return None
    if backwards:
        before = [
            index for index, match in enumerate(matches) if match.first < at or (here and match.first == at)
        ]
        return before[-1] if before else len(matches) - 1
    after = (index for index, match in enumerate(matches) if match.first > at or (here and match.first == at))
    return next(after, 0)
