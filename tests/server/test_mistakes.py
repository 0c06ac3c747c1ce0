"""Unexpected exceptions in the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from orca_tui.server.mistakes import log_uncaught, place_of

pytestmark = pytest.mark.anyio


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


async def test_the_event_loops_own_report_quotes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def mistaken(secret: str) -> None:
        raise ValueError(secret)

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_uncaught)
    with caplog.at_level(logging.DEBUG):
        loop.call_soon(mistaken, "a secret that somebody typed")
        await asyncio.sleep(0)
        loop.call_exception_handler({"message": "a secret that somebody typed"})

    assert "uncaught: ValueError at" in caplog.text
    assert "secret that" not in caplog.text
