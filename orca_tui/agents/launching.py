"""How an agent's command is changed when we start it: values, and where options may be put. Runs nothing.

Rule 1: only an interactive start is changed; `claude -p`, `codex exec` and `gemini mcp` are left as they are.
Rule 2: nothing is added twice, nor where the user's own option settles the matter.
Rule 3: options go right behind the program, also behind wrappers, and never into the string of a shell.
When in doubt a command is left alone: that costs evidence, a wrong option would cost the pane.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from orca_tui.agents.invocation import program_of

Version: TypeAlias = tuple[int, ...]

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
NAMING = frozenset({"--session-id", "--session", "-r", "--resume"})
"""Options whose value is the session that is shown; one that forks shows another."""
_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class LaunchContext:
    """What an adapter may use for a start."""

    version: str | None = None
    """Of the program that will run, if it is known."""
    session_id: str
    """A new UUID, for agents that take the id of a session."""
    folder: str
    """Absolute path of the folder where the adapter's `files` are; empty when they could not be written."""
    hook: str
    """The shell command that posts its standard input to the intake under the agent's name."""
    allowed: bool = False
    """The user has agreed to what this agent only does with consent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Launched:
    """What is started."""

    argv: tuple[str, ...]
    session_id: str | None = None
    """The session that the agent was told to begin, if it was."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to add for the program."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """The words of an agent's command behind its program."""

    argv: tuple[str, ...]
    start: int
    """Where they begin in `argv`."""

    @property
    def options(self) -> frozenset[str]:
        """Options without their values; those of `-abc` one by one. What stands behind `--` is none."""
        return frozenset(name for word in self._before_end() for name in _names(word))

    @property
    def operands(self) -> frozenset[str]:
        """Words that are no options: prompts, subcommands and values, which cannot be told apart from here."""
        return frozenset(word for word in self._before_end() if not word.startswith("-"))

    def with_options(self, added: Iterable[str]) -> tuple[str, ...]:
        """The command with words put in right behind the program."""
        return (*self.argv[: self.start], *added, *self.argv[self.start :])

    @property
    def named_session(self) -> str | None:
        """The session that the command names by its id, a UUID; None for words such as `latest`."""
        for word, following in pairwise((*self._before_end(), "")):
            name, joined, value = word.partition("=")
            if name in NAMING and _UUID.fullmatch(value if joined else following):
                return value if joined else following
        return None

    def _before_end(self) -> tuple[str, ...]:
        words = self.argv[self.start :]
        return words[: words.index("--")] if "--" in words else words


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandLine:
    """What is known of an agent's command line, by which its starts are told apart."""

    oldest: Version = ()
    """Older ones may not know the options that are added; nobody has tried."""
    other_options: frozenset[str]
    """Options that start no session in this terminal."""
    session_options: frozenset[str] = frozenset()
    """Options that say themselves which session is begun or gone on with."""
    subcommands: frozenset[str] = frozenset()
    """Words that start something else than an interactive session."""

    def interactive(self, argv: Sequence[str], context: LaunchContext) -> Words | None:
        """The words of an interactive start; None for any other command, of which nothing may be changed."""
        program = program_of(argv)
        if program is None or program.index is None or is_older(context.version, self.oldest):
            return None
        words = Words(argv=tuple(argv), start=program.index + 1)
        if words.options & self.other_options or words.operands & self.subcommands:
            return None
        return words

    def with_session(
        self, argv: Sequence[str], context: LaunchContext, added: Sequence[str] = ()
    ) -> Launched:
        """An interactive start with options added, and with a session of a known id unless it settles that itself."""
        words = self.interactive(argv, context)
        if words is None:
            return unchanged(argv)
        if words.options & self.session_options:
            return Launched(argv=words.with_options(added), session_id=words.named_session)
        begin = ("--session-id", context.session_id)
        return Launched(argv=words.with_options([*added, *begin]), session_id=context.session_id)


def plugin_option(context: LaunchContext) -> tuple[str, ...]:
    """The option of agents that load a plugin from the adapter's folder."""
    return ("--plugin-dir", context.folder) if context.folder else ()


def is_older(version: str | None, than: Version) -> bool:
    """Whether a program is known to be older; of an unknown version it is taken to be new enough."""
    found = _NUMBERS.search(version or "")
    return found is not None and tuple(int(number) for number in found[0].split(".")) < than


def unchanged(argv: Sequence[str]) -> Launched:
    """The command as it was given."""
    return Launched(argv=tuple(argv))


def _names(word: str) -> tuple[str, ...]:
    if word.startswith("--"):
        return (word.partition("=")[0],)
    if word.startswith("-") and len(word) > 1:
        return (word, *(f"-{letter}" for letter in word[1:]))
    return ()
