"""The side scanner: finds in a child's output what the engine does not tell or does not do.

Rule 1: an ESC begins a sequence wherever it stands, as in the engine: also inside an OSC, DCS or APC.
  What follows must stand right behind it; the control characters that a parser allows there, nobody writes.
Rule 2: an OSC ends at BEL or ESC and is void after CAN or SUB; other control characters in it do not count.
Rule 3: a sequence may be cut anywhere; `pending` is the tail that the next bytes may complete, and no more.
Rule 4: an OSC over its limit is no event; what is pending is bounded by the largest limit.
Rule 5: output without ESC is passed over without being looked at.
Rule 6: what programs may ask only with the user's permission is looked for only where that was given, and pictures
  only where they are shown.

It changes nothing: each event says where in the new bytes it ends, and the engine acts there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from orca_tui.term.pictures.scan import PictureScanner, PictureSeen

OSC_LIMITS = {b"26": 16384, b"99": 4096, b"133": 1024, b"7501": 4096, b"9999": 65536}
"""Longest payload that counts, in bytes, by OSC number: 7501 has its own limit, 26 carries lists of tasks, 9999 JSON
with a prompt."""

PENDING_LIMIT = max(OSC_LIMITS.values()) + 16

NEEDLES = (
    (b"\x1b]", b"]"),
    (b"\x1bc", b"c"),
    (b"\x1b[!p", b"!"),
    (b"\x1b[?6n", b"?"),
    (b"\x1b[?40", b"?"),
    (b"\x1bP+q", b"+"),
)
"""What events begin with, and the rarest byte of it.

They are searched one by one, which is several times faster than a pattern, and only where that byte occurs
at all, which is found out 20 times faster still.
"""

EVENT = re.compile(
    rb"\x1b(?:"
    rb"\](?P<number>26|99|133|7501|9999);(?P<payload>[^\x07\x18\x1a\x1b]*)[\x07\x1b]"
    rb"|(?P<reset>c)"
    rb"|(?P<soft_reset>\[!p)"
    rb"|(?P<position>\[\?6n)"
    rb"|\[\?(?P<modes>40(?:;[0-9;]{0,64})?)h"
    rb"|P\+q(?P<capabilities>[0-9A-Fa-f;]{1,1024})\x1b"
    rb"|\[(?P<checksum>[0-9;]{0,64})\*y"
    rb"|\[8;(?P<size>[0-9;]{0,64})t"
    rb")"
)

ASKED_WITH_PERMISSION = re.compile(rb"\x1b\[[0-9;]{0,64}(?:\*y|t)")
"""What begins a `ChecksumAsked` or a `SizeAsked`."""

UNFINISHED = re.compile(
    rb"\x1b(?:"
    rb"\](?:[0-9]{0,4}|(?:26|99|133|7501|9999);[^\x07\x18\x1a\x1b]*)"
    rb"|\[(?:!|\?(?:6|4|40(?:;[0-9;]{0,64})?)?)?"
    rb"|\[[0-9;]{0,64}\*?"
    rb"|P(?:\+(?:q[0-9A-Fa-f;]{0,1024})?)?"
    rb")?"
)
"""Every beginning of an `EVENT`."""

IGNORED_IN_OSC = bytes({*range(0x20), 0x7F})


@dataclass(frozen=True, slots=True, kw_only=True)
class OscSeen:
    """One of the OSC sequences in `OSC_LIMITS`."""

    end: int
    number: int
    payload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FullResetSeen:
    """RIS: `ESC c`."""

    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftResetSeen:
    """DECSTR: `CSI ! p`."""

    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorPositionAsked:
    """DECXCPR: `CSI ? 6 n`."""

    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSwitchAllowed:
    """DECSET with mode 40 first, after which mode 3 would change the number of columns."""

    end: int
    other_modes: bytes
    """The other modes that the sequence sets, separated by semicolons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilitiesAsked:
    """XTGETTCAP: `DCS + q names ST`."""

    end: int
    names: tuple[bytes, ...]
    """In hexadecimal, as they were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksumAsked:
    """DECRQCRA: `CSI id ; page ; top ; left ; bottom ; right * y`."""

    end: int
    numbers: tuple[int, ...]
    """As many as were given; 0 for those that are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeAsked:
    """`CSI 8 ; rows ; columns t`."""

    end: int
    numbers: tuple[int, ...]
    """Those after the 8, as in `ChecksumAsked`."""


