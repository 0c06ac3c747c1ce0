"""What goes wrong with what is kept: it costs a screen at most, is said, and no program ends of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.e2e.rebooting import server_pid
from tests.e2e.sandbox import Sandbox, poll_until

FILE_BLOCKS = 400
"""Of 1 KiB: what the server may write into one file. Its own files fit, the journal of a flood does not."""


def kept_by(sandbox: Sandbox) -> Path:
    return sandbox.root / "state" / "orca-tui" / "servers" / "default"


def shell(sandbox: Sandbox, *options: str) -> str:
    pane = sandbox.open(*options, "--", "/bin/bash", "--norc", "--noprofile")
    sandbox.shows(pane, "$")
    return pane


def notes(sandbox: Sandbox) -> str:
    return "\n".join(json.loads(sandbox.run("server", "status", "--json"))["notes"])


@contextmanager
def poisoned(sandbox: Sandbox, pane: str) -> Iterator[None]:
    """Have the next servers hang when they restore a pane: they read a pipe that nobody writes."""
    (journal,) = (kept_by(sandbox) / "screens").glob(f"{pane}.*.journal")
    journal.unlink()
    os.mkfifo(journal)
    try:
        yield
    finally:
        with suppress(OSError):  # It was put aside, or nobody reads it.
            os.close(os.open(journal, os.O_WRONLY | os.O_NONBLOCK))  # One that hangs reads its end.


def attempts(sandbox: Sandbox) -> list[str]:
    """The panes whose restore has begun and not ended, once for each server that tried."""
    file = kept_by(sandbox) / "screens" / "attempts.json"
    return [one["pane"] for one in json.loads(file.read_text())] if file.exists() else []


def kill_while_it_restores(sandbox: Sandbox, starter: int, pane: str, *, time: int) -> None:
    """The death of a server by a screen, which is what its exit looks like to whoever started it."""
    poll_until(lambda: attempts(sandbox).count(pane) == time, f"it restores {pane}")
    for server in psutil.Process(starter).children():
        server.kill()


def test_a_screen_that_ends_the_server_thrice_is_put_aside_and_its_program_lives(sandbox: Sandbox) -> None:
    bad, good = shell(sandbox), shell(sandbox, "--split", "right")
    sandbox.type(good, "echo unharmed\r")
    sandbox.shows(good, "unharmed\n")
    before, screen = sandbox.panes(), sandbox.screen(good)
    terminal = sandbox.terminal()
    terminal.shows("unharmed")

    with poisoned(sandbox, bad):
        os.kill(server_pid(sandbox), signal.SIGKILL)
        for time in (1, 2):
            kill_while_it_restores(sandbox, terminal.pid, bad, time=time)
        terminal.shows("has taken over")

    assert f"the screen of {bad} has ended the server repeatedly and was put aside" in notes(sandbox)
    assert [path.name.split(".")[0] for path in (kept_by(sandbox) / "screens" / "quarantine").iterdir()] == [
        bad
    ]
    assert {pane: info["pid"] for pane, info in sandbox.panes().items()} == {
        pane: info["pid"] for pane, info in before.items()
    }
    assert sandbox.screen(good) == screen
    sandbox.type(bad, "echo a$((1))ive\r")
    sandbox.shows(bad, "a1ive")


def test_a_full_disk_costs_screens_only_and_they_are_kept_again_with_room(sandbox: Sandbox) -> None:
    limited = f"ulimit -f {FILE_BLOCKS}; exec {sys.executable} -m orca_tui server start"
    subprocess.run(["bash", "-c", limited], env=sandbox.env, check=True, capture_output=True)
    pane = shell(sandbox)
    terminal = sandbox.terminal()
    terminal.shows("$")

    sandbox.type(pane, "seq 100000 300000; echo fl$((0))oded\r")
    terminal.shows("are not kept in")
    sandbox.shows(pane, "fl0oded")
    sandbox.type(pane, "clear; printf '\\e[3J'; echo sm$((0))all\r")
    sandbox.shows(pane, "sm0all")
    poll_until(lambda: not notes(sandbox), "the screen is kept again")
    screen = sandbox.screen(pane)
    os.kill(server_pid(sandbox), signal.SIGKILL)
    terminal.shows("has taken over")

    assert sandbox.screen(pane) == screen


def test_without_a_place_for_screens_panes_outlive_the_server_all_the_same(sandbox: Sandbox) -> None:
    place = kept_by(sandbox) / "screens"
    place.parent.mkdir(parents=True)
    place.write_text("something else")
    pane = shell(sandbox)
    program = sandbox.panes()[pane]["pid"]

    assert "screens are not kept in" in notes(sandbox)
    os.kill(server_pid(sandbox), signal.SIGKILL)
    poll_until(lambda: sandbox.try_run("list").returncode != 0, "the server is gone")
    sandbox.run("server", "start")

    assert sandbox.panes()[pane]["pid"] == program
    assert f"{pane}: the snapshot of the screen cannot be read: Not a directory" in notes(sandbox)
    sandbox.type(pane, "echo a$((1))ive\r")
    sandbox.shows(pane, "a1ive")
