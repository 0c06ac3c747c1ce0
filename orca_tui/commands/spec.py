"""What a command is, as data. No command and no handler here.

Structs rather than dataclasses: those compile their methods at import, which costs every command 7 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class Empty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request or reply that says nothing."""


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """A positional argument of the command line; fills the request field of the same name."""

    field: str
    help: str
    metavar: str | None = None
    required: bool = True
    variadic: bool = False
    choices: tuple[str, ...] = ()
    completes: str | None = None
    """What the shell offers: `pane`, `target`, `agent`, `key`; None for nothing."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """An option of the command line; `parse` turns its text into the request field's value."""

    field: str
    flags: tuple[str, ...]
    help: str
    metavar: str | None = None
    flag: bool = False
    """True: takes no value and sets the field to `sets`."""
    sets: Any = True
    """What a flag stands for. Options of one field exclude each other, unless all say objects: those merge."""
    repeatable: bool = False
    required: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    """None: the field is left out, and the request's own default holds."""
    parse: Callable[[str], Any] | None = None
    """Raises `Invalid` with the reason for text that is no such value."""
    completes: str | None = None


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """Where HTTP has the command; `{field}` in the path fills request fields, the rest is query or body."""

    method: str
    path: str


class Reach(StrEnum):
    """How far a command goes, from the least to the most: what a caller in a pane must be allowed for it."""

    NAMES = "names"
    """Tells who is there and what they do; of panes that the caller may not read, nothing more than that."""
    WORDS = "words"
    """Reads what panes show or were told, waits for them, leaves them notices."""
    HANDS = "hands"
    """Does in a pane what its user could: types, interrupts, closes, moves."""
    SERVER = "server"
    """The server, its UIs and their keyboard, what the user has agreed to."""
    GRANTS = "grants"
    """Says what callers in panes may do; never theirs."""


class Touches(msgspec.Struct, frozen=True, kw_only=True):
    """What a command touches, for callers inside of panes (`server/authority.py` has the rules)."""

    reach: Reach
    targets: tuple[str, ...] = ()
    """Request fields that name panes, sessions, tabs or workspaces; one that is empty names none."""
    server_if: tuple[str, ...] = ()
    """Request fields that make it reach for the server when they are true."""


class Command(msgspec.Struct, Generic[Q, R], frozen=True, kw_only=True):
    """One command of the control API."""

    name: str
    """As on the wire and on the command line: `open`, `server stop`."""
    help: str
    """First line: what it does, for lists. The rest: for `--help`."""
    request: type[Q]
    reply: type[R]
    """Of a stream: the type of its items."""
    touches: Touches
    """Has no default, so that none is forgotten."""
    stream: bool = False
    prints: str | None = None
    """The field that stands for the whole: of a stream, what is sent and printed of each item; else the field
    whose elements the command line prints, one a line. None: all of the reply."""
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    routes: tuple[Route, ...] = ()
    internal: bool = False
    """Spoken by our own UI only: no command line, no HTTP, not in the public schema."""
    typed: bool = True
    """False: the command line has other words for it, and only HTTP offers this one."""
    examples: tuple[str, ...] = ()
