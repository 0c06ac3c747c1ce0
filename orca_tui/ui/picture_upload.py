"""What is written to the outer terminal to give it an image, to have it shown by placeholders, and to take it away.

https://sw.kovidgoyal.net/kitty/graphics-protocol/: text only, and nothing of it is answered (`q=2`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from orca_tui.commands.ui import PictureReply

CHUNK_BYTES = 4096
"""Of base64, which is what the protocol allows in one command."""

CHUNKS_AT_ONCE = 8
"""Written together: a terminal that is slow holds up what is typed no longer than for these."""

PROBE_IMAGE = 0x6F726361
"""`orca`: an image that is asked about and never sent."""

ASK_PICTURES = f"\x1b_Gi={PROBE_IMAGE},s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"


def upload(image: int, what: PictureReply, data: bytes) -> Iterator[str]:
    """The sequences that give it the image under that id, in pieces of a size that can be written at once."""
    payload = b64encode(data).decode()
    chunks = [payload[at : at + CHUNK_BYTES] for at in range(0, len(payload), CHUNK_BYTES)] or [""]
    commands = [_command(f"q=2,m={int(chunk is not chunks[-1])}", chunk) for chunk in chunks]
    commands[0] = _command(f"{_transmission(image, what)},m={int(len(chunks) > 1)}", chunks[0])
    commands.append(_placement(image, what))
    for at in range(0, len(commands), CHUNKS_AT_ONCE):
        yield "".join(commands[at : at + CHUNKS_AT_ONCE])


def removal(image: int) -> str:
    """The sequence that takes an image away, with everything that shows it."""
    return _command(f"a=d,d=I,i={image},q=2")


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
