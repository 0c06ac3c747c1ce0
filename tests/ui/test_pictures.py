"""The panes' pictures in the outer terminal: what is asked, what is sent and when, what is taken away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest
from rich.console import Console
from textual.strip import Strip

from orca_tui.base.errors import NotFound
from orca_tui.commands.ui import PictureReply, PictureRequest
from orca_tui.term.engine import PictureCell, PictureRun, Row
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.pictures.store import read_nothing
from orca_tui.term.replies import DeviceAttributes, PictureReport
from orca_tui.ui.picture_upload import PROBE_IMAGE, removal
from orca_tui.ui.pictures import ANSWER_PATIENCE_S, MOST_MISSING, NUMBERS, OUR_IMAGES, Pictures
from orca_tui.ui.term_strip import TermStrip
from tests.fakes import FakeClock

pytestmark = pytest.mark.anyio

YES = PictureReport(image=PROBE_IMAGE, ok=True)
UPLOAD = re.compile(r"\x1b_Ga=t,q=2,i=(\d+),")
COLOR = re.compile(r"\x1b\[38;2;(\d+);(\d+);(\d+)m")
CONSOLE = Console()
DATA = bytes(range(256)) * 100


class Line:
    """An outer terminal that takes everything."""

    def __init__(self) -> None:
        self.takeovers = 1
        self.written = ""
        self.questions: list[str] = []
        self.parting = ""
        self.taking = asyncio.Event()
        self.taking.set()

    def write(self, data: str) -> None:
        self.written += data

    def ask(self, questions: str) -> None:
        self.questions.append(questions)

    def part_with(self, sequences: str) -> None:
        self.parting = sequences

    async def taken(self) -> None:
        await self.taking.wait()

    @property
    def uploads(self) -> list[int]:
        return [int(image) for image in UPLOAD.findall(self.written)]


def cell_of(image: int) -> Row:
    cell = PictureCell(x=0, image=image, placement=0, row=0, col=0)
    return Row(((" ", b""),), " ", " ", (PictureRun(run=0, cells=(cell,)),))


class Desk:
    """Pictures with a server that has one image a number, and what came of them."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.line, self.clock = Line(), FakeClock()
        self.asked: list[PictureRequest] = []
        self.drawn: list[str] = []
        self.keys: dict[int, int] = {}
        """The image's key by the number in a cell, when it is not the number itself; 0: there is none."""
        self.changed = asyncio.Event()
        self.held: asyncio.Event | None = None
        """The server answers nothing before it is set."""
        self.pictures = Pictures(
            wanted=wanted, line=self.line, clock=self.clock, fetch=self.fetch, arrived=self.arrived
        )
        self.strips: dict[tuple[str, int], Strip] = {}
        """What is on screen, by pane and image."""

    async def fetch(self, request: PictureRequest) -> PictureReply:
        self.asked.append(request)
        self.changed.set()
        if self.held is not None:
            await self.held.wait()
        key = self.keys.get(request.image, request.image)
        if not key:
            raise NotFound("no picture")
        return PictureReply(
            key=key,
            cols=4,
            rows=2,
            source=(0, 0, 10, 10),
            format=24,
            compression="",
            width=10,
            height=10,
            size=len(DATA),
            data=DATA[request.offset :][:10_000],
        )

    def arrived(self, pane: str) -> None:
        self.drawn.append(pane)
        self.changed.set()

    def image(self, number: int, pane: str = "p1") -> int | None:
        """Draw a row with a cell of an image; the outer terminal's image in it."""
        strip = self.pictures.strips_of(TermStrip, pane)(cell_of(number), 1)
        self.strips[pane, number] = strip
        found = COLOR.search(strip.render(CONSOLE))
        return None if found is None else OUR_IMAGES | int.from_bytes(bytes(map(int, found.groups())))

    def asked_for(self, number: int) -> int:
        """How often the server was."""
        return [(request.image, request.offset) for request in self.asked].count((number, 0))

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not holds():
                self.changed.clear()
                await asyncio.sleep(0)

    async def sent(self, number: int, pane: str = "p1") -> int:
        """Draw a cell until its image is there."""
        await self.until(lambda: self.image(number, pane) is not None)
        image = self.image(number, pane)
        assert image is not None
        return image


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    made = Desk()
    made.pictures.ask()
    made.pictures.take(YES)
    task = asyncio.ensure_future(made.pictures.send())
    yield made
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


