"""What the outer terminal is written to have an image: a terminal that knows kitty's protocol understands it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from orca_tui.commands.ui import PictureReply
from orca_tui.term.engine import Picture
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.pictures.store import read_nothing
from orca_tui.ui.picture_upload import ASK_PICTURES, CHUNK_BYTES, PROBE_IMAGE, removal, upload

DATA = bytes(range(256)) * 90
PICTURE = PictureReply(
    key=1,
    cols=9,
    rows=4,
    source=(0, 0, 96, 80),
    format=24,
    compression="",
    width=96,
    height=80,
    size=len(DATA),
    data=b"",
)


@pytest.fixture
def outer() -> Iterator[GhosttyEngine]:
    made = GhosttyFactory(pictures=read_nothing).new(80, 24, scrollback_lines=0)
    made.answer_pictures(True)
    yield made
    made.close()


def given(outer: GhosttyEngine, picture: PictureReply, data: bytes) -> Picture:
    """What the terminal has after an upload, which it neither shows by itself nor answers."""
    for piece in upload(7, picture, data):
        assert outer.feed(piece.encode()).replies == b""
    assert outer.screen_text(unwrap=False) == ""
    found = outer.picture(7, 0)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "picture",
    [
        PICTURE,
        replace(PICTURE, source=(1, 2, 3, 4)),
        replace(PICTURE, compression="z"),
        replace(PICTURE, format=32, height=60, source=(0, 0, 96, 60)),
    ],
)
def test_an_image_arrives_as_it_was_sent(outer: GhosttyEngine, picture: PictureReply) -> None:
    found = given(outer, picture, DATA)

    for name in ("cols", "rows", "source", "format", "compression", "width"):
        assert getattr(found, name) == getattr(picture, name)
    assert found.data == DATA


def test_no_command_has_more_than_the_protocol_allows() -> None:
    commands = re.findall(r"\x1b_G[^;\x1b]*;?([^\x1b]*)\x1b\\", "".join(upload(7, PICTURE, DATA)))

    assert max(map(len, commands)) == CHUNK_BYTES
    assert len(list(upload(7, PICTURE, DATA * 10))) > 5


def test_an_image_without_data_is_one_command() -> None:
    assert "".join(upload(7, PICTURE, b"")).count("a=t") == 1


def test_an_image_is_taken_away(outer: GhosttyEngine) -> None:
    given(outer, PICTURE, DATA)
    outer.feed(removal(7).encode())

    assert outer.picture(7, 0) is None


def test_the_question_is_answered_by_who_shows_pictures(outer: GhosttyEngine) -> None:
    assert outer.feed(ASK_PICTURES.encode()).replies == b"\x1b_Gi=%d;OK\x1b\\" % PROBE_IMAGE
