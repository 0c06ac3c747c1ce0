"""What a child is sent for an event, by the modes it set. One row a key: xterm's bytes, then kitty's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.term.engine import InputModes, MouseFormat, MouseTracking
from orca_tui.term.input_decoder import InputDecoder
from orca_tui.term.input_encoder import WHEEL_LINES, encode, with_newline
from orca_tui.term.input_events import (
    Focus,
    Key,
    KeyAction,
    Modifiers,
    Mouse,
    MouseAction,
    MouseButton,
    Paste,
    Text,
)
from orca_tui.term.key_codes import KEY_BY_NUMBER, KEYPAD_TWINS, MODIFIER_KEYS
from orca_tui.term.key_names import parse_key

LEGACY = InputModes()
SHIFT, ALT, CTRL = Modifiers.SHIFT, Modifiers.ALT, Modifiers.CTRL
RELEASE, REPEAT = KeyAction.RELEASE, KeyAction.REPEAT


def kitty(flags: int) -> InputModes:
    return InputModes(kitty_flags=flags)


XTERM = [
    ("a", b"a"),
    ("A", b"A"),
    ("question_mark", b"?"),
    ("é", "é".encode()),
    ("space", b" "),
    ("enter", b"\r"),
    ("shift+enter", b"\r"),
    ("ctrl+enter", b"\r"),
    ("alt+enter", b"\x1b\r"),
    ("tab", b"\t"),
    ("shift+tab", b"\x1b[Z"),
    ("alt+shift+tab", b"\x1b\x1b[Z"),
    ("escape", b"\x1b"),
    ("alt+escape", b"\x1b\x1b"),
    ("backspace", b"\x7f"),
    ("ctrl+backspace", b"\x08"),
    ("alt+backspace", b"\x1b\x7f"),
    ("ctrl+a", b"\x01"),
    ("ctrl+c", b"\x03"),
    ("ctrl+h", b"\x08"),
    ("ctrl+i", b"\t"),
    ("ctrl+j", b"\n"),
    ("ctrl+m", b"\r"),
    ("ctrl+z", b"\x1a"),
    ("ctrl+shift+c", b"\x03"),
    ("ctrl+space", b"\x00"),
    ("ctrl+at", b"\x00"),
    ("ctrl+2", b"\x00"),
    ("ctrl+3", b"\x1b"),
    ("ctrl+4", b"\x1c"),
    ("ctrl+7", b"\x1f"),
    ("ctrl+8", b"\x7f"),
    ("ctrl+1", b"1"),
    ("ctrl+left_square_bracket", b"\x1b"),
    ("ctrl+backslash", b"\x1c"),
    ("ctrl+right_square_bracket", b"\x1d"),
    ("ctrl+slash", b"\x1f"),
    ("ctrl+underscore", b"\x1f"),
    ("ctrl+comma", b","),
    ("alt+f", b"\x1bf"),
    ("alt+shift+f", b"\x1bF"),
    ("alt+full_stop", b"\x1b."),
    ("alt+1", b"\x1b1"),
    ("alt+ctrl+c", b"\x1b\x03"),
    ("alt+space", b"\x1b "),
    ("up", b"\x1b[A"),
    ("shift+up", b"\x1b[1;2A"),
    ("ctrl+left", b"\x1b[1;5D"),
    ("alt+ctrl+shift+right", b"\x1b[1;8C"),
    ("home", b"\x1b[H"),
    ("ctrl+end", b"\x1b[1;5F"),
    ("insert", b"\x1b[2~"),
    ("delete", b"\x1b[3~"),
    ("shift+delete", b"\x1b[3;2~"),
    ("pageup", b"\x1b[5~"),
    ("ctrl+pagedown", b"\x1b[6;5~"),
    ("f1", b"\x1bOP"),
    ("f3", b"\x1bOR"),
    ("shift+f3", b"\x1b[1;2R"),
    ("f4", b"\x1bOS"),
    ("f5", b"\x1b[15~"),
    ("f10", b"\x1b[21~"),
    ("f12", b"\x1b[24~"),
    ("ctrl+f12", b"\x1b[24;5~"),
    ("f13", b"\x1b[25~"),
    ("f20", b"\x1b[34~"),
    ("kp_1", b"1"),
    ("kp_add", b"+"),
    ("kp_enter", b"\r"),
    ("kp_up", b"\x1b[A"),
    ("kp_begin", b"\x1b[E"),
    ("super+a", b""),
    ("media_play", b""),
    ("left_shift", b""),
    ("caps_lock", b""),
]


@pytest.mark.parametrize(("name", "sent"), XTERM)
def test_a_child_that_asked_for_nothing_gets_what_xterm_sends(name: str, sent: bytes) -> None:
    assert encode(parse_key(name), LEGACY) == sent


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("up", b"\x1bOA"),
        ("end", b"\x1bOF"),
        ("kp_left", b"\x1bOD"),
        ("ctrl+up", b"\x1b[1;5A"),
        ("f1", b"\x1bOP"),
        ("delete", b"\x1b[3~"),
    ],
)
def test_cursor_key_mode_makes_plain_arrows_ss3(name: str, sent: bytes) -> None:
    assert encode(parse_key(name), InputModes(cursor_keys=True)) == sent


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("kp_0", b"\x1bOp"),
        ("kp_9", b"\x1bOy"),
        ("kp_enter", b"\x1bOM"),
        ("kp_add", b"\x1bOk"),
        ("kp_subtract", b"\x1bOm"),
        ("kp_multiply", b"\x1bOj"),
        ("kp_divide", b"\x1bOo"),
        ("kp_decimal", b"\x1bOn"),
        ("kp_equal", b"\x1bOX"),
        ("kp_up", b"\x1b[A"),
        ("1", b"1"),
    ],
)
def test_keypad_mode_tells_the_keypad_from_the_main_keys(name: str, sent: bytes) -> None:
    assert encode(parse_key(name), InputModes(keypad=True)) == sent


def test_with_num_lock_the_keypad_types_in_keypad_mode_too() -> None:
    key = Key(key="kp_1", text="1", modifiers=Modifiers.NUM_LOCK)

    assert encode(key, InputModes(keypad=True)) == b"1"


def test_backarrow_mode_swaps_what_backspace_sends() -> None:
    modes = InputModes(backarrow_sends_backspace=True)

    assert encode(parse_key("backspace"), modes) == b"\x08"
    assert encode(parse_key("ctrl+backspace"), modes) == b"\x7f"


@pytest.mark.parametrize(
    ("name", "level_1", "level_2"),
    [
        ("a", b"a", b"a"),
        ("A", b"A", b"A"),
        ("shift+space", b" ", b"\x1b[27;2;32~"),
        ("enter", b"\r", b"\r"),
        ("shift+enter", b"\x1b[27;2;13~", b"\x1b[27;2;13~"),
        ("ctrl+enter", b"\x1b[27;5;13~", b"\x1b[27;5;13~"),
        ("alt+enter", b"\x1b\r", b"\x1b[27;3;13~"),
        ("shift+tab", b"\x1b[Z", b"\x1b[Z"),
        ("ctrl+tab", b"\x1b[27;5;9~", b"\x1b[27;5;9~"),
        ("ctrl+shift+tab", b"\x1b[27;6;9~", b"\x1b[27;6;9~"),
        ("ctrl+c", b"\x03", b"\x1b[27;5;99~"),
        ("ctrl+i", b"\t", b"\x1b[27;5;105~"),
        ("ctrl+comma", b"\x1b[27;5;44~", b"\x1b[27;5;44~"),
        ("ctrl+1", b"\x1b[27;5;49~", b"\x1b[27;5;49~"),
        ("ctrl+shift+c", b"\x1b[27;6;67~", b"\x1b[27;6;67~"),
        ("alt+f", b"\x1bf", b"\x1b[27;3;102~"),
        ("escape", b"\x1b", b"\x1b"),
        ("shift+escape", b"\x1b", b"\x1b[27;2;27~"),
        ("ctrl+backspace", b"\x08", b"\x08"),
        ("shift+backspace", b"\x7f", b"\x1b[27;2;127~"),
        ("ctrl+up", b"\x1b[1;5A", b"\x1b[1;5A"),
    ],
)
def test_modify_other_keys_tells_apart_what_was_the_same(name: str, level_1: bytes, level_2: bytes) -> None:
    assert encode(parse_key(name), InputModes(modify_other_keys=1)) == level_1
    assert encode(parse_key(name), InputModes(modify_other_keys=2)) == level_2


def test_ctrl_on_another_alphabet_is_ctrl_on_the_same_key() -> None:
    key = Key(key="с", base="c", modifiers=CTRL)

    assert encode(key, LEGACY) == b"\x03"
    assert encode(key, InputModes(modify_other_keys=2)) == b"\x1b[27;5;99~"
    assert encode(key, kitty(1 | 4)) == b"\x1b[1089::99;5u"


def test_alt_on_another_alphabet_is_alt_on_the_same_key() -> None:
    assert encode(Key(key="а", base="f", modifiers=ALT), LEGACY) == b"\x1bf"


@pytest.mark.parametrize("modifiers", [CTRL | ALT, ALT, Modifiers.NONE])
def test_text_that_modifiers_made_is_sent_as_text(modifiers: Modifiers) -> None:
    """AltGr is ctrl+alt on some systems, option makes other letters on macOS."""
    key = Key(key="q", modifiers=modifiers, text="@")

    assert encode(key, LEGACY) == b"@"
    assert encode(key, InputModes(modify_other_keys=2)) == b"@"
    assert encode(key, kitty(7)) == b"@"


@pytest.mark.parametrize("modes", [LEGACY, InputModes(modify_other_keys=2), kitty(1), kitty(7), kitty(15)])
def test_text_of_an_input_method_arrives_whole(modes: InputModes) -> None:
    assert encode(Key(key="", text="👨\u200d👩\u200d👧"), modes) == "👨\u200d👩\u200d👧".encode()


def test_text_without_a_key_is_a_key_event_where_text_is_asked_for() -> None:
    assert encode(Key(key="", text="ab"), kitty(31)) == b"\x1b[0;;97:98u"


# The kitty keyboard protocol.


@pytest.mark.parametrize(
    ("name", "flags", "sent"),
    [
        ("a", 1, b"a"),
        ("A", 1, b"A"),
        ("ctrl+c", 1, b"\x1b[99;5u"),
        ("ctrl+i", 1, b"\x1b[105;5u"),
        ("ctrl+shift+c", 1, b"\x1b[99;6u"),
        ("alt+f", 1, b"\x1b[102;3u"),
        ("enter", 1, b"\r"),
        ("tab", 1, b"\t"),
        ("backspace", 1, b"\x7f"),
        ("escape", 1, b"\x1b[27u"),
        ("shift+enter", 1, b"\x1b[13;2u"),
        ("ctrl+enter", 1, b"\x1b[13;5u"),
        ("alt+enter", 1, b"\x1b[13;3u"),
        ("shift+tab", 1, b"\x1b[9;2u"),
        ("ctrl+backspace", 1, b"\x1b[127;5u"),
        ("ctrl+space", 1, b"\x1b[32;5u"),
        ("up", 1, b"\x1b[A"),
        ("ctrl+up", 1, b"\x1b[1;5A"),
        ("f1", 1, b"\x1b[P"),
        ("f3", 1, b"\x1b[13~"),
        ("shift+f3", 1, b"\x1b[13;2~"),
        ("f5", 1, b"\x1b[15~"),
        ("delete", 1, b"\x1b[3~"),
        ("f13", 1, b"\x1b[57376u"),
        ("kp_enter", 1, b"\x1b[57414u"),
        ("kp_up", 1, b"\x1b[57419u"),
        ("kp_1", 1, b"1"),
        ("super+k", 1, b"\x1b[107;9u"),
        ("media_play", 1, b"\x1b[57428u"),
        ("left_shift", 1, b""),
        ("ctrl+shift+c", 1 | 4, b"\x1b[99:67;6u"),
        ("ctrl+c", 1 | 4, b"\x1b[99;5u"),
        ("ctrl+c", 4, b"\x03"),
        ("escape", 2, b"\x1b"),
        ("kp_enter", 2, b"\r"),
        ("a", 8, b"\x1b[97u"),
        ("A", 8, b"\x1b[97;2u"),
        ("enter", 8, b"\x1b[13u"),
        ("tab", 8, b"\x1b[9u"),
        ("space", 8, b"\x1b[32u"),
        ("kp_1", 1 | 8, b"\x1b[57400u"),
        ("left_shift", 8, b"\x1b[57441u"),
        ("a", 8 | 16, b"\x1b[97;;97u"),
        ("A", 1 | 2 | 4 | 8 | 16, b"\x1b[97:65;2;65u"),
        ("enter", 31, b"\x1b[13u"),
        ("up", 31, b"\x1b[A"),
    ],
)
def test_a_child_gets_what_its_kitty_flags_ask_for(name: str, flags: int, sent: bytes) -> None:
    assert encode(parse_key(name), kitty(flags)) == sent


@pytest.mark.parametrize(
    ("name", "action", "flags", "sent"),
    [
        ("up", RELEASE, 1 | 2, b"\x1b[1;1:3A"),
        ("up", REPEAT, 1 | 2, b"\x1b[1;1:2A"),
        ("up", REPEAT, 1, b"\x1b[A"),
        ("ctrl+c", RELEASE, 7, b"\x1b[99;5:3u"),
        ("delete", RELEASE, 7, b"\x1b[3;1:3~"),
        ("a", REPEAT, 7, b"a"),
        ("a", RELEASE, 7, b"\x1b[97;1:3u"),
        ("enter", REPEAT, 7, b"\r"),
        ("enter", RELEASE, 7, b""),
        ("shift+enter", RELEASE, 7, b""),
        ("backspace", RELEASE, 7, b""),
        ("enter", RELEASE, 1 | 2 | 8, b"\x1b[13;1:3u"),
        ("a", REPEAT, 31, b"\x1b[97;1:2;97u"),
        ("a", RELEASE, 31, b"\x1b[97;1:3u"),
        ("up", RELEASE, 1, b""),
        ("a", RELEASE, 1 | 4 | 8 | 16, b""),
    ],
)
def test_repeats_and_releases_are_told_to_who_asks(
    name: str, action: KeyAction, flags: int, sent: bytes
) -> None:
    key = parse_key(name)
    text = "" if action is RELEASE else key.text

    assert encode(Key(key=key.key, modifiers=key.modifiers, text=text, action=action), kitty(flags)) == sent


def test_a_release_presses_nothing_in_a_legacy_child() -> None:
    assert encode(Key(key="enter", action=RELEASE), LEGACY) == b""
    assert encode(Key(key="", raw=b"\x1b[99~", action=RELEASE), LEGACY) == b""


def test_locks_are_told_only_to_who_asks_for_all_keys() -> None:
    key = Key(key="up", modifiers=Modifiers.NUM_LOCK)

    assert encode(key, LEGACY) == b"\x1b[A"
    assert encode(key, kitty(1)) == b"\x1b[A"
    assert encode(key, kitty(8)) == b"\x1b[1;129A"


def test_what_was_not_understood_goes_on_as_it_came() -> None:
    key = Key(key="", raw=b"\x1b[99~")

    assert encode(key, LEGACY) == b"\x1b[99~"
    assert encode(key, kitty(31)) == b"\x1b[99~"


# Shift+Enter.

LINE_FEED = parse_key("ctrl+j")


@pytest.mark.parametrize(
    ("modes", "sent"),
    [
        (LEGACY, b"\n"),
        (kitty(1), b"\x1b[13;2u"),
        (kitty(31), b"\x1b[13;2u"),
        (kitty(2), b"\n"),
        (InputModes(modify_other_keys=1), b"\x1b[27;2;13~"),
        (InputModes(modify_other_keys=2), b"\x1b[27;2;13~"),
    ],
)
def test_shift_enter_is_a_new_line_for_an_agent_that_cannot_tell_it_from_enter(
    modes: InputModes, sent: bytes
) -> None:
    assert encode(with_newline(parse_key("shift+enter"), modes, LINE_FEED), modes) == sent


@pytest.mark.parametrize(
    "event",
    [
        parse_key("enter"),
        parse_key("ctrl+enter"),
        parse_key("alt+enter"),
        parse_key("shift+tab"),
        Key(key="enter", modifiers=SHIFT, action=RELEASE),
        Paste(text="\r"),
    ],
)
def test_no_other_input_becomes_a_new_line(event: Key | Paste) -> None:
    assert with_newline(event, LEGACY, LINE_FEED) is event


def test_shift_enter_is_enter_where_there_is_no_agent() -> None:
    assert encode(with_newline(parse_key("shift+enter"), LEGACY, None), LEGACY) == b"\r"


def test_the_locks_make_no_other_key_of_shift_enter() -> None:
    key = Key(key="enter", modifiers=SHIFT | Modifiers.NUM_LOCK)

    assert with_newline(key, LEGACY, LINE_FEED) == LINE_FEED


# Paste, focus, text.


def test_a_paste_is_bracketed_only_for_who_asked() -> None:
    assert encode(Paste(text="a\nb"), InputModes(bracketed_paste=True)) == b"\x1b[200~a\nb\x1b[201~"
    assert encode(Paste(text="a\nb\r\nc\rd"), LEGACY) == b"a\rb\rc\rd"


@pytest.mark.parametrize(
    "text", ["x\x1b[201~rm -rf /\r", "x\x1b[20\x1b[201~1~y", "\x9b201~", "a\x03b\x00c\x7fd", "\x1b\x1b[201~"]
)
def test_a_paste_can_neither_end_its_bracket_nor_press_keys(text: str) -> None:
    sent = encode(Paste(text=text), InputModes(bracketed_paste=True)).decode()
    inside = sent.removeprefix("\x1b[200~").removesuffix("\x1b[201~")

    assert len(sent) == len(inside) + 12
    assert not any(c < " " and c not in "\t\n\r" for c in inside)
    assert not any("\x7f" <= c <= "\x9f" for c in inside)


@given(text=st.text())
def test_a_paste_comes_out_of_a_terminal_as_one_event(text: str) -> None:
    sent = encode(Paste(text=text), InputModes(bracketed_paste=True))

    (event,) = InputDecoder().decode(sent)

    assert isinstance(event, Paste)


def test_tabs_and_letters_of_all_languages_survive_a_paste() -> None:
    assert encode(Paste(text="a\tあ é 👨\u200d👩"), LEGACY) == "a\tあ é 👨\u200d👩".encode()


def test_focus_is_told_only_to_who_asked() -> None:
    modes = InputModes(focus_events=True)

    assert encode(Focus(gained=True), modes) == b"\x1b[I"
    assert encode(Focus(gained=False), modes) == b"\x1b[O"
    assert encode(Focus(gained=True), LEGACY) == b""


def test_bytes_for_the_child_are_not_touched() -> None:
    assert encode(Text(data=b"\x1b[A\x00"), LEGACY) == b"\x1b[A\x00"


# Mouse.

PRESS, UP, MOVE = MouseAction.PRESS, MouseAction.RELEASE, MouseAction.MOVE
NO, LEFT, MIDDLE, RIGHT = MouseButton.NONE, MouseButton.LEFT, MouseButton.MIDDLE, MouseButton.RIGHT
WHEEL_UP, WHEEL_DOWN = MouseButton.WHEEL_UP, MouseButton.WHEEL_DOWN
OFF, X10, NORMAL, BUTTON, ANY = (
    MouseTracking.OFF,
    MouseTracking.X10,
    MouseTracking.NORMAL,
    MouseTracking.BUTTON,
    MouseTracking.ANY,
)


def mouse(action: MouseAction, button: MouseButton, x: int = 4, y: int = 5, held: int = 0) -> Mouse:
    return Mouse(action=action, button=button, x=x, y=y, modifiers=Modifiers(held))


@pytest.mark.parametrize(
    ("action", "button", "wanted_by"),
    [
        (PRESS, LEFT, {X10, NORMAL, BUTTON, ANY}),
        (UP, LEFT, {NORMAL, BUTTON, ANY}),
        (MOVE, LEFT, {BUTTON, ANY}),
        (MOVE, NO, {ANY}),
        (PRESS, WHEEL_UP, {NORMAL, BUTTON, ANY}),
        (UP, WHEEL_UP, set()),
        (PRESS, MouseButton.BACK, {NORMAL, BUTTON, ANY}),
    ],
)
def test_a_mouse_event_reaches_who_tracks_it(
    action: MouseAction, button: MouseButton, wanted_by: set[MouseTracking]
) -> None:
    modes = [InputModes(mouse=tracking, mouse_format=MouseFormat.SGR) for tracking in MouseTracking]

    assert {m.mouse for m in modes if encode(mouse(action, button), m)} == wanted_by


@pytest.mark.parametrize(
    ("event", "sent"),
    [
        (mouse(PRESS, LEFT), b"\x1b[<0;5;6M"),
        (mouse(UP, LEFT), b"\x1b[<0;5;6m"),
        (mouse(PRESS, MIDDLE), b"\x1b[<1;5;6M"),
        (mouse(UP, RIGHT), b"\x1b[<2;5;6m"),
        (mouse(MOVE, LEFT), b"\x1b[<32;5;6M"),
        (mouse(MOVE, NO), b"\x1b[<35;5;6M"),
        (mouse(PRESS, WHEEL_UP), b"\x1b[<64;5;6M"),
        (mouse(PRESS, WHEEL_DOWN), b"\x1b[<65;5;6M"),
        (mouse(PRESS, MouseButton.WHEEL_LEFT), b"\x1b[<66;5;6M"),
        (mouse(PRESS, MouseButton.WHEEL_RIGHT), b"\x1b[<67;5;6M"),
        (mouse(PRESS, MouseButton.BACK), b"\x1b[<128;5;6M"),
        (mouse(PRESS, MouseButton.FORWARD), b"\x1b[<129;5;6M"),
        (mouse(PRESS, LEFT, held=SHIFT | ALT | CTRL), b"\x1b[<28;5;6M"),
        (mouse(PRESS, LEFT, 999, 499), b"\x1b[<0;1000;500M"),
    ],
)
def test_sgr_reports(event: Mouse, sent: bytes) -> None:
    assert encode(event, InputModes(mouse=ANY, mouse_format=MouseFormat.SGR)) == sent


@pytest.mark.parametrize(
    ("mouse_format", "event", "sent"),
    [
        (MouseFormat.X10, mouse(PRESS, LEFT), b"\x1b[M %&"),
        (MouseFormat.X10, mouse(UP, LEFT), b"\x1b[M#%&"),
        (MouseFormat.X10, mouse(UP, RIGHT, held=CTRL), b"\x1b[M3%&"),
        (MouseFormat.X10, mouse(PRESS, WHEEL_UP), b"\x1b[M`%&"),
        (MouseFormat.X10, mouse(PRESS, LEFT, 222, 222), b"\x1b[M \xff\xff"),
        (MouseFormat.X10, mouse(PRESS, LEFT, 223, 0), b""),
        (MouseFormat.X10, mouse(PRESS, LEFT, 0, 223), b""),
        (MouseFormat.UTF8, mouse(PRESS, LEFT, 223, 0), "\x1b[M \u0100!".encode()),
        (MouseFormat.UTF8, mouse(PRESS, LEFT, 2015, 0), b""),
        (MouseFormat.URXVT, mouse(PRESS, LEFT), b"\x1b[32;5;6M"),
        (MouseFormat.URXVT, mouse(UP, LEFT), b"\x1b[35;5;6M"),
        (MouseFormat.SGR_PIXELS, mouse(PRESS, LEFT), b"\x1b[<0;36;88M"),
        (MouseFormat.SGR_PIXELS, mouse(UP, LEFT), b"\x1b[<0;36;88m"),
    ],
)
def test_other_report_formats(mouse_format: MouseFormat, event: Mouse, sent: bytes) -> None:
    assert encode(event, InputModes(mouse=ANY, mouse_format=mouse_format)) == sent


def test_mode_9_tells_no_modifiers() -> None:
    modes = InputModes(mouse=X10, mouse_format=MouseFormat.SGR)

    assert encode(mouse(PRESS, LEFT, held=CTRL), modes) == b"\x1b[<0;5;6M"


@pytest.mark.parametrize("mouse_format", [MouseFormat.X10, MouseFormat.SGR, MouseFormat.URXVT])
@pytest.mark.parametrize(
    "event", [mouse(PRESS, RIGHT, 7, 8), mouse(MOVE, LEFT, 1, 2), mouse(PRESS, WHEEL_DOWN)]
)
def test_a_report_is_read_back_as_its_event(mouse_format: MouseFormat, event: Mouse) -> None:
    sent = encode(event, InputModes(mouse=ANY, mouse_format=mouse_format))

    assert InputDecoder().decode(sent) == [event]


def test_the_wheel_is_arrows_on_the_alternate_screen_of_a_child_without_mouse() -> None:
    modes = InputModes(alternate_screen=True)

    assert encode(mouse(PRESS, WHEEL_UP), modes) == b"\x1b[A" * WHEEL_LINES
    assert encode(mouse(PRESS, WHEEL_DOWN), modes, wheel_lines=1) == b"\x1b[B"
    assert encode(
        mouse(PRESS, WHEEL_UP), InputModes(alternate_screen=True, cursor_keys=True), wheel_lines=1
    ) == (b"\x1bOA")


@pytest.mark.parametrize(
    ("event", "modes"),
    [
        (mouse(PRESS, WHEEL_UP), LEGACY),
        (mouse(PRESS, WHEEL_UP), InputModes(alternate_screen=True, alternate_scroll=False)),
        (mouse(PRESS, MouseButton.WHEEL_LEFT), InputModes(alternate_screen=True)),
        (mouse(PRESS, LEFT), InputModes(alternate_screen=True)),
    ],
)
def test_otherwise_a_child_without_mouse_gets_nothing(event: Mouse, modes: InputModes) -> None:
    assert encode(event, modes) == b""


# Round trips: what we send is what our own decoder reads.

NAMED = sorted(set(KEY_BY_NUMBER.values()) - MODIFIER_KEYS)
MODIFIER_SETS = [Modifiers(bits) for bits in range(16)]


@pytest.mark.parametrize("modifiers", MODIFIER_SETS, ids=lambda held: f"modifiers={int(held)}")
def test_every_key_survives_the_kitty_protocol(modifiers: Modifiers) -> None:
    names = [
        *NAMED,
        *sorted(MODIFIER_KEYS),
        "up",
        "home",
        "f1",
        "f3",
        "f4",
        "delete",
        "pageup",
        "f12",
        *"aé5/",
    ]
    keys = [Key(key=name, modifiers=modifiers) for name in names]
    decoder = InputDecoder()
    decoder.decode(b"\x1b[?31u")

    events = [decoder.decode(encode(key, kitty(1 | 2 | 8 | 16)))[0] for key in keys]

    assert events == keys


@pytest.mark.parametrize("modifiers", [Modifiers(bits) for bits in range(8)], ids=lambda held: str(int(held)))
def test_every_key_with_a_sequence_survives_a_legacy_terminal(modifiers: Modifiers) -> None:
    names = ["up", "down", "left", "right", "home", "end", "insert", "delete", "pageup", "pagedown"]
    keys = [Key(key=name, modifiers=modifiers) for name in [*names, *(f"f{n}" for n in range(1, 36))]]

    events = [InputDecoder().decode(encode(key, LEGACY))[0] for key in keys]

    assert events == keys


@pytest.mark.parametrize("letter", "abcdefgklnopqrstuvwxyz")
def test_ctrl_and_alt_with_letters_survive_a_legacy_terminal(letter: str) -> None:
    for modifiers in (CTRL, ALT, CTRL | ALT, SHIFT | ALT):
        key = Key(key=letter, modifiers=modifiers)

        decoder = InputDecoder()
        assert decoder.decode(encode(key, LEGACY)) + decoder.flush() == [key]


def test_every_keypad_key_is_its_twin_in_a_legacy_terminal() -> None:
    for name, twin in KEYPAD_TWINS.items():
        assert encode(Key(key=name), LEGACY) == encode(Key(key=twin), LEGACY)
