"""The keeper: starts the programs of panes, holds their terminals, and outlives the server. Nothing else.

One thread, standard library only, so that there is nothing to crash and nothing to upgrade.

Rule 1: one server at a time; a newer one that says hello takes the place of the one before.
Rule 2: a server is told every exit, again after each hello, until it says that it wrote it down (`forget`).
Rule 3: while no server is there, programs run on for the grace time against the kernel's buffers, so that a
quick restart loses nothing; after that their output goes to a ring, so that no program hangs in a write.
Rule 4: a ring is given to each server that comes until one says that it wrote it down (`took`).
Rule 5: a server that does not take what it is sent within a time is dropped; it may come again.
Rule 6: the keeper ends when a server says so, when it is told to (SIGTERM), or when it has had neither running
programs nor a server for a day; then nobody asks any more how those that ended did. With it end the programs that
are left: their terminals go.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

from orca_tui.base.clock import Clock
from orca_tui.process.keeper_door import Door
from orca_tui.process.keeper_kid import Kid, Limits, fork
from orca_tui.process.keeper_wire import VERSION, BadFrame, FrameCutter, Head, frame
from orca_tui.process.ring import Ring

GRACE_S = 2.0  # A restart takes less than one.
RING_BYTES = 1 << 20
SEND_TIMEOUT_S = 5.0  # A server that reads nothing for so long is stopped or stuck.
IDLE_S = 24 * 3600.0
DOOR_CHECK_S = 5.0
"""How often the socket's file is looked after: something may clean the runtime directory."""
READ_BYTES = 64 << 10
MAX_SIDE = 0xFFFF