ScanEvent: TypeAlias = (
    OscSeen
    | FullResetSeen
    | SoftResetSeen
    | CursorPositionAsked
    | ColumnSwitchAllowed
    | CapabilitiesAsked
    | ChecksumAsked
    | SizeAsked
    | PictureSeen
)
"""`end` is the offset in the scanned bytes just after the event's last byte."""


class SideScanner:
    """Reads one child's output in pieces; its whole state is `pending`, beside that of pictures."""

    def __init__(self, pending: bytes = b"", *, permitted: bool = False, pictures: bool = False) -> None:
        """Start inside the sequence that `pending` begins, as after a restored snapshot.

        `permitted`: find what programs may ask only with permission too; `pictures`: and commands of pictures.
        """
        self._permitted = permitted
        self._pictures = PictureScanner() if pictures else None
        self.pending = b""
        self.scan(pending)

    def scan(self, data: bytes) -> list[ScanEvent]:
        """The events that end in `data`, in order."""
        events = self._scan(data)
        if self._pictures is not None and (seen := self._pictures.scan(data)):
            return sorted([*events, *seen], key=lambda event: event.end)
        return events

    def _scan(self, data: bytes) -> list[ScanEvent]:
        carried = len(self.pending)
        if not carried and data.find(b"\x1b") < 0:
            return []
        joined = self.pending + data if carried else data
        starts = _starts(joined)
        if self._permitted:
            starts = sorted({*starts, *(match.start() for match in ASKED_WITH_PERMISSION.finditer(joined))})
        found = [event for start in starts if (event := _event(joined, start, carried))]
        self.pending = _unfinished_tail(joined)
        return found


def _starts(data: bytes) -> list[int]:
    starts = []
    for needle, rarest in NEEDLES:
        at = data.find(needle) if rarest in data else -1
        while at >= 0:
            starts.append(at)
            at = data.find(needle, at + len(needle))
    starts.sort()
    return starts


def _event(data: bytes, start: int, carried: int) -> ScanEvent | None:
    """The event that begins at `start` of `data`, whose first `carried` bytes were scanned before."""
    found = EVENT.match(data, start)
    if found is None:
        return None
    end = found.end() - carried
    match found.lastgroup:
        case "payload":
            number, payload = found["number"], found["payload"]
            if len(payload) > OSC_LIMITS[number]:
                return None
            return OscSeen(
                end=end,
                number=int(number),
                payload=payload.translate(None, IGNORED_IN_OSC).decode("utf-8", "replace"),
            )
        case "reset":
            return FullResetSeen(end=end)
        case "soft_reset":
            return SoftResetSeen(end=end)
        case "position":
            return CursorPositionAsked(end=end)
        case "capabilities":
            names = tuple(name for name in found["capabilities"].split(b";") if name)
            return CapabilitiesAsked(end=end, names=names)
        case "checksum":
            return ChecksumAsked(end=end, numbers=_numbers(found["checksum"]))
        case "size":
            return SizeAsked(end=end, numbers=_numbers(found["size"]))
        case _:
            return ColumnSwitchAllowed(end=end, other_modes=_without_mode_40(found["modes"]))


def _numbers(parameters: bytes) -> tuple[int, ...]:
    return tuple(int(digits or b"0") for digits in parameters.split(b";"))


def _without_mode_40(modes: bytes) -> bytes:
    return b";".join(mode for mode in modes.split(b";") if mode and mode != b"40")


def _unfinished_tail(data: bytes) -> bytes:
    start = data.rfind(b"\x1b")
    if start < 0 or len(data) - start > PENDING_LIMIT or UNFINISHED.fullmatch(data, start) is None:
        return b""
    return data[start:]
