"""The parts of a terminal that rules look at, found by how a screen is built, never by fixed line counts. Pure.

Rule 1: the live screen alone is looked at. What has scrolled out of it can keep no state up.
Rule 2: a rule (in the sense of a line) is a row that holds nothing but one kind of drawn line, corners included.
Rule 3: the prompt box is what stands between the last two rules of the screen.
Rule 4: a region that is not there matches no rule.
Rule 5: a scroll bar at the right is no text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Region(StrEnum):
    """Where a rule looks."""

    TITLE = "title"
    """The window title."""
    PROGRESS = "progress"
    """OSC 9;4 as `STATE` or `STATE;PERCENT`, such as `3` or `1;42`."""
    NOTIFICATION = "notification"
    """OSC 9, 777 or 99: its title, if it has one, and its body, each on its own line."""
    BOTTOM = "bottom"
    """The last `count` lines of the screen that are not blank."""
    PROMPT_BOX = "prompt_box"
    """Between the last two rules."""
    AFTER_LAST_RULE = "after_last_rule"
    """Below the last rule."""
    ABOVE_CURSOR = "above_cursor"
    """The last `count` paragraphs above the line with the cursor; blank lines and rules part paragraphs."""
    SCREEN = "screen"
    """All of it."""


DEFAULT_COUNTS = {Region.BOTTOM: 10, Region.ABOVE_CURSOR: 1}
"""The lines of a dialog's end with its footer; the paragraph right above the prompt."""

MIN_RULE_WIDTH = 10
"""Shorter lines are drawn in texts, too."""
_RULE = re.compile(rf"\s*[╭╰┌└├╞╻╹]?([─━═▄▀])\1{{{MIN_RULE_WIDTH - 1},}}[╮╯┐┘┤╡]?\s*")
_SCROLL_BAR = re.compile(r" +┃$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Glance:
    """What a terminal shows at one moment."""

    title: str = ""
    progress: str = ""
    notification: str = ""
    lines: tuple[str, ...] = ()
    """Rows of the live screen, top first, without blanks at their ends."""
    cursor_row: int = 0
    """From 0 at the top."""


def is_rule(line: str) -> bool:
    """Rule 2."""
    return len(line) >= MIN_RULE_WIDTH and _RULE.fullmatch(line) is not None


class Regions:
    """The regions of one glance, each found once."""

    def __init__(self, glance: Glance) -> None:
        self._glance = glance
        self._found: dict[tuple[Region, int], str | None] = {}
        self._lines: tuple[str, ...] | None = None
        self._rules: list[int] | None = None

    def text(self, region: Region, count: int) -> str | None:
        """The text of a region, lines parted by newlines; None when it is not there."""
        place = (region, count)
        if place not in self._found:
            self._found[place] = self._text(region, count)
        return self._found[place]

    def _text(self, region: Region, count: int) -> str | None:
        glance = self._glance
        match region:
            case Region.TITLE:
                return glance.title
            case Region.PROGRESS:
                return glance.progress or None
            case Region.NOTIFICATION:
                return glance.notification or None
            case Region.BOTTOM:
                return _joined([line for line in self.lines() if line.strip()][-count:])
            case Region.PROMPT_BOX:
                rules = self.rules()
                return _joined(self.lines()[rules[-2] + 1 : rules[-1]]) if len(rules) > 1 else None
            case Region.AFTER_LAST_RULE:
                rules = self.rules()
                return _joined(self.lines()[rules[-1] + 1 :]) if rules else None
            case Region.ABOVE_CURSOR:
                return _joined(self._above_cursor(count))
            case Region.SCREEN:
                return _joined(self.lines())

    def lines(self) -> tuple[str, ...]:
        """The rows of the screen (rule 5)."""
        if self._lines is None:
            self._lines = tuple(_without_scroll_bar(line) for line in self._glance.lines)
        return self._lines

    def rules(self) -> list[int]:
        """The numbers of the rows that are rules."""
        if self._rules is None:
            self._rules = [number for number, line in enumerate(self.lines()) if is_rule(line)]
        return self._rules

    def _above_cursor(self, count: int) -> list[str]:
        """The last paragraphs above the cursor's line, top first."""
        lines, rules = self.lines(), set(self.rules())
        kept: list[str] = []
        left, inside = count, False
        for number in reversed(range(min(self._glance.cursor_row, len(lines)))):
            if number in rules or not lines[number].strip():
                left -= inside
                inside = False
                if left == 0:
                    break
                continue
            inside = True
            kept.append(lines[number])
        kept.reverse()
        return kept


def _joined(lines: Sequence[str]) -> str | None:
    return "\n".join(lines) if any(line.strip() for line in lines) else None


def _without_scroll_bar(line: str) -> str:
    return _SCROLL_BAR.sub("", line) if line.endswith("┃") else line
