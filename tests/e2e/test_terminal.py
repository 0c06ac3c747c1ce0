"""One UI in a PTY and what lives in its panes: nothing leaks out of them, nothing strays into them."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import time

import pytest

from orca_tui.commands.targets import FOCUS, TargetRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.term.engine import MouseTracking
from orca_tui.term.ghostty import GhosttyFactory
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.terminal import OuterTerminal
from tests.term.widths import WIDTHS

SHELL = ("--", "/bin/bash", "--norc", "--noprofile")
STRINGS = re.compile(rb"\x1b([\]P_^X])([^\x07\x1b]*)(?:\x07|\x1b\\)")
"""Every OSC, DCS, APC, PM and SOS that the outer terminal was written."""
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
LONGEST_STRING = 2000
CLUSTER_UNAWARE = b"\x1b[?2027l"
"""Makes a terminal add up the parts of an emoji, as older ones do."""
ASK_CLUSTERS, KNOWS_CLUSTERS = b"\x1b[?2027$p", b"\x1b[?2027;1$y"
MOUSE_TUI = r"""
import os, tty
tty.setraw(0)
print('\x1b[?1049h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[>5u\x1b[?1h', end='')
print('TUI', os.getpid(), end='.', flush=True)
while True:
    os.write(1, b'\r\n' + repr(os.read(0, 1000))[-70:].encode())
"""
WITNESS = r"""
import os, tty
tty.setraw(0)
os.write(1, b'WITNESS')
while True:
    data = os.read(0, 65536)
    if data[:1] == b'!':  # From beside: modes to set.
        os.write(1, data[1:])
    else:
        os.write(1, repr(data)[2:-1].encode())
"""
"""Shows every byte that it is given."""
KITTY, KITTY_RELEASES, OTHER_KEYS, KEYPAD = "\x1b[>1u", "\x1b[>3u", "\x1b[>4;2m", "\x1b="
PASTES, FULL_SCREEN, CURSOR_KEYS = "\x1b[?2004h", "\x1b[?1049h", "\x1b[?1h"
LEGACY = "\x1b[<9u\x1b[>4m\x1b>\x1b[?2004l\x1b[?1049l\x1b[?1l"
MARKS = itertools.count(1)
WHEEL_UP = "\x1b[<64;60;20M"
TYPED = [
    ("shift+enter into a program without a protocol", "", "\x1b[13;2u", "\r"),
    ("shift+enter into one that speaks kitty's", KITTY, "\x1b[13;2u", "\x1b[13;2u"),
    ("shift+enter into one that speaks xterm's", OTHER_KEYS, "\x1b[13;2u", "\x1b[27;2;13~"),
    ("enter, pressed and released", "", "\x1b[13u\x1b[13;1:3u", "\r"),
    ("enter as text, and its release all the same", "", "\r\x1b[13;1:3u", "\r"),
    ("the same into one that speaks kitty's", KITTY_RELEASES, "\r\x1b[13;1:3u", "\r"),
    ("tab and backspace, with releases", "", "\t\x1b[9;1:3u\x7f\x1b[127;1:3u", "\t\x7f"),
    ("escape", "", "\x1b[27u", "\x1b"),
    ("shift+tab", "", "\x1b[9;2u", "\x1b[Z"),
    ("shift+tab into one that speaks kitty's", KITTY, "\x1b[9;2u", "\x1b[9;2u"),
    ("digits and enter of the keypad", "", "\x1b[57400;129;49u\x1b[57414u", "1\r"),
    ("the keypad of an application", KEYPAD, "\x1b[57400u\x1b[57414u", "\x1bOq\x1bOM"),
    ("lines without brackets", "", "\x1b[200~one\ntwo\x1b[201~", "one\rtwo"),
    ("lines in brackets", PASTES, "\x1b[200~one\ntwo\rthree\x1b[201~", "\x1b[200~one\ntwo\rthree\x1b[201~"),
    ("the wheel where the mouse is not wanted", FULL_SCREEN, WHEEL_UP, "\x1b[A" * 3),
    ("the wheel with cursor keys of an application", FULL_SCREEN + CURSOR_KEYS, WHEEL_UP, "\x1bOA" * 3),
]
"""What is done, the program's modes, what the outer terminal sends, what the program must get."""
HOSTILE = r"""
import sys
out = sys.stdout.buffer
for title in ('\u202egnp.exe\u2066', 'a\x9b31mb', 'x' * 5_000_000, '\u200b' * 100, 'plain'):
    out.write(b'\x1b]0;' + title.encode() + b'\x07\x1b]2;' + title.encode() + b'\x1b\\')
for string in (
    b']9;note\xe2\x80\xae \xc2\x9b31m', b']777;notify;t\xe2\x80\xae;b', b']99;;k\xc2\x9b',
    b']52;c;?', b']52;p;?', b']1337;File=inline=1:AAAA', b']4;1;red', b']50;font',
    b'_Gf=100,a=T;AAAA', b'Pq#0~~', b'^pm', b'Xsos',
):
    out.write(b'\x1b' + string + b'\x1b\\')
out.write(b'\x1b]8;;https://example.org/\xe2\x80\xae\x07link\x1b]8;;\x07\x1b[21t\x1b[?1000h\x1b[5i')
out.write('\nHOSTILE-\u202eDONE\n'.encode())
out.flush()
"""

