"""A user of their own for a test: home, XDG directories, a server, and the `orca-tui` command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from orca_tui.base.errors import NotFound, OrcaError
from orca_tui.client.blocking import Client
from orca_tui.commands.list import LIST
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.config import DEFAULT_SERVER, Environment
from tests.e2e.terminal import OuterTerminal
from tests.process.keepers import end_keeper

COMMAND_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 20.0


class Sandbox:
    """Everything below one short directory, since socket paths have a limit."""

    command = (sys.executable, "-m", "orca_tui")

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="ot-"))
        self.project = self.root / "project"
        self.project.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._directory("home")),
            "XDG_CONFIG_HOME": str(self._directory("config")),
            "XDG_STATE_HOME": str(self._directory("state")),
            "XDG_CACHE_HOME": str(self._directory("cache")),
            "XDG_DATA_HOME": str(self._directory("data")),
            "XDG_RUNTIME_DIR": str(self._directory("run")),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "SHELL": "/bin/bash",
            "USER": "tester",
            "PS1": "$ ",
        }
        self._terminals: list[OuterTerminal] = []
        self._following: list[subprocess.Popen[str]] = []

    def _directory(self, name: str) -> Path:
        path = self.root / name
        path.mkdir(mode=0o700)
        return path

    # The command

    def run(self, *arguments: str, stdin: str | None = None, timeout: float = COMMAND_TIMEOUT_S) -> str:
        """Run a command that must succeed; its standard output."""
        done = self.try_run(*arguments, stdin=stdin, timeout=timeout)
        assert done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr}"
        return done.stdout

    def try_run(
        self, *arguments: str, stdin: str | None = None, timeout: float = COMMAND_TIMEOUT_S
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command, *arguments],
            env=self.env,
            cwd=self.project,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def open(self, *arguments: str) -> str:
        """Open a pane; its id."""
        pane: str = json.loads(self.run("open", "--json", *arguments))["pane"]
        return pane

    def panes(self) -> dict[str, dict[str, Any]]:
        """Every pane's record, by id: what `list --json` prints."""
        with self.client() as client:
            panes = client.call(LIST, Empty()).panes
        return {pane.pane: json.loads(msgspec.json.encode(pane)) for pane in panes}

    def screen(self, pane: str) -> str:
        """A pane's screen: what `read` prints."""
        with self.client() as client:
            return client.call(READ, ReadRequest(pane=pane)).text.removesuffix("\n") + "\n"

    def type(self, pane: str, text: str) -> None:
        """Give the pane's program a text as it is, as `type` does."""
        with self.client() as client:
            client.call(TYPE, TypeRequest(pane=pane, text=text))

    def client(self) -> Client:
        """A connection to the server that is there now: whoever looks ten times a second with a process for each
        look takes the machine from what it looks at."""
        return Client(Environment(self.env).paths().socket(DEFAULT_SERVER, "wire"))

    def wait(self, pane: str, status: str, *options: str, timeout: float = 30) -> dict[str, Any]:
        """Wait for a status; the record."""
        text = self.run(
            "wait",
            pane,
            "--status",
            status,
            "--timeout",
            str(timeout),
            "--json",
            *options,
            timeout=timeout + 10,
        )
        record: dict[str, Any] = json.loads(text)
        return record

    def shows(self, pane: str, text: str, timeout: float = 30) -> None:
        """Wait until a pane's screen holds a text, whoever looks at it."""
        poll_until(lambda: text in self.screen(pane), f"pane {pane} shows {text!r}", timeout)

    def follow(self, *options: str) -> Follower:
        """Follow `orca-tui events`, of a server that is started for it; returns once it says hello."""
        self.run("server", "start")
        follower = Follower([*self.command, "events", "--json", *options], self.env)
        self._following.append(follower.process)
        follower.until(lambda event: event["type"] == "hello")
        return follower

    def terminal(
        self, *arguments: str, cols: int = 120, rows: int = 40, pictures: bool = False
    ) -> OuterTerminal:
        """The UI (or another orca-tui command) in a terminal of its own, which may show pictures."""
        terminal = OuterTerminal(
            [*self.command, *arguments], self.env, cols=cols, rows=rows, cwd=self.project, pictures=pictures
        )
        self._terminals.append(terminal)
        return terminal

    def clear(self) -> None:
        """End every UI and every pane; the server runs on."""
        for terminal in self._terminals:
            terminal.close()
        self._terminals.clear()
        for pane in self.panes():
            with self.client() as client, suppress(NotFound):
                client.call(CLOSE, CloseRequest(target=pane, force=True))

    def close(self) -> None:
        for terminal in self._terminals:
            terminal.close()
        for process in self._following:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        self._stop()
        end_keeper(self.root / "run" / "orca-tui" / "default.keeper")
        shutil.rmtree(self.root, ignore_errors=True)

    def _stop(self) -> None:
        """End the server; one that does not listen any more ends by the command, which knows what to do."""
        try:
            with self.client() as client:
                client.call(SERVER_STOP, ServerStopRequest(yes=True))
                client.wait_closed(STOP_TIMEOUT_S)
        except OrcaError:
            self.try_run("server", "stop", "--yes")


