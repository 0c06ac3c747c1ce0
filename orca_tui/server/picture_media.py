"""What programs name in picture commands instead of sending it, read for their terminals."""

from __future__ import annotations

import os
from pathlib import Path

from orca_tui.base.errors import NotFound
from orca_tui.process.picture_files import read_file, take_file, take_memory
from orca_tui.term.pictures.command import PictureCommand
from orca_tui.term.pictures.image import IMAGE_BYTES, PictureFault

LIMIT_BYTES = IMAGE_BYTES + 1
"""One more than is allowed, so that a larger file is found to be one."""


def read_medium(command: PictureCommand, name: bytes, /) -> bytes | PictureFault:
    """The data of a file or of shared memory; see `ReadMedium`."""
    path = Path(os.fsdecode(name))
    offset, size = command.offset, command.size
    try:
        match command.medium:
            case "f" if path.is_absolute():
                return read_file(path, offset=offset, size=size, limit=LIMIT_BYTES)
            case "t" if path.is_absolute():
                return take_file(path, offset=offset, size=size, limit=LIMIT_BYTES)
            case "s":
                return take_memory(os.fsdecode(name), offset=offset, size=size, limit=LIMIT_BYTES)
            case "f" | "t":
                return PictureFault.BAD_FILE
            case _:
                return PictureFault.BAD_MEDIUM
    except NotFound:
        return PictureFault.BAD_FILE
