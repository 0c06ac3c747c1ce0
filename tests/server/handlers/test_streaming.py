"""stream: a reader without our engine sees what a terminal would, however slowly it reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from orca_tui.base.errors import NotFound
from orca_tui.commands.arranging import RESIZE, ResizeRequest
from orca_tui.commands.input import INPUT, InputRequest
from orca_tui.commands.stream import (
    STREAM,
    ExitedFrame,
    OutputFrame,
    PaneFrame,
    ResizedFrame,
    ScreenFrame,
    StreamRequest,
)
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.term.ghostty import GhosttyFactory
from tests.server.running import LIMIT_S, Api

pytestmark = pytest.mark.anyio

SCROLLBACK_LINES = 1000


async def follow(api: Api, pane: str) -> AsyncIterator[PaneFrame]:
    async for item in api.client.stream(STREAM, StreamRequest(pane=pane)):
        yield item.frame


async def next_of(frames: AsyncIterator[PaneFrame]) -> PaneFrame:
    async with asyncio.timeout(LIMIT_S):
        return await anext(frames)


class Reader:
    """A terminal that draws the frames of a stream."""

    def __init__(self, engines: GhosttyFactory) -> None:
        self._engines = engines
        self._engine = engines.new(80, 24, scrollback_lines=SCROLLBACK_LINES)
        self.screens = 0
        self.exit_code: int | None = None

    def take(self, frame: PaneFrame) -> None:
        match frame:
            case ScreenFrame(cols=cols, rows=rows, data=data):
                self.screens += 1
                self._engine.close()
                self._engine = self._engines.new(cols, rows, scrollback_lines=SCROLLBACK_LINES)
                self._engine.feed(data)
            case OutputFrame(data=data):
                self._engine.feed(data)
            case ResizedFrame(cols=cols, rows=rows):
                self._engine.resize(cols, rows)
            case ExitedFrame(exit_code=code):
                self.exit_code = code

    @property
    def text(self) -> str:
        return self._engine.screen_text(unwrap=False)


async def test_a_stream_begins_with_the_screen_and_goes_on_with_output(
    api: Api, engines: GhosttyFactory
) -> None:
    pane = await api.open("sh", "-c", "printf 'before\\r\\n'; exec cat", size=(60, 10))
    await api.shows(pane, "before")
    reader = Reader(engines)
    frames = follow(api, pane)

    first = await next_of(frames)
    reader.take(first)
    await api.call(INPUT, InputRequest(pane=pane, text="after 漢字\r"))
    while "after 漢字\nafter 漢字" not in reader.text:
        reader.take(await next_of(frames))

    assert isinstance(first, ScreenFrame)
    assert (first.cols, first.rows) == (60, 10)
    assert reader.text == await api.screen(pane)
    assert reader.screens == 1


async def test_sizes_and_the_end_stand_in_their_places(api: Api) -> None:
    pane = await api.open("sh", "-c", "read line; printf bye; exit 3")
    frames = follow(api, pane)
    await next_of(frames)

    await api.call(RESIZE, ResizeRequest(pane=pane, size=(77, 11)))
    resized = await next_of(frames)
    await api.call(INPUT, InputRequest(pane=pane, text="\r"))
    rest = [frame async for frame in until_exit(frames)]

    assert resized == ResizedFrame(cols=77, rows=11)
    assert b"bye" in b"".join(frame.data for frame in rest if isinstance(frame, OutputFrame))
    assert rest[-1] == ExitedFrame(exit_code=3)


async def until_exit(frames: AsyncIterator[PaneFrame]) -> AsyncIterator[PaneFrame]:
    while True:
        frame = await next_of(frames)
        yield frame
        if isinstance(frame, ExitedFrame):
            return


async def test_a_stream_ends_with_its_pane(api: Api) -> None:
    pane = await api.open("cat")
    frames = follow(api, pane)
    await next_of(frames)

    await api.call(CLOSE, CloseRequest(target=pane, force=True))

    async with asyncio.timeout(LIMIT_S):
        assert [frame async for frame in frames] == []


async def test_a_pane_that_ended_before_says_so_after_its_screen(api: Api, engines: GhosttyFactory) -> None:
    pane = await api.open("sh", "-c", "echo last words; exit 4")
    await api.exits(pane)
    reader = Reader(engines)

    async for frame in until_exit(follow(api, pane)):
        reader.take(frame)

    assert "last words" in reader.text
    assert reader.exit_code == 4


async def test_a_pane_that_is_not_there_has_no_stream(api: Api) -> None:
    with pytest.raises(NotFound):
        await next_of(follow(api, "p999"))


async def test_a_flood_reaches_a_reader_in_order_and_whole_or_as_a_fresh_screen(
    api: Api, engines: GhosttyFactory
) -> None:
    pane = await api.open("sh", "-c", "read line; seq 1 200000; exec cat", size=(40, 10))
    reader = Reader(engines)
    frames = follow(api, pane)
    reader.take(await next_of(frames))

    await api.call(INPUT, InputRequest(pane=pane, text="\r"))
    while "200000" not in reader.text:
        reader.take(await next_of(frames))

    assert reader.text == await api.screen(pane)
