"""What `doctor` finds, as values."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is wrong."""
    PROBLEM = "problem"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `doctor`; its keys are those of `doctor --json`."""

    check: str
    """What was looked at: `python`, `terminal`, `engine`, `directories`, `sockets`, `server`, `config`, `agents`,
    `plugin`."""
    level: Level
    message: str
    advice: str | None = None
    """What to do, for everything that is not ok."""


def ok(check: str, message: str) -> Finding:
    return Finding(check=check, level=Level.OK, message=message)


def note(check: str, message: str, advice: str) -> Finding:
    return Finding(check=check, level=Level.NOTE, message=message, advice=advice)


def problem(check: str, message: str, advice: str) -> Finding:
    return Finding(check=check, level=Level.PROBLEM, message=message, advice=advice)
