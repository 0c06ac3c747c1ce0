"""Unexpected exceptions in the log."""

from __future__ import annotations

from orca_tui.server.mistakes import place_of


def test_a_mistake_is_told_by_type_and_place_and_never_by_its_words() -> None:
    try:
        int("a secret that somebody typed")
    except ValueError as error:
        told = place_of(error)

    assert told.startswith("ValueError at ")
    assert "test_mistakes.py" in told
    assert "secret" not in told


def test_a_mistake_that_was_never_raised_has_no_place() -> None:
    assert place_of(KeyError("secret")) == "KeyError at unknown place"
