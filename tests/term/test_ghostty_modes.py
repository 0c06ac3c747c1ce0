"""Modes: what decides how input is encoded, and what a dead program leaves behind."""

from __future__ import annotations

import pytest

from orca_tui.term.engine import InputModes, MouseFormat, MouseTracking, TerminalColors
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine

MODES = [
    (b"", InputModes()),
    (b"\x1b[?1h", InputModes(cursor_keys=True)),
    (b"\x1b=", InputModes(keypad=True)),
    (b"\x1b=\x1b>", InputModes()),
    (b"\x1b[?66h", InputModes(keypad=True)),
    (b"\x1b[?67h", InputModes(backarrow_sends_backspace=True)),
    (b"\x1b[?2004h", InputModes(bracketed_paste=True)),
    (b"\x1b[?1004h", InputModes(focus_events=True)),
    (b"\x1b[?1007l", InputModes(alternate_scroll=False)),
    (b"\x1b[?9h", InputModes(mouse=MouseTracking.X10)),
    (b"\x1b[?1000h", InputModes(mouse=MouseTracking.NORMAL)),
    (b"\x1b[?1000h\x1b[?1002h\x1b[?1003h", InputModes(mouse=MouseTracking.ANY)),
    (b"\x1b[?1003h\x1b[?1002h", InputModes(mouse=MouseTracking.ANY)),
    (b"\x1b[?1002;1006h", InputModes(mouse=MouseTracking.BUTTON, mouse_format=MouseFormat.SGR)),
    (b"\x1b[?1005h", InputModes(mouse_format=MouseFormat.UTF8)),
    (b"\x1b[?1015h\x1b[?1006h", InputModes(mouse_format=MouseFormat.SGR)),
    (b"\x1b[?1015h", InputModes(mouse_format=MouseFormat.URXVT)),
    (b"\x1b[?1016h\x1b[?1006h", InputModes(mouse_format=MouseFormat.SGR_PIXELS)),
    (b"\x1b[?1049h", InputModes(alternate_screen=True)),
    (b"\x1b[?47h", InputModes(alternate_screen=True)),
    (b"\x1b[>5u", InputModes(kitty_flags=5)),
    (b"\x1b[=3u", InputModes(kitty_flags=3)),
    (b"\x1b[>1u\x1b[?1049h", InputModes(alternate_screen=True)),
    (b"\x1b[>1u\x1b[?1049h\x1b[>7u\x1b[?1049l", InputModes(kitty_flags=1)),
    (b"\x1b[>4;2m", InputModes(modify_other_keys=2)),
    (b"\x1b[>4;2m\x1b[>4m", InputModes()),
]

LEFT_BEHIND = [
    b"\x1b[?1003h\x1b[?1006h",
    b"\x1b[?1000;1002;1005;1015;1016;9h",
    b"\x1b[?1004h",
    b"\x1b[?1007l",
    b"\x1b[?67h",
    b"\x1b[?2004h",
    b"\x1b[?2026h",
    b"\x1b[?1h\x1b=",
    b"\x1b[?25l",
    b"\x1b[>4;2m",
    b"\x1b[>1u\x1b[>5u\x1b[>31u",
    b"\x1b[=7u",
    b"\x1b[?1049h\x1b[?1002;1006h\x1b[>5u\x1b[?25l\x1b[?2004h",
    b"\x1b[>3u\x1b[?1049h\x1b[>5u",
    b"\x1b[?47h",
    b"\x1b[?1047h",
    b"\x1b[?1003h\x1b]0;half a title",
]


@pytest.fixture
def engine(factory: GhosttyFactory) -> GhosttyEngine:
    return factory.new(80, 24, scrollback_lines=100)


@pytest.mark.parametrize(("sequence", "modes"), MODES)
def test_the_modes_are_those_that_the_child_set(
    engine: GhosttyEngine, sequence: bytes, modes: InputModes
) -> None:
    engine.feed(sequence)

    assert engine.modes() == modes


