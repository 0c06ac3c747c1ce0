"""The picture store: what commands bring, what is kept of them, and what programs are told."""

from __future__ import annotations

from base64 import b64encode

import pytest

from orca_tui.term.engine import Picture
from orca_tui.term.pictures.cells import MOST_CELLS
from orca_tui.term.pictures.command import PictureCommand
from orca_tui.term.pictures.image import IMAGE_BYTES, PictureFault
from orca_tui.term.pictures.scan import PictureSeen
from orca_tui.term.pictures.showing import Showing, Taken, cell_image
from orca_tui.term.pictures.store import MOST_IMAGES, MOST_SHOWN, PictureStore, read_nothing

PIXELS = bytes(range(192))
"""8 x 8."""
FIRST = 1000


def given(control: str, payload: bytes = b"", *, cut: bool = False) -> PictureSeen:
    return PictureSeen(end=0, control=control.encode(), payload=payload, cut=cut)


def sent(control: str, data: bytes = PIXELS, size: str = "f=24,s=8,v=8") -> PictureSeen:
    return given(f"{control},{size}" if size else control, b64encode(data))


@pytest.fixture
def store() -> PictureStore:
    made = PictureStore(FIRST)
    made.seen = True
    return made


def number_of(taken: Taken) -> int:
    assert taken.showing is not None
    return taken.showing.number


def shown_by(store: PictureStore, taken: Taken) -> Picture | None:
    return store.picture(cell_image(number_of(taken)), 0)


# Sending and showing


def test_an_image_is_sent_and_shown(store: PictureStore) -> None:
    taken = store.take(sent("a=T,i=7"))

    assert taken.answer == b"\x1b_Gi=7;OK\x1b\\"
    assert taken.showing == Showing(number=FIRST + 1, cols=1, rows=1, keep_cursor=False)
    picture = shown_by(store, taken)
    assert picture is not None
    assert (picture.width, picture.height, picture.data) == (8, 8, PIXELS)
    assert picture.source == (0, 0, 8, 8)


def test_one_that_was_sent_is_shown_as_often_as_is_asked_under_numbers_of_their_own(
    store: PictureStore,
) -> None:
    store.take(sent("i=7"))
    shown = [store.take(given("a=p,i=7,c=4,r=2")) for _ in range(3)]

    assert len({number_of(taken) for taken in shown}) == 3
    pictures = [shown_by(store, taken) for taken in shown]
    assert len({picture.key for picture in pictures if picture}) == 1
    assert all(picture and (picture.cols, picture.rows) == (4, 2) for picture in pictures)


def test_chunks_are_one_image_however_they_are_padded(store: PictureStore) -> None:
    taken = [
        store.take(given("a=T,i=7,f=24,s=8,v=8,m=1", b64encode(PIXELS[:60]))),
        store.take(given("m=1", b64encode(PIXELS[60:120]))),
        store.take(given("m=0", b64encode(PIXELS[120:]))),
    ]

    assert [one.answer for one in taken] == [b"", b"", b"\x1b_Gi=7;OK\x1b\\"]
    picture = shown_by(store, taken[-1])
    assert picture is not None
    assert picture.data == PIXELS


def test_another_command_gives_an_image_up_whose_chunks_are_not_all_there(store: PictureStore) -> None:
    store.take(given("a=T,i=7,f=24,s=8,v=8,m=1", b64encode(PIXELS[:96])))
    store.take(given("a=q,i=1,f=24,s=1,v=1", b"AAAA"))

    assert store.take(given("m=0", b64encode(PIXELS[96:]))) == Taken()


def test_a_number_gets_an_id_of_its_own(store: PictureStore) -> None:
    store.take(sent("i=1"))
    taken = store.take(sent("a=T,I=13"))

    assert taken.answer == b"\x1b_Gi=2,I=13;OK\x1b\\"
    assert store.take(given("a=p,I=13,p=5")).answer == b"\x1b_Gi=2,I=13,p=5;OK\x1b\\"
    assert store.take(given("a=p,i=2")).answer == b"\x1b_Gi=2;OK\x1b\\"


def test_an_image_without_a_name_is_shown_and_not_answered(store: PictureStore) -> None:
    taken = store.take(sent("a=T"))

    assert taken.answer == b""
    assert shown_by(store, taken) is not None


@pytest.mark.parametrize(
    ("control", "cells"),
    [
        ("", (13, 7)),  # 100 x 100 in cells of 8 x 16.
        (",c=20", (20, 10)),
        (",r=5", (10, 5)),
        (",c=3,r=9", (3, 9)),
        (",x=50,y=50", (7, 4)),
        (",x=90,y=90,w=500,h=500", (2, 1)),
        (",x=500,y=500", (1, 1)),
        (",c=9999,r=9999", (MOST_CELLS, MOST_CELLS)),
    ],
)
def test_cells_are_as_asked_or_as_the_pixels_need(
    store: PictureStore, control: str, cells: tuple[int, int]
) -> None:
    taken = store.take(sent(f"a=T{control}", bytes(30_000), "f=24,s=100,v=100"))

    assert taken.showing is not None
    assert (taken.showing.cols, taken.showing.rows) == cells


