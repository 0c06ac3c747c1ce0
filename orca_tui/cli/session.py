"""One run of the command line: which server, which form of output, and the way to both."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import msgspec

from orca_tui.base.errors import Conflict, OrcaError, ProtocolMismatch, ServerUnavailable
from orca_tui.cli.outside import Outside
from orca_tui.client.blocking import Client, ask_to_leave
from orca_tui.commands.index import load
from orca_tui.commands.spec import Empty
from orca_tui.config import Paths, SocketKind, socket_path

START_TRIES = 20
"""Each takes a third of a second or more; a server that ends gives its panes 2 s to leave."""


MOST_CRASHES = 3
"""Of a server that is started: the third start puts the screen aside that has ended the two before."""
LEAVE_TIMEOUT_S = 10.0
"""A server ends its panes with SIGHUP, after 2 s with SIGKILL; then it leaves."""
LOOK_EVERY_S = 0.02


class NotRunning(ServerUnavailable):
    """There is no server of that name, rather than one that does not answer."""

    def __init__(self, server: str) -> None:
        super().__init__(
            f"no server {server!r} runs; `orca-tui` and `orca-tui open` start one", server=server
        )


class Session:
    """What `--json` and `--server` said, which may stand anywhere on the line, hence mutable."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.server = outside.environment.server_name()
        self.json = False

    @property
    def token(self) -> str | None:
        """Of the pane that we were started in."""
        return self.outside.environment.get("ORCA_TUI_TOKEN")

    @property
    def paths(self) -> Paths:
        return self.outside.environment.paths()

    def socket(self, kind: SocketKind) -> Path:
        return socket_path(self.outside.environment.runtime_dir(), self.server, kind)

    def connect(self) -> Client:
        """A client of the server; raises `NotRunning`, or `ServerUnavailable` for one that does not answer."""
        with self._told_from_none():
            return Client(self.socket("wire"), role="cli", token=self.token)

    def make_place(self) -> None:
        """Have the running server leave its panes to the next, whatever protocol it speaks; raises `NotRunning`."""
        with self._told_from_none():
            ask_to_leave(self.socket("wire"), LEAVE_TIMEOUT_S)

    @contextmanager
    def _told_from_none(self) -> Iterator[None]:
        """Tell a server that there is none of from one that does not answer."""
        try:
            yield
        except ServerUnavailable as error:
            if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
                raise NotRunning(self.server) from error
            raise

    def connect_or_start(self) -> Client:
        """A client of the server, which is started when none runs."""
        try:
            return self.connect()
        except NotRunning:
            self.start()
        return self.connect()

    def start(self) -> int | None:
        """Start the server, which did not run a moment ago; its pid, or None when somebody else was faster.

        A server that is just starting or just ending keeps a second one from starting, so that is tried again.
        """
        last, crashes = False, 0
        for _ in range(START_TRIES):
            try:
                return self.outside.start_server(self.server)
            except ServerUnavailable as error:
                crashes += error.crashed
                if error.crashed and crashes < MOST_CRASHES:
                    continue
                if error.facts.get("exit_code") != Conflict.exit_code or last:
                    raise
                last = not self.outside.is_locked(self.server)
                refusal = error
            with suppress(NotRunning, ProtocolMismatch):  # The second is one that just leaves.
                self.connect().close()
                return None
        raise refusal

    def wait_gone(self) -> None:
        """Return when the server that hung up has taken its sockets away, or has not within a reasonable time."""
        deadline = self.outside.clock.monotonic() + LEAVE_TIMEOUT_S
        while self.socket("wire").exists() and self.outside.clock.monotonic() < deadline:
            threading.Event().wait(LOOK_EVERY_S)

    def demand_all(self, what: str) -> None:
        """For what is done here and by no server: refuse it to a program in a pane that may not do everything.

        The server tells who we are; without one that can, nobody is in a pane of it. Raises `Refused`.
        """
        try:
            with self.connect() as client:
                caller = client.call(load("whoami"), Empty())
        except OrcaError:
            return
        if caller.authority != "all":
            from orca_tui.commands.authority import ungranted

            raise ungranted(what, caller.pane, (), ("all",))

    def is_at_a_terminal(self) -> bool:
        """A person is there who can be asked, and who reads what is printed."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def width(self) -> int | None:
        """Columns of the terminal that is printed to; None when the output goes elsewhere."""
        output = standard_output()
        if output is None:
            return None
        with suppress(OSError):
            return os.get_terminal_size(output).columns or None
        return None


def standard_output() -> int | None:
    """Its descriptor; None where it is none of the system's."""
    try:
        return sys.stdout.fileno()
    except (OSError, ValueError):
        return None


def write_json(value: Any, stream: TextIO | None = None) -> None:
    """One JSON value on one line, flushed, so that a reader of a stream has it at once."""
    write_line(msgspec.json.encode(value).decode(), stream)


def write_line(text: str, stream: TextIO | None = None) -> None:
    stream = stream or sys.stdout
    stream.write(text + "\n")
    stream.flush()


def write_error(error: OrcaError, *, as_json: bool) -> None:
    """The reason on one line of stderr, so that stdout holds nothing but results."""
    if as_json:
        write_json({"error": error.described()}, sys.stderr)
    else:
        write_line(f"orca-tui: {' '.join(error.message.splitlines())}", sys.stderr)
