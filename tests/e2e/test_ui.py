"""The real UI in a real PTY: bytes in, screen out. The tests share a server, and begin without a pane."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.terminal import OuterTerminal

PREFIX = "\x02"
ESCAPE = "\x1b[27u"  # The outer terminal speaks the kitty keyboard protocol.
SHELL = ("--agent", "shell", "--", "/bin/bash", "--norc", "--noprofile")

MODES_OFF = (b"\x1b[?1049l", b"\x1b[?2004l", b"\x1b[?1004l", b"\x1b[?1006l", b"\x1b[<u", b"\x1b[?25h")
"""What a UI that leaves must have written: screen, paste, focus, mouse, keyboard protocol, cursor."""


@pytest.fixture
def sandbox(room: Sandbox) -> Iterator[Sandbox]:
    """The room, and nobody and nothing in it."""
    yield room
    room.clear()


def attach(sandbox: Sandbox, **size: int) -> OuterTerminal:
    terminal = sandbox.terminal("attach", **size)
    terminal.shows("orca-tui")
    return terminal


def assert_modes_restored(terminal: OuterTerminal) -> None:
    tail = bytes(terminal.received[-4000:])
    assert [mode for mode in MODES_OFF if mode not in tail] == []


def test_typing_reaches_the_shell_and_its_answer_the_screen(sandbox: Sandbox) -> None:
    sandbox.open(*SHELL)
    terminal = attach(sandbox)

    terminal.write("echo $((6*7))answer\r")

    terminal.shows("42answer")


def test_splits_show_both_panes_and_the_new_one_has_the_keyboard(sandbox: Sandbox) -> None:
    first = sandbox.open(*SHELL)
    sandbox.type(first, "echo FIRST-$((1+1))\r")
    terminal = attach(sandbox)
    terminal.shows("FIRST-2")

    terminal.write(PREFIX + "%")
    poll_until(lambda: len(sandbox.panes()) == 2, "a second pane")
    second = next(pane for pane in sandbox.panes() if pane != first)
    terminal.write("echo SECOND-$((1+1))\r")
    terminal.shows("SECOND-2")

    assert "FIRST-2" in terminal.text()
    assert "SECOND-2" in sandbox.screen(second)


def test_a_screen_is_whole_after_tabs_focus_and_zoom_have_changed(sandbox: Sandbox) -> None:
    first = sandbox.open(*SHELL)
    sandbox.type(first, "clear; seq -f 'ONE%g' 12\r")
    sandbox.shows(first, "ONE12")
    beside = sandbox.open("--split", "right", *SHELL)
    sandbox.type(beside, "clear; seq -f 'TWO%g' 12\r")
    sandbox.shows(beside, "TWO12")
    other = sandbox.open(*SHELL)
    sandbox.type(other, "clear; seq -f 'TAB%g' 12\r")
    terminal = attach(sandbox)
    terminal.shows("TAB12")

    def shows_both() -> None:
        for number in range(1, 13):
            terminal.shows(f"ONE{number}")
            terminal.shows(f"TWO{number}")

    sandbox.run("focus", first)
    shows_both()
    sandbox.run("focus", beside)
    sandbox.run("focus", other)
    terminal.shows("TAB12")
    sandbox.run("focus", beside)
    shows_both()
    terminal.write(PREFIX + "z")
    terminal.hides("ONE12")
    terminal.shows("TWO12")
    terminal.write(PREFIX + "z")
    shows_both()
    terminal.write(PREFIX + "\x1b[D")
    terminal.write("echo typed-on-the-left\r")
    terminal.shows("typed-on-the-left")
    shows_both()


def test_a_pane_that_somebody_else_opens_does_not_take_the_keyboard(sandbox: Sandbox) -> None:
    first = sandbox.open(*SHELL)
    terminal = attach(sandbox)
    terminal.write("echo one-")
    terminal.shows("echo one-")

    other = sandbox.open("--split", "down", *SHELL)
    terminal.shows(f"{other} bash")
    terminal.write("two\r")

    terminal.shows("one-two")
    assert "one-two" in sandbox.screen(first)
    assert "two" not in sandbox.screen(other)
    asked = sandbox.open("--focus", *SHELL)
    terminal.shows(f"{asked} bash")
    terminal.write("echo three\r")
    sandbox.shows(asked, "three")


def test_a_paste_of_one_mebibyte_arrives_whole(sandbox: Sandbox) -> None:
    received = sandbox.root / "received"
    sandbox.open(
        "--agent",
        "shell",
        "--",
        "/bin/sh",
        "-c",
        f"stty raw -echo; echo READY; head -c 1048576 > {received}; echo GOT",
    )
    terminal = attach(sandbox)
    terminal.shows("READY")
    text = ("0123456789abcdef" * 4 + "\n") * 17000
    text = text[:1048576]

    terminal.write("\x1b[200~" + text + "\x1b[201~")

    terminal.shows("GOT", timeout=60)
    expected = text.replace("\n", "\r")
    assert hashlib.sha256(received.read_bytes()).hexdigest() == hashlib.sha256(expected.encode()).hexdigest()


def test_a_resize_of_the_terminal_reaches_the_child(sandbox: Sandbox) -> None:
    pane = sandbox.open(*SHELL)
    terminal = attach(sandbox, cols=100, rows=30)
    poll_until(lambda: sandbox.panes()[pane]["size"][0] < 100, "the size that the UI has room for")
    cols, rows = sandbox.panes()[pane]["size"]

    terminal.resize(140, 45)
    poll_until(lambda: sandbox.panes()[pane]["size"] == [cols + 40, rows + 15], "the new size")
    terminal.write("stty size\r")

    terminal.shows(f"{rows + 15} {cols + 40}")


def test_detach_and_attach_show_the_same_screen(sandbox: Sandbox) -> None:
    pane = sandbox.open(*SHELL)
    terminal = attach(sandbox)
    terminal.write("printf '\\033[31mred\\033[m plain 端末\\n'\r")
    terminal.shows("red plain 端末")

    terminal.write(PREFIX + "d")
    assert terminal.ends() == 0
    assert_modes_restored(terminal)
    again = attach(sandbox)

    again.shows("red plain 端末")
    assert pane in sandbox.panes()


def test_attaching_inside_vim_shows_vim_and_leaving_it_shows_the_shell(sandbox: Sandbox) -> None:
    sandbox.open(*SHELL)
    terminal = attach(sandbox)
    terminal.write("echo before-vim\r")
    terminal.shows("before-vim")
    terminal.write("vim -u NONE -N notes\r")
    terminal.shows("~")
    terminal.write("ihello from vim")
    terminal.shows("hello from vim")

    terminal.write(PREFIX + "d")
    assert terminal.ends() == 0
    again = attach(sandbox)
    again.shows("hello from vim")
    again.write(ESCAPE)
    again.hides("-- INSERT --")
    again.write(":q!\r")

    again.shows("before-vim")
    again.hides("hello from vim")


def test_a_killed_ui_loses_nothing(sandbox: Sandbox) -> None:
    panes = [sandbox.open(*SHELL) for _ in range(4)]
    for number, pane in enumerate(panes):
        sandbox.type(pane, f"echo PANE-{number}-$((40+2))\r")
        sandbox.shows(pane, f"PANE-{number}-42")
    pids = {pane: record["pid"] for pane, record in sandbox.panes().items()}
    terminal = attach(sandbox)

    terminal.signal(signal.SIGKILL)
    assert terminal.ends() == -signal.SIGKILL
    again = attach(sandbox)

    for number, pane in enumerate(panes):
        sandbox.run("focus", pane)
        again.shows(f"PANE-{number}-42")
    assert {pane: record["pid"] for pane, record in sandbox.panes().items()} == pids


def test_a_stopped_ui_does_not_stop_a_flooding_child(sandbox: Sandbox) -> None:
    counter = sandbox.root / "counter"
    loop = f"i=0; while :; do i=$((i+1)); echo line $i of the flood; [ $((i % 1000)) = 0 ] && echo $i > {counter}; done"
    pane = sandbox.open("--agent", "shell", "--", "/bin/bash", "-c", loop)
    terminal = attach(sandbox)
    terminal.shows("of the flood")

    terminal.signal(signal.SIGSTOP)
    first = count(counter)
    poll_until(lambda: count(counter) > first + 20_000, "the child goes on", timeout=60)
    terminal.signal(signal.SIGCONT)
    sandbox.run("keys", pane, "ctrl+c")
    sandbox.wait(pane, "exited")

    lines = sandbox.screen(pane).splitlines()
    last = next(line for line in reversed(lines) if "of the flood" in line)
    terminal.shows(last.strip(), timeout=30)


def count(path: Path) -> int:
    return int((path.read_text() if path.exists() else "") or "0")


def test_a_server_that_cannot_be_replaced_ends_the_ui_with_a_sentence_and_the_modes_restored() -> None:
    with closing(Sandbox()) as sandbox:
        sandbox.open(*SHELL)
        terminal = attach(sandbox)
        status = json.loads(sandbox.run("server", "status", "--json"))
        log = sandbox.root / "state" / "orca-tui" / "default.log"
        log.unlink()
        log.mkdir()

        os.kill(status["pid"], signal.SIGKILL)

        assert terminal.ends() == 1
        assert_modes_restored(terminal)
        assert b"server" in terminal.received[-600:]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_terminated_ui_restores_the_modes(sandbox: Sandbox, number: signal.Signals) -> None:
    sandbox.open(*SHELL)
    terminal = attach(sandbox)

    terminal.signal(number)

    assert terminal.ends() == 128 + number, terminal.text()
    assert_modes_restored(terminal)


def test_a_tiny_terminal_shows_a_message_and_recovers(sandbox: Sandbox) -> None:
    sandbox.open(*SHELL)
    terminal = sandbox.terminal("attach", cols=19, rows=4)
    terminal.until(lambda: "small" in terminal.text().lower(), "a message about the size")

    terminal.resize(100, 30)

    terminal.shows("orca-tui")


def test_two_uis_show_the_same_pane_at_the_size_of_the_one_used_last(sandbox: Sandbox) -> None:
    pane = sandbox.open(*SHELL)
    wide = attach(sandbox, cols=160, rows=45)
    narrow = attach(sandbox, cols=100, rows=30)

    narrow.write("echo from-narrow\r")
    narrow.shows("from-narrow")
    small = sandbox.panes()[pane]["size"]
    wide.shows("from-narrow")
    wide.write("echo from-wide\r")
    wide.shows("from-wide")
    poll_until(lambda: sandbox.panes()[pane]["size"] != small, "the size of the wide one")

    narrow.shows("from-wide")
    assert sandbox.panes()[pane]["size"][0] > small[0]


def test_rows_that_a_pane_no_longer_has_are_gone_from_a_larger_ui(sandbox: Sandbox) -> None:
    sandbox.open("--", "/bin/sh", "-c", "seq -f 'row%g' 100; exec cat")
    tall = attach(sandbox, cols=140, rows=40)
    tall.shows("row100")
    assert "row9" in "".join(tall.text().splitlines()[30:38])
    short = attach(sandbox, cols=90, rows=20)

    short.write("typed")

    tall.until(lambda: "row" not in "".join(tall.text().splitlines()[22:39]), "nothing below the pane")


def test_keys_that_other_programs_take_reach_the_child(sandbox: Sandbox) -> None:
    """alt+enter, alt+f, ctrl+q, ctrl+p, a lone escape: as a legacy terminal sends them."""
    sandbox.open("--agent", "shell", "--", "/bin/sh", "-c", "stty raw -echo; echo READY; exec cat -v")
    terminal = attach(sandbox)
    terminal.shows("READY")

    for data, shown in (
        ("\x1b\r", "^[^M"),
        ("\x1bf", "^[f"),
        ("\x11", "^Q"),
        ("\x10", "^P"),
        ("\x03", "^C"),
        ("\x1a", "^Z"),
        ("\x1b", "^["),
    ):
        terminal.write(data)
        terminal.shows(shown)
        terminal.write("|")
        terminal.shows(shown + "|")


def test_a_pane_that_floods_can_be_left_by_its_neighbour(sandbox: Sandbox) -> None:
    sandbox.open(*SHELL)
    sandbox.open("--split", "right", "--", "/bin/sh", "-c", "yes flooding")
    first = next(iter(sandbox.panes()))
    sandbox.run("focus", first)
    terminal = attach(sandbox)
    terminal.shows("flooding")

    terminal.write("echo still-$((1+1))-here\r")

    terminal.shows("still-2-here")
