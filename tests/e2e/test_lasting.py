"""Nothing is lost: the server is killed, restarted and upgraded under attached UIs and running programs."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.e2e.rebooting import reboot, server_pid
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.terminal import OuterTerminal

pytestmark = pytest.mark.e2e

BACK_S = 1.0
"""What somebody waits for at most before typing goes on."""


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
