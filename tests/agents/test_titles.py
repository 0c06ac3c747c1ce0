"""Rules for window titles."""

from __future__ import annotations

import re

from orca_tui.agents import titles
from orca_tui.agents.titles import BRAILLE_SPINNER, rule
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.record import Source

RULES = (
    rule(rf"{BRAILLE_SPINNER} ", Says.WORKING, "spinner"),
    rule("ready", Says.IDLE, "ready"),
    rule("ready to ask", Says.WAITING, "never reached"),
)


def said(title: str) -> StateSaid:
    (event,) = titles.said(RULES, title, 3.0)
    assert isinstance(event, StateSaid)
    return event


def test_the_first_rule_that_matches_the_start_of_a_title_tells() -> None:
    assert said("ready to ask") == StateSaid(at=3.0, source=Source.TITLE, says=Says.IDLE, detail="ready")
    assert said("⠋ ready").says is Says.WORKING


def test_a_rule_does_not_match_inside_a_title() -> None:
    assert said("not ready").says is Says.NOTHING


def test_a_title_that_matches_nothing_takes_back_what_was_said() -> None:
    assert said("").says is Says.NOTHING


def test_a_title_is_not_repeated_in_the_explanation() -> None:
    assert "secret" not in said("secret").detail


def test_the_blank_of_the_braille_patterns_is_no_spinner() -> None:
    assert re.fullmatch(BRAILLE_SPINNER, "\u2800") is None
    assert re.fullmatch(BRAILLE_SPINNER, "\u28ff") is not None
