"""The spawner whose programs outlive the server: the keeper starts and holds them."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from orca_tui.base.errors import ServerUnavailable, SpawnFailed
from orca_tui.process.groups import Groups
from orca_tui.process.keeper_kid import WINDOW_SIZE
from orca_tui.process.keeper_presence import when_it_stays_or_goes
from orca_tui.process.keeper_wire import VERSION, Head
from orca_tui.process.kept_link import KeeperLink
from orca_tui.process.payload import encoded, failure
from orca_tui.process.spawner import COMMAND_NOT_RUNNABLE, HUNG_UP, ExitListener, Kept, Program

HELLO_TIMEOUT_S = 10.0  # The keeper may be giving a stopped server its 5 s.
END_TIMEOUT_S = 5.0

logger = logging.getLogger(__name__)


class KeptSpawner:
    """A `Spawner`; needs a running event loop. `start` starts a keeper and returns when its socket answers."""

    def __init__(self, path: Path, start: Callable[[], None]) -> None:
        self._path = path
        self._start = start
        self._link: KeeperLink | None = None
        self._lost: Callable[[bool], None] = _nothing
        self._children: dict[str, KeptChild] = {}
        self._starting: dict[str, asyncio.Future[tuple[Head, int | None]]] = {}
        self._handed: list[Kept] = []
        self._hello: asyncio.Future[Head] | None = None
        self._awaited_panes = 0
        self._all_handed = asyncio.Event()
        self._gone = asyncio.Event()
        self._connecting = asyncio.Lock()
        self._stop_asking: Callable[[], None] = _stop_nothing
        self._certain = asyncio.Event()
        """It is not being asked whether a keeper that has hung up stays."""
        self._certain.set()
        self._dropped = False
        """The keeper has another server, from which it must not be taken back."""
        self._anonymous = 0
        self.keeper_id = ""
        """Names the keeper's life: another one holds none of the programs of the one before."""

    async def open(self, lost: Callable[[bool], None]) -> tuple[Kept, ...]:
        """Connect, to a new keeper if there is none; what it holds."""
        self._lost = lost
        await self._connected()
        handed, self._handed = tuple(self._handed), []
        return handed

    async def close(self, *, end: bool) -> None:
        """Leave; with `end` the keeper goes too, and what it still holds."""
        self._lost = _nothing
        self._stop_asking()
        self._certain.set()
        link = self._link
        if link is None:
            return
        if end:
            link.send({"op": "end"})
            with suppress(TimeoutError):
                async with asyncio.timeout(END_TIMEOUT_S):
                    await self._gone.wait()
        link.close()
        self._link = None

    async def spawn(self, program: Program, exited: ExitListener) -> KeptChild:
        """Have the keeper start a program."""
        payload = encoded(program)
        try:
            link = await self._connected()
        except ServerUnavailable as error:
            raise SpawnFailed(error.message, exit_code=COMMAND_NOT_RUNNABLE) from error
        key = program.key or self._next_key()
        answer = self._starting[key] = asyncio.get_running_loop().create_future()
        link.send({"op": "spawn", "id": key, "cols": program.cols, "rows": program.rows}, payload)
        try:
            head, master = await answer
        except asyncio.CancelledError:
            self._disown(key, answer)
            raise
        if head["ev"] == "failed":
            raise failure(program, head["step"], head["errno"])
        if master is None:
            _end(head["pid"])
            raise SpawnFailed("the server has too many open files", exit_code=COMMAND_NOT_RUNNABLE)
        child = self._children[key]
        child.listen(exited)
        return child

    def _next_key(self) -> str:
        self._anonymous += 1
        return f"{os.getpid()}.{self._anonymous}"

    # The connection

    async def _connected(self) -> KeeperLink:
        async with self._connecting:
            await self._certain.wait()
            if self._dropped:
                raise ServerUnavailable("the keeper has dropped this server: another one takes over")
            if self._link is None:
                self._link = await self._connect()
            return self._link

    async def _connect(self) -> KeeperLink:
        for last in (False, True):
            self._hello = asyncio.get_running_loop().create_future()
            self._all_handed.clear()
            try:
                link = await KeeperLink.connect(str(self._path), self._received, self._hung_up)
            except OSError as error:
                if last:
                    raise ServerUnavailable(f"the keeper does not answer on {self._path}") from error
                await asyncio.to_thread(self._start)
                continue
            try:
                await self._greeted(self._hello)
                if not link.is_open:
                    raise ServerUnavailable("the keeper hung up while it handed its programs over")
            except BaseException:
                link.close()
                raise
            return link
        raise AssertionError("the loop returns or raises")

    async def _greeted(self, hello: asyncio.Future[Head]) -> None:
        """Wait for the keeper's hello and everything that it hands over."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                head = await hello
                await self._all_handed.wait()
        except TimeoutError as error:
            raise ServerUnavailable("the keeper accepts connections but does not answer") from error
        if head["ev"] == "refused":
            raise ServerUnavailable(
                f"the keeper of the running panes speaks version {head['v']}, this orca-tui {VERSION}; "
                "`orca-tui server stop` of the orca-tui that started them ends it",
            )
        self.keeper_id = head["keeper"]

    def _received(self, head: Head, raw: bytes, descriptor: int | None) -> None:
        match head["ev"]:
            case "hello" | "refused":
                self._begin(head)
            case "pane":
                self._hand_over(head, raw, descriptor)
            case "spawned":
                self._spawned(head, descriptor)
            case "failed":
                self._answer(head, None)
            case "exit":
                self._exited(head["id"], head["exit"])

    def _begin(self, head: Head) -> None:
        self._awaited_panes = head.get("panes", 0)
        if not self._awaited_panes:
            self._all_handed.set()
        if self._hello is not None and not self._hello.done():
            self._hello.set_result(head)

    def _hung_up(self) -> None:
        connected, self._link = self._link is not None, None
        self._gone.set()
        if self._hello is not None and not self._hello.done():
            self._hello.set_exception(ServerUnavailable("the keeper hung up"))
        self._all_handed.set()
        for key in tuple(self._starting):
            self._answer({"ev": "failed", "id": key, "step": "start", "errno": errno.EPIPE}, None)
        if connected:
            self._certain.clear()
            self._stop_asking = when_it_stays_or_goes(self._path, self._parted)

    def _parted(self, stays: bool) -> None:
        self._dropped = stays
        self._certain.set()
        if not stays:
            self._end_orphans()
        self._lost(stays)

    def _end_orphans(self) -> None:
        """The keeper was killed: its programs are on their own, and nobody could tell how they end."""
        children, self._children = self._children, {}
        for child in children.values():
            child.hang_up()
            child.exited(HUNG_UP)

    # Programs

    def _hand_over(self, head: Head, ring: bytes, master: int | None) -> None:
        key = head["id"]
        if master is None:
            logger.error("no descriptor was left for a program of the keeper", extra={"pane": key})
        else:
            child = self._adopt(key, head["pid"], master)
            self._handed.append(
                Kept(
                    key=key,
                    child=child,
                    missed=ring,
                    lost=head["lost"],
                    exit_code=head["exit"],
                    took=lambda: self._say("took", key),
                    listen=child.listen,
                )
            )
            if head["exit"] is not None:
                self._exited(key, head["exit"])
        self._awaited_panes -= 1
        if not self._awaited_panes:
            self._all_handed.set()

    def _spawned(self, head: Head, master: int | None) -> None:
        if head["id"] not in self._starting:
            if master is not None:
                os.close(master)
            _end(head["pid"])
            return
        if master is not None:
            self._adopt(head["id"], head["pid"], master)
        self._answer(head, master)

    def _adopt(self, key: str, pid: int, master: int) -> KeptChild:
        child = self._children[key] = KeptChild(pid, master, told=lambda: self._say("forget", key))
        return child

    def _answer(self, head: Head, master: int | None) -> None:
        answer = self._starting.pop(head["id"], None)
        if answer is not None and not answer.done():
            answer.set_result((head, master))

    def _exited(self, key: str, code: int) -> None:
        child = self._children.pop(key, None)
        if child is None:
            self._say("forget", key)
        else:
            child.exited(code)

    def _disown(self, key: str, answer: asyncio.Future[tuple[Head, int | None]]) -> None:
        """Nobody waits for this start any more; the program is ended as soon as it is there."""
        self._starting.pop(key, None)
        child = self._children.pop(key, None)
        if child is not None and answer.done():
            child.kill()
            child.close()

    def _say(self, op: str, key: str) -> None:
        if self._link is not None:
            self._link.send({"op": op, "id": key})


def _end(pid: int) -> None:
    """End a program that nobody has a use for."""
    Groups(pid).kill(None)


def _nothing(_: bool) -> None:
    """Nobody wants to know any more."""


def _stop_nothing() -> None:
    """Nothing is asked."""


class KeptChild:
    """A `Child` of the keeper. The server may signal it: both are the same user's."""

    def __init__(self, pid: int, master: int, *, told: Callable[[], None]) -> None:
        self.pid = pid
        self.master = master
        self._told = told
        self._groups = Groups(pid)
        self._open = True
        self._listener: ExitListener | None = None
        self._exit_code: int | None = None

    def listen(self, listener: ExitListener) -> None:
        """Who is told how it ends, be it that it has ended already."""
        self._listener = listener
        if self._exit_code is not None:
            asyncio.get_running_loop().call_soon(self._tell)

    def exited(self, code: int) -> None:
        """It has ended."""
        if self._exit_code is None:
            self._exit_code = code
            self._tell()

    def _tell(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None and self._exit_code is not None:
            listener(self._exit_code)
            self._told()

    def resize(self, cols: int, rows: int) -> None:
        if self._open:
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, WINDOW_SIZE.pack(rows, cols, 0, 0))

    def hang_up(self) -> None:
        self._groups.hang_up(self._terminal())

    def kill(self) -> None:
        self._groups.kill(self._terminal())

    def survivors(self) -> bool:
        return self._groups.survivors()

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.master)

    def _terminal(self) -> int | None:
        return self.master if self._open else None
