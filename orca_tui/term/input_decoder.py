"""The outer terminal's bytes -> input events and replies. Does no I/O and knows no time.

Rule 1: a sequence may be cut anywhere; what is not whole waits for the next bytes.
Rule 2: only silence tells Escape from the start of a sequence. The caller owns the clock: `patience_s` says how
        long to wait for more, then `flush` settles what is open.
Rule 3: a reply of the terminal is never a key, whether late, cut or unknown.
Rule 4: a paste is one event, whatever is in it.
Rule 5: nothing raises, and no input makes memory grow beyond a cap.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from orca_tui.term.input_events import Focus, Key, Mouse, Paste
from orca_tui.term.input_tokens import (
    ESC,
    BadByte,
    Broken,
    Byte,
    Character,
    ControlString,
    Csi,
    DoubleEscape,
    LinuxKey,
    Simple,
    Ss3,
    Token,
    X10Mouse,
    scan,
    string_terminator,
)
from orca_tui.term.key_decoder import (
    Fields,
    character_key,
    control_key,
    is_cursor_report,
    parse_csi,
    parse_linux_function_key,
    parse_ss3,
    with_alt,
)
from orca_tui.term.mouse_decoder import MouseDecoder
from orca_tui.term.paste_buffer import MAX_PASTE_BYTES, OversizedPaste, PasteBuffer
from orca_tui.term.replies import (
    REPLY_FINALS,
    REPLY_TAIL,
    KittyFlags,
    OtherReply,
    Reply,
    parse_csi_reply,
    parse_string_reply,
)

ESCAPE_PATIENCE_S = 0.025
"""How long a lone ESC may be the start of a sequence: unnoticed by people, ample for a local terminal."""

REPLY_ESCAPE_PATIENCE_S = 0.15
"""The same while a reply is due: a reply cut behind its ESC must not press Escape."""

SEQUENCE_PATIENCE_S = 3.0
"""How long an open sequence waits for its end over a bad line; what is typed meanwhile is lost with it."""

PASTE_PATIENCE_S = 10.0
"""How long an open paste may stall before what came of it is delivered."""

MAX_SEQUENCE_BYTES = 16 * 1024
"""No reply and no key (with the text of an input method) is longer; the rest of a longer one is skipped."""

MAX_DIGITS = 7
"""Digits of the largest number that a sequence can mean (a code point); longer ones count as absent."""

Decoded: TypeAlias = Key | Mouse | Paste | Focus | Reply | OversizedPaste


class InputDecoder:
    """Incremental decoder of one terminal's input.

    `backspace` is what the Backspace key sends (termios' VERASE); when it is 8, that is no ctrl+h.
    """

    def __init__(self, *, backspace: int = 127, max_paste_bytes: int = MAX_PASTE_BYTES) -> None:
        self.mouse = MouseDecoder()
        self.kitty_flags: int | None = None
        """The kitty flags in effect, as the terminal told them; None until it did."""
        self.reply_due = False
        """Set by the caller while the terminal owes it an answer."""
        self.cursor_reports_due = 0
        """Counted up by the caller for each DSR 6 it sends; without one, `CSI 1 ; 2 R` is shift+F3."""
        self._backspace = backspace
        self._max_paste_bytes = max_paste_bytes
        self._open = b""
        self._skipping = False
        self._escape_flushed = False
        self._paste: PasteBuffer | None = None

    @property
    def pending_escape(self) -> bool:
        """True while what is open may be keys already: Escape, or alt with `[`, `]`, `O`, `P` or `_`."""
        after = self._open.lstrip(b"\x1b")
        return self._paste is None and self._open[:1] == b"\x1b" and len(after) <= 1 and after < b"\x80"

    @property
    def patience_s(self) -> float | None:
        """Seconds of silence after which to call `flush`, counted from the last byte; None: nothing is open."""
        if self._paste is not None:
            return PASTE_PATIENCE_S
        if not self._open and not self._skipping:
            return None
        if not self.pending_escape or self.kitty_flags:
            return SEQUENCE_PATIENCE_S  # Under the kitty protocol Escape is a sequence of its own.
        return REPLY_ESCAPE_PATIENCE_S if self.reply_due else ESCAPE_PATIENCE_S

    def decode(self, data: bytes) -> list[Decoded]:
        """Take bytes, cut anywhere; returns what they complete, in order."""
        if self._escape_flushed and REPLY_TAIL.match(data):
            data = b"\x1b" + data
        self._escape_flushed = False
        data = self._open + data
        events: list[Decoded] = []
        at = 0
        while at < len(data) and (after := self._step(data, at, events)) is not None:
            at = after
        self._open = data[at:]
        if len(self._open) > MAX_SEQUENCE_BYTES:
            events.append(OtherReply(raw=self._open))
            self._open, self._skipping = b"", True
        return events

    def flush(self) -> list[Decoded]:
        """Settle what is open, since nothing more came in time."""
        rest, self._open, self._skipping = self._open, b"", False
        if self._paste is not None:
            paste, self._paste = self._paste.finish(rest), None
            return [paste]
        self._escape_flushed = rest == b"\x1b"
        return self._settle(rest)

    def _settle(self, rest: bytes) -> list[Decoded]:
        """The keys in an unfinished sequence; one that went too far to be keys is no input."""
        match rest[:1], rest[1:]:
            case b"", _:
                return []
            case b"\x1b", b"":
                return [self._byte_key(ESC)]
            case b"\x1b", after if after[0] == ESC:
                return [self._byte_key(ESC), *self._settle(after)]
            case b"\x1b", after if len(after) == 1 and after < b"\x80":
                return [with_alt(self._byte_key(after[0]))]
            case b"\x1b", after if after[0] < 0x80:
                return [OtherReply(raw=rest)]
            case b"\x1b", after:
                return [self._byte_key(ESC), Key(key="", raw=after)]
        return [Key(key="", raw=rest)]

    def _step(self, data: bytes, at: int, events: list[Decoded]) -> int | None:
        """Take one piece of input; returns where the next begins, None when more bytes are needed."""
        if self._paste is not None:
            ended, after = self._paste.take(data, at)
            if ended:
                events.append(self._paste.finish())
                self._paste = None
            return after if ended or after > at else None
        if self._skipping:
            end = string_terminator(data, at)
            self._skipping = end is None
            return len(data) if end is None else end
        scanned = scan(data, at)
        if scanned is None:
            return None
        events += self._interpret(scanned[0])
        return scanned[1]

    def _interpret(self, token: Token) -> list[Decoded]:
        if isinstance(token, DoubleEscape):
            return self._double_escape(token)
        event = self._interpret_simple(token)
        return [] if event is None else [event]

    def _double_escape(self, token: DoubleEscape) -> list[Decoded]:
        event = self._interpret_simple(token.token)
        match event:
            case Key(key=name, raw=b"") if len(name) > 1:
                return [with_alt(event)]
            case None:
                return [self._byte_key(ESC)]
            case _:
                return [self._byte_key(ESC), event]

    def _interpret_simple(self, token: Simple) -> Decoded | None:
        match token:
            case Byte(value=value, alt=alt):
                return with_alt(self._byte_key(value)) if alt else self._byte_key(value)
            case Character(text=text, alt=alt):
                return with_alt(_typed_key(text)) if alt else _typed_key(text)
            case BadByte(raw=raw):
                return Key(key="", raw=raw)
            case Csi():
                return self._csi(token)
            case Ss3(modifier=modifier, letter=letter):
                return parse_ss3(modifier, letter)
            case LinuxKey(letter=letter):
                return parse_linux_function_key(letter)
            case X10Mouse(three=three):
                return self.mouse.x10(three)
            case ControlString(introducer=introducer, body=body, raw=raw):
                return parse_string_reply(introducer, body, raw)
            case Broken(raw=raw):
                return OtherReply(raw=raw)
        assert_never(token)

    def _byte_key(self, byte: int) -> Key:
        if byte < 0x20 or byte == 0x7F:
            return control_key(byte, backspace=self._backspace)
        return character_key(chr(byte))

    def _csi(self, csi: Csi) -> Decoded | None:
        fields = _parse_fields(csi.parameters)
        if csi.prefix == "<" and csi.final in "Mm" and not csi.intermediates:
            return self._sgr_mouse(fields, csi.final)
        if csi.prefix or csi.intermediates or self._is_reply(csi.final, fields):
            return self._reply(csi, fields)
        match csi.final, csi.parameters:
            case "I" | "O", "":
                return Focus(gained=csi.final == "I")
            case "~", "200":
                self._paste = PasteBuffer(self._max_paste_bytes)
                return None
            case "~", "201":
                return None  # The end of a paste that was given up.
            case "M", _:
                return self._urxvt_mouse(fields)
        key = parse_csi(fields, csi.final, kitty_flags=self.kitty_flags)
        return key if key is not None else Key(key="", raw=csi.raw)

    def _is_reply(self, final: str, fields: Fields) -> bool:
        """Whether a CSI without prefix is a reply. `R` is F3 unless a cursor report is due or it cannot be F3."""
        if final == "R":
            return self.cursor_reports_due > 0 or is_cursor_report(fields)
        return final in REPLY_FINALS and fields != ((None,),)

    def _reply(self, csi: Csi, fields: Fields) -> Reply:
        if csi.final == "R" and self.cursor_reports_due:
            self.cursor_reports_due -= 1
        numbers = tuple(field[0] for field in fields)
        reply = parse_csi_reply(csi.prefix, numbers, csi.intermediates, csi.final, csi.raw)
        if isinstance(reply, KittyFlags):
            self.kitty_flags = reply.flags
        return reply

    def _sgr_mouse(self, fields: Fields, final: str) -> Decoded | None:
        match fields:
            case ((int(code),), (int(x),), (int(y),)):
                return self.mouse.sgr(code, x, y, final)
        return None

    def _urxvt_mouse(self, fields: Fields) -> Decoded | None:
        match fields:
            case ((int(code),), (int(x),), (int(y),)):
                return self.mouse.urxvt(code, x, y)
        return None


def _typed_key(text: str) -> Key:
    """The key of a character beyond ASCII; the C1 controls (U+0080 to U+009F) are typed by none."""
    return Key(key="", raw=text.encode()) if "\x80" <= text <= "\x9f" else character_key(text)


def _parse_fields(parameters: str) -> Fields:
    return tuple(tuple(map(_number, field.split(":"))) for field in parameters.split(";"))


def _number(digits: str) -> int | None:
    return int(digits) if digits.isdecimal() and len(digits) <= MAX_DIGITS else None
