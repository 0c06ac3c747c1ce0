"""However a terminal is narrowed there is a snapshot of it, and everything else is as it was."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_snapshot import is_sound
from tests.term.terminals import state, texts

WIDE_ROW = "漢" * 40
WITH_A_BLANK = "漢" * 20 + "\x1b[2C" + "漢" * 19
CUT_AT = 41
"""Columns that end in the middle of each character of a row that begins at the left edge."""

CUTS = {
    "alternate": b"\x1b[?1049h" + WIDE_ROW.encode(),
    "several rows": b"\x1b[?1049h" + WIDE_ROW.encode() * 5,
    "emoji": b"\x1b[?1049h" + "😀".encode() * 40,
    "joined emoji": b"\x1b[?1049h" + "👩\u200d👩\u200d👧".encode() * 40,
    "hidden alternate": b"\x1b[?47h" + WIDE_ROW.encode() * 3 + b"\x1b[?47l\x1b[5;5Hshown",
    "primary without autowrap": b"\x1b[?7l" + WIDE_ROW.encode(),
    "its scrollback": b"\x1b[?7l" + (WIDE_ROW.encode() + b"\r\n") * 50,
    "hidden primary without autowrap": b"\x1b[?7l" + (WIDE_ROW.encode() + b"\r\n") * 50 + b"\x1b[?1049h",
    "inside of margins": b"\x1b[?1049h" + WIDE_ROW.encode() * 20 + b"\x1b[3;9r\x1b[?69h\x1b[5;30s\x1b[?6h",
    "insert mode": b"\x1b[?1049h" + WIDE_ROW.encode() + b"\x1b[4h",
}


def sound(engine: GhosttyEngine) -> bool:
    return is_sound(engine._library, engine._terminal)


def narrowed(factory: GhosttyFactory, data: bytes, cols: int = CUT_AT) -> GhosttyEngine:
    engine = factory.new(80, 24, scrollback_lines=1000)
    engine.feed(data)
    engine.resize(cols, 10)
    return engine


@pytest.mark.parametrize("cols", [CUT_AT, 39, 3, 1])
@pytest.mark.parametrize("data", CUTS.values(), ids=CUTS)
def test_a_narrowed_terminal_is_told_exactly(factory: GhosttyFactory, data: bytes, cols: int) -> None:
    engine = narrowed(factory, data, cols)
    snapshot = engine.snapshot(with_history=True)

    assert sound(engine)
    assert snapshot is not None
    restored = factory.restore(snapshot)
    assert state(restored) == state(engine)
    restored.close()
    engine.close()


@pytest.mark.parametrize("data", CUTS.values(), ids=CUTS)
def test_a_viewer_that_is_narrowed_too_stays_equal(factory: GhosttyFactory, data: bytes) -> None:
    server = factory.new(80, 24, scrollback_lines=1000)
    server.feed(data)
    snapshot = server.snapshot(with_history=True)
    assert snapshot is not None
    viewer = factory.restore(snapshot)
    for cols in (CUT_AT, 80, 37, 100):
        assert server.resize(cols, 10) == viewer.resize(cols, 10) == b""
        output = server.feed(b"more\x1b[?47h\x1b[?47l")
        viewer.apply(output.applied)

        assert state(viewer) == state(server)
    viewer.close()
    server.close()


def test_only_the_cut_character_is_lost(factory: GhosttyFactory) -> None:
    engine = narrowed(factory, CUTS["several rows"])
    engine.resize(80, 10)

    assert texts(engine)[:6] == ["漢" * 20] * 5 + [""]
    engine.close()


def test_the_hidden_alternate_screen_keeps_its_text(factory: GhosttyFactory) -> None:
    engine = narrowed(factory, CUTS["hidden alternate"])
    assert texts(engine)[4] == "    shown"

    engine.feed(b"\x1b[?47h")

    assert texts(engine)[:3] == ["漢" * 20] * 3
    engine.close()


def test_a_primary_screen_without_autowrap_loses_nothing_and_still_does_not_wrap(
    factory: GhosttyFactory,
) -> None:
    engine = narrowed(factory, b"\x1b[?7l" + WIDE_ROW.encode() + b"\r\n")
    assert engine.history_text(unwrap=True).strip() == WIDE_ROW

    engine.feed(b"x" * 50)

    assert texts(engine)[2:4] == ["x" * CUT_AT, ""]
    engine.close()


@pytest.mark.parametrize("shown", [b"\x1b[?1049h%s", b"\x1b[?47h%s\x1b[?47l"], ids=["alternate", "primary"])
@pytest.mark.parametrize("settings", [b"", b"\x1b[4;9r", b"\x1b[4;9r\x1b[?69h\x1b[3;30s\x1b[?6h", b"\x1b[4h"])
def test_cursor_pen_margins_and_modes_are_as_they_would_be_without_a_cut(
    factory: GhosttyFactory, shown: bytes, settings: bytes
) -> None:
    """Compared with a screen that has a blank in place of what is cut."""
    rest = settings + b"\x1b[1;3;31;44m\x1b7\x1b[3;4H"
    cut, whole = (narrowed(factory, shown % row.encode() + rest) for row in (WIDE_ROW, WITH_A_BLANK))
    for engine in (cut, whole):
        engine.feed(b"here\n\n\n\n\n\n\nthere\x1b8saved")

    assert state(cut) == state(whole)
    cut.close()
    whole.close()


UNFINISHED = {
    "CSI": (b"\x1b[3", b"1mred"),
    "OSC": (b"\x1b]2;ti", b"tle\x07"),
    "character": (b"\xe7\xab", b"\xafz"),
    "margins behind it": (b"\x1b[3", b"1m\x1b[4;9r\x1b[?69h\x1b[3;30s\x1b[?6h\x1b[2;3H"),
}


@pytest.mark.parametrize(("begun", "rest"), UNFINISHED.values(), ids=UNFINISHED)
def test_an_unfinished_sequence_is_carried_out_and_what_was_cut_erased_behind_it(
    factory: GhosttyFactory, begun: bytes, rest: bytes
) -> None:
    data = CUTS["several rows"] + b"\x1b[8;1H"
    server, viewer, calm = (factory.new(80, 24, scrollback_lines=0) for _ in range(3))
    for engine in (server, viewer):
        engine.feed(data + begun)
        engine.resize(CUT_AT, 10)
    output = server.feed(rest)
    viewer.apply(output.applied)

    assert output.applied.startswith(rest)
    assert sound(server)
    assert state(viewer) == state(server)
    calm.feed(data)
    calm.resize(CUT_AT, 10)
    calm.feed(begun + rest)
    assert state(calm) == state(server)
    assert server.feed(b"later").applied == b"later"
    for engine in (server, viewer, calm):
        engine.close()


def test_a_program_that_switches_columns_leaves_no_halves_either(factory: GhosttyFactory) -> None:
    server, viewer = (factory.new(121, 24, scrollback_lines=0) for _ in range(2))
    for data in (b"\x1b[?47hx" + "漢".encode() * 59 + b"\x1b[?47l", b"\x1b[?1;40;3h\x1b[?3l"):
        viewer.apply(server.feed(data).applied)

    assert sound(server)
    assert state(viewer) == state(server)
    server.close()
    viewer.close()


def test_a_closed_terminal_is_not_touched(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=0)
    engine.feed(CUTS["alternate"] + b"\x1b[3")
    engine.resize(CUT_AT, 10)
    engine.close()

    assert engine.resize(30, 10) == engine.feed(b"1m").replies == b""
    assert engine.snapshot(with_history=True) is None
