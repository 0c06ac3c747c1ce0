"""The files that agents are started with."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from orca_tui.base.errors import Refused
from orca_tui.server.agent_files import agent_folder, remove_files, write_files

FILES = {"plugin.json": b"{}", "hooks/hooks.json": b'{"hooks": 1}'}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return agent_folder(tmp_path, "claude")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_are_written_for_this_user_alone(folder: Path) -> None:
    write_files(folder, FILES)

    assert contents(folder) == FILES
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_files_that_are_as_they_should_be_are_not_touched(folder: Path) -> None:
    write_files(folder, FILES)
    before = [(path.stat().st_ino, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]

    write_files(folder, FILES)

    assert [(path.stat().st_ino, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))] == before


def test_other_bytes_of_the_same_length_are_replaced(folder: Path) -> None:
    write_files(folder, {"a": b"12"})
    write_files(folder, {"a": b"34"})

    assert contents(folder) == {"a": b"34"}


def test_a_link_is_replaced_and_what_it_leads_to_is_left(folder: Path, tmp_path: Path) -> None:
    folder.mkdir(parents=True)
    target = tmp_path / "mine"
    target.write_bytes(b"mine")
    (folder / "plugin.json").symlink_to(target)

    write_files(folder, {"plugin.json": b"mine"})

    assert target.read_bytes() == b"mine"
    assert not (folder / "plugin.json").is_symlink()


def test_a_folder_that_is_a_link_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder.parent.mkdir()
    folder.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(Refused):
        write_files(folder, FILES)

    assert os.listdir(tmp_path / "elsewhere") == []


def test_what_cannot_be_written_is_said(folder: Path) -> None:
    (folder / "plugin.json").mkdir(parents=True)

    with pytest.raises(Refused, match=r"plugin\.json cannot be written"):
        write_files(folder, FILES)

    assert [path.name for path in folder.iterdir()] == ["plugin.json"]


def test_a_folder_is_removed_with_its_files_and_only_then(folder: Path) -> None:
    remove_files(folder, FILES)
    write_files(folder, FILES)
    (folder / "hooks" / "mine").write_text("mine")
    with pytest.raises(Refused, match="mine in it is not ours"):
        remove_files(folder, FILES)
    assert (folder / "plugin.json").exists()

    (folder / "hooks" / "mine").unlink()
    remove_files(folder, FILES)

    assert not folder.exists()
    assert folder.parent.exists()


def test_a_folder_of_which_a_part_is_missing_is_removed_too(folder: Path) -> None:
    write_files(folder, {"plugin.json": b"{}"})

    remove_files(folder, FILES)

    assert not folder.exists()
