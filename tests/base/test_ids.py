"""Secrets cannot be guessed, and numbers are not used twice."""

from __future__ import annotations

import re

from orca_tui.base.ids import new_token, next_number


def test_a_token_is_url_safe_and_never_the_same() -> None:
    tokens = {new_token() for _ in range(1000)}

    assert len(tokens) == 1000
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_the_next_number_follows_the_highest() -> None:
    assert next_number([]) == 1
    assert next_number(["p2", "p10", "p9"]) == 11
