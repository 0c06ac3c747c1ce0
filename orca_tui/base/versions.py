"""Versions of programs as they write them, compared by their numbers."""

from __future__ import annotations

import re

_LEADING = 3
"""Major, minor, patch; what follows is a build or a prerelease."""


def is_newer(version: str, than: str) -> bool:
    """`codex-cli 0.171.0` is newer than `0.169.0`; what has no number is newer than nothing."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:_LEADING])