# Whether


async def test_what_a_killed_ui_left_is_taken_away_by_the_next_one_and_nothing_else() -> None:
    left, others, half = OUR_IMAGES | 5, 5, OUR_IMAGES | (NUMBERS - 1)
    outer = GhosttyFactory(pictures=read_nothing).new(80, 24, scrollback_lines=0)
    for image in (left, others):
        outer.feed(f"\x1b_Ga=t,q=2,i={image},f=24,s=1,v=1;AAAA\x1b\\".encode())
        outer.feed(f"\x1b_Ga=p,U=1,q=2,i={image},c=1,r=1\x1b\\".encode())
    outer.feed(f"\x1b_Ga=t,q=2,i={half},f=24,s=1,v=1;AAAA\x1b\\".encode())
    assert outer.picture(left, 0) is not None

    desk = Desk()
    desk.pictures.ask()
    desk.pictures.take(YES)
    desk.pictures.take(YES)
    outer.feed(desk.line.written.encode())

    assert outer.picture(left, 0) is None
    assert outer.picture(others, 0) is not None
    outer.feed(f"\x1b_Ga=p,U=1,q=2,i={half},c=1,r=1\x1b\\".encode())
    assert outer.picture(half, 0) is None
    assert desk.line.written.count("d=R") == 1


async def test_a_terminal_that_shows_no_pictures_is_told_to_forget_none() -> None:
    desk = Desk()
    desk.pictures.ask()
    desk.pictures.take(PictureReport(image=PROBE_IMAGE, ok=False))

    assert desk.line.written == ""


async def test_pictures_are_shown_when_they_are_wanted_and_the_terminal_says_so_in_time() -> None:
    desk = Desk()
    assert not desk.pictures.take(YES)

    desk.pictures.ask()
    assert not desk.pictures.take(DeviceAttributes(level=1, parameters=(62,)))
    assert not desk.pictures.take(PictureReport(image=5, ok=True))
    assert not desk.pictures.take(PictureReport(image=PROBE_IMAGE, ok=False))
    desk.clock.jump(ANSWER_PATIENCE_S)
    assert desk.pictures.take(YES)
    assert not desk.pictures.take(YES), "it is known already"
    assert desk.pictures.shown


async def test_a_late_answer_is_not_believed() -> None:
    desk = Desk()
    desk.pictures.ask()
    desk.clock.jump(ANSWER_PATIENCE_S + 0.1)

    assert not desk.pictures.take(YES)
    assert not desk.pictures.shown


async def test_a_terminal_is_not_asked_for_what_nobody_wants() -> None:
    desk = Desk(wanted=False)
    desk.pictures.ask()

    assert desk.line.questions == []
    assert not desk.pictures.take(YES)


# Sending


async def test_an_image_is_asked_for_once_sent_once_and_then_drawn(desk: Desk) -> None:
    assert desk.image(7) is None
    assert desk.image(7) is None
    image = await desk.sent(7)

    assert desk.line.uploads == [image]
    assert [request.offset for request in desk.asked] == [0, 10_000, 20_000]
    assert desk.drawn == ["p1"]
    assert desk.line.parting == removal(image)


async def test_the_same_picture_under_two_numbers_is_sent_once(desk: Desk) -> None:
    desk.keys = {7: 1, 8: 1, 9: 2}

    assert await desk.sent(7) == await desk.sent(8) != await desk.sent(9)
    assert len(desk.line.uploads) == 2


async def test_panes_do_not_share_images(desk: Desk) -> None:
    assert await desk.sent(7, "p1") != await desk.sent(7, "p2")


async def test_what_the_server_does_not_know_stays_blank_and_is_asked_for_once(desk: Desk) -> None:
    desk.keys = {7: 0}
    desk.image(7)
    await desk.sent(8)
    desk.image(7)
    await desk.sent(9)

    assert [request.image for request in desk.asked].count(7) == 1
    assert desk.image(7) is None


async def test_what_was_scrolled_away_before_its_turn_is_not_asked_for(desk: Desk) -> None:
    desk.held = asyncio.Event()
    desk.image(1)
    await desk.until(lambda: desk.asked_for(1) == 1)
    for number in range(2, 1000):
        desk.image(number)
        del desk.strips["p1", number]
    desk.image(1000)
    assert len(desk.pictures._names()) == 2

    desk.held.set()
    await desk.sent(1000)
    assert {request.image for request in desk.asked} == {1, 1000}


