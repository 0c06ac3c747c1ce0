"""One connection on the wire socket: frames in, requests run, frames out. Knows no command by name.

Rule 1: the first frame is a hello that fits this server, else the connection is refused on channel 0; or it asks
the server to make place for another, which one of any other protocol may.
Rule 2: requests run side by side; each is answered once, or item by item until its end.
Rule 3: a frame that cannot be read ends this connection, with a reason, and nothing else.
Rule 4: items of streams wait while the peer does not read; pane frames have windows of their own.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import Any, Protocol

import msgspec

from orca_tui import __version__
from orca_tui.base.errors import (
    EngineMismatch,
    Invalid,
    OrcaError,
    ProtocolMismatch,
    Refused,
    Unsupported,
)
from orca_tui.commands.spec import Command
from orca_tui.commands.table import COMMANDS_BY_NAME
from orca_tui.server.dispatch import Dispatcher, Whose
from orca_tui.server.mistakes import place_of
from orca_tui.server.peer import Peer, own_peer
from orca_tui.server.tasks import Tasks
from orca_tui.server.uis import Ui, UiCaller, UiSlot
from orca_tui.term.input_events import InputEvent
from orca_tui.wire import (
    COUNT,
    HEADER,
    HEADER_REST,
    PLUGIN_ROLE,
    PROTOCOL,
    ErrorBody,
    FrameKind,
    FrameReader,
    Hello,
    Request,
    Welcome,
    decode,
    frame,
    message,
)

HELLO_TIMEOUT_S = 10.0  # A peer that connects and says nothing is no client of ours.
WRITE_BUFFER_BYTES = 1 << 20
"""Streams wait beyond that. It holds the windows of more panes than fit on a screen, so those never wait."""

logger = logging.getLogger(__name__)
_INPUT = msgspec.msgpack.Decoder(InputEvent)


class WireHost(Protocol):
    """What connections need of the server behind them."""

    welcome: Welcome
    tasks: Tasks
    dispatcher: Dispatcher
    whose: Whose
    connections: set[Connection]
    """Those that are open; they come and go by themselves."""

    def acked(self, ui: Ui, channel: int, count: int) -> None:
        """A UI has fed bytes."""
        ...

    def leave(self, peer: Peer) -> None:
        """Make place for another server; raises `Unsupported`, and `Refused` for a program in a pane."""
        ...

    def pressed(self, ui: Ui, channel: int, event: InputEvent) -> None:
        """A person did something in the pane of a channel."""
        ...


class Connection(asyncio.Protocol):
    """The server's end of one connection."""

    def __init__(self, host: WireHost) -> None:
        self._host = host
        self._reader = FrameReader()
        self._transport: asyncio.Transport | None = None
        self._slot = UiSlot(self.send_pane_frame)
        self._caller: UiCaller | None = None
        self._peer: Peer | None = None
        self._hello: Hello | None = None
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._writable = asyncio.Event()
        self._writable.set()
        self._hello_timer: asyncio.TimerHandle | None = None
        self._lost = asyncio.Event()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(WRITE_BUFFER_BYTES)
        self._host.connections.add(self)
        try:
            peer = own_peer(transport.get_extra_info("socket"))
        except Refused as error:
            self._refuse(error)
            return
        self._peer = peer
        self._hello_timer = asyncio.get_running_loop().call_later(
            HELLO_TIMEOUT_S, self._refuse, Invalid("no hello came")
        )

    def data_received(self, data: bytes) -> None:
        try:
            for kind, channel, payload in self._reader.feed(data):
                if self._transport is None or self._transport.is_closing():
                    return
                self._take(kind, channel, payload)
        except OrcaError as error:
            self._refuse(error)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._transport = None
        self._lost.set()
        self._stop_hello_timer()
        self._host.connections.discard(self)
        self._writable.set()
        for task in tuple(self._tasks.values()):
            task.cancel()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # Frames out

    def send_pane_frame(self, kind: FrameKind, channel: int, payload: bytes) -> None:
        """A frame of a pane, in two pieces: output is not copied to put a header before it."""
        if self._transport is not None:
            self._transport.writelines((HEADER.pack(HEADER_REST + len(payload), kind, channel), payload))

    def send(self, kind: FrameKind, channel: int, value: msgspec.Struct) -> None:
        """A control frame; dropped when the peer is gone."""
        if self._transport is not None:
            self._transport.write(message(kind, channel, value))

    def close(self) -> None:
        """Hang up once everything is sent."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Hang up now; what was not sent is lost."""
        if self._transport is not None:
            self._transport.abort()

    async def finish(self) -> None:
        """Hang up when the requests that run are answered; returns when everything was sent."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self.close()
        await self._lost.wait()

    def _refuse(self, error: OrcaError) -> None:
        self._send_error(0, error)
        self.close()

    def _send_error(self, channel: int, error: OrcaError) -> None:
        body = ErrorBody(code=error.code, message=error.message, facts=error.facts)
        self.send(FrameKind.ERROR, channel, body)

    # Frames in

    def _take(self, kind: int, channel: int, payload: bytes) -> None:
        if self._hello is None:
            self._greet(kind, payload)
            return
        match kind:
            case FrameKind.ACK:
                self._ack(channel, payload)
            case FrameKind.INPUT:
                self._input(channel, payload)
            case FrameKind.REQUEST:
                self._request(channel, decode(payload, Request))
            case FrameKind.CANCEL:
                task = self._tasks.get(channel)
                if task is not None:
                    task.cancel()
            case _:
                raise Invalid(f"a frame of kind {kind} is not for a server")

    def _greet(self, kind: int, payload: bytes) -> None:
        if kind == FrameKind.LEAVE:
            self._stop_hello_timer()
            assert self._peer is not None
            self._host.leave(self._peer)
            return
        if kind != FrameKind.HELLO:
            raise Invalid("the first frame must be a hello")
        hello = decode(payload, Hello)
        host = self._host
        if hello.protocol != PROTOCOL:
            raise ProtocolMismatch(
                f"the server (orca-tui {__version__}) speaks protocol {PROTOCOL}, this orca-tui "
                f"({hello.version}) speaks {hello.protocol}; `orca-tui server restart` puts one of this version in "
                "its place, and every pane goes on",
                server_version=__version__,
            )
        if hello.engine_build not in (None, host.welcome.engine_build):
            raise EngineMismatch(
                "the server runs another build of the terminal engine; restart it, or use its version of orca-tui",
                server_version=__version__,
            )
        assert self._peer is not None
        pane = host.whose(self._peer, hello.token)
        plugin = hello.role.removeprefix(PLUGIN_ROLE) if hello.role.startswith(PLUGIN_ROLE) else None
        self._caller = UiCaller(door="wire", pid=self._peer.pid, pane=pane, plugin=plugin, slot=self._slot)
        self._hello = hello
        self._stop_hello_timer()
        self.send(FrameKind.WELCOME, 0, host.welcome)

    def _ack(self, channel: int, payload: bytes) -> None:
        if len(payload) != COUNT.size:
            raise Invalid("an ACK holds one count")
        if self._slot.ui is not None:
            self._host.acked(self._slot.ui, channel, COUNT.unpack(payload)[0])

    def _input(self, channel: int, payload: bytes) -> None:
        event = _input_event(payload)
        # First, so that one who is killed in between has lost the event; the other way round it would come twice.
        self.send_pane_frame(FrameKind.TAKEN, channel, b"")
        if self._slot.ui is not None:
            self._host.pressed(self._slot.ui, channel, event)

    def _request(self, number: int, request: Request) -> None:
        if number == 0 or number in self._tasks:
            raise Invalid(f"the request number {number} is taken")
        task = self._host.tasks.start(self._answered(number, request), f"request {request.command}")
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._tasks.pop(number, None))

    # Requests

    async def _answered(self, number: int, request: Request) -> None:
        try:
            await self._answer(number, request)
        except OrcaError as error:
            self._send_error(number, error)
        except Exception as error:
            logger.error("%s failed: %s", request.command, place_of(error))
            self._send_error(number, OrcaError("the server made a mistake; its log says where"))

    async def _answer(self, number: int, request: Request) -> None:
        command = COMMANDS_BY_NAME.get(request.command)
        if command is None:
            raise Unsupported(f"this server (orca-tui {__version__}) has no command {request.command!r}")
        wanted: msgspec.Struct = decode(request.body, command.request)
        assert self._caller is not None
        if command.stream:
            await self._stream(number, command, wanted, self._caller)
        else:
            self.send(
                FrameKind.REPLY, number, await self._host.dispatcher.call(command, wanted, self._caller)
            )

    async def _stream(
        self, number: int, command: Command[Any, Any], request: msgspec.Struct, caller: UiCaller
    ) -> None:
        async with aclosing(self._host.dispatcher.stream(command, request, caller)) as items:
            async for item in items:
                self.send(FrameKind.ITEM, number, item)
                await self._writable.wait()
        if self._transport is not None:
            self._transport.write(frame(FrameKind.END, number))

    def _stop_hello_timer(self) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None


def _input_event(payload: bytes) -> InputEvent:
    """Raises `Invalid` without the contents: somebody typed them."""
    try:
        return _INPUT.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid("malformed input event") from error
