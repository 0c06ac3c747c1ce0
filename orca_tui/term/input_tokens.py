"""Where one piece of terminal input ends: bytes -> tokens. What a token means is `input_decoder.py`'s.

Stateless: `scan` is given all bytes from the start of a piece and says None while more are needed.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec

from orca_tui.term.key_codes import KEY_BY_KEYPAD_LETTER, KEY_BY_LETTER, LINUX_FUNCTION_KEYS, RXVT_ARROWS
from orca_tui.term.replies import STRING_STARTS

ESC, BEL = 0x1B, 0x07


class Byte(msgspec.Struct, frozen=True):
    """An ASCII byte; `alt` when ESC came before it."""

    value: int
    alt: bool = False


class Character(msgspec.Struct, frozen=True):
    """A character beyond ASCII; `alt` when ESC came before it."""

    text: str
    alt: bool = False


class BadByte(msgspec.Struct, frozen=True):
    """A byte that is not UTF-8."""

    raw: bytes


class Csi(msgspec.Struct, frozen=True):
    """`CSI prefix parameters intermediates final`."""

    prefix: str
    parameters: str
    intermediates: str
    final: str
    raw: bytes


class Ss3(msgspec.Struct, frozen=True):
    """`SS3 letter` of a key, with the digits that some terminals put in front of the letter."""

    modifier: str
    letter: str


class LinuxKey(msgspec.Struct, frozen=True):
    """The Linux console's `CSI [ letter`."""

    letter: str


class X10Mouse(msgspec.Struct, frozen=True):
    """`CSI M` and three bytes."""

    three: bytes


class ControlString(msgspec.Struct, frozen=True):
    """OSC, DCS or APC up to its terminator; `introducer` is the byte after ESC."""

    introducer: int
    body: bytes
    raw: bytes


class Broken(msgspec.Struct, frozen=True):
    """A sequence that something else broke off."""

    raw: bytes


Simple: TypeAlias = Byte | Character | BadByte | Csi | Ss3 | LinuxKey | X10Mouse | ControlString | Broken


class DoubleEscape(msgspec.Struct, frozen=True):
    """ESC before a whole sequence: alt with its key (rxvt, PuTTY), or Escape pressed just before it."""

    token: Simple


Token: TypeAlias = Simple | DoubleEscape

_Scan: TypeAlias = "tuple[Simple, int] | None"
"""A token and where the next one begins; None when more bytes are needed."""

_CSI_BODY = re.compile(rb"[ -?]*")
_CSI_PARTS = re.compile(r"([<=>?]?)(.*?)([ -/]*)\Z")
_RXVT_SHIFT = re.compile(rb"(\d+)\$")
_SS3_MODIFIER = re.compile(rb"\d{0,3}")
_STRING_END = re.compile(rb"[\x00-\x1f]")

_SS3_LETTERS = frozenset(KEY_BY_LETTER) | frozenset(RXVT_ARROWS) | frozenset(KEY_BY_KEYPAD_LETTER)

_ESCAPE = Byte(ESC)


def scan(data: bytes, at: int) -> tuple[Token, int] | None:
    """The token at `at` and where the next one begins; None when more bytes are needed."""
    if data[at] != ESC:
        return _scan_character(data, at)
    if at + 1 >= len(data):
        return None
    if data[at + 1] != ESC:
        return _scan_escape(data, at)
    if at + 2 >= len(data):
        return None
    if data[at + 2] not in b"[O":
        return _ESCAPE, at + 1
    inner = _scan_escape(data, at + 1)
    return None if inner is None else (DoubleEscape(inner[0]), inner[1])


def _scan_escape(data: bytes, at: int) -> _Scan:
    """ESC and at least one byte that is not ESC."""
    byte = data[at + 1]
    if byte == ord("["):
        return _scan_csi(data, at)
    if byte == ord("O"):
        return _scan_ss3(data, at)
    if byte in STRING_STARTS:
        return _scan_string(data, at)
    inner = _scan_character(data, at + 1)
    if inner is None:
        return None
    match inner[0]:
        case Byte(value=value):
            return Byte(value, alt=True), inner[1]
        case Character(text=text):
            return Character(text, alt=True), inner[1]
        case _:
            return _ESCAPE, at + 1