async def test_what_was_scrolled_away_and_back_is_asked_for(desk: Desk) -> None:
    desk.image(7)
    del desk.strips["p1", 7]

    await desk.sent(7)


async def test_an_image_that_is_being_sent_counts_even_when_it_is_out_of_view_for_a_moment(
    desk: Desk,
) -> None:
    desk.line.taking.clear()
    desk.image(7)
    await desk.until(lambda: bool(desk.line.uploads))
    del desk.strips["p1", 7]
    desk.line.taking.set()

    await desk.sent(7)
    assert len(desk.line.uploads) == 1


async def test_only_so_many_names_without_a_picture_are_remembered(desk: Desk) -> None:
    desk.keys = dict.fromkeys(range(1, MOST_MISSING + 3), 0)
    for number in desk.keys:
        desk.image(number)
    await desk.until(lambda: len(desk.asked) == len(desk.keys))
    image = await desk.sent(MOST_MISSING + 3)
    assert len(desk.pictures._names()) == MOST_MISSING + 1

    desk.image(1)
    desk.image(MOST_MISSING)
    await desk.sent(MOST_MISSING + 4)
    assert (desk.asked_for(1), desk.asked_for(MOST_MISSING)) == (2, 1)
    assert desk.image(MOST_MISSING + 3) == image


# Taking away


async def test_what_is_void_is_taken_away_and_asked_for_again(desk: Desk) -> None:
    first, other = await desk.sent(7), await desk.sent(8)
    desk.pictures.void("p1", [7, 99])

    assert desk.image(7) is None
    again = await desk.sent(7)
    assert again != first
    assert desk.line.written.count(removal(first)) == 1
    assert desk.line.parting == removal(other) + removal(again)


async def test_what_became_void_while_it_was_sent_is_taken_away_behind_it(desk: Desk) -> None:
    desk.line.taking.clear()
    desk.image(7)
    await desk.until(lambda: bool(desk.line.uploads))
    desk.pictures.void("p1", [7])
    desk.line.taking.set()
    await desk.sent(8)

    gone, kept = desk.line.uploads
    await desk.until(lambda: removal(gone) in desk.line.written)
    assert desk.line.written.index(f"a=p,U=1,q=2,i={gone}") < desk.line.written.index(removal(gone))
    await desk.until(lambda: desk.line.parting == removal(kept))


async def test_an_image_that_is_being_sent_is_taken_away_at_the_end_too(desk: Desk) -> None:
    desk.line.taking.clear()
    desk.image(7)
    await desk.until(lambda: bool(desk.line.uploads))

    assert desk.line.parting == removal(desk.line.uploads[0])


async def test_a_pane_that_is_gone_takes_its_images_along(desk: Desk) -> None:
    first, other = await desk.sent(7, "p1"), await desk.sent(7, "p2")
    desk.pictures.gone("p1")

    await desk.until(lambda: removal(first) in desk.line.written)
    assert removal(other) not in desk.line.written


async def test_another_server_counts_its_pictures_anew(desk: Desk) -> None:
    first = await desk.sent(7)
    desk.pictures.all_void()

    assert await desk.sent(7) != first
    await desk.until(lambda: removal(first) in desk.line.written)


async def test_a_terminal_that_others_had_meanwhile_is_sent_everything_again(desk: Desk) -> None:
    first = await desk.sent(7)
    desk.line.takeovers += 1
    desk.pictures.taken_again()

    assert desk.drawn == ["p1", "p1"]
    again = await desk.sent(7)
    assert again != first
    assert desk.line.parting == removal(again)
    assert removal(first) not in desk.line.written


async def test_an_image_that_was_cut_by_a_takeover_is_sent_again(desk: Desk) -> None:
    desk.line.taking.clear()
    desk.image(7)
    await desk.until(lambda: bool(desk.line.uploads))
    desk.line.takeovers += 1
    desk.pictures.taken_again()
    desk.line.taking.set()

    image = await desk.sent(7)
    assert desk.line.uploads[-1] == image
    assert len(desk.line.uploads) == 2


async def test_what_nobody_has_drawn_is_void_without_being_drawn(desk: Desk) -> None:
    desk.pictures.void("p1", [7])

    assert desk.drawn == []
