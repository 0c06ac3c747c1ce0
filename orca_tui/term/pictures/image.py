"""An image as it was sent: checked against what its command says of it, never decoded into pixels."""

from __future__ import annotations

import binascii
from base64 import b64decode
from enum import StrEnum
from struct import Struct

import msgspec

from orca_tui.term.pictures.command import PictureCommand

PNG = 100
BYTES_OF_PIXEL = {24: 3, 32: 4}

LARGEST_SIDE_PX = 10_000
"""As in kitty: more than any screen has, and what a terminal would have to unpack stays bounded."""

IMAGE_BYTES = 32 << 20
"""As they are sent, compressed or not: a large screen in 24 bits a pixel."""

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_HEADER = Struct(">8sI4sII")
"""Signature, length and name of the first chunk, width and height."""
PNG_CHUNK = b"IHDR"


class PictureFault(StrEnum):
    """Why a command was not carried out, in the words of its answer."""

    NO_IMAGE = "ENOENT:there is no such image"
    BOTH_NAMES = "EINVAL:an image has an id or a number, not both"
    BAD_DATA = "EINVAL:the data are no base64"
    BAD_PNG = "EBADPNG:the data are no PNG"
    TOO_FEW = "ENODATA:there are too few data"
    TOO_LARGE = "EFBIG:the image is too large"
    BAD_FORMAT = "EINVAL:the format is unknown"
    BAD_COMPRESSION = "EINVAL:the compression is unknown"
    BAD_MEDIUM = "EINVAL:the medium is unknown"
    BAD_FILE = "EBADF:the file cannot be read"
    UNSUPPORTED = "ENOTSUPPORTED:neither animations nor relative placements are shown"


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """Its data as they were sent, which a terminal that shows pictures understands."""

    format: int
    compression: str
    width: int
    height: int
    data: bytes


def decoded(payload: bytes) -> bytes | PictureFault:
    """What stands in a command in base64, with or without padding."""
    payload = payload.rstrip(b"=")
    try:
        return b64decode(payload + b"=" * (-len(payload) % 4), validate=True)
    except binascii.Error:
        return PictureFault.BAD_DATA


def image_of(command: PictureCommand, data: bytes) -> Image | PictureFault:
    """The image that a command sends, or what is wrong with it."""
    if command.compression not in ("", "z"):
        return PictureFault.BAD_COMPRESSION
    if len(data) > IMAGE_BYTES:
        return PictureFault.TOO_LARGE
    size = _png_size(command, data) if command.format == PNG else _pixel_size(command, data)
    if isinstance(size, PictureFault):
        return size
    width, height = size
    if not (0 < width <= LARGEST_SIDE_PX and 0 < height <= LARGEST_SIDE_PX):
        return PictureFault.TOO_LARGE if width and height else PictureFault.TOO_FEW
    return Image(
        format=command.format, compression=command.compression, width=width, height=height, data=data
    )


def _png_size(command: PictureCommand, data: bytes) -> tuple[int, int] | PictureFault:
    """As the file's own header has it; that of a compressed one is not unpacked, so that it must be told."""
    if command.compression:
        return command.width, command.height
    if len(data) < PNG_HEADER.size:
        return PictureFault.BAD_PNG
    signature, _, chunk, width, height = PNG_HEADER.unpack_from(data)
    if (signature, chunk) != (PNG_SIGNATURE, PNG_CHUNK):
        return PictureFault.BAD_PNG
    return width, height


def _pixel_size(command: PictureCommand, data: bytes) -> tuple[int, int] | PictureFault:
    pixel = BYTES_OF_PIXEL.get(command.format)
    if pixel is None:
        return PictureFault.BAD_FORMAT
    if not command.compression and len(data) < command.width * command.height * pixel:
        return PictureFault.TOO_FEW
    return command.width, command.height
