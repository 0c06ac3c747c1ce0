"""Frames and messages between server, UI, CLI and client. No sockets here: bytes and values only.

A frame is `length: u32, kind: u8, channel: u32` (little endian; length counts what follows it) and a payload.
Control frames carry msgpack; pane frames (SNAPSHOT, OUTPUT) carry raw terminal bytes, so that output is never
copied into objects. `channel` is the request's number on control frames, the pane's channel on pane frames.

One connection carries both: requests with their replies, and the frames of the panes its UI shows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec

from orca_tui.base.errors import Invalid, TooLarge
from orca_tui.layout import Layout
from orca_tui.status.record import StatusRecord

T = TypeVar("T")

PROTOCOL = 3
"""Raised when a frame or message changes its meaning; both sides must agree."""

HEADER = struct.Struct("<IBI")
HEADER_REST = HEADER.size - 4  # What `length` counts beside the payload.
MAX_FRAME_BYTES = 64 << 20
"""A frame beyond this is a broken or hostile peer; a snapshot of 10,000 wide coloured lines has 5 MB."""

OUTPUT_FRAME_BYTES = 16 << 10
WINDOW_BYTES = 64 << 10
"""Unacknowledged bytes per UI and pane. 256 KiB would be 8 ms of feeding on each side of the key's echo."""


class FrameKind(IntEnum):
    HELLO = 1
    """Client to server, first: `Hello`."""
    WELCOME = 2
    """Server to client: `Welcome`."""
    REQUEST = 3
    """Client to server: `Request`; `channel` is the client's number for it."""
    REPLY = 4
    """The reply of a command, once."""
    ITEM = 5
    """One item of a streaming command."""
    END = 6
    """A streaming command is over."""
    ERROR = 7
    """`ErrorBody`: in place of a reply, or of the rest of a stream; channel 0: the connection is refused."""
    CANCEL = 8
    """Client to server: the answer to that request is not wanted any more."""
    LEAVE = 9
    """Client to server, first and in place of a hello: make place for another server, which takes the panes. The
    server hangs up when it goes. HELLO, ERROR and LEAVE are the same in every protocol."""

    SNAPSHOT = 16
    """Pane: forget the engine, restore this one (flag byte: 1 = history included, then the snapshot)."""
    OUTPUT = 17
    """Pane: bytes to apply."""
    RESIZED = 18
    """Pane: `SIZE` (cols, rows)."""
    EXITED = 19
    """Pane: `Exited`; the screen stays."""
    TAKEN = 20
    """The oldest INPUT of the channel that was not taken yet is; from now on it is the server's to deliver."""
    ACK = 24
    """UI to server: `COUNT` payload bytes of SNAPSHOT and OUTPUT frames that the UI has fed."""
    INPUT = 25
    """UI to server: an `InputEvent` for the pane of that channel."""


COUNTED = frozenset({FrameKind.SNAPSHOT, FrameKind.OUTPUT})
"""Kinds whose payload bytes are acknowledged; the others are a few bytes between them."""

SIZE = struct.Struct("<HH")
COUNT = struct.Struct("<I")


PLUGIN_ROLE = "plugin "
"""What a plugin's role begins with; its id follows."""


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    protocol: int
    version: str
    role: str
    """`ui`, `cli`, `api`, `plugin-host`, or `plugin ID`, which names who leaves a notice."""
    engine_build: str | None = None
    """Of a UI; None for clients that restore no snapshots."""
    token: str | None = None
    """`ORCA_TUI_TOKEN` of whoever is started in a pane: names that pane where the kernel cannot."""


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    protocol: int
    version: str
    server: str
    """The server's name, such as `default`."""
    pid: int
    engine_build: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    command: str
    body: msgspec.Raw


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    message: str
    facts: dict[str, Any] = {}


class Exited(msgspec.Struct, frozen=True, kw_only=True):
    exit_code: int
    """Negative for a signal."""


class PaneInfo(StatusRecord, frozen=True, kw_only=True):
    """A pane as `orca-tui list` prints it: its status record and the facts of its terminal and process."""

    title: str = ""
    """As the program set it; empty when it set none."""
    name: str = ""
    """Given by a person; shown instead of the title."""
    cwd: str = ""
    pid: int | None = None
    command: tuple[str, ...] = ()
    size: tuple[int, int] = (0, 0)
    """Columns, rows."""
    tab: str = ""
    workspace: str = ""
    cpu_percent: float | None = None
    """Of the pane's process group, 100 = one core; None until it was measured twice."""
    rss_bytes: int | None = None
    pending_notices: int = 0
    resume: tuple[str, ...] = ()
    """The command that goes on with the session of the agent that is, or was, there; empty where there is none."""
    granted: tuple[str, ...] = ()
    """What its programs may do beside what panes may: panes that they drive, `tab`, `all`."""


