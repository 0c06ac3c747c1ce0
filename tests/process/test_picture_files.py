"""Which files are read as pictures, and which of them are gone afterwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from orca_tui.base.errors import NotFound
from orca_tui.process import picture_files
from orca_tui.process.picture_files import (
    MARK,
    SHARED_MEMORY,
    is_temporary,
    read_file,
    take_file,
    take_memory,
)

DATA = bytes(range(100))


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that is surely one for temporary files."""
    with TemporaryDirectory(dir="/tmp") as made:
        yield Path(made)


@pytest.fixture
def file(folder: Path) -> Path:
    made = folder / f"{MARK}.rgb"
    made.write_bytes(DATA)
    return made


@pytest.mark.parametrize(
    ("offset", "size", "limit", "data"),
    [(0, 0, 1000, DATA), (10, 5, 1000, DATA[10:15]), (0, 0, 7, DATA[:7]), (90, 50, 1000, DATA[90:])],
)
def test_a_file_is_read_as_far_as_is_asked_and_allowed(
    file: Path, offset: int, size: int, limit: int, data: bytes
) -> None:
    assert read_file(file, offset=offset, size=size, limit=limit) == data
    assert file.exists()


def test_what_is_no_ordinary_file_is_not_read(folder: Path) -> None:
    pipe, loop = folder / "pipe", folder / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (
        folder,
        pipe,
        loop,
        folder / "gone",
        Path("/dev/zero"),
        Path("/proc/self/environ"),
        Path("/a\0b"),
    ):
        with pytest.raises(NotFound):
            read_file(path, offset=0, size=0, limit=10)


def test_a_link_to_what_is_forbidden_is_not_followed(folder: Path) -> None:
    link = folder / f"{MARK}.rgb"
    link.symlink_to("/proc/self/environ")

    with pytest.raises(NotFound):
        take_file(link, offset=0, size=0, limit=10)


def test_a_temporary_file_is_gone_once_it_was_read(file: Path) -> None:
    assert take_file(file, offset=0, size=0, limit=1000) == DATA
    assert not file.exists()


def test_a_file_without_the_mark_stays(folder: Path) -> None:
    unmarked = folder / "notes.txt"
    unmarked.write_bytes(DATA)

    assert take_file(unmarked, offset=0, size=0, limit=1000) == DATA
    assert unmarked.exists()


@pytest.mark.parametrize(
    ("path", "temporary"),
    [
        (f"/tmp/{MARK}", True),
        (f"/tmp/a/b-{MARK}-c.png", True),
        (f"/tmpfoo/{MARK}", False),
        (f"/home/me/{MARK}", False),
        (f"/tmp/{MARK}/notes", False),
    ],
)
def test_only_what_is_marked_in_a_folder_for_it_is_temporary(path: str, temporary: bool) -> None:
    assert is_temporary(Path(path), (Path("/var/tmp"), Path("/tmp"))) is temporary


@pytest.mark.skipif(sys.platform != "linux", reason="shared memory has no path elsewhere")
def test_shared_memory_is_gone_once_it_was_read() -> None:
    memory = SHARED_MEMORY / f"orca-tui-picture-{os.getpid()}"
    memory.write_bytes(DATA)

    assert take_memory(f"/{memory.name}", offset=0, size=0, limit=1000) == DATA
    assert not memory.exists()


@pytest.mark.parametrize(
    "name", ["", "/", "..", "../etc/passwd", "a/../../etc/passwd", "a\0b", "is-not-there"]
)
def test_what_is_no_name_of_shared_memory_is_not_read(name: str) -> None:
    with pytest.raises(NotFound):
        take_memory(name, offset=0, size=0, limit=10)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has such a file")
def test_a_file_that_fails_while_it_is_read_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_files, "FORBIDDEN", ())

    with pytest.raises(NotFound):
        read_file(Path("/proc/self/mem"), offset=0, size=1, limit=1000)  # EIO: nothing is mapped there.
