"""Images are checked against what is said of them, and never unpacked."""

from __future__ import annotations

import zlib
from base64 import b64encode

import pytest

from orca_tui.term.pictures.command import PictureCommand
from orca_tui.term.pictures.image import (
    IMAGE_BYTES,
    LARGEST_SIDE_PX,
    PNG_HEADER,
    PNG_SIGNATURE,
    Image,
    PictureFault,
    decoded,
    image_of,
)

PNG = PNG_HEADER.pack(PNG_SIGNATURE, 13, b"IHDR", 40, 64) + b"more"


def rgb(width: int, height: int, *, compression: str = "") -> PictureCommand:
    return PictureCommand(format=24, width=width, height=height, compression=compression)


def test_pixels_are_taken_as_they_are() -> None:
    data = bytes(2 * 3 * 3)

    assert image_of(rgb(2, 3), data) == Image(format=24, compression="", width=2, height=3, data=data)


def test_a_png_tells_its_own_size() -> None:
    image = image_of(PictureCommand(format=100, width=1, height=1), PNG)

    assert isinstance(image, Image)
    assert (image.width, image.height, image.data) == (40, 64, PNG)


def test_compressed_pixels_are_passed_on_as_they_are() -> None:
    data = zlib.compress(bytes(2 * 3 * 3))
    image = image_of(rgb(2, 3, compression="z"), data)

    assert isinstance(image, Image)
    assert (image.compression, image.data) == ("z", data)


@pytest.mark.parametrize(
    ("command", "data", "fault"),
    [
        (rgb(2, 3), bytes(17), PictureFault.TOO_FEW),
        (rgb(0, 3), bytes(18), PictureFault.TOO_FEW),
        (rgb(LARGEST_SIDE_PX + 1, 1, compression="z"), b"z", PictureFault.TOO_LARGE),
        (rgb(1, 1), bytes(IMAGE_BYTES + 1), PictureFault.TOO_LARGE),
        (rgb(1, 1, compression="q"), bytes(3), PictureFault.BAD_COMPRESSION),
        (PictureCommand(format=8, width=1, height=1), bytes(4), PictureFault.BAD_FORMAT),
        (PictureCommand(format=100), b"GIF89a" + bytes(30), PictureFault.BAD_PNG),
        (PictureCommand(format=100), PNG[:20], PictureFault.BAD_PNG),
    ],
    ids=lambda value: value.name if isinstance(value, PictureFault) else "",
)
def test_what_is_wrong_is_told(command: PictureCommand, data: bytes, fault: PictureFault) -> None:
    assert image_of(command, data) is fault


def test_base_64_needs_no_padding_and_no_rubbish() -> None:
    assert decoded(b64encode(b"picture")) == decoded(b64encode(b"picture").rstrip(b"=")) == b"picture"
    assert decoded(b"AA!A") is PictureFault.BAD_DATA
    assert decoded(b"A") is PictureFault.BAD_DATA
