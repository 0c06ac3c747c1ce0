"""Files that programs name in picture commands, as their terminals get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.server.picture_media import read_medium
from orca_tui.term.pictures.command import PictureCommand
from orca_tui.term.pictures.image import PictureFault


def test_a_file_is_read_by_its_whole_path_from_where_the_command_says(tmp_path: Path) -> None:
    file = tmp_path / "picture"
    file.write_bytes(b"0123456789")

    command = PictureCommand(medium="f", offset=2, size=3)
    assert read_medium(command, str(file).encode()) == b"234"
    assert read_medium(PictureCommand(medium="t"), str(file).encode()) == b"0123456789"


@pytest.mark.parametrize(
    ("medium", "name", "fault"),
    [
        ("f", b"picture", PictureFault.BAD_FILE),
        ("t", b"../picture", PictureFault.BAD_FILE),
        ("f", b"/is/not/there", PictureFault.BAD_FILE),
        ("f", b"\xff\x00", PictureFault.BAD_FILE),
        ("s", b"/is/not/there", PictureFault.BAD_FILE),
        ("x", b"/etc/passwd", PictureFault.BAD_MEDIUM),
    ],
)
def test_anything_else_is_not_read(medium: str, name: bytes, fault: PictureFault) -> None:
    assert read_medium(PictureCommand(medium=medium), name) is fault
