"""Which files are plugins, what is in them, and where their bytes can change."""

from __future__ import annotations

import os
from pathlib import Path

from orca_tui.plugins.folder import LARGEST_BYTES, plugin_paths, read_file, read_folder, watched_places


def test_a_folder_that_is_not_there_has_no_plugins(tmp_path: Path) -> None:
    assert plugin_paths(tmp_path / "plugins") == []
    assert read_folder(tmp_path / "plugins") == {}
    assert watched_places(tmp_path / "plugins") == ()


def test_only_regular_python_files_that_are_not_hidden_are_plugins(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", ".hidden.py", "_off.py", ".#a.py", "a.py~", "notes.txt", ".py"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "nowhere.py").symlink_to(tmp_path / "gone")

    assert [path.name for path in plugin_paths(tmp_path)] == ["a.py", "b.py"]


def test_a_link_is_read_where_it_leads_and_watched_there(tmp_path: Path) -> None:
    folder, dotfiles = tmp_path / "plugins", tmp_path / "dotfiles"
    folder.mkdir()
    dotfiles.mkdir()
    (dotfiles / "real.py").write_text("x = 1")
    (folder / "a.py").symlink_to(dotfiles / "real.py")

    assert read_folder(folder)["a.py"].source == b"x = 1"
    assert read_folder(folder)["a.py"].path == folder / "a.py"
    assert watched_places(folder) == (folder.resolve(), dotfiles.resolve())


def test_only_other_bytes_make_another_digest(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1")
    first = read_file(path)
    os.utime(path, (1, 1))
    touched = read_file(path)
    path.write_text("x = 2")
    changed = read_file(path)

    assert first is not None
    assert touched is not None
    assert changed is not None
    assert first.digest == touched.digest != changed.digest


def test_a_file_that_is_gone_when_it_is_read_is_not_there(tmp_path: Path) -> None:
    assert read_file(tmp_path / "a.py") is None


def test_a_file_that_is_too_large_has_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"#" * (LARGEST_BYTES + 1))

    file = read_file(tmp_path / "a.py")

    assert file is not None
    assert file.source == b""
    assert file.fault is not None
    assert str(LARGEST_BYTES) in file.fault.message


def test_a_file_that_cannot_be_read_has_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.py").mkdir()  # What a file can become between the look and the reading.

    file = read_file(tmp_path / "a.py")

    assert file is not None
    assert file.fault is not None
    assert file.fault.kind == "unreadable"