REDRAWER = r"""
import sys, time
frame, began = 0, time.monotonic()
def draw(text, row, pause=0.0):
    sys.stdout.write(f'\x1b[?2026h\x1b[?25l\x1b[{row}H\x1b[2K{text}\x1b[30;20H')
    if pause:
        sys.stdout.flush()
        time.sleep(pause)
    sys.stdout.write('\x1b[5;9H\x1b[?25h\x1b[?2026l')
    sys.stdout.flush()
while time.monotonic() < began + 1:
    frame += 1
    draw(f'frame {frame} ' + '=' * (frame % 50), 7 + frame % 20)
for number in range(5):
    draw(f'slow {number}', 28, pause=0.04)
draw('REDRAWN', 29)
input()
"""
"""Frames as those of agents: all drawn with a hidden cursor, which then is shown where the prompt is."""
FLOOD = r"""
import time
began, line = time.monotonic(), 0
while time.monotonic() < began + 1.5:
    line += 1
    print('flood', line, '=' * 75, flush=True)
print('OVER', flush=True)
input()
"""
BEGIN_FRAME, END_FRAME = b"\x1b[?2026h", b"\x1b[?2026l"


@pytest.fixture(scope="module")
def terminal(room: Sandbox) -> OuterTerminal:
    """Its UI; the outer terminal speaks the kitty keyboard protocol."""
    room.open(*SHELL)
    outer = room.terminal("attach")
    outer.shows("orca-tui")
    return outer


def opened(room: Sandbox, terminal: OuterTerminal, *command: str) -> str:
    """A pane in a tab of its own, with the keyboard."""
    pane = room.open("--focus", "--", *command)
    terminal.shows(f"{pane} ")
    return pane


def shell(room: Sandbox, terminal: OuterTerminal) -> str:
    pane = opened(room, terminal, *SHELL[1:])
    terminal.write(f"echo shell-{pane}-$((1+1))\r")
    terminal.shows(f"shell-{pane}-2")
    return pane


def move_and_click(terminal: OuterTerminal) -> None:
    """What a hand does over the middle of the screen, with a window that loses and gets the focus."""
    terminal.write("\x1b[<35;60;20M\x1b[<0;60;20M\x1b[<0;60;20m\x1b[<65;60;20M\x1b[O\x1b[I\x1b[<35;61;21M")


def test_after_a_mouse_tui_was_killed_its_shells_prompt_gets_no_stray_bytes(
    room: Sandbox, terminal: OuterTerminal
) -> None:
    pane = shell(room, terminal)
    (room.project / "tui.py").write_text(MOUSE_TUI)
    terminal.write(f"{sys.executable} tui.py\r")
    terminal.until(lambda: re.search(r"TUI \d+\.", terminal.text()) is not None, "the TUI")
    pid = int(re.findall(r"TUI (\d+)\.", terminal.text())[0])
    move_and_click(terminal)
    terminal.shows("[<0;")
    terminal.write("x")
    terminal.shows("x'")

    os.kill(pid, signal.SIGKILL)
    poll_until(lambda: "Killed" in room.screen(pane), "the shell says so")
    move_and_click(terminal)
    terminal.write("x\x1b[117;5uecho still-$((40+2))\r")

    terminal.shows("still-42")
    after = room.screen(pane).rpartition("Killed")[2]
    assert "command not found" not in after
    assert [mark for mark in ("<0;", "<35;", "<65;", "[I", "[O", ";5u") if mark in after] == []


def test_shift_enter_of_a_kitty_terminal_is_told_to_a_child_of_that_protocol(
    room: Sandbox, terminal: OuterTerminal
) -> None:
    opened(room, terminal, "/bin/sh", "-c", "stty raw -echo; printf '\\033[>1uREADY'; exec cat -v")
    terminal.shows("READY")

    terminal.write("a\x1b[13;2ub")

    terminal.shows("READYa^[[13;2ub")


@pytest.fixture(scope="module")
def witness(room: Sandbox, terminal: OuterTerminal) -> str:
    (room.project / "witness.py").write_text(WITNESS)
    pane = opened(room, terminal, sys.executable, "-S", "-E", str(room.project / "witness.py"))
    terminal.shows("WITNESS")
    return pane