# What an attached UI is told, as items of `ui.attach`.


class Synced(msgspec.Struct, frozen=True, kw_only=True, tag="synced"):
    """The whole state; the first item, and again after the UI fell behind."""

    layout: Layout
    panes: tuple[PaneInfo, ...]
    saved_panes: int = 0
    """How many the newest session has whose programs are gone; 0 also while other panes are there."""


class LayoutChanged(msgspec.Struct, frozen=True, kw_only=True, tag="layout"):
    layout: Layout


class PaneChanged(msgspec.Struct, frozen=True, kw_only=True, tag="pane"):
    pane: PaneInfo


class PaneGone(msgspec.Struct, frozen=True, kw_only=True, tag="gone"):
    pane: str


class Rang(msgspec.Struct, frozen=True, kw_only=True, tag="rang"):
    """A pane wants attention; only the UI used last is told, so that one desktop notification shows."""

    pane: str
    title: str
    body: str


class ClipboardOffered(msgspec.Struct, frozen=True, kw_only=True, tag="clipboard"):
    """The focused pane's program set the clipboard (OSC 52)."""

    pane: str
    text: str


class PaneRepictured(msgspec.Struct, frozen=True, kw_only=True, tag="pictures"):
    """Cells of a pane with these images show other pictures than before, or none: what a UI knows of them is void."""

    pane: str
    images: tuple[int, ...]


class Told(msgspec.Struct, frozen=True, kw_only=True, tag="told"):
    """A line for a toast. `severity` is information, warning or error."""

    text: str
    severity: str = "information"


class ConsentAsked(msgspec.Struct, frozen=True, kw_only=True, tag="consent"):
    """An agent could do more with the user's consent, and nobody has answered yet. Only the UI used last is told.

    The answer is a command: `agents allow` or `agents deny`. None is one as well.
    """

    agent: str
    title: str
    """The agent's, such as `Codex`."""
    text: str
    """What is asked for."""


class DetachAsked(msgspec.Struct, frozen=True, kw_only=True, tag="detach"):
    """Leave: somebody ran `detach`, or the server stops (`reason` says which)."""

    reason: str
    stopping: bool = False


class Leaving(msgspec.Struct, frozen=True, kw_only=True, tag="leaving"):
    """The server makes place for another one, which somebody is about to start: stay."""


UiItem: TypeAlias = (
    Leaving
    | Synced
    | LayoutChanged
    | PaneChanged
    | PaneGone
    | Rang
    | ClipboardOffered
    | PaneRepictured
    | Told
    | ConsentAsked
    | DetachAsked
)


ChannelNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=0xFFFFFFFF)]
"""As it fits into a frame's header; 0 is the connection itself."""

Cells: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]


class PaneView(msgspec.Struct, frozen=True, kw_only=True):
    """One pane that a UI has on screen: the channel for its frames and the size it has room for."""

    pane: str
    channel: ChannelNumber
    cols: Cells
    rows: Cells


# Bytes <-> frames


def frame(kind: FrameKind, channel: int, payload: bytes = b"") -> bytes:
    """One frame as bytes."""
    return HEADER.pack(HEADER_REST + len(payload), kind, channel) + payload


def message(kind: FrameKind, channel: int, value: object) -> bytes:
    """One control frame with a msgpack payload."""
    return frame(kind, channel, msgspec.msgpack.encode(value))


def decode(payload: bytes | memoryview, expected: type[T]) -> T:
    """Read a control payload; raises `Invalid` with the reason and without the contents."""
    try:
        return msgspec.msgpack.decode(payload, type=expected)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(f"malformed {getattr(expected, '__name__', 'message')}: {error}") from error


class FrameReader:
    """Cuts a byte stream into frames; a frame may arrive in any number of pieces."""

    def __init__(self, max_frame_bytes: int = MAX_FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self._max_frame_bytes = max_frame_bytes

    def feed(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Yield (kind, channel, payload) of every frame now complete; raises `TooLarge` or `Invalid`."""
        self._buffer += data
        start = 0
        try:
            while (end := self._end_of_frame(start)) is not None:
                _, kind, channel = HEADER.unpack_from(self._buffer, start)
                payload = bytes(self._buffer[start + HEADER.size : end])
                start = end
                yield kind, channel, payload
        finally:
            del self._buffer[:start]

    def _end_of_frame(self, start: int) -> int | None:
        if len(self._buffer) - start < HEADER.size:
            return None
        (length,) = COUNT.unpack_from(self._buffer, start)
        if length > self._max_frame_bytes:
            raise TooLarge("a frame", self._max_frame_bytes)
        if length < HEADER_REST:
            raise Invalid("a frame is shorter than its header")
        end = start + 4 + length
        return end if len(self._buffer) >= end else None
