"""Regular expressions that people and files of rules bring along, matched within a time.

Some take longer than anybody waits on the wrong text, and Python's own `re` cannot be stopped. `regex` speaks the same
language and can. What is written in our own code is `re`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from orca_tui.base.errors import Invalid, TooSlow


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """One expression; raises `Invalid` for what is none."""

    text: str
    ignore_case: bool = False
    of_lines: bool = False
    """`^` and `$` are the ends of lines too."""

    def __post_init__(self) -> None:
        self._compiled  # noqa: B018 - what is none is told here, and not where it is looked for.

    @cached_property
    def _compiled(self) -> Any:
        import regex  # Here, since it takes 30 ms, and most UIs never search.

        flags = (regex.IGNORECASE if self.ignore_case else 0) | (regex.MULTILINE if self.of_lines else 0)
        try:
            return regex.compile(self.text, flags)
        except (regex.error, OverflowError, RecursionError) as error:
            raise Invalid(f"no regular expression: {error}") from error

    @property
    def groups(self) -> int:
        """How many groups it has."""
        return int(self._compiled.groups)

    def finds(self, text: str, *, within_s: float) -> bool:
        """Whether it matches anywhere; raises `TooSlow`."""
        return self._search(text, within_s) is not None

    def first_group(self, text: str, *, within_s: float) -> str | None:
        """What its first group is where it matches first; None where it does not. Raises `TooSlow`."""
        found = self._search(text, within_s)
        return found[1] if found is not None else None

    def spans(self, text: str, *, within_s: float) -> Iterator[tuple[int, int]]:
        """Start and end of each match; raises `TooSlow`."""
        try:
            for found in self._compiled.finditer(text, timeout=within_s):
                yield found.span()
        except TimeoutError as error:
            raise TooSlow(self.text, within_s) from error

    def _search(self, text: str, within_s: float) -> Any:
        try:
            return self._compiled.search(text, timeout=within_s)
        except TimeoutError as error:
            raise TooSlow(self.text, within_s) from error