def set_modes(room: Sandbox, terminal: OuterTerminal, pane: str, modes: str) -> str:
    """Give the witness the keyboard, these modes and an empty screen; the mark behind which it shows what it gets."""
    mark = f"got-{next(MARKS)}:"
    with room.client() as client:
        client.call(FOCUS, TargetRequest(target=pane))
        client.call(TYPE, TypeRequest(pane=pane, text=f"!{LEGACY}{modes}\x1b[2J\x1b[H{mark}"))
    terminal.shows(mark)
    return mark


def cell_of(terminal: OuterTerminal, text: str) -> tuple[int, int]:
    """Column and row of the outer terminal, counted from 1, where a text begins."""
    for y, row in enumerate(terminal.text().splitlines()):
        if text in row:
            return row.index(text) + 1, y + 1
    raise AssertionError(f"no {text!r} in\n{terminal.text()}")


@pytest.mark.parametrize(
    ("modes", "outer", "child"), [row[1:] for row in TYPED], ids=[row[0] for row in TYPED]
)
@pytest.mark.parametrize("pieces", ["whole", "byte by byte"])
def test_what_is_done_outside_is_what_the_program_gets(
    room: Sandbox, terminal: OuterTerminal, witness: str, modes: str, outer: str, child: str, pieces: str
) -> None:
    mark = set_modes(room, terminal, witness, modes)

    for piece in [outer] if pieces == "whole" else outer:
        terminal.write(piece)
        terminal.pump(0.001)
    terminal.write("z")

    room.shows(witness, "z")
    assert room.screen(witness).strip() == f"{mark}{child!r}z".replace("'", "")


def test_a_program_that_follows_the_mouse_is_told_of_it_and_others_do_not_ask_for_it(
    room: Sandbox, terminal: OuterTerminal, witness: str
) -> None:
    mark = set_modes(room, terminal, witness, "\x1b[?1003h\x1b[?1006h")
    terminal.until(lambda: terminal.engine.modes().mouse is MouseTracking.ANY, "movements are asked for")
    x, y = cell_of(terminal, mark)

    terminal.write(f"\x1b[<35;{x + 3};{y + 2}M\x1b[<35;{x + 5};{y + 1}M")

    room.shows(witness, r"\x1b[<35;6;2M")
    set_modes(room, terminal, witness, "\x1b[?1003l\x1b[?1006l")
    terminal.until(lambda: terminal.engine.modes().mouse is MouseTracking.BUTTON, "and not any more")


def test_what_is_typed_right_behind_a_click_goes_where_the_click_leads(
    room: Sandbox, terminal: OuterTerminal, witness: str
) -> None:
    mark = set_modes(room, terminal, witness, "")
    other = room.open("--split", "right", "--focus", "--", "/bin/sh", "-c", "stty raw -echo; exec cat -v")
    terminal.until(lambda: f"{other} " in terminal.text() and mark in terminal.text(), "one beside the other")
    x, y = cell_of(terminal, mark)

    terminal.write(f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}mtyped")

    room.shows(witness, f"{mark}typed")
    assert "typed" not in room.screen(other)


def test_nothing_hostile_reaches_the_outer_terminal_nor_answers_come_back(
    room: Sandbox, terminal: OuterTerminal
) -> None:
    (room.project / "hostile.py").write_text(HOSTILE)
    before = len(terminal.received)
    pane = opened(
        room, terminal, "/bin/sh", "-c", f"stty raw -echo; {sys.executable} hostile.py; exec cat -v"
    )
    terminal.shows("HOSTILE-")
    terminal.write("|typed|")
    terminal.shows("|typed|")

    written = bytes(terminal.received[before:])
    strings = STRINGS.findall(written)
    assert {kind for kind, _ in strings} <= {b"]"}
    assert [body for _, body in strings if UNSAFE.search(body.decode()) or len(body) > LONGEST_STRING] == []
    assert {body.partition(b";")[0] for _, body in strings} <= {b"0", b"2", b"8", b"9", b"99", b"777"}
    assert not UNSAFE.search(
        STRINGS.sub(b"", written).decode().translate(dict.fromkeys(map(ord, "\x1b\r\n\x0f\x07")))
    )
    typed = [line.strip() for line in room.screen(pane).splitlines() if "|typed|" in line]
    assert typed == ["|typed|"]


