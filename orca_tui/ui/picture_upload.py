"""What is written to the outer terminal to give it an image, to have it shown by placeholders, and to take it away.

https://sw.kovidgoyal.net/kitty/graphics-protocol/: text only, and nothing of it is answered (`q=2`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from orca_tui.commands.ui import PictureReply

CHUNK_BYTES = 4096
"""Of base64, which is what the protocol allows in one command."""

CHUNK_DATA_BYTES = CHUNK_BYTES // 4 * 3

CHUNKS_AT_ONCE = 8
"""Written together: a terminal that is slow holds up what is typed no longer than for these."""

PROBE_IMAGE = 0x6F726361
"""`orca`: an image that is asked about and never sent."""

ASK_PICTURES = f"\x1b_Gi={PROBE_IMAGE},s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"


def upload(image: int, what: PictureReply, data: bytes) -> Iterator[str]:
    """The sequences that give it the image under that id, in pieces of a size that can be written at once."""
    starts = range(0, max(len(data), 1), CHUNK_DATA_BYTES)
    piece = []
    for start in starts:
        control = _transmission(image, what) if not start else "q=2"
        chunk = b64encode(data[start : start + CHUNK_DATA_BYTES]).decode()
        piece.append(_command(f"{control},m={int(start != starts[-1])}", chunk))
        if len(piece) == CHUNKS_AT_ONCE:
            yield "".join(piece)
            piece = []
    yield "".join([*piece, _placement(image, what)])


def removal(image: int) -> str:
    """The sequence that takes an image away, with everything that shows it."""
    return _command(f"a=d,d=I,i={image},q=2")


def removal_of_range(first: int, last: int) -> str:
    """The sequence that takes away every image whose id lies between these two, both included."""
    return _command(f"a=d,d=R,x={first},y={last},q=2")


def _transmission(image: int, what: PictureReply) -> str:
    size = f",S={what.size}" if what.compression else ""
    compression = f",o={what.compression}{size}" if what.compression else ""
    return f"a=t,q=2,i={image},f={what.format},s={what.width},v={what.height}{compression}"


def _placement(image: int, what: PictureReply) -> str:
    x, y, width, height = what.source
    part = f",x={x},y={y},w={width},h={height}" if what.source != (0, 0, what.width, what.height) else ""
    return _command(f"a=p,U=1,q=2,i={image},c={what.cols},r={what.rows}{part}")


def _command(control: str, payload: str = "") -> str:
    return f"\x1b_G{control};{payload}\x1b\\" if payload else f"\x1b_G{control}\x1b\\"
