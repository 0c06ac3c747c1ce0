"""Rules that read an agent's state from its window title. Anchored, so that a path in a title says nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orca_tui.status.events import Event, Says, StateSaid
from orca_tui.status.record import Source

BRAILLE_SPINNER = "[\u2801-\u28ff]"
"""One frame of the spinners that most agents use; U+2800 is blank."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TitleRule:
    """A pattern that is matched at the start of the title."""

    pattern: re.Pattern[str]
    says: Says
    detail: str


def rule(pattern: str, says: Says, detail: str) -> TitleRule:
    """A rule from the text of a pattern."""
    return TitleRule(pattern=re.compile(pattern), says=says, detail=detail)


def said(rules: Sequence[TitleRule], title: str, at: float) -> list[Event]:
    """The event of the first rule that matches. A title that matches none takes back what one before it said."""
    for candidate in rules:
        if candidate.pattern.match(title):
            return [StateSaid(at=at, source=Source.TITLE, says=candidate.says, detail=candidate.detail)]
    return [StateSaid(at=at, source=Source.TITLE, says=Says.NOTHING, detail="title that says nothing")]
