"""The settings' file as a running server reads it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from orca_tui.config import Config
from orca_tui.server.settings import SettingsFile


def authority(file: SettingsFile) -> str:
    return file.now().control.authority


def replaced(path: Path, text: str) -> None:
    """As editors and tools save: another file takes the name."""
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def test_a_changed_file_holds_for_whoever_asks_next(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    file = SettingsFile(path, Config())
    assert authority(file) == "own"

    replaced(path, '[control]\nauthority = "tab"\n')
    assert authority(file) == "tab"

    replaced(path, '[control]\nauthority = "all"\n')
    assert authority(file) == "all"


def test_a_file_that_is_removed_means_the_defaults_again(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[control]\nauthority = "all"\n')
    file = SettingsFile(path, Config())
    assert authority(file) == "all"

    path.unlink()

    assert authority(file) == "own"


def test_a_file_with_a_mistake_changes_nothing_and_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[control]\nauthority = "tab"\n')
    file = SettingsFile(path, Config())
    assert authority(file) == "tab"

    replaced(path, '[control]\nauthority = "everything"\n')
    with caplog.at_level(logging.WARNING):
        assert [authority(file), authority(file)] == ["tab", "tab"]

    (record,) = caplog.records
    assert "'everything' is none of own, tab, all" in record.getMessage()


def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[control]\nauthority = "tab"\n')
    file = SettingsFile(path, Config())

    assert file.now() is file.now()
