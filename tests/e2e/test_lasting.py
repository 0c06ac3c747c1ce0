"""Nothing is lost: the server is killed, restarted and upgraded under attached UIs and running programs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from orca_tui import __version__
from tests.e2e.rebooting import reboot, server_pid
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.terminal import OuterTerminal

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]


def typing(terminal: OuterTerminal) -> None:
    """A shell that has echoed half a line."""
    terminal.shows("$")
    terminal.write("echo half")
    terminal.shows("echo half")


def test_a_killed_server_is_replaced_within_a_second_and_typing_goes_on(sandbox: Sandbox) -> None:
    sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
    terminal = sandbox.terminal()
    typing(terminal)
    before = sandbox.panes()
    pid = server_pid(sandbox)

    killed_at = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    terminal.shows("has taken over")
    took = time.monotonic() - killed_at
    terminal.write(" a line\r")
    terminal.shows("half a line\n")

    assert server_pid(sandbox) != pid
    assert {pane: record["pid"] for pane, record in sandbox.panes().items()} == {
        pane: record["pid"] for pane, record in before.items()
    }
    print(f"the UI was back after {took:.2f} s")
    assert terminal.alive()


def test_what_is_typed_while_there_is_no_server_arrives(sandbox: Sandbox) -> None:
    sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
    terminal = sandbox.terminal()
    typing(terminal)

    os.kill(server_pid(sandbox), signal.SIGKILL)
    terminal.shows("the server is gone")
    terminal.write(" typed meanwhile\r")

    terminal.shows("half typed meanwhile\n")


def test_what_was_typed_into_a_server_that_hung_arrives_once(sandbox: Sandbox) -> None:
    sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
    terminal = sandbox.terminal()
    typing(terminal)
    server = server_pid(sandbox)

    os.kill(server, signal.SIGSTOP)
    terminal.write(" typed meanwhile\x02")
    terminal.shows("the next key is ours")  # So what was typed before the prefix is on its way.
    terminal.write("\x1b")
    terminal.hides("the next key is ours")
    os.kill(server, signal.SIGKILL)
    terminal.shows("has taken over")
    terminal.write("\r")

    terminal.shows("half typed meanwhile\n")
    assert terminal.text().count("half typed meanwhile") == 2  # The line that was typed, and its echo.


def test_a_restart_keeps_two_uis_attached(sandbox: Sandbox) -> None:
    pane = sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
    terminals = [sandbox.terminal(), sandbox.terminal()]
    for terminal in terminals:
        terminal.shows("$")

    told = sandbox.run("server", "restart")

    assert "1 pane goes on" in told
    for terminal in terminals:
        terminal.shows("has taken over")
    terminals[0].write("echo o$((1))ne\r")
    sandbox.shows(pane, "o1ne")
    for terminal in terminals:
        terminal.shows("o1ne")


def test_a_stop_ends_the_uis_and_starts_nothing(sandbox: Sandbox) -> None:
    sandbox.open("--", "/bin/cat")
    terminal = sandbox.terminal()
    terminal.shows("cat")

    sandbox.run("server", "stop", "--yes")

    assert terminal.ends() == 0
    assert sandbox.try_run("server", "status").returncode == 1


def test_without_a_ui_the_next_command_finds_the_panes(sandbox: Sandbox) -> None:
    pane = sandbox.open("--", "/bin/cat")
    record = sandbox.panes()[pane]
    os.kill(server_pid(sandbox), signal.SIGKILL)
    poll_until(lambda: sandbox.try_run("list").returncode != 0, "the server is gone")

    another = sandbox.open("--", "/bin/cat")

    assert sandbox.panes()[pane]["pid"] == record["pid"]
    assert another != pane


def test_after_a_reboot_the_ui_offers_the_session_and_brings_it_back(sandbox: Sandbox) -> None:
    shell = sandbox.open("--agent", "shell", "--cwd", str(sandbox.project))
    command = sandbox.open("--split", "right", "--", "/bin/sh", "-c", "echo it runs; cat")
    sandbox.shows(command, "it runs")
    before = sandbox.panes()
    reboot(sandbox)

    terminal = sandbox.terminal()
    terminal.shows("a session of 2 panes is saved")
    terminal.write("\x02R")
    terminal.shows("Restore a session")
    terminal.shows("2 panes")
    terminal.write("\r")

    terminal.shows("Enter runs it again")
    after = sandbox.panes()
    assert {pane: (info["tab"], info["cwd"]) for pane, info in after.items()} == {
        pane: (info["tab"], info["cwd"]) for pane, info in before.items()
    }
    assert after[shell]["pid"] is not None
    sandbox.run("focus", command)
    terminal.write("\r")
    sandbox.shows(command, "it runs")
    assert sandbox.run("sessions", "list").splitlines()[1:] == []


OLDER = (
    "import sys, orca_tui\n"
    "orca_tui.__version__ = '0.0.9'\n"
    "from orca_tui.__main__ import main\n"
    "sys.argv = ['orca-tui', 'server', 'start']\n"
    "from orca_tui.process import daemon\n"
    "begin = daemon.start\n"
    "def start(command, **options):\n"
    " code = \"import sys, orca_tui; orca_tui.__version__ = '0.0.9'; from orca_tui.__main__ import main; main()\"\n"
    " at = command.index('-m')\n"
    " return begin([command[0], '-P', '-c', code, *command[at + 2:]], **options)\n"
    "daemon.start = start\n"
    "main()"
)
"""An orca-tui of another version that starts its server."""


def test_an_upgrade_is_offered_and_keeps_every_pane(sandbox: Sandbox) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OLDER],
        env=sandbox.env | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(sandbox.run("server", "status", "--json"))["version"] == "0.0.9"
    pane = sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
    sandbox.type(pane, "echo be$((1))fore\r")
    sandbox.shows(pane, "be1fore")
    before = sandbox.panes()

    terminal = sandbox.terminal()
    terminal.shows("The server is version 0.0.9")
    terminal.write("\r")
    terminal.shows("be1fore")

    status = json.loads(sandbox.run("server", "status", "--json"))
    assert status["version"] == __version__
    assert sandbox.panes()[pane]["pid"] == before[pane]["pid"]
    terminal.write("echo af$((2))ter\r")
    terminal.shows("af2ter")
