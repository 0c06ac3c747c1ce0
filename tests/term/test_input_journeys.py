"""What an outer terminal sends, through decoder and encoder, to what a child gets: every key, every cut, every mode.

The outer terminal of these tests is libghostty's own encoder, and what a child should get is what libghostty would
send to it: ours stand between them and may not be noticed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

import pytest

from orca_tui.term.engine import InputModes, MouseFormat, MouseTracking
from orca_tui.term.input_decoder import Decoded, InputDecoder
from orca_tui.term.input_encoder import encode
from orca_tui.term.input_events import Key, KeyAction, Modifiers, Mouse, MouseAction, MouseButton, Paste
from orca_tui.term.key_codes import KEY_BY_NUMBER, MODIFIER_KEYS
from orca_tui.term.replies import Reply
from tests.term.ghostty_oracle import KEYS, GhosttyKeys, GhosttyMouse, keyboard

ALL_FLAGS = 31
LEGACY = InputModes()
CTRL, ALT, SHIFT = Modifiers.CTRL, Modifiers.ALT, Modifiers.SHIFT


def kitty_decoder() -> InputDecoder:
    decoder = InputDecoder()
    decoder.decode(b"\x1b[?31u")
    return decoder


def cuts(data: bytes) -> Iterator[tuple[bytes, ...]]:
    """The bytes as they may arrive: whole, cut in two anywhere, and one by one."""
    yield (data,)
    yield from ((data[:cut], data[cut:]) for cut in range(1, len(data)))
    yield tuple(data[at : at + 1] for at in range(len(data)))


def decoded(decoder: InputDecoder, pieces: Iterable[bytes]) -> list[Decoded]:
    """What the pieces say, with the silence after them."""
    events = [event for piece in pieces for event in decoder.decode(piece)]
    return events + decoder.flush()


def sent(events: Iterable[Decoded], modes: InputModes) -> bytes:
    return b"".join(encode(event, modes) for event in events if isinstance(event, Key | Mouse | Paste))


# Keys.


@pytest.mark.parametrize("action", list(KeyAction))
def test_a_key_of_a_kitty_terminal_is_the_same_however_it_is_cut(action: KeyAction) -> None:
    ghostty, decoder, different = GhosttyKeys(ALL_FLAGS), kitty_decoder(), []
    for key in keyboard(action):
        data = ghostty.encode(key)
        whole = decoder.decode(data)
        different += [pieces for pieces in cuts(data) if decoded(decoder, pieces) != whole or len(whole) != 1]
    ghostty.close()

    assert different == []


@pytest.mark.parametrize("flags", [1, 1 | 2, 1 | 4, 1 | 8, 1 | 8 | 16, 1 | 2 | 8 | 16, ALL_FLAGS])
@pytest.mark.parametrize("action", list(KeyAction))
def test_a_kitty_child_in_a_kitty_terminal_gets_what_it_would_get_from_the_terminal(
    flags: int, action: KeyAction
) -> None:
    outer, inner = GhosttyKeys(ALL_FLAGS), GhosttyKeys(flags)
    decoder, modes = kitty_decoder(), InputModes(kitty_flags=flags)
    differences = []
    for key in keyboard(action):
        got, wanted = sent(decoder.decode(outer.encode(key)), modes), inner.encode(key)
        if plain(got, key) != plain(wanted, key):
            differences.append((key, got, wanted))
    outer.close()
    inner.close()

    assert differences == []


def plain(sequence: bytes, key: Key) -> bytes:
    """Without what the protocol leaves open: `:1` for a press, and the shifted letter of a key that types nothing."""
    sequence = re.sub(rb":1(?=[A-Z])", b"", sequence)
    sequence = re.sub(rb"\[1;1(?=[A-Z])", b"[", sequence)
    return sequence if key.text else re.sub(rb"^(\x1b\[\d+):\d+;", rb"\1;", sequence)


TYPED = [key for name in KEYS for key in (Key(key=name),) if name not in MODIFIER_KEYS]
LEGACY_PROTOCOLS = {
    "legacy": LEGACY,
    "cursor keys": InputModes(cursor_keys=True),
    "modifyOtherKeys 1": InputModes(modify_other_keys=1),
    "modifyOtherKeys 2": InputModes(modify_other_keys=2),
}


@pytest.mark.parametrize("protocol", LEGACY_PROTOCOLS)
def test_a_child_in_a_terminal_of_its_own_protocol_gets_the_very_bytes_however_they_are_cut(
    protocol: str,
) -> None:
    modes, different = LEGACY_PROTOCOLS[protocol], []
    for key, bits in itertools.product(TYPED, range(8)):
        data = encode(Key(key=key.key, modifiers=Modifiers(bits)), modes)
        if data.endswith(b"\x08") and modes.modify_other_keys:
            continue  # Ctrl+Backspace, which no terminal of that protocol can tell from Ctrl+H.
        for pieces in cuts(data):
            decoder = InputDecoder()
            if (got := sent(decoded(decoder, pieces), modes)) != data:
                different.append((key.key, bits, pieces, got))

    assert different == []


@pytest.mark.parametrize(
    "modes", [*LEGACY_PROTOCOLS.values(), *(InputModes(kitty_flags=f) for f in (1, 5, 31))]
)
def test_every_key_does_something_in_every_child_that_has_a_way_to_hear_of_it(modes: InputModes) -> None:
    """Only media keys and modifiers have no legacy bytes."""
    silent = {name for name in KEYS if not encode(Key(key=name), modes)}

    assert silent <= {"left_shift"}
    if modes.kitty_flags == ALL_FLAGS:
        named = set(KEY_BY_NUMBER.values())
        assert {name for name in named if not encode(Key(key=name), modes)} == set()


OUTER_TO_CHILD = [
    ("ctrl+c on a Cyrillic keyboard", b"\x1b[1089::99;5u", LEGACY, b"\x03"),
    ("alt+b on a Greek keyboard", b"\x1b[946::98;3u", LEGACY, b"\x1bb"),
    ("ctrl+c on a Cyrillic keyboard", b"\x1b[1089::99;5u", InputModes(kitty_flags=1), b"\x1b[1089;5u"),
    ("the same with alternate keys", b"\x1b[1089::99;5u", InputModes(kitty_flags=5), b"\x1b[1089::99;5u"),
    ("a Cyrillic letter", b"\x1b[1089::99;;1089u", LEGACY, "с".encode()),
    ("AltGr+q on a German keyboard", b"\x1b[113;7;64u", LEGACY, b"@"),
    ("AltGr+q from a legacy terminal", b"@", LEGACY, b"@"),
    ("option+a on a Mac", b"\x1b[97;3;229u", LEGACY, "å".encode()),
    ("a composed letter", b"\x1b[0;;234u", LEGACY, "ê".encode()),
    ("an input method's word", b"\x1b[0;;26085:26412u", LEGACY, "日本".encode()),
    ("an input method's word", b"\x1b[0;;26085:26412u", InputModes(kitty_flags=1), "日本".encode()),
    ("an emoji of several characters", "👨\u200d👩".encode(), LEGACY, "👨\u200d👩".encode()),
    ("shift+enter", b"\x1b[13;2u", InputModes(kitty_flags=1), b"\x1b[13;2u"),
    ("shift+enter of xterm", b"\x1b[27;2;13~", InputModes(kitty_flags=1), b"\x1b[13;2u"),
    ("shift+enter", b"\x1b[13;2u", InputModes(modify_other_keys=2), b"\x1b[27;2;13~"),
    ("alt+enter of a legacy terminal", b"\x1b\r", InputModes(kitty_flags=1), b"\x1b[13;3u"),
    ("enter is pressed once", b"\x1b[13u\x1b[13;1:3u", LEGACY, b"\r"),
    ("tab is pressed once", b"\x1b[9u\x1b[9;1:3u", LEGACY, b"\t"),
    ("backspace is pressed once", b"\x1b[127u\x1b[127;1:3u", LEGACY, b"\x7f"),
    ("a held key repeats", b"\x1b[97;1:2;97u\x1b[97;1:2;97u\x1b[97;1:3u", LEGACY, b"aa"),
    ("shift+tab", b"\x1b[9;2u", LEGACY, b"\x1b[Z"),
    ("shift+tab", b"\x1b[Z", InputModes(kitty_flags=1), b"\x1b[9;2u"),
    ("keypad 1", b"\x1b[57400;129;49u", LEGACY, b"1"),
    ("keypad 1 without num lock, as application", b"\x1b[57400u", InputModes(keypad=True), b"\x1bOq"),
    ("keypad enter, as application", b"\x1b[57414u", InputModes(keypad=True), b"\x1bOM"),
    ("keypad enter", b"\x1b[57414u", LEGACY, b"\r"),
    ("keypad plus of a legacy terminal", b"\x1bOk", LEGACY, b"+"),
    ("keypad up", b"\x1b[57419u", InputModes(cursor_keys=True), b"\x1bOA"),
    ("escape", b"\x1b[27u", LEGACY, b"\x1b"),
    ("escape of a legacy terminal", b"\x1b", InputModes(kitty_flags=1), b"\x1b[27u"),
    (
        "ctrl+i is no tab where they can be told apart",
        b"\x1b[105;5u",
        InputModes(kitty_flags=1),
        b"\x1b[105;5u",
    ),
    ("ctrl+i is tab where they cannot", b"\x1b[105;5u", LEGACY, b"\t"),
]


@pytest.mark.parametrize(
    ("outer", "modes", "child"),
    [row[1:] for row in OUTER_TO_CHILD],
    ids=[row[0] for row in OUTER_TO_CHILD],
)
def test_what_is_typed_outside_is_what_the_child_understands(
    outer: bytes, modes: InputModes, child: bytes
) -> None:
    assert sent(decoded(InputDecoder(), [outer]), modes) == child
    for pieces in cuts(outer):
        if pieces[0] != b"\x1b" or outer == b"\x1b":
            assert sent(decoded(InputDecoder(), pieces), modes) == child


# Mouse.

BUTTONS = (
    MouseButton.LEFT,
    MouseButton.MIDDLE,
    MouseButton.RIGHT,
    MouseButton.WHEEL_UP,
    MouseButton.WHEEL_DOWN,
    MouseButton.WHEEL_LEFT,
    MouseButton.WHEEL_RIGHT,
    MouseButton.BACK,
    MouseButton.FORWARD,
)
WHEEL = frozenset(button for button in BUTTONS if "wheel" in button)
COLS, ROWS = 300, 120
PLACES = ((0, 0), (94, 30), (299, 119))


def mouse_events() -> Iterator[Mouse]:
    """Everything that a mouse with nine buttons does, at places where every format has to decide."""
    for (x, y), bits in itertools.product(PLACES, range(8)):
        held = Modifiers(bits)
        for button in BUTTONS:
            yield Mouse(action=MouseAction.PRESS, button=button, x=x, y=y, modifiers=held)
            if button not in WHEEL:
                yield Mouse(action=MouseAction.MOVE, button=button, x=x, y=y, modifiers=held)
                yield Mouse(action=MouseAction.RELEASE, button=button, x=x, y=y, modifiers=held)
        yield Mouse(action=MouseAction.MOVE, x=x, y=y, modifiers=held)


@pytest.mark.parametrize(
    "tracking", [tracking for tracking in MouseTracking if tracking is not MouseTracking.OFF]
)
@pytest.mark.parametrize("format_", list(MouseFormat))
def test_a_child_gets_the_mouse_as_libghostty_would_tell_it(
    tracking: MouseTracking, format_: MouseFormat
) -> None:
    outer, decoder = InputModes(mouse=MouseTracking.ANY, mouse_format=MouseFormat.SGR), InputDecoder()
    modes = InputModes(mouse=tracking, mouse_format=format_)
    differences = []
    for event in mouse_events():
        ghostty = GhosttyMouse(tracking, format_, COLS, ROWS)
        got = sent(decoder.decode(encode(event, outer)), modes)
        wanted = ghostty.encode(event)
        if format_ is MouseFormat.UTF8:
            wanted = re.sub(rb"(?<=\[M)[\x80-\xff]", as_utf8, wanted)
        if got != wanted:
            differences.append((event, got, wanted))
        ghostty.close()

    assert differences == []


def as_utf8(code: re.Match[bytes]) -> bytes:
    """The code of a thumb button, which libghostty leaves as one byte in the middle of UTF-8."""
    return code[0].decode("latin-1").encode()


@pytest.mark.parametrize("format_", [MouseFormat.X10, MouseFormat.SGR, MouseFormat.URXVT])
def test_a_mouse_report_is_the_same_however_it_is_cut(format_: MouseFormat) -> None:
    outer = InputModes(mouse=MouseTracking.ANY, mouse_format=format_)
    for event in mouse_events():
        data = encode(event, outer)
        whole = InputDecoder().decode(data)

        assert all(decoded(InputDecoder(), pieces) == whole for pieces in cuts(data))


# Pastes.

PASTES = [
    "",
    "plain",
    "two\nlines\r\nand a third\r",
    "red \x1b[31m, up \x1b[A, and a lone \x1b",
    "a start \x1b[200~ inside",
    "tabs\tand é 端 👨\u200d👩",
    "\x1b[20",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
]


@pytest.mark.parametrize("text", PASTES, ids=lambda text: repr(text)[:20])
def test_a_paste_reaches_the_child_whole_and_as_text_however_it_is_cut(text: str) -> None:
    data = b"\x1b[200~" + text.encode() + b"\x1b[201~"
    bracketed = InputModes(bracketed_paste=True)
    for pieces in cuts(data):
        (event,) = decoded(InputDecoder(), pieces)
        child = encode(event, bracketed) if isinstance(event, Paste) else b""

        assert event == Paste(text=text)
        assert child[:6] + child[-6:] == b"\x1b[200~\x1b[201~"
        assert b"\x1b" not in child[6:-6]


def test_an_end_marker_inside_a_paste_ends_it_and_what_follows_is_typed() -> None:
    """Outside, nothing else can be told; inside, it is taken out (see the encoder's tests)."""
    events = decoded(InputDecoder(), [b"\x1b[200~a\x1b[201~b\x1b[201~"])

    assert events == [Paste(text="a"), Key(key="b", text="b")]


def test_replies_between_keys_reach_nobody() -> None:
    replies = b"\x1b]11;rgb:1e1e/2e2e/3e3e\x1b\\\x1b[?62;22c\x1bP>|xterm(390)\x1b\\\x1b[?2026;2$y\x1b[?1;2R"
    for pieces in cuts(b"a" + replies + b"b"):
        decoder = InputDecoder()
        decoder.reply_due = True
        events = decoded(decoder, pieces)

        assert sent(events, LEGACY) == b"ab"
        assert sum(isinstance(event, Reply) for event in events) == 5
