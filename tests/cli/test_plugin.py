"""The status plugin's file from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, plugin_bytes, plugin_revision
from tests.cli.conftest import Home, Orca


@pytest.fixture
def file(home: Home) -> Path:
    path = home.root / "config" / "opencode" / "plugins" / PLUGIN_FILE_NAME
    path.unlink(missing_ok=True)
    return path


def test_it_is_absent_until_it_is_installed(orca: Orca, file: Path) -> None:
    before = orca("plugin", "status", "--json").json()
    installed = orca("plugin", "install", "--json").json()
    after = orca("plugin", "status", "--json").json()

    assert (before["state"], installed["outcome"], after["state"]) == ("absent", "written", "up_to_date")
    assert list(after) == ["place", "path", "file", "state", "revision", "newest", "reason"]
    assert (after["path"], after["revision"]) == (str(file), plugin_revision())
    assert file.read_bytes() == plugin_bytes()
    assert orca("plugin", "status").out == f"global: up to date  {file}\n"


def test_a_second_install_does_not_touch_the_file(orca: Orca, file: Path) -> None:
    orca("plugin", "install")
    before = file.stat()

    result = orca("plugin", "install")

    assert (result.code, result.out) == (0, f"{file}: unchanged\n")
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_somebody_elses_file_is_left_alone(orca: Orca, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("export default {}\n")

    assert orca("plugin", "status", "--json").json()["state"] == "foreign"
    for verb in ("install", "remove"):
        result = orca("plugin", verb)
        assert (result.code, result.out) == (3, "")
        assert "left alone" in result.err
    assert file.read_text() == "export default {}\n"


def test_remove_takes_our_file_away_and_is_content_without_one(orca: Orca, file: Path) -> None:
    orca("plugin", "install")

    assert orca("plugin", "remove").out == f"{file}: removed\n"
    assert not file.exists()
    assert orca("plugin", "remove", "--json").json()["outcome"] == "absent"


def test_what_cannot_be_written_is_a_failure_with_its_reason(orca: Orca, file: Path) -> None:
    if file.parent.exists():
        file.parent.rmdir()
    file.parent.write_text("in the way")
    try:
        result = orca("plugin", "install")
    finally:
        file.parent.unlink()

    assert result.code == 1
    assert "could not be written" in result.err
