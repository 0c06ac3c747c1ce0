"""What panes are called and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from orca_tui.status.record import Kind, Status
from orca_tui.ui.labels import activity, glyph, pane_name, status_word
from orca_tui.ui.symbols import UNICODE
from tests.ui.examples import pane


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"name": "mine", "title": "theirs"}, "mine"),
        ({"title": "theirs"}, "claude"),
        ({"agent": None, "title": "vim\x07 notes"}, "vim notes"),
        ({"agent": None, "command": ("/usr/bin/htop", "-d")}, "htop"),
        ({"agent": None}, "shell"),
    ],
)
def test_a_pane_is_called_by_the_best_name_there_is(facts: dict[str, Any], name: str) -> None:
    assert pane_name(pane("p1", **facts)) == name


@pytest.mark.parametrize(
    ("status", "facts", "word"),
    [
        (Status.WAITING, {"kind": Kind.PERMISSION}, "waiting: permission"),
        (Status.WAITING, {"kind": Kind.QUESTION}, "waiting: question"),
        (Status.WAITING, {"kind": Kind.AUTH}, "waiting: login"),
        (Status.WAITING, {}, "waiting"),
        (Status.ERROR, {"kind": Kind.RATE_LIMIT}, "error: rate limit"),
        (Status.EXITED, {"exit_code": -9}, "signal 9"),
        (Status.EXITED, {"exit_code": 3}, "exited 3"),
        (Status.IDLE, {"interrupted": True}, "interrupted"),
        (Status.WORKING, {}, "working"),
        (Status.WORKING, {"confirmed": False}, "working?"),
    ],
)
def test_a_status_is_told_in_a_word(status: Status, facts: dict[str, Any], word: str) -> None:
    assert status_word(pane("p1", status, **facts)) == word


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (Status.WAITING, "run it?"),
        (Status.ERROR, "run it?"),
        (Status.WORKING, "bash"),
        (Status.DONE, "it works"),
        (Status.IDLE, "make it work"),
    ],
)
def test_one_line_says_what_it_is_about(status: Status, text: str) -> None:
    facts = {"message": "run it?", "tool": "bash", "last_message": "it works", "prompt": "make it work"}

    assert activity(pane("p1", status, **facts)) == text


def test_a_shell_of_which_nothing_is_known_is_no_riddle() -> None:
    shell = pane("p1", Status.UNKNOWN, agent=None)

    assert shell.is_plain_shell
    assert glyph(shell, UNICODE) == "›"
    assert glyph(pane("p1", Status.UNKNOWN), UNICODE) == "?"
    assert not pane("p1", Status.EXITED, agent=None).is_plain_shell