# Asking


def test_a_question_is_answered_and_keeps_nothing(store: PictureStore) -> None:
    assert store.take(given("a=q,i=31,s=1,v=1,f=24", b"AAAA")).answer == b"\x1b_Gi=31;OK\x1b\\"
    assert store.take(given("a=p,i=31")).answer == b"\x1b_Gi=31;ENOENT:there is no such image\x1b\\"


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        (given("a=q,i=1,f=24,s=2,v=2", b"AAAA"), PictureFault.TOO_FEW),
        (given("a=q,i=1,f=24,s=1,v=1", b"!!!!"), PictureFault.BAD_DATA),
        (given("a=t,i=1,f=24,s=1,v=1", b"AAAA", cut=True), PictureFault.TOO_LARGE),
        (given("a=t,i=1,f=24,s=1,v=1,t=f", b64encode(b"/etc/passwd")), PictureFault.BAD_MEDIUM),
        (given("a=p,i=1"), PictureFault.NO_IMAGE),
        (given("a=p,i=1,P=3"), PictureFault.UNSUPPORTED),
        (given("a=f,i=1,s=1,v=1"), PictureFault.UNSUPPORTED),
        (given("a=t,i=1,I=1,s=1,v=1"), PictureFault.BOTH_NAMES),
    ],
)
def test_what_cannot_be_done_is_answered_with_its_reason(
    store: PictureStore, seen: PictureSeen, fault: PictureFault
) -> None:
    taken = store.take(seen)

    assert taken.answer.endswith(f";{fault}\x1b\\".encode())
    assert taken.showing is None


@pytest.mark.parametrize(("quiet", "answers"), [(0, [True, True]), (1, [False, True]), (2, [False, False])])
def test_who_asks_for_silence_has_it(store: PictureStore, quiet: int, answers: list[bool]) -> None:
    well, badly = store.take(sent(f"i=7,q={quiet}")), store.take(given(f"a=p,i=8,q={quiet}"))

    assert [bool(well.answer), bool(badly.answer)] == answers


def test_while_nobody_shows_pictures_nothing_is_answered() -> None:
    store = PictureStore(FIRST)
    taken = store.take(sent("a=T,i=7"))

    assert taken.answer == b""
    assert shown_by(store, taken) is not None


def test_a_malformed_command_changes_nothing(store: PictureStore) -> None:
    assert store.take(given("i=x=y", b"AAAA")) == Taken()


# What programs write placeholders for


def test_a_virtual_placement_is_found_by_the_programs_own_ids(store: PictureStore) -> None:
    store.take(sent("i=7"))
    taken = store.take(given("a=p,U=1,i=7,p=3,c=10,r=5"))

    assert taken.showing is None
    assert taken.changed == {7}
    for placement in (0, 3):
        picture = store.picture(7, placement)
        assert picture is not None
        assert (picture.cols, picture.rows, picture.data) == (10, 5, PIXELS)
    assert store.picture(7, 4) is store.picture(8, 0) is None


def test_what_the_store_shows_itself_has_one_name(store: PictureStore) -> None:
    number = number_of(store.take(sent("a=T,i=7")))

    assert store.picture(cell_image(number), 0) is not None
    assert store.picture(cell_image(number), 1) is None


# Deleting, replacing, forgetting


def test_an_image_of_the_same_id_replaces_the_first_with_all_that_shows_it(store: PictureStore) -> None:
    first = store.take(sent("a=T,i=7"))
    taken = store.take(sent("a=T,i=7", bytes(192)))

    assert cell_image(number_of(first)) in taken.changed
    assert shown_by(store, first) is None
    picture = shown_by(store, taken)
    assert picture is not None
    assert picture.data == bytes(192)


def test_a_placement_that_is_put_elsewhere_leaves_its_first_place(store: PictureStore) -> None:
    store.take(sent("i=7"))
    first, other = store.take(given("a=p,i=7,p=1")), store.take(given("a=p,i=7,p=2"))
    taken = store.take(given("a=p,i=7,p=1"))

    assert taken.changed == {cell_image(number_of(first))}
    assert shown_by(store, first) is None
    assert shown_by(store, other) is not None


