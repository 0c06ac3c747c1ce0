"""Histories in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.ui import kept_files


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    kept_files.write_new(tmp_path / "p1.txt", "text 端末\n")

    assert (tmp_path / "p1.txt").read_text() == "text 端末\n"
    assert (tmp_path / "p1.txt").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    with pytest.raises(FileExistsError):
        kept_files.write_new(tmp_path / "notes.txt", "theirs")

    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_link_to_somewhere_else_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileExistsError):
        kept_files.write_new(tmp_path / "link", "text")

    assert not (tmp_path / "elsewhere").exists()


def test_the_editors_file_is_the_last_one_only(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "history"

    first = kept_files.write_for_editor(folder, "p3", "old")
    again = kept_files.write_for_editor(folder, "p3", "new")

    assert first == again
    assert again.read_text() == "new"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_free_name_is_proposed(tmp_path: Path) -> None:
    assert kept_files.free_name(tmp_path, "p1").name == "orca-tui-p1.txt"
    (tmp_path / "orca-tui-p1.txt").touch()
    assert kept_files.free_name(tmp_path, "p1").name == "orca-tui-p1-1.txt"


def test_an_answer_is_taken_from_where_one_is(tmp_path: Path) -> None:
    assert kept_files.named("/src/api", "notes.txt") == Path("/src/api/notes.txt")
    assert kept_files.named("/src/api", "/tmp/x") == Path("/tmp/x")
    assert kept_files.named("/src/api", "~/x") == Path.home() / "x"


@pytest.mark.parametrize("answer", ["~nobody-of-that-name/x", "a\0b"])
def test_what_no_file_can_be_called_is_an_error_of_the_system(answer: str) -> None:
    with pytest.raises(OSError, match=r"no such user|a name cannot have"):
        kept_files.named("/src/api", answer)