class Keeper:
    """Everything of one keeper; `run` is its life."""

    def __init__(
        self,
        door: Door,
        clock: Clock,
        *,
        keeper_id: str,
        grace_s: float = GRACE_S,
        ring_bytes: int = RING_BYTES,
        send_timeout_s: float = SEND_TIMEOUT_S,
        idle_s: float = IDLE_S,
    ) -> None:
        self._door = door
        self._clock = clock
        self._id = keeper_id
        self._grace_s = grace_s
        self._ring_bytes = ring_bytes
        self._send_timeout_s = send_timeout_s
        self._idle_s = idle_s
        self._selector = selectors.DefaultSelector()
        self._kids: dict[str, Kid] = {}
        self._draining: set[str] = set()
        self._server: socket.socket | None = None
        self._ending = False
        self._drain_at: float | None = None
        self._files = _raise_file_limit()
        self._idle_since = clock.monotonic()

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until there is no reason left (Rule 6)."""
        with _Signals() as signals, self._door:
            self._watch(signals.waked, lambda: self._signalled(signals))
            self._watch(self._door.listener, self._accept)
            ready()
            while not self._ending and not self._is_idle():
                for key, _ in self._selector.select(self._patience()):
                    key.data()
                self._time_passed()
            self._hang_up_all()

    # Time

    def _patience(self) -> float:
        """Seconds until something is due without an event."""
        if self._drain_at is None:
            return DOOR_CHECK_S
        return min(DOOR_CHECK_S, max(0.0, self._drain_at - self._clock.monotonic()))

    def _time_passed(self) -> None:
        if self._drain_at is not None and self._clock.monotonic() >= self._drain_at:
            self._drain_at = None
            for kid in self._kids.values():
                self._drain(kid)
        before = self._door.reopened()
        if before is not None:
            self._selector.unregister(before)
            before.close()
            self._watch(self._door.listener, self._accept)

    def _is_idle(self) -> bool:
        runs = any(kid.exit_code is None for kid in self._kids.values())
        if runs or self._server is not None:
            self._idle_since = self._clock.monotonic()
        return self._clock.monotonic() - self._idle_since >= self._idle_s

    # Servers

    def _accept(self) -> None:
        """A connection is nobody until it says hello; one that only looks whether somebody is here is common."""
        guest = self._door.accept()
        if guest is not None:
            guest.settimeout(self._send_timeout_s)
            cutter = FrameCutter()
            self._watch(guest, lambda: self._hear(guest, cutter))

    def _hear(self, guest: socket.socket, cutter: FrameCutter) -> None:
        try:
            data = guest.recv(READ_BYTES)
            if not data:
                self._part(guest)
                return
            for head, raw in cutter.feed(data):
                self._do(guest, head, raw)
        except (OSError, BadFrame, KeyError, TypeError, ValueError) as error:
            _say(f"a server was dropped: {type(error).__name__}")
            self._part(guest)

    def _do(self, guest: socket.socket, head: Head, raw: bytes) -> None:
        op = head["op"]
        if op == "hello":
            self._greet(guest, head["v"])
        elif guest is not self._server:
            raise BadFrame("no hello")
        elif op == "spawn":
            self._spawn(head["id"], _side(head["cols"]), _side(head["rows"]), raw)
        elif op == "took":
            self._took(head["id"])
        elif op == "forget":
            self._forget(head["id"])
        elif op == "end":
            self._ending = True
        else:
            raise BadFrame("no such op")

    def _greet(self, guest: socket.socket, version: int) -> None:
        """Rules 1 and 4."""
        if version != VERSION:
            guest.sendall(frame({"ev": "refused", "v": VERSION}))
            raise BadFrame("another version")
        if self._server is not None and self._server is not guest:
            self._part(self._server)
        self._server = guest
        self._drain_at = None
        self._stop_draining()
        started = [kid for kid in self._kids.values() if kid.running]
        self._send({"ev": "hello", "v": VERSION, "keeper": self._id, "panes": len(started)})
        for kid in started:
            self._hand_over(kid)

    def _hand_over(self, kid: Kid) -> None:
        head = {
            "ev": "pane",
            "id": kid.name,
            "pid": kid.pid,
            "exit": kid.exit_code,
            "lost": kid.ring.lost,
            "fd": True,
        }
        self._send(head, kid.ring.data, kid.master)

    def _part(self, guest: socket.socket) -> None:
        with suppress(KeyError, ValueError):  # It was parted with before.
            self._selector.unregister(guest)
        guest.close()
        if guest is self._server:
            self._server = None
            self._drain_at = self._clock.monotonic() + self._grace_s

    def _send(self, head: Head, raw: bytes | bytearray = b"", descriptor: int | None = None) -> None:
        """Rule 5. What a server does not get stays here for the next."""
        server = self._server
        if server is None:
            return
        data = frame(head, raw)
        try:
            sent = socket.send_fds(server, [data], [descriptor]) if descriptor is not None else 0
            if sent < len(data):
                server.sendall(memoryview(data)[sent:])
        except TimeoutError:
            _say("a server took nothing and was dropped")
            self._part(server)
        except OSError:
            return  # It is gone; its last words are still to be read, and then its end.

    # Programs

    def _spawn(self, name: str, cols: int, rows: int, payload: bytes) -> None:
        if name in self._kids:
            self._send({"ev": "failed", "id": name, "step": "name", "errno": 0})
            return
        try:
            pid, master, report = fork(payload, cols, rows, self._files)
        except OSError as error:
            self._send({"ev": "failed", "id": name, "step": "start", "errno": error.errno})
            return
        kid = self._kids[name] = Kid(name, pid, master, Ring(self._ring_bytes))
        self._watch(report, lambda: self._started(kid, report))

    def _started(self, kid: Kid, report: int) -> None:
        """The program runs, or has said why it does not."""
        said = os.read(report, READ_BYTES)
        self._selector.unregister(report)
        os.close(report)
        if said:
            step, _, number = said.decode("ascii").partition("\0")
            self._drop(kid)
            self._send({"ev": "failed", "id": kid.name, "step": step, "errno": int(number)})
            return
        kid.running = True
        self._send({"ev": "spawned", "id": kid.name, "pid": kid.pid, "fd": True}, descriptor=kid.master)
        if kid.exit_code is not None:
            self._tell_exit(kid)
        if self._server is None and self._drain_at is None:
            self._drain(kid)

    def _reap(self) -> None:
        """Of every child, also of one that could not become its program and is no kid any more."""
        by_pid = {kid.pid: kid for kid in self._kids.values() if kid.exit_code is None}
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            kid = by_pid.pop(pid, None)
            if kid is not None:
                kid.exit_code = os.waitstatus_to_exitcode(status)
                if kid.running:
                    self._tell_exit(kid)

    def _tell_exit(self, kid: Kid) -> None:
        self._send({"ev": "exit", "id": kid.name, "exit": kid.exit_code})

    def _took(self, name: str) -> None:
        kid = self._kids.get(name)
        if kid is not None:
            kid.ring.clear()

    def _forget(self, name: str) -> None:
        kid = self._kids.get(name)
        if kid is not None and kid.exit_code is not None:
            self._drop(kid)

    def _drop(self, kid: Kid) -> None:
        self._stop_draining(kid)
        os.close(kid.master)
        del self._kids[kid.name]

    def _hang_up_all(self) -> None:
        for kid in self._kids.values():
            if kid.exit_code is None:
                with suppress(OSError):
                    os.killpg(kid.pid, signal.SIGHUP)
                    os.killpg(kid.pid, signal.SIGCONT)  # A stopped program hears nothing else.

    # Rings

    def _drain(self, kid: Kid) -> None:
        if kid.running and not kid.at_end and kid.name not in self._draining:
            self._draining.add(kid.name)
            self._watch(kid.master, lambda: self._read(kid))

    def _stop_draining(self, only: Kid | None = None) -> None:
        for name in (self._draining if only is None else self._draining & {only.name}).copy():
            self._selector.unregister(self._kids[name].master)
            self._draining.discard(name)

    def _read(self, kid: Kid) -> None:
        if kid.name not in self._draining:
            return  # A server has come since the selector looked.
        try:
            data = os.read(kid.master, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # EIO: nobody has the terminal open any more.
            data = b""
        kid.ring.add(data)
        if not data:
            kid.at_end = True
            self._stop_draining(kid)

    # The selector

    def _watch(self, readable: int | socket.socket, call: Callable[[], None]) -> None:
        self._selector.register(readable, selectors.EVENT_READ, call)

    def _signalled(self, signals: _Signals) -> None:
        for number in signals.take():
            if number == signal.SIGCHLD:
                self._reap()
            elif number == signal.SIGTERM:
                self._ending = True


class _Signals:
    """SIGCHLD and SIGTERM as bytes of a pipe. The terminal that the keeper was started from does not matter."""

    def __enter__(self) -> _Signals:
        self.waked, self._waker = os.pipe()
        for descriptor in (self.waked, self._waker):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        for number in (signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        return self

    def take(self) -> set[int]:
        return set(os.read(self.waked, READ_BYTES))

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        os.close(self.waked)
        os.close(self._waker)


def _side(number: object) -> int:
    """Columns or rows, as the kernel takes them."""
    if not isinstance(number, int):
        raise BadFrame("a size is a number")
    return min(max(number, 1), MAX_SIDE)


def _raise_file_limit() -> Limits:
    """Have as many descriptors as the kernel lets us, a pane costs two; the limits that programs get."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS refuses its own "unlimited".
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return soft, hard


def _say(text: str) -> None:
    """To the keeper's log."""
    with suppress(OSError):
        os.write(2, f"orca-tui keeper: {text}\n".encode())
