"""How a conversation is gone on with the way it was begun: by the same program, with the user's options. Pure.

Rule 1: only options that are known to hold for a conversation however it is begun are kept: the model, what is
allowed, which settings. An option that is not known is left out with its value, and prompts are never given again.
Rule 2: what stood before the program stays: `npx`, `env NAME=value`, a path to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orca_tui.agents.invocation import program_of

if TYPE_CHECKING:
    from orca_tui.agents.adapter import AgentAdapter

SHORT = 2  # `-m`


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """The options of an agent that Rule 1 keeps."""

    flags: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    """Each with one value."""
    listed: frozenset[str] = frozenset()
    """Each with all words up to the next option."""

    def words(self, given: Sequence[str]) -> tuple[str, ...]:
        """The words of a command behind its program that are kept."""
        found: list[str] = []
        at = 0
        while at < len(given) and given[at] != "--":
            end = self._end(given, at)
            found += given[at:end]
            at = max(end, at + 1)
        return tuple(found)

    def _end(self, given: Sequence[str], at: int) -> int:
        """Where the kept option at a place ends; that place where none is kept."""
        name, joined, _ = given[at].partition("=")
        if name in self.flags or (joined and name in self.valued | self.listed):
            return at + 1
        if name in self.valued:
            return at + 2
        if name in self.listed:
            following = range(at + 1, len(given))
            return next((end for end in following if given[end].startswith("-")), len(given))
        is_short_with_value = len(given[at]) > SHORT and given[at][:SHORT] in self.valued
        return at + 1 if is_short_with_value else at


def written(options: Sequence[str]) -> Kept:
    """As help texts write them: `--yolo`, `--model NAME`, `--add-dir DIR...`. Raises `ValueError` for anything else."""
    flags: set[str] = set()
    valued: set[str] = set()
    listed: set[str] = set()
    for text in options:
        option, value, *more = *text.split(), "", ""
        if not option.startswith("-") or not option.strip("-") or any(more):
            raise ValueError(text)
        (flags if not value else listed if value.endswith("...") else valued).add(option)
    return Kept(flags=frozenset(flags), valued=frozenset(valued), listed=frozenset(listed))


NOTHING_KEPT = Kept()
"""Of agents whose options nobody has looked at."""


def resume_command(adapter: AgentAdapter, session_id: str, asked: Sequence[str]) -> tuple[str, ...]:
    """The command that goes on with a session; empty where there is none.

    `asked` is how the agent was started, empty where that is not known.
    """
    command = adapter.resume(session_id)
    program = program_of(asked)
    if not command or program is None or program.index is None:
        return command
    start = program.index + 1
    return (*asked[:start], *command[1:], *adapter.kept_options.words(asked[start:]))
