"""A program that may ask for checksums reads its screen by them."""

from __future__ import annotations

import pytest

from orca_tui.term.engine import Permissions, SizeWished
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_checksum import Area, area_asked
from orca_tui.term.ghostty_engine import GhosttyEngine


@pytest.fixture(scope="module")
def allowing() -> GhosttyFactory:
    return GhosttyFactory(permissions=Permissions(checksum=True, window_size=True))


@pytest.fixture
def engine(allowing: GhosttyFactory) -> GhosttyEngine:
    return allowing.new(20, 10, scrollback_lines=100)


def checksum(engine: GhosttyEngine, *numbers: int) -> int:
    """The sum that is told of an area, made positive."""
    reply = engine.feed(b"\x1b[7;0;%s*y" % b";".join(b"%d" % number for number in numbers)).replies
    assert reply.startswith(b"\x1bP7!~")
    assert reply.endswith(b"\x1b\\")
    return -int(reply[5:9], 16) & 0xFFFF


@pytest.mark.parametrize(
    ("drawn", "total"),
    [
        (b"", ord(" ")),
        (b"A", ord("A")),
        (b"\x1b[1mA", ord("A") + 0x80),
        (b"\x1b[5mA", ord("A") + 0x40),
        (b"\x1b[7mA", ord("A") + 0x20),
        (b"\x1b[4mA", ord("A") + 0x10),
        (b"\x1b[8mA", ord("A") + 0x08),
        (b'\x1b[1"qA', ord("A") + 0x04),
        ("端".encode(), ord("端")),
        ("e\u0301".encode(), ord("e") + 0x301),
    ],
)
def test_a_cell_counts_its_characters_and_attributes(engine: GhosttyEngine, drawn: bytes, total: int) -> None:
    engine.feed(drawn)

    assert checksum(engine, 1, 1, 1, 1) == total


def test_an_area_is_the_sum_of_its_cells_and_ends_where_the_screen_ends(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b#8")

    assert checksum(engine, 1, 1, 2, 3) == 6 * ord("E")
    assert checksum(engine, 1, 1, 999, 999) == checksum(engine) == 200 * ord("E") & 0xFFFF
    assert checksum(engine, 5, 5, 2, 2) == 0


def test_the_screen_is_summed_up_and_not_the_scrollback(engine: GhosttyEngine) -> None:
    engine.feed(b"A\r\n" * 30 + b"\x1b[HB")

    assert checksum(engine, 1, 1, 1, 1) == ord("B")


def test_a_checksum_tells_what_was_written_before_it_and_changes_nothing(engine: GhosttyEngine) -> None:
    fed = engine.feed(b"A\x1b[1;1;1;1;1;1*y\rB\x1b[2;1;1;1;1;1*y")

    assert fed.replies == b"\x1bP1!~FFBF\x1b\\\x1bP2!~FFBE\x1b\\"
    assert fed.applied == b"A\x1b[1;1;1;1;1;1*y\rB\x1b[2;1;1;1;1;1*y"


def test_in_origin_mode_areas_count_from_the_margins(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[3;4HA\x1b[3;8r\x1b[?69h\x1b[4;9s\x1b[?6h")

    assert checksum(engine, 1, 1, 1, 1) == ord("A")


def test_an_area_does_not_leave_the_margins_of_origin_mode() -> None:
    margins = b"\x1bP1$r3;8r\x1b\\\x1bP1$r4;9s\x1b\\"

    assert area_asked((7, 1, 2, 2, 99, 99), 20, 10, margins) == Area(top=3, left=4, bottom=7, right=8)
    assert area_asked((7,), 20, 10, margins) == Area(top=2, left=3, bottom=7, right=8)
    assert area_asked((7,), 20, 10, b"") == Area(top=0, left=0, bottom=9, right=19)


def test_a_size_is_wished_for_with_what_is_not_named_as_it_is(engine: GhosttyEngine) -> None:
    fed = engine.feed(b"\x1b[8;30;100t\x1b[8;;100t\x1b[8;30t\x1b[8;0;0t")

    assert fed.facts == (
        SizeWished(rows=30, cols=100),
        SizeWished(rows=10, cols=100),
        SizeWished(rows=30, cols=20),
        SizeWished(rows=10, cols=20),
    )
    assert (engine.cols, engine.rows) == (20, 10)


def test_without_permission_neither_is_heard(factory: GhosttyFactory) -> None:
    fed = factory.new(20, 10, scrollback_lines=0).feed(b"\x1b[1;1;1;1;1;1*y\x1b[8;30;100t")

    assert (fed.replies, fed.facts) == (b"", ())


@pytest.mark.parametrize("permissions", [Permissions(checksum=True), Permissions(window_size=True)])
def test_one_permission_is_not_the_other(permissions: Permissions) -> None:
    engine = GhosttyFactory(permissions=permissions).new(20, 10, scrollback_lines=0)

    fed = engine.feed(b"\x1b[1;1;1;1;1;1*y\x1b[8;30;100t")

    assert bool(fed.replies) is permissions.checksum
    assert bool(fed.facts) is permissions.window_size
