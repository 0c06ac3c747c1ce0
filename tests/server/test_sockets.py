"""Sockets: private, taken from the dead, never from the living."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from orca_tui.base.errors import Conflict, Refused
from orca_tui.server.sockets import listening, private_directory


@pytest.fixture
def directory() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="ot-"))
    yield path
    shutil.rmtree(path)


def test_a_socket_is_private_and_gone_afterwards(directory: Path) -> None:
    path = directory / "s"

    with listening(path):
        assert path.stat().st_mode & 0o777 == 0o600
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))

    assert not path.exists()


def test_a_dead_servers_socket_is_replaced(directory: Path) -> None:
    path = directory / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    with listening(path), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_living_servers_socket_is_not_taken(directory: Path) -> None:
    path = directory / "s"
    with listening(path):
        with pytest.raises(Conflict), listening(path):
            pass
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))


def test_a_file_that_is_no_socket_is_left_alone(directory: Path) -> None:
    path = directory / "s"
    path.write_text("precious")

    with pytest.raises(Conflict), listening(path):
        pass

    assert path.read_text() == "precious"


def test_another_servers_socket_of_the_same_name_survives_our_end(directory: Path) -> None:
    path = directory / "s"
    with listening(path), socket.socket(socket.AF_UNIX) as other:
        path.unlink()
        (directory / "filler").touch()  # So that the next socket does not get the inode that has come free.
        other.bind(str(path))

    assert path.exists()


def test_the_directory_is_made_private_and_one_that_is_too_open_is_closed(directory: Path) -> None:
    private_directory(directory / "a" / "b")
    (directory / "open").mkdir(mode=0o755)
    private_directory(directory / "open")

    for made in (directory / "a" / "b", directory / "open"):
        assert made.stat().st_mode & 0o777 == 0o700


def test_a_link_or_a_file_in_place_of_the_directory_is_refused(directory: Path) -> None:
    (directory / "real").mkdir()
    (directory / "link").symlink_to(directory / "real")
    (directory / "file").touch()

    for wrong in ("link", "file", "file/below"):
        with pytest.raises(Refused):
            private_directory(directory / wrong)


def test_a_directory_of_another_user_is_refused(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (directory / "theirs").mkdir()
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)

    with pytest.raises(Refused):
        private_directory(directory / "theirs")