def test_modes_are_right_after_every_way_in(factory: GhosttyFactory, engine: GhosttyEngine) -> None:
    assert not engine.modes().focus_events
    engine.apply(b"\x1b[?1004h")
    assert engine.modes().focus_events
    engine.feed(b"\x1b[?1004l")
    assert not engine.modes().focus_events
    engine.feed(b"\x1b[?1004h")
    snapshot = engine.snapshot(with_history=False)
    assert snapshot is not None
    assert factory.restore(snapshot).modes().focus_events


def test_modes_can_be_asked_for_inside_a_sequence(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?1004h\x1b[3")
    assert engine.modes() == InputModes(focus_events=True)
    engine.feed(b"1mred")

    assert engine.all_rows()[0].text.startswith("red ")


def test_a_terminal_with_nothing_set_needs_no_reset(engine: GhosttyEngine) -> None:
    engine.feed(b"text\x1b[31m\x1b[5;5H")

    assert engine.reset_modes_bytes() == engine.reset_modes_bytes(at_prompt=True) == b""


@pytest.mark.parametrize("left", LEFT_BEHIND)
def test_the_reset_ends_what_a_dead_program_left(engine: GhosttyEngine, left: bytes) -> None:
    engine.feed(b"prompt " + left)
    reset = engine.reset_modes_bytes()
    engine.feed(reset)

    assert engine.modes() == InputModes()
    assert not engine.held()
    assert engine.cursor().visible
    assert engine.reset_modes_bytes() == b""
    engine.feed(b"\x1b[?1049h\x1b[?1049l")
    assert engine.modes() == InputModes()
    assert engine.all_rows()[0].text.startswith("prompt ")


@pytest.mark.parametrize("at_prompt", [False, True])
def test_after_the_reset_a_shell_is_told_of_no_other_size_and_no_other_colors(
    engine: GhosttyEngine, at_prompt: bool
) -> None:
    engine.feed(b"\x1b[?2048h\x1b[?2031h")
    engine.feed(engine.reset_modes_bytes(at_prompt=at_prompt))

    assert engine.resize(90, 20) == b""
    assert engine.set_colors(TerminalColors(background=(255, 255, 255), foreground=(0, 0, 0))) == b""


def test_after_the_reset_long_lines_wrap(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?7l")
    engine.feed(engine.reset_modes_bytes(at_prompt=True) + b"x" * (engine.cols + 1))

    assert engine.cursor().y == 1


def test_the_reset_ends_all_that_a_program_has_set_which_set_everything(engine: GhosttyEngine) -> None:
    origin, columns = 6, (3, 40)
    modes = [mode for mode in range(1, 3000) if mode not in (origin, *columns)]
    engine.feed(b"".join(b"\x1b[?%dh" % mode for mode in modes) + b"\x1b[>31u\x1b[>4;2m\x1b=\x1b]0;left")
    engine.feed(engine.reset_modes_bytes())

    assert engine.modes() == InputModes()
    assert not engine.held()
    assert engine.feed(b"\x1b[6n").replies.endswith(b"R")
    assert engine.resize(90, 20) == b""


def test_the_reset_does_not_complete_what_was_left_half_done(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?1003h\x1b]0;half a title")

    assert engine.feed(engine.reset_modes_bytes()).facts == ()


def test_at_a_prompt_the_line_editor_keeps_its_own_modes(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?1003;1006;1004h\x1b[?25l\x1b[?2004h\x1b[>5u\x1b[?1h\x1b=")
    engine.feed(engine.reset_modes_bytes(at_prompt=True))

    assert engine.modes() == InputModes(bracketed_paste=True, kitty_flags=5, cursor_keys=True, keypad=True)
    assert engine.cursor().visible


def test_at_the_prompt_of_a_shell_without_keyboard_modes_those_are_reset_too(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?1003h\x1b[?2004h\x1b[>5u\x1b[>4;2m\x1b[?1049h\x1b[>7u")
    engine.feed(engine.reset_modes_bytes(at_prompt=True, keyboard=True))

    assert engine.modes() == InputModes(bracketed_paste=True)


def test_at_a_prompt_a_forgotten_alternate_screen_is_left(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?1049h\x1b[>5u\x1b[?2026h")
    engine.feed(engine.reset_modes_bytes(at_prompt=True))

    assert engine.modes() == InputModes()
    assert not engine.held()
