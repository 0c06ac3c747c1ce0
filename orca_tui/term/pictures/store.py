"""The pictures of one terminal: commands in; answers, cells to write and what changed out. Does no I/O.

Rule 1: an image is kept until it is deleted, replaced by one of the same id, or the oldest beyond `LIMIT_BYTES`.
Rule 2: each showing has a number of its own, which no other one of this terminal gets soon; its cells carry it.
Rule 3: a showing ends with its image, when it is deleted, and when one with the same image and placement id begins.
Rule 4: what a program writes placeholders for by itself is found by its own ids, and never by a number of ours.
Rule 5: chunks of one image come in a row; any other command gives that image up.
Rule 6: who has asked by an id or a number is answered, unless it asked for silence.
Rule 7: while nobody shows pictures nothing is answered, and no file is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from orca_tui.term.engine import Picture
from orca_tui.term.pictures.command import PictureCommand, parse_command
from orca_tui.term.pictures.image import IMAGE_BYTES, Image, PictureFault, decoded, image_of
from orca_tui.term.pictures.scan import PictureSeen
from orca_tui.term.pictures.showing import (
    NUMBER_BITS,
    OURS,
    Kept,
    Showing,
    Shown,
    Taken,
    cell_image,
    shown_as,
)

LIMIT_BYTES = IMAGE_BYTES
"""Of all images of a terminal together, as they were sent."""

MOST_IMAGES = 1024
MOST_SHOWN = 4096
"""Showings and virtual placements; each is one screen full of thumbnails many times over."""

ANIMATION_ACTIONS = frozenset("fac")


class ReadMedium(Protocol):
    """Reads what a command names instead of sending it."""

    def __call__(self, command: PictureCommand, name: bytes, /) -> bytes | PictureFault:
        """The data; a temporary file or shared memory is gone afterwards."""
        ...


def read_nothing(_command: PictureCommand, _name: bytes) -> PictureFault:
    """For terminals whose programs are somewhere else."""
    return PictureFault.BAD_MEDIUM


_Test: TypeAlias = Callable[[Shown], bool]


class PictureStore:
    """`first` is where its numbers begin: at random, since cells of an earlier store may still stand on the screen."""

    def __init__(self, first: int, read: ReadMedium = read_nothing) -> None:
        self.seen = False
        """Somebody shows pictures (rule 7)."""
        self._read = read
        self._next = first
        self._kept: dict[int, Kept] = {}
        """By numbers of our own, oldest first."""
        self._bytes = 0
        self._shown: dict[int, Shown] = {}
        self._virtual: dict[tuple[int, int], Shown] = {}
        """By the program's ids of image and placement."""
        self._first_chunk: PictureCommand | None = None
        self._chunks = bytearray()
        self._last_id = 0

    def picture(self, image: int, placement: int) -> Picture | None:
        """What a cell with these ids shows a part of."""
        if image >> NUMBER_BITS == OURS:
            if placement:
                return None  # Ours have none: else one picture had as many names as there are colors.
            shown = self._shown.get(image & (1 << NUMBER_BITS) - 1)
        elif placement:
            shown = self._virtual.get((image, placement))
        else:
            shown = next((one for (named, _), one in self._virtual.items() if named == image), None)
        if shown is None:
            return None
        kept = self._kept[shown.key].image
        return Picture(
            key=shown.key,
            cols=shown.cols,
            rows=shown.rows,
            source=shown.source,
            format=kept.format,
            compression=kept.compression,
            width=kept.width,
            height=kept.height,
            data=kept.data,
        )

    def reset(self) -> Taken:
        """The terminal was reset: nothing is shown or kept any more."""
        taken = Taken()
        for key in list(self._kept):
            self._drop(key, taken)
        self._give_up_chunks()
        return taken

    def take(self, seen: PictureSeen) -> Taken:
        """Carry a command out."""
        command = parse_command(seen.control)
        taken = Taken()
        if command is None:
            self._give_up_chunks()
            return taken
        if self._first_chunk is not None and command.chunk:
            self._take_chunk(command, seen, taken)
            return taken
        self._give_up_chunks()
        if command.image and command.number:
            self._answer(taken, command, PictureFault.BOTH_NAMES)
        elif command.action in "tTq":
            self._begin(command, seen, taken)
        elif command.action == "p":
            self._put(command, taken)
        elif command.action == "d":
            self._delete(command, taken)
        elif command.action in ANIMATION_ACTIONS:
            self._answer(taken, command, PictureFault.UNSUPPORTED)
        return taken

    # Sending

    def _begin(self, command: PictureCommand, seen: PictureSeen, taken: Taken) -> None:
        if command.more and command.medium == "d":
            self._first_chunk = command
            self._add_chunk(seen)
        else:
            self._complete(command, seen.payload, taken, cut=seen.cut)

    def _take_chunk(self, command: PictureCommand, seen: PictureSeen, taken: Taken) -> None:
        first = self._first_chunk
        assert first is not None
        self._add_chunk(seen)
        if not command.more:
            payload = bytes(self._chunks)
            self._give_up_chunks()
            self._complete(first, payload, taken, cut=seen.cut)

    def _add_chunk(self, seen: PictureSeen) -> None:
        """Beyond the limit nothing is kept: the image is too large all the same."""
        if len(self._chunks) <= IMAGE_BYTES * 4 // 3 + 4:
            self._chunks += seen.payload.rstrip(b"=")

    def _give_up_chunks(self) -> None:
        self._first_chunk = None
        self._chunks = bytearray()

    def _complete(self, command: PictureCommand, payload: bytes, taken: Taken, *, cut: bool) -> None:
        """All data are there."""
        image = PictureFault.TOO_LARGE if cut else self._image(command, payload)
        if isinstance(image, PictureFault):
            self._answer(taken, command, image)
        elif command.action == "q":
            self._answer(taken, command)
        else:
            self._keep(command, image, taken)

    def _image(self, command: PictureCommand, payload: bytes) -> Image | PictureFault:
        data = decoded(payload)
        if command.medium != "d" and not isinstance(data, PictureFault):
            data = self._read(command, data) if self.seen else PictureFault.BAD_FILE
        return data if isinstance(data, PictureFault) else image_of(command, data)

    def _keep(self, command: PictureCommand, image: Image, taken: Taken) -> None:
        named = command.image or (self._free_id() if command.number else 0)
        if named:
            for key in [key for key, kept in self._kept.items() if kept.named == named]:
                self._drop(key, taken)
            taken.changed.add(named)  # Placeholders may be there already.
        key = self._new_number(self._kept)
        self._kept[key] = Kept(image=image, named=named, number=command.number)
        self._bytes += len(image.data)
        while self._bytes > LIMIT_BYTES or len(self._kept) > MOST_IMAGES:
            self._drop(next(iter(self._kept)), taken)
        if command.action == "T":
            self._show(command, key, taken)
        self._answer(taken, command, named=named)

    def _free_id(self) -> int:
        """An id for a program that has only a number: of those that it does not use itself."""
        used = {kept.named for kept in self._kept.values()}
        self._last_id += 1
        while self._last_id in used:
            self._last_id += 1
        return self._last_id

    def _new_number(self, used: dict[int, Kept] | dict[int, Shown]) -> int:
        number = self._next % (1 << NUMBER_BITS)
        while number in used:
            number = (number + 1) % (1 << NUMBER_BITS)
        self._next = number + 1
        return number

    # Showing

    def _put(self, command: PictureCommand, taken: Taken) -> None:
        found = self._found(command)
        if command.parent:
            self._answer(taken, command, PictureFault.UNSUPPORTED)
        elif found is None:
            self._answer(taken, command, PictureFault.NO_IMAGE)
        else:
            self._show(command, found, taken)
            self._answer(taken, command, named=self._kept[found].named)

    def _found(self, command: PictureCommand) -> int | None:
        """The newest image that a command means."""
        newest = reversed(self._kept.items())
        if command.number:
            return next((key for key, kept in newest if kept.number == command.number), None)
        return next((key for key, kept in newest if command.image and kept.named == command.image), None)

    def _show(self, command: PictureCommand, key: int, taken: Taken) -> None:
        kept = self._kept[key]
        shown = shown_as(command, key, kept)
        if command.virtual:
            self._virtual.pop((kept.named, command.placement), None)
            self._virtual[kept.named, command.placement] = shown
            taken.changed.add(kept.named)
        else:
            if kept.named and command.placement:
                self._end_showings(
                    lambda one: (one.named, one.placement) == (kept.named, command.placement), taken
                )
            number = self._new_number(self._shown)
            self._shown[number] = shown
            taken.showing = Showing(
                number=number, cols=shown.cols, rows=shown.rows, keep_cursor=command.keep_cursor
            )
        self._bound_showings(taken)

    def _bound_showings(self, taken: Taken) -> None:
        for number in list(self._shown)[: max(0, len(self._shown) - MOST_SHOWN)]:
            del self._shown[number]
            taken.changed.add(cell_image(number))
        for ids in list(self._virtual)[: max(0, len(self._virtual) - MOST_SHOWN)]:
            del self._virtual[ids]
            taken.changed.add(ids[0])

    # Deleting

    def _delete(self, command: PictureCommand, taken: Taken) -> None:
        """What is meant by a place on the screen is not: programs that count on that write over it as well."""
        wanted = self._doomed(command)
        if wanted is None:
            return
        before = {one.key for one in self._shown.values() if wanted(one)}
        named = {
            key for key, kept in self._kept.items() if command.deletes in "INR" and self._means(command, kept)
        }
        self._end_showings(wanted, taken)
        for ids in [
            ids for ids, one in self._virtual.items() if command.deletes.lower() in "inr" and wanted(one)
        ]:
            del self._virtual[ids]
            taken.changed.add(ids[0])
        if command.deletes.isupper():
            self._free(before | named, taken)

    def _doomed(self, command: PictureCommand) -> _Test | None:
        match command.deletes.lower():
            case "a":
                return lambda _: True
            case "i" | "n":
                return lambda one: (
                    self._means(command, self._kept[one.key]) and command.placement in (0, one.placement)
                )
            case "r":
                return lambda one: command.x <= one.named <= command.y
            case "z":
                return lambda one: one.z == command.z
            case _:
                return None

    def _means(self, command: PictureCommand, kept: Kept) -> bool:
        if command.deletes.lower() == "n":
            return bool(command.number) and kept.number == command.number
        if command.deletes.lower() == "r":
            return command.x <= kept.named <= command.y
        return bool(command.image) and kept.named == command.image

    def _end_showings(self, wanted: _Test, taken: Taken) -> None:
        for number in [number for number, one in self._shown.items() if wanted(one)]:
            del self._shown[number]
            taken.changed.add(cell_image(number))

    def _free(self, keys: set[int], taken: Taken) -> None:
        """Forget images that are shown nowhere."""
        still = {one.key for one in (*self._shown.values(), *self._virtual.values())}
        for key in keys - still:
            self._drop(key, taken)

    def _drop(self, key: int, taken: Taken) -> None:
        kept = self._kept.pop(key)
        self._bytes -= len(kept.image.data)
        self._end_showings(lambda one: one.key == key, taken)
        for ids in [ids for ids, one in self._virtual.items() if one.key == key]:
            del self._virtual[ids]
            taken.changed.add(ids[0])

    # Answering

    def _answer(
        self, taken: Taken, command: PictureCommand, fault: PictureFault | None = None, *, named: int = 0
    ) -> None:
        """Rules 6 and 7."""
        silent = not self.seen or command.quiet >= 2 or (command.quiet == 1 and fault is None)
        if silent or not (command.image or command.number):
            return
        told = [
            f"{key}={value}"
            for key, value in (("i", command.image or named), ("I", command.number), ("p", command.placement))
            if value
        ]
        taken.answer = f"\x1b_G{','.join(told)};{fault or 'OK'}\x1b\\".encode()