def _scan_csi(data: bytes, at: int) -> _Scan:
    match = _CSI_BODY.match(data, at + 2)
    assert match is not None  # It matches nothing at least.
    body, end = match.group(), match.end()
    shifted = _RXVT_SHIFT.match(body)
    if shifted is not None:  # Whatever follows: it may be here already, or come later.
        end = at + 2 + shifted.end()
        return Csi("", shifted[1].decode(), "", "$", data[at:end]), end
    if end >= len(data):
        return None
    final = data[end]
    if not body and final == ord("M"):
        return (X10Mouse(data[at + 3 : at + 6]), at + 6) if at + 6 <= len(data) else None
    if not body and final == ord("["):
        return _scan_linux_key(data, at)
    if not 0x40 <= final <= 0x7E:
        return (Broken(data[at:end]), end) if body else (Byte(ord("["), alt=True), end)
    parts = _CSI_PARTS.match(body.decode())
    assert parts is not None
    prefix, parameters, intermediates = parts.groups()
    return Csi(prefix, parameters, intermediates, chr(final), data[at : end + 1]), end + 1


def _scan_linux_key(data: bytes, at: int) -> _Scan:
    if at + 3 >= len(data):
        return None
    if chr(data[at + 3]) not in LINUX_FUNCTION_KEYS:
        return Byte(ord("["), alt=True), at + 2
    return LinuxKey(chr(data[at + 3])), at + 4


def _scan_ss3(data: bytes, at: int) -> _Scan:
    match = _SS3_MODIFIER.match(data, at + 2)
    end = match.end() if match else at + 2
    if end >= len(data):
        return None
    if chr(data[end]) not in _SS3_LETTERS:
        return Byte(ord("O"), alt=True), at + 2
    return Ss3(data[at + 2 : end].decode(), chr(data[end])), end + 1


def _scan_string(data: bytes, at: int) -> _Scan:
    """OSC, DCS or APC, ended by BEL or `ESC \\`; with a body that no reply has it was alt and a key."""
    introducer, body = data[at + 1], at + 2
    if body >= len(data):
        return None
    if data[body] not in STRING_STARTS[introducer]:
        return Byte(introducer, alt=True), body
    match = _STRING_END.search(data, body)
    if match is None:
        return None
    end = match.start()
    if data[end] == BEL:
        return ControlString(introducer, data[body:end], data[at : end + 1]), end + 1
    if data[end] != ESC:
        return Broken(data[at:end]), end
    if end + 1 >= len(data):
        return None
    if data[end + 1] != ord("\\"):
        return Broken(data[at:end]), end
    return ControlString(introducer, data[body:end], data[at : end + 2]), end + 2


def _scan_character(data: bytes, at: int) -> _Scan:
    first = data[at]
    if first < 0x80:
        return Byte(first), at + 1
    length = _utf8_length(first)
    piece = data[at : at + length]
    try:
        if length:
            return Character(piece.decode()), at + length
    except UnicodeDecodeError:
        if len(piece) < length and all(byte & 0xC0 == 0x80 for byte in piece[1:]):
            return None
    return BadByte(data[at : at + 1]), at + 1


def _utf8_length(first: int) -> int:
    """Bytes of the character that begins with `first`; 0 when none does."""
    if 0xC2 <= first <= 0xDF:
        return 2
    if 0xE0 <= first <= 0xEF:
        return 3
    return 4 if 0xF0 <= first <= 0xF4 else 0


def string_terminator(data: bytes, at: int) -> int | None:
    """Where input goes on after a string too long to keep: behind BEL, or at any other control."""
    match = _STRING_END.search(data, at)
    if match is None:
        return None
    return match.end() if data[match.start()] == BEL else match.start()
