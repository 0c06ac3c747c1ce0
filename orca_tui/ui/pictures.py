"""The panes' pictures in the outer terminal: which it has, and how it gets them. Draws nothing.

Rule 1: a picture is asked of the server when a cell of it is drawn, unless it is on no strip any more when its turn
comes, and sent to the outer terminal once.
Rule 2: until it is there its cells are blank, and so they stay where there is none.
Rule 3: what the server says to be void is taken away and, when its cells are drawn again, asked again.
Rule 4: everything that was sent is taken away when the terminal is given back, whatever ends the program. What a UI
that was killed has left is taken away by the next one that shows pictures there: whatever bears an id of ours.
Rule 5: nothing happens unless the user wants pictures and the outer terminal said in time that it shows them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias
from weakref import WeakValueDictionary

import msgspec
from textual.strip import Strip

from orca_tui.base.clock import Clock
from orca_tui.base.errors import NotFound, OrcaError
from orca_tui.commands.ui import PictureReply, PictureRequest
from orca_tui.term.engine import Row
from orca_tui.term.replies import PictureReport, Reply
from orca_tui.ui.picture_strips import Wish, pictured_strip
from orca_tui.ui.picture_upload import ASK_PICTURES, PROBE_IMAGE, removal, removal_of_range, upload
from orca_tui.ui.term_strip import StripMaker

ANSWER_PATIENCE_S = 2.0
"""A terminal that says later that it shows pictures is not believed: it may be another one's answer."""

OUR_IMAGES = 0x6F << 24
"""The highest byte of our images' ids, so that they hardly meet those of programs that ran here before."""
NUMBERS = 1 << 24

MOST_MISSING = 4096
"""Names without a picture that are remembered: more than a program draws by accident. One beyond is asked for again."""

Name: TypeAlias = tuple[str, int, int]
"""Pane, image and placement, as in a cell."""
Fetch: TypeAlias = Callable[[PictureRequest], Awaitable[PictureReply]]


class Line(Protocol):
    """The way to the outer terminal."""

    @property
    def takeovers(self) -> int:
        """Each time that it is taken, everything in it may be gone."""
        ...

    def write(self, data: str) -> None: ...

    def ask(self, questions: str) -> None: ...

    def part_with(self, sequences: str) -> None:
        """Write these when the terminal is given back."""
        ...

    async def taken(self) -> None:
        """Wait until it has taken what was written."""
        ...


