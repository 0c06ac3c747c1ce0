"""A command of kitty's graphics protocol as a value: `key=value,...` -> `PictureCommand`. Decides nothing.

https://sw.kovidgoyal.net/kitty/graphics-protocol/#control-data-reference
"""

from __future__ import annotations

import re

import msgspec

CHUNK_KEYS = frozenset("mqa")
"""All that a chunk after the first can have."""

PAIR = re.compile(rb"([A-Za-z])=(-?[0-9]{1,10}|[A-Za-z])")
LARGEST = (1 << 32) - 1


class PictureCommand(msgspec.Struct, frozen=True, kw_only=True):
    """One command; numbers that are not given are 0."""

    action: str = "t"
    """`t` transmit, `T` and show, `p` show, `q` ask, `d` delete; `f`, `a` and `c` are of animations."""
    quiet: int = 0
    """1: no answer of success; 2: none at all."""
    image: int = 0
    number: int = 0
    """In place of `image`: a name that the terminal gives an image id for."""
    placement: int = 0
    format: int = 32
    """24 and 32: bits of a pixel; 100: PNG."""
    medium: str = "d"
    """`d`: the data are in the command; `f` a file, `t` one to remove, `s` shared memory: their name is."""
    compression: str = ""
    """`z` for zlib."""
    width: int = 0
    height: int = 0
    size: int = 0
    """Bytes to read of a file; 0 for all of them."""
    offset: int = 0
    more: bool = False
    """Other chunks follow."""
    chunk: bool = False
    """It has nothing but what a chunk after the first has."""
    source: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Left, top, width and height of what is shown of the image, in pixels; 0 for all."""
    cols: int = 0
    rows: int = 0
    keep_cursor: bool = False
    virtual: bool = False
    """Shown where the program itself writes placeholders."""
    parent: int = 0
    """The image relative to which it is to be placed."""
    z: int = 0
    deletes: str = "a"
    x: int = 0
    y: int = 0


def parse_command(control: bytes) -> PictureCommand | None:
    """The command in the control data; None when these are malformed."""
    letters: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for pair in filter(None, control.split(b",")):
        found = PAIR.fullmatch(pair)
        if found is None:
            return None
        key, value = found[1].decode(), found[2].decode()
        if value.isalpha():
            letters[key] = value
        elif (number := int(value)) <= LARGEST and (number >= 0 or key in "zHV"):
            numbers[key] = number
        else:
            return None
    return _command(letters, numbers)


def _command(letters: dict[str, str], numbers: dict[str, int]) -> PictureCommand:
    def number(key: str) -> int:
        return numbers.get(key, 0)

    return PictureCommand(
        action=letters.get("a", "t"),
        quiet=number("q"),
        image=number("i"),
        number=number("I"),
        placement=number("p"),
        format=numbers.get("f", 32),
        medium=letters.get("t", "d"),
        compression=letters.get("o", ""),
        width=number("s"),
        height=number("v"),
        size=number("S"),
        offset=number("O"),
        more=number("m") == 1,
        chunk={*letters, *numbers} <= CHUNK_KEYS and "m" in numbers,
        source=(number("x"), number("y"), number("w"), number("h")),
        cols=number("c"),
        rows=number("r"),
        keep_cursor=number("C") == 1,
        virtual=number("U") == 1,
        parent=number("P"),
        z=number("z"),
        deletes=letters.get("d", "a"),
        x=number("x"),
        y=number("y"),
    )
