"""A pane's journal as bytes: what its engine was given, in order. Pure.

A record is `kind: u8, length: u32, CRC-32: u32` (little endian) and the payload. The checksum covers kind and
payload. A journal that ends within a record was cut by a crash; what is before it holds.
"""

from __future__ import annotations

import struct
import zlib
from enum import IntEnum
from typing import NamedTuple

RECORD = struct.Struct("<BII")
SIZE = struct.Struct("<HH")


class Kind(IntEnum):
    FED = 1
    """Bytes that the engine was fed."""
    RESIZED = 2
    """`SIZE`: columns, rows."""
    LEFT_OUT = 3
    """From here on something is missing; no payload."""


KINDS = frozenset(int(kind) for kind in Kind)


class Records(NamedTuple):
    """What can be read of a journal."""

    records: list[tuple[Kind, bytes]]
    good_bytes: int
    """Where the first byte is that belongs to no whole record."""


def header(kind: Kind, payload: bytes) -> bytes:
    """What is written before a payload."""
    return RECORD.pack(kind, len(payload), _checksum(kind, payload))


def parsed(data: bytes) -> Records:
    """The records of a journal, up to the first that is cut or damaged."""
    found: list[tuple[Kind, bytes]] = []
    at = 0
    while at + RECORD.size <= len(data):
        number, length, checksum = RECORD.unpack_from(data, at)
        end = at + RECORD.size + length
        payload = data[at + RECORD.size : end]
        if end > len(data) or not _is_whole(number, payload, checksum):
            break
        found.append((Kind(number), payload))
        at = end
    return Records(found, at)


def _is_whole(number: int, payload: bytes, checksum: int) -> bool:
    return (
        number in KINDS
        and checksum == _checksum(number, payload)
        and (number != Kind.RESIZED or len(payload) == SIZE.size)
    )


def _checksum(kind: int, payload: bytes) -> int:
    return zlib.crc32(payload, kind)
