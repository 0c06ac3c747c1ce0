"""Pictures in a terminal: cells where they stand, the cursor behind them, and everything else as it was."""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Iterator

import pytest

from orca_tui.term.engine import PictureCell, PicturesChanged
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.pictures.store import read_nothing
from tests.term.terminals import PROBES, state, texts

PIXELS = bytes(24 * 32 * 3)
"""24 x 32: 3 x 2 cells of 8 x 16."""


@pytest.fixture(scope="module")
def pictured() -> GhosttyFactory:
    return GhosttyFactory(pictures=read_nothing)


@pytest.fixture
def engine(pictured: GhosttyFactory) -> Iterator[GhosttyEngine]:
    made = pictured.new(20, 6, scrollback_lines=100)
    made.answer_pictures(True)
    yield made
    made.close()


def show(control: str = "") -> bytes:
    return b"\x1b_Ga=T,f=24,s=24,v=32%s;%s\x1b\\" % (control.encode(), b64encode(PIXELS))


def cells(engine: GhosttyEngine) -> dict[tuple[int, int], PictureCell]:
    """By row and column of the screen."""
    rows = enumerate(engine.all_rows())
    return {(y, cell.x): cell for y, row in rows for picture in row.pictures for cell in picture.cells}


def parts(engine: GhosttyEngine) -> dict[tuple[int, int], tuple[int, int]]:
    return {place: (cell.row, cell.col) for place, cell in cells(engine).items()}


