"""The plugin's files in OpenCode's own folder: all of them, each by the rules for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files
from status_plugin.install import install_global, plugin_path, remove_global, status_global
from tests.status_plugin.folders import everything_below, names_in

FILES = plugin_files()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "opencode"


def test_every_file_is_installed_at_its_place(config: Path) -> None:
    results = install_global(config, FILES)

    assert [result.outcome for result in results] == ["written", "written"]
    assert [result.path for result in results] == [
        config / "plugins" / PLUGIN_FILE_NAME,
        config / "plugins" / SCREEN_FILE_NAME,
    ]
    assert [result.path.read_bytes() for result in results] == [file.content for file in FILES]
    assert names_in(config / "plugins" / "orca-tui-status") == ["tui.js"]


def test_nothing_that_is_up_to_date_is_touched(config: Path) -> None:
    install_global(config, FILES)
    before = everything_below(config)

    assert [result.outcome for result in install_global(config, FILES)] == ["unchanged", "unchanged"]
    assert everything_below(config) == before


def test_one_file_that_is_refused_keeps_no_other_from_being_installed(config: Path) -> None:
    foreign = plugin_path(config, FILES[0])
    foreign.parent.mkdir(parents=True)
    foreign.write_text("// mine\n")

    assert [result.outcome for result in install_global(config, FILES)] == ["refused", "written"]


def test_a_file_where_our_folder_should_be_is_a_failure_of_that_file_alone(config: Path) -> None:
    (config / "plugins").mkdir(parents=True)
    (config / "plugins" / "orca-tui-status").write_text("mine")

    written, failed = install_global(config, FILES)

    assert (written.outcome, failed.outcome) == ("written", "failed")
    assert "File exists" in failed.reason


def test_a_folder_of_ours_that_is_a_link_is_written_through(config: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles"
    real.mkdir()
    (config / "plugins").mkdir(parents=True)
    (config / "plugins" / "orca-tui-status").symlink_to(real)

    install_global(config, FILES)

    assert (config / "plugins" / "orca-tui-status").is_symlink()
    assert names_in(real) == ["tui.js"]


def test_removing_takes_our_folder_away_once_it_is_empty(config: Path) -> None:
    install_global(config, FILES)

    assert [result.outcome for result in remove_global(config, FILES)] == ["removed", "removed"]
    assert names_in(config / "plugins") == []
    assert [result.outcome for result in remove_global(config, FILES)] == ["missing", "missing"]


def test_what_others_put_into_our_folder_stays(config: Path) -> None:
    install_global(config, FILES)
    theirs = config / "plugins" / "orca-tui-status" / "index.js"
    theirs.write_text("mine")

    remove_global(config, FILES)

    assert theirs.read_text() == "mine"


def test_the_status_of_each_is_its_own(config: Path) -> None:
    install_global(config, FILES)
    os.unlink(plugin_path(config, FILES[1]))

    assert [found.state for found in status_global(config, FILES)] == ["up_to_date", "missing"]