def test_a_program_that_redraws_all_the_time_is_drawn_at_the_frames_with_its_cursor_at_rest(
    room: Sandbox, terminal: OuterTerminal
) -> None:
    (room.project / "redrawer.py").write_text(REDRAWER)
    opened(room, terminal, sys.executable, "redrawer.py")
    terminal.until(lambda: "frame" in terminal.text() and terminal.engine.cursor().visible, "the cursor")
    before, began = len(terminal.received), time.monotonic()

    terminal.shows("REDRAWN")

    *frames, _ = bytes(terminal.received[before:]).split(END_FRAME)
    assert 30 <= len(frames) <= 62 * (time.monotonic() - began) + 5
    assert all(frame.count(BEGIN_FRAME) == 1 for frame in frames[1:])
    assert b"\x1b[?25" not in b"".join(frames[1:])
    at_rest = {re.findall(rb"\x1b\[(\d+);(\d+)H", frame)[-1] for frame in frames}
    assert at_rest == {(b"7", b"40")}


def test_what_is_told_above_a_flooding_pane_is_in_every_frame(room: Sandbox, terminal: OuterTerminal) -> None:
    (room.project / "flood.py").write_text(FLOOD)
    opened(room, terminal, sys.executable, "flood.py")
    terminal.shows("flood")
    replay = GhosttyFactory().new(terminal.engine.cols, terminal.engine.rows, scrollback_lines=0)
    replay.feed(bytes(terminal.received))
    before = len(terminal.received)

    for column in (60, 70):  # Two texts are told of: the lower one lies over the pane.
        terminal.write(f"\x1b[<0;50;10M\x1b[<32;{column};10M\x1b[<0;{column};10m")
    terminal.shows("OVER")

    told = []
    for frame in bytes(terminal.received[before:]).split(END_FRAME):
        replay.feed(frame + END_FRAME)
        told.append(replay.screen_text(unwrap=False).count("characters went to") == 2)
    replay.close()
    assert told.count(True) >= 20
    assert all(told[told.index(True) :])


def test_a_border_stays_in_its_column_beside_text_of_every_width(
    room: Sandbox, terminal: OuterTerminal
) -> None:
    (room.project / "widths").write_text("".join(f"{text}|{text}\r\n" for text, _ in WIDTHS.values()))
    left = opened(room, terminal, "/bin/sh", "-c", "stty raw -echo; cat widths; printf 'ALL\\r\\n'; exec cat")
    terminal.shows("ALL")
    right = room.open("--split", "right", "--", "/bin/sh", "-c", "yes beside | head -40; exec cat")
    terminal.shows(f"{right} ")
    terminal.shows("beside")

    shown = room.screen(left).splitlines()
    assert shown[: len(WIDTHS)] == [f"{text}|{text}" for text, _ in WIDTHS.values()]
    terminal.until(lambda: len(columns_of(terminal, "beside")) == 1, "one column of borders")


def test_emoji_push_nothing_out_of_its_column_in_a_terminal_that_adds_up_their_parts(room: Sandbox) -> None:
    family, arrow, tone = "👨\u200d👩\u200d👧", "➡\ufe0f", "👍🏽"
    (room.project / "emoji").write_text(
        f"\x1b[H\x1b[J{family}{arrow}{tone}|after\r\n"
        + "".join(f"\x1b[{row};999H\x1b[D{cluster}" for row, cluster in enumerate((family, arrow, tone), 2))
        + "\x1b[6HALL"
    )
    left = room.open("--focus", "--", "/bin/sh", "-c", "stty raw -echo; echo UP; read x; cat emoji; exec cat")
    room.open("--split", "right", "--", "/bin/sh", "-c", "yes beside | head -60; exec cat")
    room.run("focus", left)
    terminal = room.terminal("attach")
    terminal.engine.feed(CLUSTER_UNAWARE)
    terminal.shows("beside")
    terminal.shows("UP")
    height = sum("beside" in row.text for row in terminal.engine.all_rows())

    terminal.write("\n")

    terminal.shows("ALL")
    terminal.until(lambda: len(columns_of(terminal, "beside")) == 1, "one column of borders")
    assert sum("│beside" in row.text for row in terminal.engine.all_rows()) == height
    (after,) = columns_of(terminal, "|after")
    (begin,) = columns_of(terminal, "ALL")
    assert after - begin == 6


def columns_of(terminal: OuterTerminal, text: str) -> set[int]:
    """The columns in which a text begins, in all rows that have it."""
    columns = GhosttyFactory().new(terminal.engine.cols + 1, 1, scrollback_lines=0)
    columns.feed(b"" if terminal.engine.feed(ASK_CLUSTERS).replies == KNOWS_CLUSTERS else CLUSTER_UNAWARE)
    found = set()
    for row in terminal.engine.all_rows():
        before, has, _ = row.text.partition(text)
        if has:
            columns.feed(b"\x1b[2J\x1b[H" + before.encode())
            found.add(columns.cursor().x)
    columns.close()
    return found
