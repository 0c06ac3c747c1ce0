"""Which program a command line runs, seen through interpreters, package runners, shells and other wrappers.

Names are taken from where a program stands, never from a directory: `vim claude/` runs vim.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

MAX_WRAPPERS = 8  # Nested deeper is no command that a person starts.

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "mksh"})
INTERPRETERS = frozenset({"node", "nodejs", "bun", "deno", "python", "python3"})
INLINE_CODE = frozenset({"-e", "--eval", "-p", "--print", "-c"})
"""Options of interpreters after which code follows instead of a script."""
RUNNERS = frozenset({"npx", "bunx", "pnpx", "uvx"})
"""Programs whose first argument names a package."""
RUNNER_SUBCOMMANDS: Mapping[str, frozenset[str]] = {
    "npm": frozenset({"exec", "x"}),
    "pnpm": frozenset({"dlx", "exec"}),
    "yarn": frozenset({"dlx", "exec"}),
    "bun": frozenset({"x"}),
    "pipx": frozenset({"run"}),
}
"""The same as subcommands of bigger programs."""
PREFIXES: Mapping[str, int] = {
    "env": 0,
    "exec": 0,
    "command": 0,
    "nohup": 0,
    "nice": 0,
    "ionice": 0,
    "time": 0,
    "stdbuf": 0,
    "setsid": 0,
    "caffeinate": 0,
    "sudo": 0,
    "doas": 0,
    "timeout": 1,
}
"""Programs that run the rest of their command line, and how many words of their own come first."""
VALUED_OPTIONS = frozenset(
    {"-n", "-u", "-g", "-k", "-s", "-r", "--require", "--import", "--loader", "--package", "--from", "--user"}
)
"""Options of wrappers whose value is the next word."""
SCRIPT_SUFFIXES = frozenset({".js", ".mjs", ".cjs", ".ts"})

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PACKAGE_VERSION = re.compile(r"(?<=.)@[^/]*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """What is run in the end."""

    name: str
    """Base name, without `.exe`."""
    package: str | None = None
    """The package it was run from, when the command line shows that."""
    index: int | None = None
    """Where it stands in the argv; None when it is inside a shell's string."""


def program_of(argv: Sequence[str]) -> Program | None:
    """The program that a command line runs; None when there is none to name (inline code, a login shell)."""
    words, index = list(argv), 0
    inside = False  # A shell's string: positions in it are none of the argv.
    for _ in range(MAX_WRAPPERS):
        index = _skip_assignments(words, index)
        if index >= len(words):
            return None
        name = _base_name(words[index])
        if name in SHELLS:
            text = _shell_string(words, index + 1)
            if text is not None:
                words, index, inside = _split(text), 0, True
                continue
            return _script(words, index + 1, inside)
        if name in RUNNERS or _is_runner(name, words, index):
            return _package(words, index + (1 if name in RUNNERS else 2), inside)
        if name in PREFIXES:
            index = _skip_options(words, index + 1) + PREFIXES[name]
            continue
        if name in INTERPRETERS:
            return _script(words, index + 1, inside)
        return _program(words, index, inside)
    return None


def _program(words: Sequence[str], index: int, inside: bool) -> Program:
    word = words[index]
    package = _package_of_path(word) if PurePosixPath(word).suffix in SCRIPT_SUFFIXES else None
    return Program(name=_base_name(word), package=package, index=None if inside else index)


def _script(words: Sequence[str], index: int, inside: bool) -> Program | None:
    """The script that a shell or an interpreter runs."""
    if index < len(words) and words[index] == "-m" and index + 1 < len(words):
        return Program(name=words[index + 1], package=words[index + 1], index=None if inside else index + 1)
    if any(word in INLINE_CODE for word in words[index : _skip_options(words, index)]):
        return None
    index = _skip_options(words, index)
    if index < len(words) and words[index] == "run":  # `bun run`, `deno run`
        index = _skip_options(words, index + 1)
    if index >= len(words):
        return None
    path = words[index]
    return Program(name=_base_name(path), package=_package_of_path(path), index=None if inside else index)


def _package(words: Sequence[str], index: int, inside: bool) -> Program | None:
    """What a package runner runs: its first argument names a package, and by default a program."""
    index = _skip_options(words, index)
    if index >= len(words):
        return None
    package = _PACKAGE_VERSION.sub("", words[index])
    return Program(name=package.rpartition("/")[2], package=package, index=None if inside else index)


def _is_runner(name: str, words: Sequence[str], index: int) -> bool:
    following = words[index + 1] if index + 1 < len(words) else ""
    return following in RUNNER_SUBCOMMANDS.get(name, ())


def _shell_string(words: Sequence[str], index: int) -> str | None:
    """The commands of `sh -c TEXT`, also of `bash -lc TEXT`."""
    while index < len(words) and words[index].startswith("-"):
        word = words[index]
        index += 1
        if not word.startswith("--") and "c" in word:
            return words[index] if index < len(words) else None
    return None


def _split(text: str) -> list[str]:
    """The words of the first command of a shell's string."""
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:  # An open quote.
        return []
    separator = next((at for at, word in enumerate(words) if word and set(word) <= set(";&|()<>\n")), None)
    return words[:separator]


def _skip_assignments(words: Sequence[str], index: int) -> int:
    while index < len(words) and _ASSIGNMENT.match(words[index]):
        index += 1
    return index


def _skip_options(words: Sequence[str], index: int) -> int:
    while index < len(words) and words[index].startswith("-"):
        if words[index] == "--":
            return index + 1
        index += 2 if words[index] in VALUED_OPTIONS else 1
    return index


def _base_name(word: str) -> str:
    name = PurePosixPath(word).name.removeprefix("-")  # A login shell is called `-bash`.
    return name.removesuffix(".exe")


def _package_of_path(path: str) -> str | None:
    """`@scope/name` of `.../node_modules/@scope/name/cli.js`."""
    parts = PurePosixPath(path).parts
    if "node_modules" not in parts:
        return None
    start = len(parts) - parts[::-1].index("node_modules")
    scoped = len(parts) > start and parts[start].startswith("@")
    return "/".join(parts[start : start + (2 if scoped else 1)]) or None
