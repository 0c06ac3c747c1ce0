"""Exceptions of plugins as faults: which, and where in the plugin's own file."""

from __future__ import annotations

import traceback
from typing import Literal, TypeAlias

from orca_tui.base.errors import OrcaError
from orca_tui.commands.plugins import Fault

Doing: TypeAlias = Literal["load", "setup", "dispose", "task", "command", "host"]

LONGEST_MESSAGE = 300  # Characters, for a line in a list.


class NoPlugin(Exception):
    """The file is Python, and no plugin; the message says what it lacks."""


def fault_of(doing: Doing, error: BaseException, file: str) -> Fault:
    """What an exception says; `file` is the plugin's, as it was compiled."""
    if isinstance(error, NoPlugin):
        return Fault(doing=doing, kind="no plugin", message=one_line(str(error)))
    message = error.message if isinstance(error, OrcaError) else str(error)
    return Fault(
        doing=doing, kind=type(error).__name__, message=one_line(message), place=_place_of(error, file)
    )


def too_slow(doing: Doing, limit_s: float) -> Fault:
    return Fault(doing=doing, kind="timeout", message=f"it did not end within {limit_s:g} s")


def one_line(text: str) -> str:
    """The text without line ends, shortened."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def place_in(file: str, line: int | None, function: str) -> str:
    """A place for people: `ci.py:12 in follow`."""
    return f"{file.rpartition('/')[2]}:{line or 0} in {function}"


def _place_of(error: BaseException, file: str) -> str:
    if isinstance(error, SyntaxError) and error.filename == file:
        return f"{file.rpartition('/')[2]}:{error.lineno or 0}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return place_in(file, frames[-1].lineno, frames[-1].name) if frames else ""
