"""The regions of a screen, found by its structure."""

from __future__ import annotations

import pytest

from orca_tui.agents.rules_regions import Glance, Region, Regions, is_rule

RULE = "─" * 20


def text(region: Region, *lines: str, count: int = 0, cursor_row: int = 0) -> str | None:
    return Regions(Glance(lines=lines, cursor_row=cursor_row)).text(region, count)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (RULE, True),
        (f"  {RULE}  ", True),
        (f"╭{RULE}╮", True),
        (f"╰{RULE}╯", True),
        ("▄" * 40, True),
        ("╹" + "▀" * 40, True),
        ("─" * 9, False),
        ("╌" * 40, False),
        (f"│ {RULE}", False),
        (f"{RULE} title", False),
        ("─━" * 20, False),
        ("", False),
    ],
)
def test_a_rule_is_a_row_of_one_drawn_line(line: str, rule: bool) -> None:
    assert is_rule(line) == rule


def test_the_bottom_is_lines_that_are_not_blank() -> None:
    assert text(Region.BOTTOM, "a", "", "b", "  ", "c", "", count=2) == "b\nc"
    assert text(Region.BOTTOM, "a", count=9) == "a"
    assert text(Region.BOTTOM, "", " ", count=9) is None


def test_the_prompt_box_is_between_the_last_two_rules() -> None:
    lines = (RULE, "old", RULE, "message", RULE, "❯ hi", "  there", RULE, "footer")

    assert text(Region.PROMPT_BOX, *lines) == "❯ hi\n  there"
    assert text(Region.AFTER_LAST_RULE, *lines) == "footer"


@pytest.mark.parametrize("lines", [(), ("a",), (RULE, "a"), (RULE, "", RULE)])
def test_a_box_that_is_not_there_is_no_text(lines: tuple[str, ...]) -> None:
    assert text(Region.PROMPT_BOX, *lines) is None


def test_nothing_below_the_last_rule_is_no_text() -> None:
    assert text(Region.AFTER_LAST_RULE, "a", RULE, "") is None
    assert text(Region.AFTER_LAST_RULE, "a") is None


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (1, "three"),
        (2, "two\n  of two\nthree"),
        (3, "one\ntwo\n  of two\nthree"),
        (9, "one\ntwo\n  of two\nthree"),
    ],
)
def test_paragraphs_above_the_cursor(count: int, found: str) -> None:
    lines = ("one", "", "", "two", "  of two", RULE, "three", "", RULE, "> prompt", "below")

    assert text(Region.ABOVE_CURSOR, *lines, count=count, cursor_row=9) == found


def test_a_cursor_at_the_top_or_beyond_the_text_is_no_error() -> None:
    assert text(Region.ABOVE_CURSOR, "a", count=1, cursor_row=0) is None
    assert text(Region.ABOVE_CURSOR, "a", count=1, cursor_row=30) == "a"


def test_a_scroll_bar_is_no_text() -> None:
    lines = (f"{RULE}          ┃", "message    ┃", "           ┃", f"{RULE}          ┃", "❯          ┃")

    assert text(Region.PROMPT_BOX, *lines) == "message\n"
    assert text(Region.SCREEN, "┃", "a") == "┃\na"


@pytest.mark.parametrize("region", [Region.PROGRESS, Region.NOTIFICATION])
def test_what_was_never_sent_is_no_text(region: Region) -> None:
    assert text(region) is None


def test_an_empty_title_is_a_text() -> None:
    assert text(Region.TITLE) == ""
