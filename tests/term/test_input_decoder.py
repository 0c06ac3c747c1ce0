"""What an outer terminal sends, and what it means. One row a sequence."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_tui.term.input_decoder import (
    ESCAPE_PATIENCE_S,
    MAX_SEQUENCE_BYTES,
    PASTE_PATIENCE_S,
    REPLY_ESCAPE_PATIENCE_S,
    SEQUENCE_PATIENCE_S,
    Decoded,
    InputDecoder,
)
from orca_tui.term.input_events import (
    Focus,
    Key,
    KeyAction,
    Modifiers,
    Mouse,
    MouseAction,
    MouseButton,
    Paste,
)
from orca_tui.term.paste_buffer import OversizedPaste
from orca_tui.term.replies import (
    ColorReport,
    ColorScheme,
    CursorReport,
    DeviceAttributes,
    KittyFlags,
    ModeReport,
    OtherReply,
    PictureReport,
    Reply,
    TerminalSize,
    TerminalVersion,
)

NONE, SHIFT, ALT, CTRL, SUPER = (
    Modifiers.NONE,
    Modifiers.SHIFT,
    Modifiers.ALT,
    Modifiers.CTRL,
    Modifiers.SUPER,
)
REPEAT, RELEASE = KeyAction.REPEAT, KeyAction.RELEASE


def decoded(data: bytes, decoder: InputDecoder | None = None) -> list[Decoded]:
    """All of `data`, with the silence that follows it."""
    decoder = decoder or InputDecoder()
    return decoder.decode(data) + decoder.flush()


def key(name: str, modifiers: Modifiers = NONE, text: str = "", **rest: str) -> Key:
    return Key(key=name, modifiers=modifiers, text=text, **rest)


LEGACY = [
    (b"a", key("a", text="a")),
    (b"A", key("a", SHIFT, "A")),
    (b"1", key("1", text="1")),
    (b"?", key("?", text="?")),
    (b" ", key("space", text=" ")),
    ("é".encode(), key("é", text="é")),
    ("С".encode(), key("с", SHIFT, "С")),
    ("ß".encode(), key("ß", text="ß")),
    ("あ".encode(), key("あ", text="あ")),
    ("😀".encode(), key("😀", text="😀")),
    (b"\r", key("enter")),
    (b"\t", key("tab")),
    (b"\x7f", key("backspace")),
    (b"\x1b", key("escape")),
    (b"\x00", key("space", CTRL)),
    (b"\x01", key("a", CTRL)),
    (b"\x03", key("c", CTRL)),
    (b"\x08", key("h", CTRL)),
    (b"\n", key("j", CTRL)),
    (b"\x11", key("q", CTRL)),
    (b"\x1a", key("z", CTRL)),
    (b"\x1c", key("\\", CTRL)),
    (b"\x1d", key("]", CTRL)),
    (b"\x1e", key("^", CTRL)),
    (b"\x1f", key("_", CTRL)),
    (b"\x1b\r", key("enter", ALT)),
    (b"\x1b\x7f", key("backspace", ALT)),
    (b"\x1b\t", key("tab", ALT)),
    (b"\x1b ", key("space", ALT)),
    (b"\x1bf", key("f", ALT)),
    (b"\x1bb", key("b", ALT)),
    (b"\x1bF", key("f", ALT | SHIFT)),
    (b"\x1b.", key(".", ALT)),
    (b"\x1b/", key("/", ALT)),
    (b"\x1b1", key("1", ALT)),
    (b"\x1b0", key("0", ALT)),
    (b"\x1b-", key("-", ALT)),
    (b"\x1b=", key("=", ALT)),
    (b"\x1b\\", key("\\", ALT)),
    (b"\x1b\x03", key("c", ALT | CTRL)),
    (b"\x1b\x00", key("space", ALT | CTRL)),
    ("\x1bé".encode(), key("é", ALT)),
    (b"\x1b[", key("[", ALT)),
    (b"\x1b]", key("]", ALT)),
    (b"\x1bO", key("o", ALT | SHIFT)),
    (b"\x1bP", key("p", ALT | SHIFT)),
    (b"\x1b_", key("_", ALT)),
    (b"\x1b^", key("^", ALT)),
    (b"\x1bX", key("x", ALT | SHIFT)),
    (b"\x1b[A", key("up")),
    (b"\x1bOA", key("up")),
    (b"\x1b[1;5A", key("up", CTRL)),
    (b"\x1b[1;2D", key("left", SHIFT)),
    (b"\x1b[1;8C", key("right", SHIFT | ALT | CTRL)),
    (b"\x1b[5A", key("up", CTRL)),
    (b"\x1bO5A", key("up", CTRL)),
    (b"\x1b[H", key("home")),
    (b"\x1b[1~", key("home")),
    (b"\x1b[7~", key("home")),
    (b"\x1bOF", key("end")),
    (b"\x1b[4~", key("end")),
    (b"\x1b[8~", key("end")),
    (b"\x1b[2~", key("insert")),
    (b"\x1b[3;5~", key("delete", CTRL)),
    (b"\x1b[5~", key("pageup")),
    (b"\x1b[6;3~", key("pagedown", ALT)),
    (b"\x1b[Z", key("tab", SHIFT)),
    (b"\x1b[1;5Z", key("tab", SHIFT | CTRL)),
    (b"\x1bOP", key("f1")),
    (b"\x1b[11~", key("f1")),
    (b"\x1b[1;2P", key("f1", SHIFT)),
    (b"\x1bOR", key("f3")),
    (b"\x1b[1;2R", key("f3", SHIFT)),
    (b"\x1b[1;5R", key("f3", CTRL)),
    (b"\x1b[13;2~", key("f3", SHIFT)),
    (b"\x1b[15~", key("f5")),
    (b"\x1b[24;6~", key("f12", CTRL | SHIFT)),
    (b"\x1b[25~", key("f13")),
    (b"\x1b[34~", key("f20")),
    (b"\x1b[E", key("kp_begin")),
    (b"\x1bOM", key("kp_enter")),
    (b"\x1bOq", key("kp_1", text="1")),
    (b"\x1bOk", key("kp_add", text="+")),
]

RXVT_AND_CONSOLE = [
    (b"\x1b[a", key("up", SHIFT)),
    (b"\x1b[d", key("left", SHIFT)),
    (b"\x1bOb", key("down", CTRL)),
    (b"\x1bOc", key("right", CTRL)),
    (b"\x1b[2$", key("insert", SHIFT)),
    (b"\x1b[3^", key("delete", CTRL)),
    (b"\x1b[6@", key("pagedown", CTRL | SHIFT)),
    (b"\x1b\x1b[A", key("up", ALT)),
    (b"\x1b\x1bOA", key("up", ALT)),
    (b"\x1b\x1b[5~", key("pageup", ALT)),
    (b"\x1b[[A", key("f1")),
    (b"\x1b[[E", key("f5")),
]

MODIFY_OTHER_KEYS = [
    (b"\x1b[27;2;13~", key("enter", SHIFT)),
    (b"\x1b[27;5;13~", key("enter", CTRL)),
    (b"\x1b[27;6;9~", key("tab", CTRL | SHIFT)),
    (b"\x1b[27;5;105~", key("i", CTRL)),
    (b"\x1b[27;6;65~", key("a", CTRL | SHIFT)),
    (b"\x1b[27;2;65~", key("a", SHIFT, "A")),
    (b"\x1b[27;5;46~", key(".", CTRL)),
    (b"\x1b[27;2;32~", key("space", SHIFT, " ")),
    (b"\x1b[27;3;233~", key("é", ALT)),
]

KITTY = [
    (b"\x1b[97u", key("a", text="a")),
    (b"\x1b[97;;97u", key("a", text="a")),
    (b"\x1b[97:65;2;65u", key("a", SHIFT, "A", shifted="A")),
    (b"\x1b[97;2u", key("a", SHIFT, "A")),
    (b"\x1b[47:63;2;63u", key("/", SHIFT, "?", shifted="?")),
    (b"\x1b[99;5u", key("c", CTRL)),
    (b"\x1b[99;5;99u", key("c", CTRL)),
    (b"\x1b[105;5u", key("i", CTRL)),
    (b"\x1b[91;5u", key("[", CTRL)),
    (b"\x1b[97:65;6u", key("a", CTRL | SHIFT, shifted="A")),
    (b"\x1b[65;6u", key("a", CTRL | SHIFT, shifted="A")),
    (b"\x1b[1089::99;5u", key("с", CTRL, base="c")),
    (b"\x1b[1089:1057:99;2;1057u", key("с", SHIFT, "С", shifted="С", base="c")),
    (b"\x1b[97;3;229u", key("a", ALT, "å")),
    (b"\x1b[97;;229u", key("a", text="å")),
    (b"\x1b[113;7;64u", key("q", CTRL | ALT, "@")),
    (b"\x1b[97;3u", key("a", ALT)),
    (b"\x1b[107;9u", key("k", SUPER)),
    (b"\x1b[13u", key("enter")),
    (b"\x1b[13;2u", key("enter", SHIFT)),
    (b"\x1b[13;5u", key("enter", CTRL)),
    (b"\x1b[9;5u", key("tab", CTRL)),
    (b"\x1b[27u", key("escape")),
    (b"\x1b[127;3u", key("backspace", ALT)),
    (b"\x1b[32;;32u", key("space", text=" ")),
    (b"\x1b[32;5u", key("space", CTRL)),
    (b"\x1b[57399;129;48u", key("kp_0", Modifiers.NUM_LOCK, "0")),
    (b"\x1b[57414u", key("kp_enter")),
    (b"\x1b[57419u", key("kp_up")),
    (b"\x1b[57427~", key("kp_begin")),
    (b"\x1b[57376u", key("f13")),
    (b"\x1b[57398u", key("f35")),
    (b"\x1b[57428u", key("media_play")),
    (b"\x1b[57440u", key("mute_volume")),
    (b"\x1b[57441;2u", key("left_shift", SHIFT)),
    (b"\x1b[57448;5u", key("right_control", CTRL)),
    (b"\x1b[57363u", key("menu")),
    (b"\x1b[97;65u", key("a", Modifiers.CAPS_LOCK, "A")),
    (b"\x1b[1;1:1A", key("up")),
    (b"\x1b[1;129A", key("up", Modifiers.NUM_LOCK)),
    (b"\x1b[0;;128104:8205:128105u", key("", text="👨\u200d👩")),
    (b"\x1b[97;1:2;97u", Key(key="a", text="a", action=REPEAT)),
    (b"\x1b[97;1:3u", Key(key="a", action=RELEASE)),
    (b"\x1b[97;5:3u", Key(key="a", modifiers=CTRL, action=RELEASE)),
    (b"\x1b[1;1:3A", Key(key="up", action=RELEASE)),
    (b"\x1b[3;1:2~", Key(key="delete", action=REPEAT)),
    (b"\x1b[57441;1:3u", Key(key="left_shift", action=RELEASE)),
]


@pytest.mark.parametrize(("data", "event"), [*LEGACY, *RXVT_AND_CONSOLE, *MODIFY_OTHER_KEYS, *KITTY])
def test_a_sequence_is_its_key(data: bytes, event: Key) -> None:
    assert decoded(data) == [event]


def mouse(
    action: MouseAction, button: MouseButton, x: int = 4, y: int = 5, modifiers: Modifiers = NONE
) -> Mouse:
    return Mouse(action=action, button=button, x=x, y=y, modifiers=modifiers)


PRESS, UP, MOVE = MouseAction.PRESS, MouseAction.RELEASE, MouseAction.MOVE

MOUSE = [
    (b"\x1b[<0;5;6M", mouse(PRESS, MouseButton.LEFT)),
    (b"\x1b[<1;5;6M", mouse(PRESS, MouseButton.MIDDLE)),
    (b"\x1b[<2;5;6m", mouse(UP, MouseButton.RIGHT)),
    (b"\x1b[<32;5;6M", mouse(MOVE, MouseButton.LEFT)),
    (b"\x1b[<35;5;6M", mouse(MOVE, MouseButton.NONE)),
    (b"\x1b[<64;5;6M", mouse(PRESS, MouseButton.WHEEL_UP)),
    (b"\x1b[<65;5;6M", mouse(PRESS, MouseButton.WHEEL_DOWN)),
    (b"\x1b[<66;5;6M", mouse(PRESS, MouseButton.WHEEL_LEFT)),
    (b"\x1b[<67;5;6M", mouse(PRESS, MouseButton.WHEEL_RIGHT)),
    (b"\x1b[<128;5;6M", mouse(PRESS, MouseButton.BACK)),
    (b"\x1b[<129;5;6m", mouse(UP, MouseButton.FORWARD)),
    (b"\x1b[<130;5;6M", mouse(PRESS, MouseButton.BUTTON_10)),
    (b"\x1b[<131;5;6M", mouse(PRESS, MouseButton.BUTTON_11)),
    (b"\x1b[<28;5;6M", mouse(PRESS, MouseButton.LEFT, modifiers=SHIFT | ALT | CTRL)),
    (b"\x1b[<0;1000;600M", mouse(PRESS, MouseButton.LEFT, 999, 599)),
    (b"\x1b[M %&", mouse(PRESS, MouseButton.LEFT)),
    (b"\x1b[M`%&", mouse(PRESS, MouseButton.WHEEL_UP)),
    (b"\x1b[M \xff\xff", mouse(PRESS, MouseButton.LEFT, 222, 222)),
    (b"\x1b[32;5;6M", mouse(PRESS, MouseButton.LEFT)),
    (b"\x1b[96;5;6M", mouse(PRESS, MouseButton.WHEEL_UP)),
    (b"\x1b[67;5;6M", mouse(MOVE, MouseButton.NONE)),
]


@pytest.mark.parametrize(("data", "event"), MOUSE)
def test_a_mouse_report_is_its_event(data: bytes, event: Mouse) -> None:
    assert decoded(data) == [event]


@pytest.mark.parametrize("release", [b"\x1b[M#%&", b"\x1b[35;5;6M"])
def test_a_release_without_its_button_is_of_the_button_that_is_down(release: bytes) -> None:
    events = decoded(b'\x1b[M"%&' + release)

    assert events == [mouse(PRESS, MouseButton.RIGHT), mouse(UP, MouseButton.RIGHT)]


def test_reports_in_pixels_are_turned_into_cells() -> None:
    decoder = InputDecoder()
    decoder.mouse.cell_px = (8.5, 17.0)

    assert decoded(b"\x1b[<0;86;35M", decoder) == [mouse(PRESS, MouseButton.LEFT, 10, 2)]
    assert decoded(b"\x1b[<0;1;1M", decoder) == [mouse(PRESS, MouseButton.LEFT, 0, 0)]


@pytest.mark.parametrize("data", [b"\x1b[<0;-1;5M", b"\x1b[<0;5M", b"\x1b[<999;1;1M", b"\x1b[<0;0;0M"])
def test_an_impossible_mouse_report_presses_no_key(data: bytes) -> None:
    assert decoded(data) == []


REPLIES = [
    (b"\x1b[?62;22;52c", DeviceAttributes(level=1, parameters=(62, 22, 52))),
    (b"\x1b[>1;4000;29c", DeviceAttributes(level=2, parameters=(1, 4000, 29))),
    (b"\x1b[?31u", KittyFlags(flags=31)),
    (b"\x1b[?2026;2$y", ModeReport(mode=2026, setting=2)),
    (b"\x1b[4;1$y", ModeReport(mode=4, setting=1, private=False)),
    (b"\x1b[?997;1n", ColorScheme(dark=True)),
    (b"\x1b[?997;2n", ColorScheme(dark=False)),
    (b"\x1b[12;40R", CursorReport(x=39, y=11)),
    (b"\x1b[?1;1R", CursorReport(x=0, y=0)),
    (b"\x1b[48;24;80;384;640t", TerminalSize(cols=80, rows=24, width_px=640, height_px=384)),
    (b"\x1b]11;rgb:1e1e/2e2e/3e3e\x1b\\", ColorReport(slot=11, red=0x1E, green=0x2E, blue=0x3E)),
    (b"\x1b]10;rgb:f/0/8\x07", ColorReport(slot=10, red=255, green=0, blue=136)),
    (b"\x1b]4;7;#c0c0c0\x07", ColorReport(slot=4, index=7, red=192, green=192, blue=192)),
    (b"\x1bP>|ghostty 1.3.0\x1b\\", TerminalVersion(name="ghostty 1.3.0")),
    (b"\x1b_Gi=31;OK\x1b\\", PictureReport(image=31, ok=True)),
    (b"\x1b_GI=2,i=31,p=4;ENOENT:no such image\x1b\\", PictureReport(image=31, ok=False)),
]

UNREAD_REPLIES = [
    b"\x1b[0n",
    b"\x1b[?64;1;9z",
    b"\x1b[2;1;1;112;112;1;0x",
    b"\x1b[4;384;640t",
    b"\x1b[6;16;8t",
    b"\x1b[?1;0;256S",
    b"\x1b[>4;2m",
    b"\x1b_GI=31;OK\x1b\\",
    b"\x1b_Gi=;OK\x1b\\",
    b"\x1bP!|00000000\x1b\\",
    b"\x1bP1$r0m\x1b\\",
    b"\x1bP1+r544e=78\x1b\\",
    b"\x1b]52;c;aGk=\x07",
    b"\x1b]lsome title\x1b\\",
    b"\x1b]11;what?\x1b\\",
]


@pytest.mark.parametrize(
    ("data", "reply"), [*REPLIES, *((data, OtherReply(raw=data)) for data in UNREAD_REPLIES)]
)
def test_an_answer_of_the_terminal_is_a_reply(data: bytes, reply: Reply) -> None:
    assert decoded(data) == [reply]


@pytest.mark.parametrize("data", [data for data, _ in REPLIES] + UNREAD_REPLIES)
def test_a_reply_cut_by_a_slow_line_presses_no_key(data: bytes) -> None:
    """The deadline passes at every cut but the first, where nothing tells the ESC from the Escape key yet."""
    for cut in range(3, len(data)):
        decoder = InputDecoder()

        events = decoder.decode(data[:cut])
        if decoder.patience_s == ESCAPE_PATIENCE_S:
            events += decoder.flush()
        events += decoder.decode(data[cut:])

        assert [event for event in events if not isinstance(event, Reply)] == []


def test_a_reply_whose_escape_came_alone_is_still_a_reply() -> None:
    decoder = InputDecoder()

    events = decoder.decode(b"\x1b") + decoder.flush() + decoder.decode(b"]11;rgb:1e1e/2e2e/3e3e\x1b\\")

    assert events == [key("escape"), ColorReport(slot=11, red=0x1E, green=0x2E, blue=0x3E)]


def test_while_a_reply_is_due_a_lone_escape_waits_longer() -> None:
    decoder = InputDecoder()
    decoder.reply_due = True

    decoder.decode(b"\x1b")

    assert decoder.patience_s == REPLY_ESCAPE_PATIENCE_S


def test_f3_with_modifiers_is_a_cursor_report_only_while_one_is_due() -> None:
    decoder = InputDecoder()
    decoder.cursor_reports_due = 1

    assert decoder.decode(b"\x1b[1;2R\x1b[1;2R") == [CursorReport(x=1, y=0), key("f3", SHIFT)]


def test_focus_is_told() -> None:
    assert decoded(b"\x1b[I\x1b[O") == [Focus(gained=True), Focus(gained=False)]


# Escape and time.


def test_a_lone_escape_is_a_key_after_at_most_30_ms() -> None:
    decoder = InputDecoder()

    assert decoder.decode(b"\x1b") == []
    assert decoder.pending_escape
    assert decoder.patience_s == ESCAPE_PATIENCE_S <= 0.03
    assert decoder.flush() == [key("escape")]
    assert decoder.patience_s is None


def test_under_the_kitty_protocol_escape_needs_no_deadline() -> None:
    decoder = InputDecoder()
    decoder.decode(b"\x1b[?31u")

    assert decoder.decode(b"\x1b[27u") == [key("escape")]
    assert decoder.patience_s is None


def test_under_the_kitty_protocol_a_cut_sequence_does_not_become_escape() -> None:
    decoder = InputDecoder()
    decoder.decode(b"\x1b[?31u")

    decoder.decode(b"\x1b")

    assert decoder.patience_s == SEQUENCE_PATIENCE_S
    assert decoder.decode(b"[97;5u") == [key("a", CTRL)]


def test_two_escapes_are_two_keys() -> None:
    assert decoded(b"\x1b\x1b") == [key("escape"), key("escape")]


def test_escape_and_a_key_that_were_sent_together_stay_apart_from_reports() -> None:
    assert decoded(b"\x1b\x1b[<0;5;6M") == [key("escape"), mouse(PRESS, MouseButton.LEFT)]
    assert decoded(b"\x1b\x1b[I") == [key("escape"), Focus(gained=True)]
    assert decoded(b"\x1b\x1bx") == [key("escape"), key("x", ALT)]
    assert decoded(b"\x1b\x1b[200~hi\x1b[201~") == [key("escape"), Paste(text="hi")]


def test_an_open_sequence_is_given_up_without_pressing_keys() -> None:
    decoder = InputDecoder()
    decoder.decode(b"\x1b[1;5")

    assert not decoder.pending_escape
    assert decoder.patience_s == SEQUENCE_PATIENCE_S
    assert decoder.flush() == [OtherReply(raw=b"\x1b[1;5")]
    assert decoder.decode(b"x") == [key("x", text="x")]


def test_alt_and_a_bracket_typed_before_other_keys_are_those_keys() -> None:
    assert decoded(b"\x1b]x") == [key("]", ALT), key("x", text="x")]
    assert decoded(b"\x1b[\r") == [key("[", ALT), key("enter")]
    assert decoded(b"\x1bOz") == [key("o", ALT | SHIFT), key("z", text="z")]
    assert decoded(b"\x1bPx") == [key("p", ALT | SHIFT), key("x", text="x")]
    assert decoded(b"\x1bP\x1bP") == [key("p", ALT | SHIFT), key("p", ALT | SHIFT)]


def test_a_control_breaks_off_a_string_and_is_a_key() -> None:
    assert decoded(b"\x1b]11;rgb:\x03") == [OtherReply(raw=b"\x1b]11;rgb:"), key("c", CTRL)]


# What the terminal says of itself decides how its bytes are read.


def test_where_backspace_sends_bs_it_is_no_ctrl_h() -> None:
    assert decoded(b"\x08\x1b\x08", InputDecoder(backspace=8)) == [key("backspace"), key("backspace", ALT)]


def test_a_terminal_that_tells_text_means_it_when_it_tells_none() -> None:
    """A dead key is pressed: nothing is typed yet."""
    decoder = InputDecoder()
    decoder.decode(b"\x1b[?31u")

    assert decoder.decode(b"\x1b[94u") == [key("^")]


def test_the_flags_that_the_terminal_told_are_known() -> None:
    decoder = InputDecoder()
    assert decoder.kitty_flags is None

    decoder.decode(b"\x1b[?15u")

    assert decoder.kitty_flags == 15


# Paste.


def test_a_paste_is_one_event_whatever_is_in_it() -> None:
    text = "A\x1b[31m red\x1b[201 \x1b[<0;1;1M\r\n\x03\x00é"

    events = decoded(b"\x1b[200~" + text.encode() + b"\x1b[201~b")

    assert events == [Paste(text=text), key("b", text="b")]


def test_an_empty_paste_is_a_paste() -> None:
    assert decoded(b"\x1b[200~\x1b[201~") == [Paste(text="")]


def test_a_large_paste_in_small_reads_is_one_event() -> None:
    text = "0123456789abcdef" * 65536
    data = b"\x1b[200~" + text.encode() + b"\x1b[201~"
    decoder = InputDecoder()

    events = [event for at in range(0, len(data), 4093) for event in decoder.decode(data[at : at + 4093])]

    assert events == [Paste(text=text)]


def test_a_paste_that_comes_byte_by_byte_is_one_event() -> None:
    data = b"\x1b[200~a\x1b[201\x1b[20\x1bb\x1b[201~c"
    decoder = InputDecoder()

    events = [event for byte in data for event in decoder.decode(bytes([byte]))]

    assert events == [Paste(text="a\x1b[201\x1b[20\x1bb"), key("c", text="c")]


def test_a_paste_over_the_limit_is_refused_whole_and_told() -> None:
    decoder = InputDecoder(max_paste_bytes=100)

    events = decoder.decode(b"\x1b[200~" + b"x" * 60) + decoder.decode(b"y" * 60 + b"\x1b[201~z")

    assert events == [OversizedPaste(size_bytes=120), key("z", text="z")]


def test_a_paste_that_stalls_is_delivered_in_the_end() -> None:
    decoder = InputDecoder()
    decoder.decode(b"\x1b[200~half\x1b[20")

    assert decoder.patience_s == PASTE_PATIENCE_S
    assert decoder.flush() == [Paste(text="half\x1b[20")]
    assert decoder.decode(b"\x1b[201~x") == [key("x", text="x")]


def test_a_paste_of_bytes_that_are_no_text_is_still_a_paste() -> None:
    assert decoded(b"\x1b[200~a\xffb\x1b[201~") == [Paste(text="a\ufffdb")]


# What nobody understands.


@pytest.mark.parametrize("data", [b"\x1b[99~", b"\x1b[1;2z", b"\x1b[57500u", b"\x1b[200z"])
def test_an_unknown_sequence_is_a_key_that_keeps_its_bytes(data: bytes) -> None:
    assert decoded(data) == [Key(key="", raw=data)]


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"\xe3\x81", b"\x80", b"\xc0"])
def test_bytes_that_are_no_character_are_kept_as_they_are(data: bytes) -> None:
    assert b"".join(event.raw for event in decoded(data) if isinstance(event, Key)) == data


def test_a_broken_character_does_not_swallow_what_follows() -> None:
    assert decoded(b"\xe3\x81a") == [Key(key="", raw=b"\xe3"), Key(key="", raw=b"\x81"), key("a", text="a")]


@pytest.mark.parametrize("start", [b"\x1b]11;", b"\x1b[", b"\x1bP>|"])
def test_an_endless_sequence_is_dropped_in_bounded_memory(start: bytes) -> None:
    decoder = InputDecoder()
    decoder.decode(start)
    for _ in range(2 * MAX_SEQUENCE_BYTES // 1000):
        decoder.decode(b"1" * 1000)

    assert len(decoder._open) <= MAX_SEQUENCE_BYTES
    assert decoder.decode(b"\x07x") == [key("x", text="x")]


def test_numbers_of_any_length_are_survived() -> None:
    assert decoded(b"\x1b[" + b"9" * 5000 + b"u") == [Key(key="", raw=b"\x1b[" + b"9" * 5000 + b"u")]


# Properties.

SEQUENCES = [data for data, _ in [*LEGACY, *RXVT_AND_CONSOLE, *MODIFY_OTHER_KEYS, *KITTY, *MOUSE, *REPLIES]]
PIECES = st.sampled_from([*SEQUENCES, *UNREAD_REPLIES, b"\x1b[200~a\x1b[31mb\x1b[201~", b"\xff", b"\x1b[I"])


@given(pieces=st.lists(PIECES, max_size=8), noise=st.binary(max_size=6), data=st.data())
@example(pieces=[b"\x1b\x1b[A"], noise=b"", data=None)
@example(pieces=[b"\x1b[2$", b"1"], noise=b"", data=None)
def test_where_the_bytes_are_cut_does_not_matter(
    pieces: list[bytes], noise: bytes, data: st.DataObject | None
) -> None:
    stream = noise.join(pieces)
    cuts = range(len(stream) + 1) if data is None else sorted(data.draw(st.sets(st.integers(0, len(stream)))))
    decoder, events = InputDecoder(), []

    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        events += decoder.decode(stream[start:end])

    whole = InputDecoder()
    assert events == whole.decode(stream)
    assert decoder.flush() == whole.flush()


@given(chunks=st.lists(st.binary(max_size=64), max_size=20))
def test_no_bytes_raise_and_silence_always_ends_what_is_open(chunks: list[bytes]) -> None:
    decoder = InputDecoder()
    for chunk in chunks:
        decoder.decode(chunk)

    decoder.flush()

    assert decoder.patience_s is None
    assert decoder.decode(b"x") == [key("x", text="x")]


@given(text=st.text(st.characters(min_codepoint=0x20, blacklist_categories=("Cs", "Cc")), max_size=40))
def test_typed_text_is_read_as_it_was_typed(text: str) -> None:
    assert "".join(event.text for event in decoded(text.encode()) if isinstance(event, Key)) == text
