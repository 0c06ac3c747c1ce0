"""What the outer terminal answers to our questions, as values. A reply is never a keystroke, however late.

`parse_csi_reply` and `parse_string_reply` are pure; which sequences are replies at all is said here.
"""

from __future__ import annotations

import re

import msgspec


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the terminal said, rather than the person at it."""


class DeviceAttributes(Reply, frozen=True, kw_only=True):
    """DA1 (`level` 1) or DA2 (`level` 2). Every terminal answers DA1, so it closes a row of questions."""

    level: int
    parameters: tuple[int, ...]


class CursorReport(Reply, frozen=True, kw_only=True):
    """DSR 6: the cursor's cell, from 0."""

    x: int
    y: int


class ModeReport(Reply, frozen=True, kw_only=True):
    """DECRQM. `setting`: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset."""

    mode: int
    setting: int
    private: bool = True


class ColorReport(Reply, frozen=True, kw_only=True):
    """OSC 4, 10, 11 or 12: `slot` is the OSC's number, `index` the palette's entry for 4; 0 to 255 each."""

    slot: int
    index: int | None = None
    red: int
    green: int
    blue: int


class ColorScheme(Reply, frozen=True, kw_only=True):
    """DSR 997, asked for or told on change (mode 2031)."""

    dark: bool


class TerminalVersion(Reply, frozen=True, kw_only=True):
    """XTVERSION: name and version in the terminal's own words."""

    name: str


class KittyFlags(Reply, frozen=True, kw_only=True):
    """The kitty keyboard flags that are really in effect."""

    flags: int


class TerminalSize(Reply, frozen=True, kw_only=True):
    """Mode 2048's report: cells, and pixels (0 when the terminal does not know)."""

    cols: int
    rows: int
    width_px: int = 0
    height_px: int = 0


class PictureReport(Reply, frozen=True, kw_only=True):
    """What became of a command of kitty's graphics protocol."""

    image: int
    ok: bool


class OtherReply(Reply, frozen=True, kw_only=True):
    """A reply that nobody here reads, or a sequence that broke off."""

    raw: bytes


COLOR_SLOTS = frozenset({10, 11, 12})
"""Foreground, background, cursor."""

REPLY_FINALS = frozenset("cntxyR")
"""Final bytes of CSI replies that carry no private prefix; `R` is F3 as well, see `key_decoder`."""

STRING_STARTS = {ord("]"): b"0123456789lL", ord("P"): b"0123456789>!$", ord("_"): b"G"}
"""The introducers of string replies (OSC, DCS, APC) and the bytes a reply can go on with.

Anything else after them was typed: `ESC ]` is alt+] as well. SOS and PM (`ESC X`, `ESC ^`) answer nothing.
"""

REPLY_TAIL = re.compile(rb"\](?:\d+|[lL])[;\w]|\[[?>]\d|\[<\d|P[>!]|P\d[$+]|_G")
"""How a reply or a mouse report goes on whose ESC came alone, too early to be recognised."""

_COLOR = re.compile(r"(?:rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(?:/.*)?)\Z")
_PICTURE = re.compile(r"G(?:[^;]*,)?i=(\d{1,10})(?:,[^;]*)?;(.*)\Z")
_HEX_COLOR = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})\Z")


def parse_csi_reply(
    prefix: str, fields: tuple[int | None, ...], intermediates: str, final: str, raw: bytes
) -> Reply:
    """The reply in a CSI sequence; `fields` are its parameters, None where one is absent or no number."""
    numbers = tuple(field or 0 for field in fields)
    match prefix, intermediates, final, numbers:
        case "?", "", "c", _:
            return DeviceAttributes(level=1, parameters=numbers)
        case ">", "", "c", _:
            return DeviceAttributes(level=2, parameters=numbers)
        case "?", "", "u", (flags,):
            return KittyFlags(flags=flags)
        case (("?" | ""), "$", "y", (mode, setting)):
            return ModeReport(mode=mode, setting=setting, private=prefix == "?")
        case "?", "", "n", (997, scheme):
            return ColorScheme(dark=scheme == 1)
        case (("?" | ""), "", "R", (row, column, *_)):
            return CursorReport(x=max(column - 1, 0), y=max(row - 1, 0))
        case "", "", "t", (48, rows, cols, height, width):
            return TerminalSize(cols=cols, rows=rows, width_px=width, height_px=height)
        case _:
            return OtherReply(raw=raw)


def parse_string_reply(introducer: int, body: bytes, raw: bytes) -> Reply:
    """The reply in an OSC, DCS or APC string; `body` is what stands between introducer and terminator."""
    text = body.decode("utf-8", "replace")
    if introducer == ord("P") and text.startswith(">|"):
        return TerminalVersion(name=text[2:])
    if introducer == ord("_") and (told := _PICTURE.match(text)) is not None:
        return PictureReport(image=int(told[1]), ok=told[2] == "OK")
    if introducer == ord("]") and (color := _parse_color(text)) is not None:
        return color
    return OtherReply(raw=raw)


def _parse_color(text: str) -> ColorReport | None:
    slot, *rest = text.split(";")
    if slot.isdecimal() and len(rest) == 1 and int(slot[:3]) in COLOR_SLOTS and (rgb := _parse_rgb(rest[0])):
        return ColorReport(slot=int(slot[:3]), red=rgb[0], green=rgb[1], blue=rgb[2])
    if slot == "4" and len(rest) == 2 and rest[0].isdecimal() and (rgb := _parse_rgb(rest[1])):
        return ColorReport(slot=4, index=int(rest[0][:3]), red=rgb[0], green=rgb[1], blue=rgb[2])
    return None


def _parse_rgb(text: str) -> tuple[int, int, int] | None:
    """X11's `rgb:r/g/b` with one to four hexadecimal digits each, or `#rrggbb`, as 0 to 255."""
    if (match := _COLOR.match(text) or _HEX_COLOR.match(text)) is None:
        return None
    red, green, blue = (round(int(part, 16) * 255 / (16 ** len(part) - 1)) for part in match.groups())
    return red, green, blue
