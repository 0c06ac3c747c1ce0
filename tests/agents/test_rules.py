"""How a rule is chosen among many, and what it tells."""

from __future__ import annotations

import pytest

from orca_tui.agents.rules_file import parse_rules
from orca_tui.status.events import InterruptPressed, Says, StateSaid
from orca_tui.status.record import Kind, Source
from tests.agents.looking import look, rules_of, screen, words

TEXT = """
[[rule]]
id = "low"
region = "screen"
says = "idle"
regex = '^> $'

[[rule]]
id = "high"
region = "screen"
says = "waiting"
kind = "permission"
priority = 10
all = [{ contains = "Allow?" }, { any = [{ regex = '^1\\. ' }, { regex = '^y/n' }] }]
not = [{ contains = "(answered)" }]
text = '^(.*Allow\\?)'

[[rule]]
id = "viewer"
region = "bottom"
count = 1
skip = true
priority = 20
contains = "viewer"

[[rule]]
id = "title"
region = "title"
says = "working"
regex = '\\Abusy'

[[rule]]
id = "failed"
region = "screen"
says = "failed"
priority = 5
regex = '^ERROR '
text = '^ERROR (.*)'
"""


RULES = parse_rules(TEXT, "test.toml")


def test_the_rule_of_the_highest_priority_tells() -> None:
    found = screen(RULES, "Allow?", "1. Yes", "> ")

    assert found is not None
    assert found.events() == [
        StateSaid(
            at=3.0,
            source=Source.SCREEN,
            says=Says.WAITING,
            detail="rule high",
            kind=Kind.PERMISSION,
            text="Allow?",
        )
    ]


def test_an_interrupt_that_the_agent_shows_is_as_good_as_the_key() -> None:
    found = screen(rules_of("codex"), "■ Conversation interrupted - use /feedback", "", "› ")

    assert found is not None
    pressed, said = found.events()
    assert pressed == InterruptPressed(at=3.0)
    assert isinstance(said, StateSaid)
    assert (said.says, said.source) == (Says.IDLE, Source.SCREEN)


@pytest.mark.parametrize(
    ("lines", "told_words"),
    [
        (("Allow?", "y/n"), "waiting permission: Allow?"),
        (("Allow?", "> "), "idle"),
        (("Allow? (answered)", "1. Yes", "> "), "idle"),
        (("Allow?", "1. Yes", "viewer"), "skip"),
        (("viewer", "> "), "idle"),
        (("nothing known",), "nothing"),
        ((), "nothing"),
    ],
)
def test_every_part_of_a_condition_counts(lines: tuple[str, ...], told_words: str) -> None:
    assert words(screen(RULES, *lines)) == told_words


def test_a_failure_is_told_with_its_kind_and_the_time_that_its_text_gives() -> None:
    found = screen(RULES, "ERROR 429, try again in 60 seconds")

    assert found is not None
    event = found.said
    assert (event.says, event.kind, event.resets_at) == (Says.FAILED, Kind.RATE_LIMIT, 63.0)


def test_sources_do_not_see_each_others_regions() -> None:
    assert words(look(RULES, Source.TITLE, title="busy", lines=("> ",))) == "working"
    assert words(look(RULES, Source.SCREEN, title="busy", lines=("> ",))) == "idle"
    assert words(look(RULES, Source.TITLE, title="not busy")) == "nothing"


def test_what_is_told_of_a_rule_is_its_name_and_never_the_screen() -> None:
    found = screen(RULES, "> ", "a secret")

    assert found is not None
    event = found.said
    assert event.detail == "rule low"


def test_text_of_a_screen_is_made_safe() -> None:
    found = screen(RULES, "ERROR \u202ered\u2066 \x1b[31m")

    assert found is not None
    event = found.said
    assert event.text == "red [31m"


def test_a_rule_whose_expression_takes_too_long_matches_nothing_and_is_named() -> None:
    rules = parse_rules(
        """
[[rule]]
id = "slow"
region = "screen"
says = "working"
priority = 9
regex = '(?:a|aa)+$'

[[rule]]
id = "sound"
region = "screen"
says = "idle"
contains = "rests"
""",
        "test.toml",
    )
    endless = "a" * 60 + "b"

    rests = screen(rules, endless, "rests")
    nothing = screen(rules, endless)

    assert rests is not None
    assert rests.said.says is Says.IDLE
    assert nothing is not None
    assert nothing.said.says is Says.NOTHING
    assert "slow: the regular expression takes longer than 0.05 s" in nothing.said.detail
