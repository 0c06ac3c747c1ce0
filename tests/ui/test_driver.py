"""The driver on a real PTY: bytes in, Textual events out, and the terminal given back as it was."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orca_tui.ui.outbox import HIGH_WATER_BYTES

PROBE = Path(__file__).with_name("driver_probe.py")
ROOT = Path(__file__).parents[2]
PATIENCE_S = 20.0
ROWS, COLS = 24, 80

DA1_ANSWER = b"\x1b[?62;22c"
FRAME_BYTES = 16 * 1024
"""More than the probe writes for one frame of 80 by 24 cells."""

MODES_WE_SET = {1000, 1002, 1004, 1006, 1049, 2004, 2031}
Report = dict[str, Any]


class Outer:
    """The outer terminal and the program in it. It answers questions, and keeps what was said."""

    def __init__(self, *arguments: str, kitty: bool = False, name: bytes = b"probe 1.0", home: Path) -> None:
        self.kitty = kitty
        self.name = name
        self.last_words = b""
        self.answer_delay_s = 0.0
        self._answers: list[tuple[float, bytes]] = []
        self.reading = True
        self.output = b""
        self.reports: list[Report] = []
        self._answered = 0
        self._partial = b""
        self.master, self.slave = pty.openpty()
        self.resize(COLS, ROWS)
        self.attributes = termios.tcgetattr(self.slave)
        self._report_fd, write_fd = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, str(PROBE), str(write_fd), *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            pass_fds=[write_fd],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm-256color",
                "HOME": str(home),
                "COLUMNS": "33",
                "LINES": "7",
            },
        )
        os.close(write_fd)

    def resize(self, cols: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))

    def send(self, data: bytes) -> None:
        """Type, while reading what the program writes, as a terminal does."""
        while data:
            _, writable, _ = select.select([], [self.master], [], 0.05)
            if writable:
                data = data[os.write(self.master, data[:1024]) :]
            self._pump(0)

    def wait_for(self, ready: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not ready():
            assert time.monotonic() < deadline, (
                f"no {what}; reports {self.reports}, output {self.output[-500:]!r}"
            )
            self._pump(0.05)

    def next(self, kind: str, **facts: object) -> Report:
        """The next report of a kind; those before it stay."""

        def found() -> Report | None:
            return next((r for r in self.reports if r["kind"] == kind and facts.items() <= r.items()), None)

        self.wait_for(lambda: found() is not None, f"report of {kind}")
        report = found()
        assert report is not None
        self.reports.remove(report)
        return report

    def wait_exit(self) -> int:
        self.wait_for(lambda: self.process.poll() is not None, "exit")
        self._pump(0)
        return self.process.returncode

    def modes(self) -> set[int]:
        """The DEC modes that are on, of those that a terminal has off."""
        on: set[int] = set()
        for numbers, final in re.findall(rb"\x1b\[\?([\d;]+)([hl])", self.output):
            changed = {int(number) for number in numbers.split(b";")} - {7, 25}
            on = on | changed if final == b"h" else on - changed
        return on

    def kitty_depth(self) -> int:
        return len(re.findall(rb"\x1b\[>\d+u", self.output)) - len(re.findall(rb"\x1b\[<u", self.output))

    def is_given_back(self) -> bool:
        """Modes, keyboard, cursor, line wrap and line discipline are as they were."""
        shown = self.output.rfind(b"\x1b[?25h") > self.output.rfind(b"\x1b[?25l")
        wraps = self.output.rfind(b"\x1b[?7h") > self.output.rfind(b"\x1b[?7l")
        same = termios.tcgetattr(self.slave) == self.attributes
        return not self.modes() and self.kitty_depth() == 0 and shown and wraps and same

    def unread(self) -> int:
        """Bytes that a shell would read next."""
        attributes = termios.tcgetattr(self.slave)
        attributes[3] &= ~termios.ICANON
        termios.tcsetattr(self.slave, termios.TCSANOW, attributes)
        (count,) = struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))
        return int(count)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for fd in (self.master, self.slave, self._report_fd):
            if fd >= 0:
                os.close(fd)

    def hang_up(self) -> None:
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    def _pump(self, patience_s: float) -> None:
        watched = [self._report_fd] + ([self.master] if self.reading and self.master >= 0 else [])
        readable, _, _ = select.select(watched, [], [], patience_s)
        if self.master in readable:
            self.output += os.read(self.master, 65536)
            self._answer()
        if self._report_fd in readable:
            *lines, self._partial = (self._partial + os.read(self._report_fd, 65536)).split(b"\n")
            self.reports += map(json.loads, lines)
        while self._answers and self._answers[0][0] <= time.monotonic():
            os.write(self.master, self._answers.pop(0)[1])

    def _answer(self) -> None:
        due = time.monotonic() + self.answer_delay_s
        for question in re.finditer(rb"\x1b\[\?u|\x1b\[c|\x1b\[>q", self.output[self._answered :]):
            match question.group():
                case b"\x1b[c":
                    left = b"\x1b[?1049l" in self.output[: self._answered + question.start()]
                    self._answers.append((due, (self.last_words if left else b"") + DA1_ANSWER))
                case b"\x1b[?u" if self.kitty:
                    self._answers.append((due, b"\x1b[?31u"))
                case b"\x1b[>q":
                    self._answers.append((due, b"\x1bP>|" + self.name + b"\x1b\\"))
        self._answered = len(self.output)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Outer]]:
    """Starts the probe in a terminal of its own, ready for input."""
    started: list[Outer] = []

    def _start(*arguments: str, kitty: bool = False, name: bytes = b"probe 1.0") -> Outer:
        outer = Outer(*arguments, kitty=kitty, name=name, home=tmp_path)
        started.append(outer)
        outer.next("ready")
        outer.next("reply", name="DeviceAttributes")
        return outer

    yield _start
    for outer in started:
        outer.close()


@pytest.fixture(scope="module")
def terminals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Outer]]:
    """One terminal without and one with the kitty protocol, shared by the tests that only type."""
    outers = {
        name: Outer(kitty=name == "kitty", home=tmp_path_factory.mktemp(name)) for name in ("legacy", "kitty")
    }
    for outer in outers.values():
        outer.next("ready")
        outer.next("reply", name="DeviceAttributes")
    yield outers
    for outer in outers.values():
        outer.close()


@pytest.fixture
def legacy(terminals: dict[str, Outer]) -> Outer:
    terminals["legacy"].reports.clear()
    return terminals["legacy"]


@pytest.fixture
def kitty(terminals: dict[str, Outer]) -> Outer:
    terminals["kitty"].reports.clear()
    return terminals["kitty"]


# Input.


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"a", "a"),
        (b"\x1b\r", "alt+enter"),
        (b"\x1bf", "alt+f"),
        (b"\x1b.", "alt+full_stop"),
        (b"\x1b1", "alt+1"),
        (b"\x1b\x7f", "alt+backspace"),
        (b"\x11", "ctrl+q"),
        (b"\x10", "ctrl+p"),
        (b"\x03", "ctrl+c"),
        (b"\x1a", "ctrl+z"),
        (b"\x1c", "ctrl+backslash"),
        (b"\x08", "ctrl+h"),
        (b"\x00", "ctrl+space"),
        (b"\x1b", "escape"),
        (b"\t", "tab"),
        (b"\x1b[Z", "shift+tab"),
        (b"\x1b[1;2R", "shift+f3"),
        (b"\x1b[27;2;13~", "shift+enter"),
        (b"?", "question_mark"),
    ],
)
def test_a_key_of_a_legacy_terminal_reaches_the_focused_widget(legacy: Outer, data: bytes, name: str) -> None:
    legacy.send(data)

    assert legacy.next("key")["key"] == name


@pytest.mark.parametrize(
    ("data", "name", "character"),
    [
        (b"\x1b[97;;97u", "a", "a"),
        (b"\x1b[97:65;2;65u", "A", "A"),
        (b"\x1b[13u", "enter", "\r"),
        (b"\x1b[13;2u", "shift+enter", None),
        (b"\x1b[27u", "escape", "\x1b"),
        (b"\x1b[1089::99;5u", "ctrl+c", None),
        (b"\x1b[57414u", "enter", None),
        (b"\x1b[57400;129;49u", "1", "1"),
        (b"\x1b[0;;128104:8205:128105u", "👨\u200d👩", "👨\u200d👩"),
    ],
)
def test_a_key_of_a_kitty_terminal_reaches_the_focused_widget(
    kitty: Outer, data: bytes, name: str, character: str | None
) -> None:
    kitty.send(data)

    report = kitty.next("key")
    assert (report["key"], report["character"]) == (name, character)


def test_releases_and_bare_modifiers_are_no_key_presses_and_keep_their_place(kitty: Outer) -> None:
    kitty.send(b"\x1b[57441;2u\x1b[97:65;2;65u\x1b[97;2:3u\x1b[57441;1:3u\x1b[98;;98u")
    kitty.wait_for(lambda: len(kitty.reports) == 5, "five reports")

    events = [(report["kind"], report["source"]["key"]) for report in kitty.reports]
    assert events == [
        ("unbound", "left_shift"),
        ("key", "a"),
        ("unbound", "a"),
        ("unbound", "left_shift"),
        ("key", "b"),
    ]


def test_the_terminal_is_asked_for_all_kitty_flags(start: Callable[..., Outer]) -> None:
    outer = start(kitty=True)

    assert b"\x1b[>31u" in outer.output
    assert outer.next("reply", name="KittyFlags")["reply"]["flags"] == 31
    assert outer.next("reply", name="TerminalVersion")["reply"]["name"] == "probe 1.0"


@pytest.mark.parametrize(
    ("data", "button", "source"),
    [
        (b"\x1b[<0;5;6M", 1, {"action": "press", "button": "left", "x": 4, "y": 5}),
        (b"\x1b[<32;7;6M", 1, {"action": "move", "button": "left", "x": 6, "y": 5}),
        (b"\x1b[<0;7;6m", 1, {"action": "release", "button": "left", "x": 6, "y": 5}),
        (b"\x1b[<2;5;6M\x1b[<2;5;6m", 3, {"action": "press", "button": "right", "x": 4, "y": 5}),
        (b"\x1b[<128;5;6M\x1b[<128;5;6m", 8, {"action": "press", "button": "back", "x": 4, "y": 5}),
        (b"\x1b[<64;5;6M", 0, {"action": "press", "button": "wheel_up", "x": 4, "y": 5}),
        (b"\x1b[<81;5;6M", 0, {"action": "press", "button": "wheel_down", "x": 4, "y": 5, "modifiers": 4}),
        (
            b"\x1b[<8;1;1M\x1b[<8;1;1m",
            1,
            {"action": "press", "button": "left", "x": 0, "y": 0, "modifiers": 2},
        ),
    ],
)
def test_a_mouse_event_reaches_the_widget_with_its_button(
    legacy: Outer, data: bytes, button: int, source: dict[str, object]
) -> None:
    legacy.send(data)

    report = legacy.next("mouse", button=button)
    assert report["source"] == {"type": "mouse", "modifiers": 0, **source}


def test_movements_of_one_read_arrive_as_one(legacy: Outer) -> None:
    legacy.send(b"\x1b[<0;1;1M" + b"".join(b"\x1b[<32;%d;3M" % x for x in range(2, 40)) + b"\x1b[<0;40;3mx")
    legacy.next("key")

    moves = [report for report in legacy.reports if report["source"]["action"] == "move"]
    assert moves[-1]["source"]["x"] == 38
    assert len(moves) < 10


def test_a_paste_with_escapes_in_pieces_is_one_paste(legacy: Outer) -> None:
    for piece in (b"\x1b[20", b"0~A\x1b", b"[31m red\x1b[2", b"01", b"~"):
        legacy.send(piece)

    assert legacy.next("paste")["text"] == "A\x1b[31m red"
    assert not [report for report in legacy.reports if report["kind"] == "key"]


def test_a_large_paste_arrives_whole(legacy: Outer) -> None:
    legacy.send(b"\x1b[200~" + b"0123456789abcdef" * 65536 + b"\x1b[201~")

    assert legacy.next("paste")["length"] == 1024 * 1024


def test_focus_is_told_to_the_app(legacy: Outer) -> None:
    legacy.send(b"\x1b[O")
    assert legacy.next("focus")["gained"] is False
    legacy.send(b"\x1b[I")
    assert legacy.next("focus")["gained"] is True


def test_replies_reach_the_app_and_press_no_key(legacy: Outer) -> None:
    for piece in (
        b"\x1b]11;rgb:1e1e/1e",
        b"1e/2e2e\x1b\\",
        b"\x1b[?997;1n\x1b[?2026;2$y\x1b[?25",
        b"u",
        b"x",
    ):
        legacy.send(piece)
    legacy.next("key", key="x")

    names = [report["name"] for report in legacy.reports if report["kind"] == "reply"]
    assert names == ["ColorReport", "ColorScheme", "ModeReport", "KittyFlags"]
    assert not [report for report in legacy.reports if report["kind"] == "key"]


def test_a_new_size_is_told_and_stale_variables_are_not_believed(legacy: Outer) -> None:
    legacy.resize(100, 30)
    assert legacy.next("resize", size=[100, 30])

    legacy.resize(COLS, ROWS)
    assert legacy.next("resize", size=[COLS, ROWS])


# Modes.


def test_movements_without_a_button_are_reported_only_while_wanted(start: Callable[..., Outer]) -> None:
    outer = start()
    assert outer.modes() == MODES_WE_SET

    outer.send(b"\x1b[17~")
    outer.wait_for(lambda: 1003 in outer.modes(), "any-motion mode")


def test_a_normal_exit_gives_the_terminal_back(start: Callable[..., Outer]) -> None:
    outer = start()
    assert outer.kitty_depth() == 1
    assert not outer.is_given_back()

    outer.send(b"\x1b[20~")

    assert outer.wait_exit() == 0
    assert outer.is_given_back()


def test_a_crash_gives_the_terminal_back_before_it_is_told(start: Callable[..., Outer]) -> None:
    outer = start()

    outer.send(b"\x1b[18~")

    assert outer.wait_exit() == 1
    assert outer.is_given_back()
    assert outer.output.rfind(b"crash on purpose") > outer.output.rfind(b"\x1b[?1049l")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_program_gives_the_terminal_back(
    start: Callable[..., Outer], number: signal.Signals
) -> None:
    outer = start()

    outer.process.send_signal(number)

    assert outer.wait_exit() == 128 + number
    assert outer.is_given_back()


def test_a_program_that_hangs_gives_the_terminal_back_at_once(start: Callable[..., Outer]) -> None:
    outer = start()
    outer.send(b"\x1b[15~")
    outer.next("hanging")

    outer.process.send_signal(signal.SIGTERM)

    outer.wait_for(outer.is_given_back, "terminal as it was")
    outer.process.send_signal(signal.SIGTERM)
    assert outer.wait_exit() == -signal.SIGTERM


def test_a_program_that_hangs_without_a_terminal_is_ended(start: Callable[..., Outer]) -> None:
    outer = start()
    outer.send(b"\x1b[15~")
    outer.next("hanging")

    outer.hang_up()

    assert outer.wait_exit() == -signal.SIGALRM


def test_an_interrupt_from_elsewhere_gives_the_terminal_back(start: Callable[..., Outer]) -> None:
    outer = start()

    outer.process.send_signal(signal.SIGINT)

    outer.wait_exit()
    assert outer.is_given_back()


@pytest.mark.parametrize("arguments", [(), ("nohup",)])
def test_a_terminal_that_vanishes_ends_the_program(
    start: Callable[..., Outer], arguments: tuple[str, ...]
) -> None:
    outer = start(*arguments)

    outer.hang_up()

    assert outer.wait_exit() == 128 + signal.SIGHUP


def test_what_the_terminal_still_sends_is_not_typed_into_the_shell(start: Callable[..., Outer]) -> None:
    """A late release: over a slow line the terminal learns that we are gone only after it sent that."""
    outer = start(kitty=True)
    outer.last_words = b"\x1b[57372;1:3u"
    outer.answer_delay_s = 0.2

    outer.send(b"\x1b[20~")

    assert outer.wait_exit() == 0
    outer.wait_for(lambda: not outer._answers, "all that the terminal had to say")
    assert outer.unread() == 0


@pytest.mark.parametrize(
    ("name", "kitty", "asked"),
    [
        (b"XTerm(390)", False, True),
        (b"tmux 3.5", False, True),
        (b"probe", False, False),
        (b"tmux 3.7", True, False),
    ],
)
def test_xterms_own_protocol_is_asked_of_terminals_that_know_it_and_no_better(
    start: Callable[..., Outer], name: bytes, kitty: bool, asked: bool
) -> None:
    outer = start(name=name, kitty=kitty)
    outer.send(b"x\x1b[20~")

    assert outer.wait_exit() == 0
    assert (b"\x1b[>4;1m" in outer.output, b"\x1b[>4m" in outer.output) == (asked, asked)


def test_a_suspended_program_gives_the_terminal_back_and_takes_it_again(start: Callable[..., Outer]) -> None:
    outer = start()

    outer.send(b"\x1b[19~")
    outer.wait_for(lambda: _is_stopped(outer.process.pid), "stop")
    outer._pump(0)
    assert outer.is_given_back()

    outer.output, outer._answered = b"", 0
    outer.process.send_signal(signal.SIGCONT)
    outer.wait_for(lambda: b"ready" in outer.output, "repaint")
    assert outer.modes() == MODES_WE_SET
    assert outer.kitty_depth() == 1
    outer.send(b"x")
    assert outer.next("key", key="x")
    outer.send(b"\x1b[20~")
    assert outer.wait_exit() == 0


def test_a_program_that_was_stopped_the_hard_way_takes_the_terminal_again(
    start: Callable[..., Outer],
) -> None:
    outer = start()
    raw = termios.tcgetattr(outer.slave)

    outer.process.send_signal(signal.SIGSTOP)
    outer.wait_for(lambda: _is_stopped(outer.process.pid), "stop")
    termios.tcsetattr(outer.slave, termios.TCSANOW, outer.attributes)
    outer.process.send_signal(signal.SIGCONT)
    outer.wait_for(lambda: termios.tcgetattr(outer.slave) == raw, "raw mode")
    outer.send(b"x\x1b[20~")

    assert outer.next("key", key="x")
    assert outer.wait_exit() == 0
    assert outer.is_given_back()


def test_a_terminal_that_is_lent_is_given_back_and_taken_again(start: Callable[..., Outer]) -> None:
    outer = start()
    outer.send(b"\x1bOQ")
    outer.wait_for(lambda: b"lent to another program" in outer.output, "the other program")
    assert outer.is_given_back()

    outer.send(b"a line\n")
    assert outer.next("lent", lent="a line\n")

    outer.wait_for(lambda: outer.modes() == MODES_WE_SET, "our modes")
    outer.send(b"x")
    assert outer.next("key", key="x")
    outer.process.send_signal(signal.SIGTERM)
    assert outer.wait_exit() == 128 + signal.SIGTERM
    assert outer.is_given_back()


def test_a_slow_terminal_stops_the_painting_and_never_the_program(start: Callable[..., Outer]) -> None:
    outer = start()
    outer.reading = False
    outer.send(b"\x1bOS")
    assert outer.next("flooded")["largest_backlog"] < HIGH_WATER_BYTES + FRAME_BYTES
    outer.send(b"x")
    assert outer.next("key", key="x")

    outer.reading = True

    outer.wait_for(lambda: b"the last frame" in outer.output, "the last frame")
    outer.send(b"\x1b[20~")
    assert outer.wait_exit() == 0
    assert outer.is_given_back()


def test_a_terminal_that_does_not_read_cannot_keep_the_program_from_ending(
    start: Callable[..., Outer],
) -> None:
    outer = start()
    outer.reading = False
    outer.send(b"\x1bOS")
    outer.next("flooded")

    outer.send(b"\x1b[20~")

    assert outer.wait_exit() == 0
    assert termios.tcgetattr(outer.slave) == outer.attributes


def _is_stopped(pid: int) -> bool:
    ended, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
    return ended == pid and os.WIFSTOPPED(status)
