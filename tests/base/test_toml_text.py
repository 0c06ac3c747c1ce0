"""TOML text: tables, and the lines of its fields."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import ConfigError
from orca_tui.base.toml_text import for_people, line_of, parse_toml

TEXT = """\
[ui]
theme = "nord"

[[rule]]
id = "one"

[[rule]]
id = "two"
says = "wokring"

[agents."my-bot"]
title = "My bot"

[[agents.my-bot.rules]]
id = "first"

[[agents.my-bot.rules]]
says = 3
"""


def test_a_text_is_its_tables() -> None:
    assert parse_toml("[ui]\nsidebar = true\n", "config.toml") == {"ui": {"sidebar": True}}


@pytest.mark.parametrize(("text", "line"), [("[ui\n", 1), ("[ui]\ntheme = ", 2), ("a = 1\na = 2\n", 2)])
def test_a_text_that_is_no_toml_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_toml(text, "config.toml")

    assert raised.value.facts["line"] == line


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("$.ui.theme", 2),
        ("$.ui", 1),
        ("$.rule[0]", 4),
        ("$.rule[1].says", 9),
        ("$.rule[1].id", 8),
        ("$.agents.my-bot.title", 12),
        ("$.agents.my-bot.rules[1].says", 18),
        ("$.agents.my-bot.rules[0].id", 15),
    ],
)
def test_a_place_is_found_in_the_text(place: str, line: int) -> None:
    assert line_of(TEXT, f"Expected something else - at `{place}`") == line


def test_what_is_not_there_is_the_line_of_the_table_that_lacks_it() -> None:
    assert line_of(TEXT, "Expected a pattern - at `$.rule[1].regex`") == 7


def test_an_unknown_field_is_found_in_its_table() -> None:
    assert line_of("[ui]\n\ntheem = 1\n", "Object contains unknown field `theem` - at `$.ui`") == 3


def test_a_reason_without_a_place_has_no_line() -> None:
    assert line_of(TEXT, "is no file") is None


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("Expected `bool`, got `str` - at `$.ui.sidebar`", "ui.sidebar: expected true or false, not a text"),
        (
            "Expected `str | array`, got `int` - at `$.keys.bindings[...]`",
            "keys.bindings[...]: expected a text or a list, not a whole number",
        ),
        ("Object contains unknown field `theem` - at `$.ui`", "ui: there is no setting `theem`"),
        ("Object contains unknown field `x`", "there is no setting `x`"),
        ("no theme is called 'x' - at `$.ui.theme`", "ui.theme: no theme is called 'x'"),
        ("Expected `int`, got `float` - at `$.n`", "n: expected a whole number, not one with a fraction"),
        ("Expected `str` of length >= 1 - at `$.text`", "text: expected at least 1 character"),
        ("Expected `array` of length <= 64 - at `$.x`", "x: expected at most 64 items"),
        ("Invalid value (at line 3, column 5)", "Invalid value (at line 3, column 5)"),
    ],
)
def test_a_reason_is_told_in_words_with_the_setting_first(reason: str, words: str) -> None:
    assert for_people(reason) == words
