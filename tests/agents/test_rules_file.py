"""Rule files: what they may say, and how a mistake in one is told."""

from __future__ import annotations

from importlib import resources

import pytest

from orca_tui.agents.rules import NO_RULES
from orca_tui.agents.rules_file import built_in_rules, parse_rules, rules_of
from orca_tui.agents.rules_regions import Region
from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.status.events import Says
from orca_tui.status.record import Kind, Source

BUILT_IN = sorted(
    file.name.removesuffix(".toml")
    for file in resources.files("orca_tui.agents").joinpath("rules").iterdir()
    if file.name.endswith(".toml")
)


def error_of(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        parse_rules(text, "my.toml")
    return raised.value


def test_an_empty_file_has_no_rules() -> None:
    assert parse_rules("", "my.toml") == NO_RULES


def test_a_file_is_its_rules_highest_priority_first() -> None:
    rules = parse_rules(
        """
verified = "1.2.3"
[[rule]]
id = "a"
region = "bottom"
says = "idle"
contains = ["x", "y"]
[[rule]]
id = "b"
region = "title"
says = "waiting"
kind = "auth"
priority = 1
regex = '^z'
text = '(z.*)'
""",
        "my.toml",
    )

    assert rules.verified == "1.2.3"
    first, second = rules.rules
    assert (first.id, first.region, first.says, first.kind) == ("b", Region.TITLE, Says.WAITING, Kind.AUTH)
    assert (second.id, second.count, second.condition.contains) == ("a", 10, ("x", "y"))
    assert rules.of(Source.TITLE) == (first,)


@pytest.mark.parametrize(
    ("rule", "line", "words"),
    [
        ('says = "wokring"\nregion = "title"\ncontains = "x"', 4, "wokring"),
        ('says = "idle"\nregion = "titel"\ncontains = "x"', 5, "titel"),
        ('says = "idle"\nregion = "title"\nregexp = "x"', 6, "regexp"),
        ('says = "idle"\nregion = "title"\nregex = "("', 6, "no regular expression"),
        ('says = "idle"\nregion = "title"\ncontains = ""', 6, "empty text"),
        ('says = "idle"\nregion = "title"', 2, "matches everything"),
        ('says = "idle"\nregion = "title"\nany = [{}]', 6, "matches everything"),
        ('says = "idle"\nregion = "title"\nnot = [{regex = "["}]', 6, "no regular expression"),
        ('region = "title"\ncontains = "x"', 2, "says"),
        ('says = "idle"\nskip = true\nregion = "title"\ncontains = "x"', 2, "skip"),
        ('says = "idle"\nkind = "auth"\nregion = "title"\ncontains = "x"', 5, "kind"),
        ('says = "waiting"\nkind = "food"\nregion = "title"\ncontains = "x"', 5, "food"),
        ('says = "waiting"\ntext = "x"\nregion = "title"\ncontains = "x"', 5, "group"),
        ('says = "idle"\nregion = "title"\ncount = 3\ncontains = "x"', 6, "count"),
        ('says = "idle"\nregion = "bottom"\ncount = 0\ncontains = "x"', 6, "count"),
        ('says = "idle"\nregion = "bottom"\ncontains = 3', 6, "contains"),
        ('says = "idle"\ncontains = "x"', 2, "region"),
    ],
)
def test_a_mistake_is_told_with_file_line_rule_and_reason(rule: str, line: int, words: str) -> None:
    error = error_of(f'verified = "1"\n[[rule]]\nid = "mine"\n{rule}\n')

    assert error.message.startswith(f"my.toml:{line}: ")
    assert "'mine'" in error.message
    assert words in error.message


def test_a_mistake_in_a_later_rule_is_found_there() -> None:
    good = '[[rule]]\nid = "a"\nsays = "idle"\nregion = "title"\ncontains = "x"\n'

    error = error_of(f'{good}[[rule]]\nid = "b"\nsays = "nope"\nregion = "title"\ncontains = "x"\n')

    assert error.facts["line"] == 8
    assert "'b'" in error.message


def test_two_rules_of_one_id_are_a_mistake() -> None:
    rule = '[[rule]]\nid = "a"\nsays = "idle"\nregion = "title"\ncontains = "x"\n'

    error = error_of(rule + rule)

    assert error.facts["line"] == 7


@pytest.mark.parametrize(
    ("text", "line"), [("verified = ", 1), ("[[rule]]\nid = 3\n", 2), ("rules = 3\n", 1)]
)
def test_a_file_of_another_form_is_a_mistake(text: str, line: int) -> None:
    assert error_of(text).facts["line"] == line


def test_rules_inside_of_other_settings_are_told_by_their_place() -> None:
    with pytest.raises(Invalid, match=r"at `\$\.agents\.me\.rules\[0\]\.says`"):
        rules_of([{"id": "a", "says": "no", "region": "title", "contains": "x"}], "$.agents.me.rules")


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_file_can_be_read(name: str) -> None:
    rules = built_in_rules(name)

    assert rules is not None
    assert rules.rules


def test_ten_agents_come_with_rules_and_others_with_none() -> None:
    assert BUILT_IN == [
        "aider",
        "amp",
        "claude",
        "codex",
        "copilot",
        "cursor",
        "droid",
        "gemini",
        "pi",
        "qwen",
    ]
    assert built_in_rules("opencode") is None