@pytest.mark.parametrize(
    ("control", "left"),
    [
        ("a=d", ""),
        ("a=d,d=a", ""),
        ("a=d,d=i,i=1", "cd"),
        ("a=d,d=i,i=1,p=5", "acd"),
        ("a=d,d=n,I=9", "abc"),
        ("a=d,d=r,x=1,y=2", "d"),
        ("a=d,d=z,z=-1", "abd"),
        ("a=d,d=c", "abcd"),
        ("a=d,d=i", "abcd"),
    ],
)
def test_what_is_deleted_is_not_shown_any_more(store: PictureStore, control: str, left: str) -> None:
    shown = {
        "a": store.take(sent("a=T,i=1")),
        "b": store.take(given("a=p,i=1,p=5")),
        "c": store.take(sent("a=T,i=2,z=-1")),
        "d": store.take(sent("a=T,I=9,i=0")),
    }
    taken = store.take(given(control))

    assert "".join(name for name, one in shown.items() if shown_by(store, one) is not None) == left
    assert taken.changed == {cell_image(number_of(one)) for name, one in shown.items() if name not in left}
    assert taken.answer == b""


def test_a_small_letter_keeps_the_image_and_a_capital_one_frees_it(store: PictureStore) -> None:
    store.take(sent("a=T,i=7"))
    store.take(given("a=d,d=i,i=7"))
    assert store.take(given("a=p,i=7")).answer.endswith(b";OK\x1b\\")

    store.take(given("a=d,d=I,i=7"))
    assert b"ENOENT" in store.take(given("a=p,i=7")).answer


def test_an_image_that_is_shown_elsewhere_is_not_freed(store: PictureStore) -> None:
    store.take(sent("i=7"))
    kept = store.take(given("a=p,i=7,p=1"))
    store.take(given("a=p,i=7,p=2"))
    store.take(given("a=d,d=I,i=7,p=2"))

    assert shown_by(store, kept) is not None


def test_a_reset_forgets_everything(store: PictureStore) -> None:
    shown = store.take(sent("a=T,i=7"))
    store.take(given("a=p,U=1,i=7"))
    taken = store.reset()

    assert taken.changed == {7, cell_image(number_of(shown))}
    assert b"ENOENT" in store.take(given("a=p,i=7")).answer


def test_images_are_bounded_by_bytes_and_the_oldest_goes(store: PictureStore) -> None:
    half = IMAGE_BYTES // 2 + 1
    first = store.take(sent("a=T,i=1", bytes(half), "f=24,s=100,v=100"))
    second = store.take(sent("a=T,i=2", bytes(half), "f=24,s=100,v=100"))

    assert shown_by(store, first) is None
    assert cell_image(number_of(first)) in second.changed
    assert shown_by(store, second) is not None


def test_images_and_showings_are_bounded_by_number(store: PictureStore) -> None:
    images = [store.take(sent("a=T")) for _ in range(MOST_IMAGES + 1)]
    assert shown_by(store, images[0]) is None
    assert shown_by(store, images[1]) is not None

    store.take(sent("i=7"))
    showings = [store.take(given("a=p,i=7")) for _ in range(MOST_SHOWN + 1)]
    assert shown_by(store, showings[0]) is None
    assert shown_by(store, showings[1]) is not None


def test_chunks_without_end_are_not_kept(store: PictureStore) -> None:
    piece = b"A" * (1 << 20)
    store.take(given("a=T,i=7,f=24,s=9,v=9,m=1"))
    for _ in range(IMAGE_BYTES // len(piece) * 2):
        store.take(given("m=1", piece))

    assert len(store._chunks) < IMAGE_BYTES * 3 // 2
    assert store.take(given("m=0")).answer.endswith(f";{PictureFault.TOO_LARGE}\x1b\\".encode())


# Media


def test_what_a_command_names_is_read_by_whoever_may() -> None:
    asked: list[tuple[str, bytes]] = []

    def read(command: PictureCommand, name: bytes, /) -> bytes | PictureFault:
        asked.append((command.medium, name))
        return PIXELS if name == b"/tmp/there" else PictureFault.BAD_FILE

    store = PictureStore(FIRST, read)
    store.take(given("a=T,i=7,f=24,s=8,v=8,t=t", b64encode(b"/tmp/there")))
    assert asked == [], "nobody shows pictures"

    store.seen = True
    taken = store.take(given("a=T,i=7,f=24,s=8,v=8,t=t", b64encode(b"/tmp/there")))
    missing = store.take(given("a=T,i=8,f=24,s=8,v=8,t=f", b64encode(b"/tmp/gone")))

    assert asked == [("t", b"/tmp/there"), ("f", b"/tmp/gone")]
    assert shown_by(store, taken) is not None
    assert missing.answer == f"\x1b_Gi=8;{PictureFault.BAD_FILE}\x1b\\".encode()


def test_nobody_reads_by_default() -> None:
    assert read_nothing(PictureCommand(), b"/etc/passwd") is PictureFault.BAD_MEDIUM
