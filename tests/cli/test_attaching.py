"""The way into the UI: where it may be drawn, and what happens first."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.cli.conftest import Home, Orca
from tests.cli.test_serving import at_a_terminal


@pytest.mark.parametrize(
    "command", [[], ["attach"], ["--", "cat"]], ids=["alone", "attach", "with a command"]
)
def test_without_a_terminal_it_says_what_works_without_one(orca: Orca, command: list[str]) -> None:
    result = orca(*command)

    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("orca-tui: the UI needs a terminal")
    assert orca("server", "status").code == 1  # Nothing was started either.


@pytest.mark.parametrize("command", [[], ["attach"]], ids=["alone", "attach"])
def test_a_pane_does_not_show_the_server_that_it_is_in(home: Home, command: list[str]) -> None:
    inside = {
        "ORCA_TUI_PANE": "p7",
        "ORCA_TUI_INTAKE": str(home.root / "run" / "orca-tui" / "default.intake"),
    }

    screen, code = at_a_terminal(home, command, **inside)

    assert code == 3
    assert "pane p7 of server 'default'" in screen
    assert "\x1b[" not in screen  # The terminal was not touched.


def test_a_ui_whose_picture_would_go_into_a_file_is_refused(home: Home) -> None:
    log = home.root / "log"
    master, slave = pty.openpty()
    with log.open("wb") as errors:
        done = subprocess.run(
            [sys.executable, "-m", "orca_tui", "attach"],
            env=home.variables, stdin=slave, stdout=slave, stderr=errors, start_new_session=True, check=False,
        )  # fmt: skip
    os.close(slave)
    os.close(master)

    assert done.returncode == 1
    assert (
        log.read_text() == "orca-tui: the UI draws on standard error, which leads elsewhere; leave out `2>`\n"
    )


@pytest.mark.parametrize("command", [[], ["attach"]], ids=["alone", "attach"])
def test_a_terminal_that_can_draw_nothing_is_told_so_and_not_drawn_on(home: Home, command: list[str]) -> None:
    screen, code = at_a_terminal(home, command, TERM="dumb")

    assert code == 1
    assert "TERM=dumb is a terminal that cannot move its cursor" in screen
    assert "\x1b[" not in screen


def test_attach_needs_a_running_server(home: Home) -> None:
    screen, code = at_a_terminal(home, ["attach"])

    assert code == 1
    assert "no server 'default' runs" in screen
