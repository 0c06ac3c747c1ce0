"""Notices on the command line: how they are printed, and what a killed server leaves behind."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Home, Orca

AGENT = Path(__file__).parent.parent / "hosts" / "prompting_agent.py"


@pytest.fixture
def busy(served: Home, orca: Orca) -> Iterator[str]:
    """A pane whose agent works on a prompt."""
    log = served.root / "prompts"
    pane: str = orca(
        "open", "--json", "--agent", "claude", "--", sys.executable, str(AGENT), str(log)
    ).json()["pane"]
    orca("wait", pane, "--status", "idle")
    orca("type", pane, "work\r")
    orca("wait", pane, "--status", "working")
    yield pane
    orca("close", pane, "--force")


def test_a_notice_is_answered_in_a_sentence(busy: str, orca: Orca) -> None:
    sent = orca("send", busy, "look", "--id", "mine")

    assert sent.out == "mine pending, did not wake the agent: busy\n"


def test_the_text_may_come_from_standard_input(busy: str, orca: Orca) -> None:
    orca("send", busy, "-", "--id", "piped", stdin="two\nlines\n")

    [row] = [row for row in orca("inbox", "list", busy, "--json").lines() if row["id"] == "piped"]
    assert row["text"] == "two\nlines\n"


def test_what_waits_is_a_table(busy: str, orca: Orca) -> None:
    orca("send", busy, "look at this", "--id", "one")
    orca("send", busy, "only if idle", "--id", "two", "--if-idle")

    lines = orca("inbox", "list", busy).out.splitlines()

    assert lines[0].split() == ["ID", "STATE", "AGE", "TO", "HOW", "FROM", "TEXT"]
    assert "queue" in lines[1]
    assert lines[1].endswith("look at this")
    assert "with the next prompt" in lines[2]


def test_an_update_and_a_cancellation_are_told(busy: str, orca: Orca) -> None:
    orca("send", busy, "look", "--id", "n1")

    assert orca("inbox", "update", busy, "n1", "--steer").out == "n1 goes as steer\n"
    assert orca("inbox", "cancel", busy, "n1").out == "cancelled n1\n"
    again = orca("inbox", "cancel", busy, "n1")
    assert (again.code, again.err) == (3, "orca-tui: this cancellation removed nothing\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("send", "p1", "x", "--if-idle", "--no-resume"), "--if-idle and --no-resume exclude each other"),
        (("send", "p1", "x", "--agent-mode", "a", "--no-resume"), "exclude each other"),
        (("inbox", "update", "p1", "n1", "--steer", "--queue"), "--steer and --queue exclude each other"),
        (("inbox", "update", "p1", "n1"), "missing option --steer or --queue"),
        (("send", "p1", ""), "text: expected at least 1 character"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(
    served: Home, orca: Orca, words: tuple[str, ...], reason: str
) -> None:
    result = orca(*words)

    assert result.code == 2
    assert reason in result.err


def test_unknown_panes_are_not_found(served: Home, orca: Orca) -> None:
    assert orca("send", "p99", "x").code == 4
    assert orca("inbox", "cancel", "p99", "n1").code == 4


def test_active_and_interrupt(busy: str, orca: Orca) -> None:
    [(_, running)] = orca("active", "--json").json()["sessions"].items()

    assert (running["pane"], running["type"]) == (busy, "running")
    assert orca("interrupt", busy).out == "interrupted\n"
    orca("wait", busy, "--status", "idle")
    assert orca("interrupt", busy).out == "nothing ran\n"
    assert orca("active", "--json").json() == {"sessions": {}}


def test_ids_of_notices_are_completed(served: Home, busy: str, orca: Orca) -> None:
    orca("send", busy, "look", "--id", "completed-1")
    words = {"COMP_WORDS": f"orca-tui inbox cancel {busy} comp", "COMP_CWORD": "4"}

    offered = served.run(more={"_ORCA_TUI_COMPLETE": "bash_complete", **words})

    assert offered.out == "plain,completed-1\n"


def test_a_killed_server_loses_and_repeats_nothing(homes: Callable[[], Home]) -> None:
    home = homes()
    log = home.root / "prompts"
    agent = ("--agent", "claude", "--", sys.executable, str(AGENT), str(log))
    pane = home.run("open", "--json", *agent).json()["pane"]
    home.run("wait", pane, "--status", "idle")
    home.run("type", pane, "work\r")
    home.run("wait", pane, "--status", "working")
    for number in range(5):
        home.run("send", pane, f"notice {number}", "--id", f"n{number}")

    os.kill(home.run("server", "status", "--json").json()["pid"], signal.SIGKILL)
    home.run("server", "start")

    rows = home.run("inbox", "list", "--json").lines()
    assert [(row["id"], row["state"]) for row in rows] == [(f"n{number}", "pending") for number in range(5)]
    session = rows[0]["session"]
    assert home.run("inbox", "cancel", session, "n2").code == 0
    assert home.run("inbox", "cancel", session, "n2").code == 3
    assert len(home.run("inbox", "list", "--json").lines()) == 4
    assert log.read_text() == '"work"\n', "none was sent"


def test_no_saved_session_is_said(served: Home, orca: Orca) -> None:
    assert orca("sessions").out == "no session is saved\n"
