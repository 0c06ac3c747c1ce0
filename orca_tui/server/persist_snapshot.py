"""A pane's screen as the bytes of a file, and back. Pure.

The engine's own snapshot can be read by the same build only. So a text in terminal sequences may stand beside
it, which any build shows, if only about as it was.
"""

from __future__ import annotations

import zlib

import msgspec

from orca_tui.base.errors import OrcaError

MAGIC = b"OTSCREEN1\n"
CHECKSUM_BYTES = 4


class Damaged(OrcaError):
    """What was read is not what was written."""

    code = "damaged"


class ScreenSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """One screen at one moment."""

    build: str
    """Of the engine that made `snapshot`."""
    generation: int
    """The journal of that number goes on from here."""
    cols: int
    rows: int
    snapshot: bytes
    text: bytes = b""
    """Scrollback and screen as sequences; empty where making it would have taken too long."""


def encoded(snapshot: ScreenSnapshot) -> bytes:
    """The file's bytes."""
    body = msgspec.msgpack.encode(snapshot)
    return MAGIC + zlib.crc32(body).to_bytes(CHECKSUM_BYTES, "little") + body


def decoded(data: bytes) -> ScreenSnapshot:
    """The snapshot of a file; raises `Damaged`."""
    body_at = len(MAGIC) + CHECKSUM_BYTES
    checksum, body = data[len(MAGIC) : body_at], memoryview(data)[body_at:]
    if not data.startswith(MAGIC) or int.from_bytes(checksum, "little") != zlib.crc32(body):
        raise Damaged("the snapshot of a screen is damaged")
    try:
        return msgspec.msgpack.decode(body, type=ScreenSnapshot)
    except msgspec.DecodeError as error:
        raise Damaged("the snapshot of a screen is of another format") from error
