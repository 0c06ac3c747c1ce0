"""What other terminals in panes were found to do wrong, done right here. Larger ones are tested where they belong."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psutil
import pytest

from orca_tui.term.engine import ClipboardWrite, Notification, TitleChanged
from orca_tui.term.facts import BODY_LENGTH, CLIPBOARD_BYTES, NOT_TEXT, TITLE_LENGTH
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.scrollback import limit_for_lines
from tests.term.terminals import texts

MIB = 1 << 20
RESIZE_S = 0.1
"""Of processor time, whatever else runs; it takes a tenth of that."""


@pytest.fixture
def engine(factory: GhosttyFactory) -> Iterator[GhosttyEngine]:
    made = factory.new(80, 24, scrollback_lines=1000)
    yield made
    made.close()


def test_lines_that_leave_a_region_at_the_top_of_the_screen_are_kept(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[1;20r" + b"".join(b"line %d\r\n" % number for number in range(100)))

    kept = engine.history_text(unwrap=False).splitlines()
    assert kept[:100] == [f"line {number}" for number in range(100)]


def test_lines_that_leave_a_region_below_the_top_are_not_kept(engine: GhosttyEngine) -> None:
    engine.feed(b"top\r\n\x1b[2;20r\x1b[2H" + b"".join(b"line %d\r\n" % number for number in range(100)))

    assert engine.scrollback_rows() == 0
    assert texts(engine)[0] == "top"


def test_a_url_longer_than_the_screen_is_one_line_and_one_link(engine: GhosttyEngine) -> None:
    url = "https://example.org/" + "x" * 200
    engine.feed(f"\x1b]8;;{url}\x07{url}\x1b]8;;\x07".encode())

    assert engine.history_text(unwrap=True) == url
    assert [engine.link_at(3, row) for row in range(3)] == [url] * 3


def test_the_memory_of_long_lines_is_bounded_by_bytes(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=1000)
    kept = []
    for _ in range(200):
        engine.feed((b"x" * 2000 + b"\r\n") * 50)
        kept.append(engine.scrollback_rows())

    assert min(kept[5:]) >= 1000
    assert max(kept) <= 4000
    engine.close()


def resident_bytes() -> int:
    return psutil.Process().memory_info().rss


def test_the_scrollback_of_a_huge_file_is_bounded_shrinks_at_rest_and_is_given_back(
    factory: GhosttyFactory,
) -> None:
    lines = b"".join(b"%d of a huge file, " % number * 10 + b"\r\n" for number in range(3000))
    before = resident_bytes()
    engine = factory.new(200, 40, scrollback_lines=10_000)
    sizes = []
    for _ in range(24):
        engine.feed(lines)
        sizes.append(resident_bytes() - before)

    assert max(sizes) < 1.2 * limit_for_lines(10_000, 200)
    assert max(sizes[8:]) - sizes[8] < 4 * MIB  # It is full by then.
    while engine.compress():
        pass
    assert resident_bytes() - before < sizes[-1] / 2
    engine.feed(lines * 6)
    assert resident_bytes() - before > sizes[-1] / 2
    engine.close()
    assert resident_bytes() - before < 4 * MIB


def test_a_resize_with_a_full_scrollback_is_done_at_once(factory: GhosttyFactory) -> None:
    engine = factory.new(120, 40, scrollback_lines=10_000)
    engine.feed(b"".join(b"%d words of a line that may have to be wrapped\r\n" % n for n in range(12_000)))

    took = []
    for cols in (60, 150):
        began = time.process_time()
        engine.resize(cols, 40)
        took.append(time.process_time() - began)

    assert max(took) < RESIZE_S
    assert "11999 words of a line that may have to be wrapped" in engine.history_text(unwrap=True)
    engine.close()


def test_decomposed_letters_among_joined_emoji_are_survived_and_kept(engine: GhosttyEngine) -> None:
    text = "e\u0301👨\u200d👩\u200d👧o\u0308🇧🇷a\u0300👍🏽" * 3
    for character in text:
        for byte in character.encode():
            engine.feed(bytes([byte]))

    assert engine.screen_text(unwrap=True) == text


def test_a_frame_is_held_until_it_is_whole_and_has_its_cursor_at_its_end(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?2026h\x1b[?25l\x1b[Hone\x1b[10;10Htwo")
    assert engine.held()

    engine.feed(b"\x1b[3;4H\x1b[?25h\x1b[?2026l")

    assert not engine.held()
    cursor = engine.cursor()
    assert (cursor.x, cursor.y, cursor.visible) == (3, 2, True)


IMAGES = {
    "kitty graphics": b"\x1b_Ga=T,f=100,m=1;%s\x1b\\\x1b_Gm=0;%s\x1b\\",
    "sixel": b'\x1bP0;0;8q"1;1;6;6#0;2;0;0;0#0%s-%s\x1b\\',
    "inline file": b"\x1b]1337;File=inline=1;size=9:%s%s\x07",
    "glyph query": b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;%s%s\x1b\\",
}


@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
def test_an_image_is_swallowed_without_damage_however_it_is_cut(
    factory: GhosttyFactory, image: bytes
) -> None:
    data = b"before" + image % (b"AAAA", b"BBBB") + b"after"
    for cut in range(len(data)):
        engine = factory.new(80, 24, scrollback_lines=0)
        fed = [engine.feed(data[:cut]), engine.feed(data[cut:])]

        assert texts(engine)[:2] == ["beforeafter", ""]
        assert [(one.replies, one.facts) for one in fed] == [(b"", ())] * 2
        engine.close()


@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
def test_an_image_of_megabytes_is_swallowed_too(engine: GhosttyEngine, image: bytes) -> None:
    data = b"before" + image % (b"A" * 3 * MIB, b"B" * 3 * MIB) + b"after"
    for at in range(0, len(data), 65536):
        engine.feed(data[at : at + 65536])

    assert texts(engine)[:2] == ["beforeafter", ""]


def test_nothing_hostile_is_in_what_a_terminal_tells_of_its_program(engine: GhosttyEngine) -> None:
    evil = "a\u202eb\u2066c\u200bd\u009b31m" + "x" * 5 * MIB
    told = f"\x1b]0;{evil[:9]}\x07\x1b]2;{evil}\x07\x1b]9;{evil}\x07\x1b]777;notify;{evil[:9]};{evil[:9]}\x07"
    facts = [
        fact
        for at in range(0, len(told), 65536)
        for fact in engine.feed(told[at : at + 65536].encode()).facts
    ]

    said = [
        text
        for fact in facts
        for text in (
            [fact.title]
            if isinstance(fact, TitleChanged)
            else [fact.title, fact.body] * isinstance(fact, Notification)
        )
    ]
    assert said
    assert [
        text for text in said if NOT_TEXT.search(text) or len(text) > max(TITLE_LENGTH, BODY_LENGTH)
    ] == []


def test_a_clipboard_is_set_whole_or_not_at_all_and_never_told(engine: GhosttyEngine) -> None:
    from base64 import b64encode

    for size, kept in ((10, True), (CLIPBOARD_BYTES, True), (CLIPBOARD_BYTES + 1, False), (5 * MIB, False)):
        fed = engine.feed(b"\x1b]52;c;" + b64encode(b"c" * size) + b"\x07\x1b]52;c;?\x07\x1b]52;p;?\x1b\\")

        assert fed.facts == ((ClipboardWrite(text="c" * size),) if kept else ())
        assert fed.replies == b""


@pytest.mark.parametrize(
    "left", [b"\x1b]0;a title of", b"\x1bP+q5", b"\x1b[38;2;1", b"\xf0\x9f\x91", b"\x1b_Gm=1;AA"]
)
def test_what_a_program_left_half_said_swallows_nothing_of_the_next(
    engine: GhosttyEngine, left: bytes
) -> None:
    engine.feed(b"first " + left)
    engine.feed(engine.reset_modes_bytes())

    engine.feed(b"second")

    assert texts(engine)[0].replace("\ufffd", "") == "first second"
