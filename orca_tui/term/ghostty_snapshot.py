"""A terminal as bytes and back, with the library's own format (only between equal builds)."""

from __future__ import annotations

from struct import Struct

from orca_tui.base.errors import EngineMismatch
from orca_tui.term.ghostty_library import CData, GhosttyLibrary

CONTINUATION_MAX_BYTES = 4 << 20
"""Bytes of an unfinished sequence that a snapshot may hold. Beyond it there is no snapshot until it ends."""

SNAPSHOT_HEADER_BYTES = 10  # "GHOSTSNP" and the format's version.
RECORD_HEADER = Struct("<HII")  # Tag, length of what follows, checksum.
READY_TAG = 5
"""The record after which a terminal is live; scrollback pages follow it."""


class ReadyPart:
    """Takes an encoder's output until the READY record is complete, then stops the encoder."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.complete = False
        self._next_record = SNAPSHOT_HEADER_BYTES

    def take(self, data: bytes) -> bool:
        """Add output; False once no more is wanted."""
        self.data += data
        while not self.complete and self._next_record + RECORD_HEADER.size <= len(self.data):
            tag, length, _ = RECORD_HEADER.unpack_from(self.data, self._next_record)
            self._next_record += RECORD_HEADER.size + length
            self.complete = tag == READY_TAG and self._next_record <= len(self.data)
        if self.complete:
            del self.data[self._next_record :]
        return not self.complete


def encode_snapshot(library: GhosttyLibrary, terminal: CData, *, with_history: bool) -> bytes | None:
    """The terminal as bytes; None while an unfinished sequence is longer than the library keeps, or when it has
    found something on a screen that is not as it should be."""
    return _encode_all(library, terminal) if with_history else _encode_ready(library, terminal)


def is_sound(library: GhosttyLibrary, terminal: CData) -> bool:
    """Whether the library finds nothing on the screens that it makes no snapshot of; takes some 2 ms."""
    return _encode_ready(library, terminal) is not None


def _encode_all(library: GhosttyLibrary, terminal: CData) -> bytes | None:
    ffi, lib = library.ffi, library.lib
    data, length = ffi.new("uint8_t**"), ffi.new("size_t*")
    if lib.ghostty_snapshot_encode_alloc(terminal, ffi.NULL, data, length):
        return None
    try:
        return bytes(ffi.buffer(data[0], length[0]))
    finally:
        lib.ghostty_free(ffi.NULL, data[0], length[0])


def _encode_ready(library: GhosttyLibrary, terminal: CData) -> bytes | None:
    ffi, lib = library.ffi, library.lib
    part = ReadyPart()
    write = ffi.callback(
        "GhosttyWriterFn", lambda _, data, length: part.take(bytes(ffi.buffer(data, length)))
    )
    lib.ghostty_snapshot_encode(terminal, ffi.new("GhosttyWriter*", {"write": write})[0])
    return bytes(part.data) if part.complete else None


def decode_snapshot(library: GhosttyLibrary, snapshot: bytes) -> CData:
    """A new terminal from `encode_snapshot`'s bytes, without callbacks; `EngineMismatch` for any other bytes."""
    ffi, lib = library.ffi, library.lib
    source = ffi.from_buffer("uint8_t[]", snapshot)  # The decoder reads it in place.
    decoder_out, terminal_out = ffi.new("GhosttySnapshotDecoder*"), ffi.new("GhosttyTerminal*")
    if lib.ghostty_snapshot_decoder_new_buf(ffi.NULL, decoder_out, source, len(snapshot)):
        raise _unreadable(snapshot)
    decoder = decoder_out[0]
    try:
        _set_continuation(library, decoder)
        if lib.ghostty_snapshot_decoder_ready(decoder, terminal_out):
            raise _unreadable(snapshot)
        if not _decode_history(library, decoder, len(snapshot)):
            lib.ghostty_terminal_free(terminal_out[0])
            raise _unreadable(snapshot)
    finally:
        lib.ghostty_snapshot_decoder_free(decoder)
    return terminal_out[0]


def _set_continuation(library: GhosttyLibrary, decoder: CData) -> None:
    """Keep unfinished sequences in the new terminal, so that it can be made a snapshot again."""
    ffi, lib = library.ffi, library.lib
    lib.ghostty_snapshot_decoder_set(
        decoder, lib.GHOSTTY_SNAPSHOT_DECODER_OPT_RETAIN_CONTINUATION, ffi.new("bool*", True)
    )
    lib.ghostty_snapshot_decoder_set(
        decoder,
        lib.GHOSTTY_SNAPSHOT_DECODER_OPT_MAX_CONTINUATION_BYTES,
        ffi.new("size_t*", CONTINUATION_MAX_BYTES),
    )


def _decode_history(library: GhosttyLibrary, decoder: CData, length: int) -> bool:
    """Read what follows READY, if there is any; False when it cannot be read."""
    ffi, lib = library.ffi, library.lib
    offset = ffi.new("size_t*")
    lib.ghostty_snapshot_decoder_get(decoder, lib.GHOSTTY_SNAPSHOT_DECODER_DATA_SOURCE_OFFSET, offset)
    if offset[0] == length:
        return True
    while (result := lib.ghostty_snapshot_decoder_next(decoder)) == lib.GHOSTTY_SUCCESS:
        pass
    return bool(result == lib.GHOSTTY_NO_VALUE)  # Only after the record that ends a snapshot.


def _unreadable(snapshot: bytes) -> EngineMismatch:
    return EngineMismatch("the snapshot of a terminal cannot be read by this build", size_bytes=len(snapshot))


def continuation(library: GhosttyLibrary, terminal: CData) -> bytes:
    """The bytes of the sequence that is unfinished; empty outside of one."""
    ffi, lib = library.ffi, library.lib
    data, length = ffi.new("uint8_t**"), ffi.new("size_t*")
    if lib.ghostty_terminal_continuation_alloc(terminal, ffi.NULL, data, length) or not length[0]:
        return b""
    try:
        return bytes(ffi.buffer(data[0], length[0]))
    finally:
        lib.ghostty_free(ffi.NULL, data[0], length[0])