def area(top: int, left: int, rows: int, cols: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The parts of a whole picture that stands there."""
    return {(top + row, left + col): (row, col) for row in range(rows) for col in range(cols)}


def test_a_picture_stands_at_the_cursor_which_goes_behind_its_last_row(engine: GhosttyEngine) -> None:
    engine.feed(b"\r\nab" + show() + b"|")

    assert parts(engine) == area(1, 2, 2, 3)
    assert texts(engine)[:3] == ["", "ab", "     |"]
    (image,) = {cell.image for cell in cells(engine).values()}
    picture = engine.picture(image, 0)
    assert picture is not None
    assert (picture.cols, picture.rows, picture.data) == (3, 2, PIXELS)


def test_at_the_bottom_lines_scroll_away_for_it(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[6;1H" + show(",r=4,c=3"))

    assert parts(engine) == area(2, 0, 4, 3)
    assert engine.scrollback_rows() == 3


def test_at_the_right_edge_it_is_cut_and_the_cursor_goes_to_the_next_line(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[1;19H" + show() + b"|")

    assert parts(engine) == {place: part for place, part in area(0, 18, 2, 3).items() if place[1] < 20}
    assert texts(engine)[2] == "|"


def test_the_cursor_stays_where_the_program_wants_that_and_nothing_scrolls(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[5;4H" + show(",C=1,r=4") + b"|")

    below = area(4, 3, 2, 6)  # The other two rows have no room.
    del below[4, 3]
    assert parts(engine) == below
    assert engine.scrollback_rows() == 0
    assert engine.cursor().x == 4
    assert engine.cursor().y == 4


@pytest.mark.parametrize(
    "before",
    [
        b"\x1b[1;3;4:3;38;2;1;2;3;48;5;200;58:2::7:8:9m",
        b"\x1b[4h",
        b"\x1b[?7l",
        b"\x1b[2;5r\x1b[3;3H",
        b"\x1b7\x1b[3;3H\x1b[31m",
        b"\x1b(0",
    ],
    ids=["pen", "insert", "no wrap", "margins", "saved cursor", "charset"],
)
def test_pen_modes_margins_and_the_saved_cursor_are_as_before(engine: GhosttyEngine, before: bytes) -> None:
    probes = PROBES + b"\x1b[4$p"
    engine.feed(before)
    told = engine.feed(probes).replies.split(b"R", 2)[-1]
    engine.feed(show())

    assert engine.feed(probes).replies.split(b"R", 2)[-1] == told
    engine.feed(b"\x1b[H\x1b[Jq")
    other = engine_like(engine, before)
    other.feed(b"\x1b[H\x1b[Jq")
    assert [row.runs for row in engine.all_rows()] == [row.runs for row in other.all_rows()]
    engine.feed(b"\x1b8x")
    other.feed(b"\x1b8x")
    assert [row.runs for row in engine.all_rows()] == [row.runs for row in other.all_rows()]
    other.close()


def test_what_stands_beside_a_picture_stays_there_in_insert_mode_too(engine: GhosttyEngine) -> None:
    engine.feed(b"abcdefgh\r\x1b[4h" + show())

    assert texts(engine)[0] == "   defgh"


def engine_like(engine: GhosttyEngine, before: bytes) -> GhosttyEngine:
    other = GhosttyFactory().new(engine.cols, engine.rows, scrollback_lines=100)
    other.feed(before)
    return other


def test_an_engine_that_follows_is_equal_however_the_output_is_cut(
    pictured: GhosttyFactory, factory: GhosttyFactory
) -> None:
    output = b"a\x1b[31mb" + show(",i=7") + b"c\r\n" + b"\x1b_Ga=p,i=7,c=2,r=1,C=1\x1b\\d\x1b[H"
    for cut in range(0, len(output), 37):
        engine, viewing = (
            pictured.new(20, 6, scrollback_lines=100),
            factory.new(20, 6, scrollback_lines=100),
        )
        for piece in (output[:cut], output[cut:]):
            viewing.apply(engine.feed(piece).applied)

        assert state(engine) == state(viewing)
        assert len(cells(viewing)) == 7  # The last letter stands on one of them.
        engine.close()
        viewing.close()


def test_pictures_scroll_with_the_text_and_are_overwritten_by_it(engine: GhosttyEngine) -> None:
    engine.feed(show() + b"\r\n" * 6)
    assert cells(engine) == {}

    engine.scroll(2)
    assert set(parts(engine).values()) == set(area(0, 0, 2, 3).values())
    engine.scroll(0)
    engine.feed(b"\x1b[H" + show() + b"\x1b[1;2HX")
    left = area(0, 0, 2, 3)
    del left[0, 1]
    assert parts(engine) == left
    engine.feed(b"\x1b[2J")
    assert cells(engine) == {}


def test_no_text_has_a_placeholder_in_it(engine: GhosttyEngine) -> None:
    engine.feed(b"ab" + show() + b"\r\ncd\xf4\x8e\xbb\xae\xcc\x85\xcc\x85ef")

    read = engine.history_text(unwrap=True), engine.screen_text(unwrap=False), *texts(engine)
    assert not any("\U0010eeee" in text or "\u0305" in text for text in read)
    assert "\U0010eeee".encode() not in engine.vt_text()
    assert engine.screen_text(unwrap=False).split("\n") == ["ab", "", "cd ef"]


def test_answers_come_in_their_order_and_only_while_pictures_are_shown(engine: GhosttyEngine) -> None:
    question = b"\x1b]7501;?\x07\x1b_Gi=31,s=1,v=1,a=q,f=24;AAAA\x1b\\\x1b[6n"
    status = b"\x1b]7501;?\x1b\\"
    assert engine.feed(question).replies == status + b"\x1b_Gi=31;OK\x1b\\\x1b[1;1R"

    engine.answer_pictures(False)
    assert engine.feed(question).replies == status + b"\x1b[1;1R"
    engine.feed(show())
    assert len(cells(engine)) == 6


def test_what_is_deleted_is_told_and_its_cells_stay_blank(engine: GhosttyEngine) -> None:
    engine.feed(show(",i=7"))
    (image,) = {cell.image for cell in cells(engine).values()}

    assert engine.feed(b"\x1b_Ga=d,d=i,i=7\x1b\\").facts == (PicturesChanged(images=(image,)),)
    assert engine.picture(image, 0) is None
    assert PicturesChanged(images=(7,)) in engine.feed(b"\x1b_Ga=p,U=1,i=7\x1b\\").facts
    assert PicturesChanged(images=(7,)) in engine.feed(b"\x1bc").facts


def test_without_the_setting_programs_and_their_pictures_are_passed_over(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 6, scrollback_lines=0)
    engine.answer_pictures(True)

    assert engine.feed(show(",i=7") + b"x").replies == b""
    assert cells(engine) == {}
    assert engine.picture(7, 0) is None


def test_a_closed_terminal_shows_nothing(pictured: GhosttyFactory) -> None:
    engine = pictured.new(20, 6, scrollback_lines=0)
    engine.close()

    assert engine.feed(show(",i=7")).replies == b""
    assert engine.picture(7, 0) is None


COMMANDS = (
    "f=24,s=24,v=32,i=1",
    "f=24,s=24,v=32,I=2,c=9,r=400",
    "i=1,p=3,C=1",
    "i=1,U=1,c=2",
    "m=1,i=3",
    "m=0",
    "d=A",
)
OTHERS = ("text", "\r\n", "端末", "\U0010eeee\u0305", "\x18\x9b", "\x1bc", *(
    f"\x1b[{rest}" for rest in ("9;9H", "2J", "4h", "?7l", "?6h", "2;4r", "?69h\x1b[3;9s", "?1049h", "?1049l", "!p")
))  # fmt: skip
PIECES = tuple(
    piece.encode()
    for piece in (
        *(
            f"\x1b_Ga={action},{rest};{b64encode(PIXELS).decode()}\x1b\\"
            for action in "tTqpdf"
            for rest in COMMANDS
        ),
        *OTHERS,
        *OTHERS,
    )
)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_programs_write_engines_stay_equal_and_texts_clean(
    pictured: GhosttyFactory, factory: GhosttyFactory, seed: int
) -> None:
    chance = random.Random(seed)
    size = chance.randint(1, 30), chance.randint(1, 8)
    engine, viewing = (made.new(*size, scrollback_lines=50) for made in (pictured, factory))
    for piece in chance.choices(PIECES, k=30):
        cut = chance.randint(0, len(piece))
        for part in (piece[:cut], piece[cut:]):
            viewing.apply(engine.feed(part).applied)
        rows = engine.all_rows()
        assert all(row.runs[picture.run][0].isspace() for row in rows for picture in row.pictures)

    assert state(engine) == state(viewing)
    assert "\U0010eeee" not in engine.history_text(unwrap=True) + "".join(row.text for row in rows)
    engine.close()
    viewing.close()