class Pictures:
    """Those of one UI. `fetch` asks the server; `arrived` is told panes to be drawn anew."""

    def __init__(
        self,
        *,
        wanted: bool,
        line: Line,
        clock: Clock,
        fetch: Fetch,
        arrived: Callable[[str], None],
    ) -> None:
        self.shown = False
        """Rule 5 is met."""
        self._wanted = wanted
        self._line = line
        self._clock = clock
        self._fetch = fetch
        self._arrived = arrived
        self._asked_at: float | None = None
        self._next = secrets.randbelow(NUMBERS)
        self._known: dict[Name, int] = {}
        """The outer terminal's image for each cell's name that has one."""
        self._missing: dict[Name, None] = {}
        """Names for which the server had none, oldest first."""
        self._wishes: WeakValueDictionary[Name, Wish] = WeakValueDictionary()
        """What is still to be asked for, oldest first; held by the strips that wait for it (rule 1)."""
        self._sent: dict[_Sent, int] = {}
        """The images that it was sent."""
        self._sending: int | None = None
        self._removals: deque[int] = deque()
        """Images to take away."""
        self._has_work = asyncio.Event()

    # Whether

    def ask(self) -> None:
        """Ask the outer terminal whether it shows pictures."""
        if self._wanted:
            self._asked_at = self._clock.monotonic()
            self._line.ask(ASK_PICTURES)

    def take(self, reply: Reply) -> bool:
        """Learn from a reply; True when pictures can be shown from now on."""
        if not isinstance(reply, PictureReport) or reply.image != PROBE_IMAGE or self._asked_at is None:
            return False
        in_time = self._clock.monotonic() - self._asked_at <= ANSWER_PATIENCE_S
        if self.shown or not (reply.ok and in_time):
            return False
        self.shown = True
        self._line.write(removal_of_range(OUR_IMAGES, OUR_IMAGES | (NUMBERS - 1)))  # Rule 4.
        return True

    # Drawing

    def strips_of(self, plain: StripMaker, pane: str) -> StripMaker:
        """Makes the strips of a pane: `plain` ones for rows without pictures."""
        image = partial(self._image, pane)

        def strip(row: Row, width: int) -> Strip:
            return pictured_strip(row, width, image) if row.pictures and self.shown else plain(row, width)

        return strip

    def _image(self, pane: str, image: int, placement: int) -> int | Wish | None:
        """Rules 1 and 2."""
        name = (pane, image, placement)
        if name in self._known:
            return self._known[name]
        if name in self._missing:
            return None
        wish = self._wishes.get(name)
        if wish is None:
            wish = self._wishes[name] = Wish()
            self._has_work.set()
        return wish

    # What changes

    def void(self, pane: str, images: Collection[int]) -> None:
        """Rule 3."""
        names = [name for name in self._names() if name[0] == pane and name[1] in images]
        if names:
            self._forget(names)
            self._arrived(pane)

    def gone(self, pane: str) -> None:
        """A pane is gone."""
        self._forget([name for name in self._names() if name[0] == pane])

    def all_void(self) -> None:
        """Another server, or one whose words were missed, counts its pictures anew."""
        names = self._names()
        panes = {pane for pane, _, _ in names}
        self._forget(names)
        for pane in panes:
            self._arrived(pane)

    def _names(self) -> list[Name]:
        return [*self._known, *self._missing, *self._wishes]

    def _forget(self, names: Collection[Name]) -> None:
        for name in names:
            self._known.pop(name, None)
            self._missing.pop(name, None)
            self._wishes.pop(name, None)
        used = set(self._known.values())
        for what, image in list(self._sent.items()):
            if image not in used:
                del self._sent[what]
                self._removals.append(image)
                self._has_work.set()

    def taken_again(self) -> None:
        """Somebody else had the terminal: it was left without our images."""
        self._sent.clear()
        self._tell_parting()
        self.all_void()

    def _tell_parting(self) -> None:
        """Rule 4."""
        sending = () if self._sending is None else (self._sending,)
        self._line.part_with("".join(map(removal, (*self._sent.values(), *sending))))

    # Sending

    async def send(self) -> None:
        """Send what is wanted, until cancelled: one after the other, since chunks must not be mixed."""
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            self._take_away()
            while (wanted := next(iter(self._wishes.items()), None)) is not None:
                await self._send_one(*wanted)
                del wanted  # The strips alone hold the next ones.
                self._take_away()

    def _take_away(self) -> None:
        while self._removals:
            self._line.write(removal(self._removals.popleft()))
            self._tell_parting()

    async def _send_one(self, name: Name, wish: Wish) -> None:
        image = await self._outer_image(name)
        self._settle(name, wish, image)
        if image is not None:
            self._forget([])  # It may have become void meanwhile.

    def _settle(self, name: Name, wish: Wish, image: int | None) -> None:
        """The answer to a wish, which counts unless the name became void meanwhile."""
        if self._wishes.get(name) is not wish:
            return
        del self._wishes[name]
        if image is not None:
            self._known[name] = image
            self._arrived(name[0])
            return
        self._missing[name] = None
        if len(self._missing) > MOST_MISSING:
            del self._missing[next(iter(self._missing))]

    async def _outer_image(self, name: Name) -> int | None:
        """The outer terminal's image, sent if need be; None: its cells stay blank until they are void."""
        try:
            first = await self._fetch(_request(name))
            what = _Sent(name[0], first.key, first.cols, first.rows, first.source)
            image = self._sent.get(what)
            data = await self._data(name, first) if image is None else b""
        except OrcaError:
            return None  # It is gone, or the server is.
        if image is None:
            image = await self._upload(first, data)
            if image is not None:
                self._sent[what] = image
        return image

    async def _data(self, name: Name, first: PictureReply) -> bytes:
        """All of an image's data; raises `NotFound` when it became another one meanwhile."""
        data = bytearray(first.data)
        while len(data) < first.size:
            more = await self._fetch(msgspec.structs.replace(_request(name), offset=len(data)))
            if more.key != first.key or not more.data:
                raise NotFound("the picture is another one now")
            data += more.data
        return bytes(data)

    async def _upload(self, picture: PictureReply, data: bytes) -> int | None:
        """Send an image; the terminal takes it in pieces, and what is typed and drawn goes between them.

        None when somebody else had the terminal meanwhile.
        """
        self._sending = image = OUR_IMAGES | self._next % NUMBERS
        self._next += 1
        self._tell_parting()
        takeovers = self._line.takeovers
        for piece in upload(image, picture, data):
            self._line.write(piece)
            await self._line.taken()
            if self._line.takeovers != takeovers:
                break
        self._sending = None
        return image if self._line.takeovers == takeovers else None


class _Sent(NamedTuple):
    """What one image of the outer terminal shows."""

    pane: str
    key: int
    cols: int
    rows: int
    source: tuple[int, int, int, int]


def _request(name: Name) -> PictureRequest:
    pane, image, placement = name
    return PictureRequest(pane=pane, image=image, placement=placement)