class Follower:
    """A running `orca-tui events` and all that it has printed."""

    def __init__(self, argv: list[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True)
        self.events: list[dict[str, Any]] = []
        self._came = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._came:
                self.events.append(json.loads(line))
                self._came.notify_all()

    def until(self, matches: Any, timeout: float = 30) -> dict[str, Any]:
        """Wait for an event that matches, among all that came; that event."""

        def found() -> dict[str, Any] | None:
            return next((event for event in self.events if matches(event)), None)

        with self._came:
            if not self._came.wait_for(lambda: found() is not None, timeout):
                raise AssertionError(f"no such event within {timeout} s; there were {self.events}")
        event = found()
        assert event is not None
        return event

    def wait_for(self, condition: Callable[[], bool], timeout: float = 30) -> bool:
        """Wait for what is asked again after each event; False when that took too long."""
        with self._came:
            return self._came.wait_for(condition, timeout)

    def statuses(self, pane: str) -> list[str]:
        """The statuses that a pane took, as `from>to`."""
        with self._came:
            return [
                f"{event['from']}>{event['to']}"
                for event in self.events
                if event["type"] == "status" and event["pane"] == pane
            ]

    def wait_for_statuses(self, pane: str, *changes: str) -> None:
        """Wait until these are the last that a pane took: events may come later than another command's answer."""
        self.wait_for(lambda: self.statuses(pane)[-len(changes) :] == list(changes))
        assert self.statuses(pane)[-len(changes) :] == list(changes)

    def wait_for_rings(self, pane: str, number: int, timeout: float = 30) -> None:
        """Wait until a pane rang so many times."""
        with self._came:
            if not self._came.wait_for(lambda: self._count_rings(pane) >= number, timeout):
                raise AssertionError(f"{pane} rang {self._count_rings(pane)} times, not {number}")

    def rings(self, pane: str) -> int:
        with self._came:
            return self._count_rings(pane)

    def _count_rings(self, pane: str) -> int:
        return sum(event["type"] == "ring" and event["pane"] == pane for event in self.events)


def within(condition: Any, timeout: float) -> bool:
    """Ask again until it holds, each time after a short rest that spares the machine; False: it never did."""
    rest = threading.Event()
    for _ in range(int(timeout / POLL_S)):
        if condition():
            return True
        rest.wait(POLL_S)
    return False


def poll_until(condition: Any, what: str, timeout: float = 30) -> None:
    """Ask again until it holds."""
    if not within(condition, timeout):
        raise AssertionError(f"not within {timeout} s: {what}")


POLL_S = 0.1
