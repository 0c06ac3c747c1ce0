"""The status plugin's files from the command line: OpenCode's folder, the overlays, another machine."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from orca_tui.cli.plugin import plugin_file
from orca_tui.cli.session import Session
from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files, plugin_revision
from status_plugin.overlay import install_overlay
from status_plugin.removal import forget_removal
from tests.cli.conftest import Home, Orca

FILES = plugin_files()
KEYS = ["place", "source", "name", "path", "file", "state", "revision", "newest", "reason", "advice"]


@pytest.fixture
def plugins(home: Home) -> Iterator[Path]:
    folder = home.root / "config" / "opencode" / "plugins"
    for file in FILES:
        (folder / file.name).unlink(missing_ok=True)
    yield folder
    forget_removal(home.root / "state" / "orca-tui")


@pytest.fixture
def file(plugins: Path) -> Path:
    return plugins / PLUGIN_FILE_NAME


@pytest.fixture
def overlay(home: Home, tmp_path: Path) -> Iterator[Path]:
    source = tmp_path / "mine"
    source.mkdir()
    (source / "opencode.json").write_text("{}")
    state = home.root / "state" / "orca-tui"
    state.mkdir(exist_ok=True)
    yield install_overlay(state, source, FILES).path
    for rest in sorted((state / "opencode-overlays").glob("**/*"), reverse=True):
        rest.rmdir() if rest.is_dir() and not rest.is_symlink() else rest.unlink()


def states(orca: Orca, *options: str) -> list[tuple[str, str]]:
    return [(line["place"], line["state"]) for line in orca("plugin", "status", "--json", *options).lines()]


def outcomes(orca: Orca, *words: str) -> list[tuple[str, str]]:
    return [(line["place"], line["outcome"]) for line in orca("plugin", *words, "--json").lines()]


def test_the_files_are_missing_until_they_are_installed(orca: Orca, file: Path) -> None:
    assert states(orca) == [("global", "missing")] * 2
    assert outcomes(orca, "install") == [("global", "written")] * 2
    assert states(orca) == [("global", "up_to_date")] * 2

    first = orca("plugin", "status", "--json").lines()[0]
    assert list(first) == KEYS
    assert (first["path"], first["name"], first["revision"]) == (str(file), file.name, plugin_revision())
    assert file.read_bytes() == FILES[0].content
    assert (file.parent / SCREEN_FILE_NAME).read_bytes() == FILES[1].content


def test_a_person_reads_what_stands_where_and_what_to_do(orca: Orca, file: Path) -> None:
    missing = orca("plugin", "status").out.splitlines()
    orca("plugin", "install")
    there = orca("plugin", "status").out.splitlines()

    assert missing[:2] == [
        f"global: missing  {file}",
        "  `orca-tui plugin install`, or open an OpenCode pane",
    ]
    assert there == [
        f"global: up to date, revision {plugin_revision()}  {file}",
        f"global: up to date, revision {plugin_revision()}  {file.parent / SCREEN_FILE_NAME}",
    ]


def test_a_second_install_does_not_touch_the_files(orca: Orca, file: Path) -> None:
    orca("plugin", "install")
    before = file.stat()

    result = orca("plugin", "install")

    assert (result.code, result.out.splitlines()[0]) == (0, f"{file}: unchanged")
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_somebody_elses_file_is_left_alone_and_the_other_is_installed(orca: Orca, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("export default {}\n")

    assert states(orca)[0] == ("global", "foreign")
    for verb, other in (("install", "written"), ("remove", "removed")):
        result = orca("plugin", verb)
        assert result.code == 3
        assert [line.rpartition(": ")[2] for line in result.out.splitlines()][1:] == [other]
        assert f"left alone: {file}" in result.err
    assert file.read_text() == "export default {}\n"


def test_remove_takes_our_files_away_and_is_content_without_them(orca: Orca, file: Path) -> None:
    orca("plugin", "install")

    assert outcomes(orca, "remove") == [("global", "removed")] * 2
    assert not file.exists()
    assert not (file.parent / "orca-tui-status").exists()
    assert outcomes(orca, "remove") == [("global", "missing")] * 2


def test_what_cannot_be_written_is_a_failure_with_its_reason(orca: Orca, plugins: Path) -> None:
    if plugins.exists():
        for place in sorted(plugins.rglob("*"), reverse=True):
            place.rmdir()
        plugins.rmdir()
    plugins.write_text("in the way")
    try:
        result = orca("plugin", "install")
    finally:
        plugins.unlink()

    assert result.code == 1
    assert "failed: " in result.err
    assert "File exists" in result.err


class TestOverlays:
    def test_every_overlay_is_told_with_the_folder_that_it_shows(
        self, orca: Orca, file: Path, overlay: Path, tmp_path: Path
    ) -> None:
        lines = orca("plugin", "status", "--json").lines()[2:]

        assert [(line["place"], line["state"]) for line in lines] == [("overlay", "up_to_date")] * 2
        assert {line["source"] for line in lines} == {str(tmp_path / "mine")}
        assert lines[0]["path"] == str(overlay / "plugins" / PLUGIN_FILE_NAME)

    def test_what_an_overlay_does_not_show_is_told_and_installing_renews_it(
        self, orca: Orca, file: Path, overlay: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "mine" / "new.json").write_text("{}")
        before = orca("plugin", "status", "--json").lines()[2]
        done = outcomes(orca, "install")
        after = orca("plugin", "status", "--json").lines()[2]

        assert before["reason"] == "the user's folder has changed: new.json"
        assert before["advice"] == "`orca-tui plugin install`"
        assert done[2:] == [("overlay", "unchanged")] * 2
        assert (after["reason"], after["advice"]) == ("", "")
        assert os.readlink(overlay / "new.json") == str(tmp_path / "mine" / "new.json")

    def test_an_overlay_whose_folder_is_gone_is_skipped_and_is_no_failure(
        self, orca: Orca, file: Path, overlay: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "mine").rename(tmp_path / "moved")

        result = orca("plugin", "install", "--json")

        assert result.code == 0
        assert [line["outcome"] for line in result.lines()][2:] == ["skipped"]
        assert "No such file" in orca("plugin", "status", "--json").lines()[2]["reason"]

    def test_remove_takes_overlays_away_and_nothing_of_the_users(
        self, orca: Orca, file: Path, overlay: Path, tmp_path: Path
    ) -> None:
        assert outcomes(orca, "remove")[2:] == [("overlay", "removed")] * 3

        assert not overlay.exists()
        assert (tmp_path / "mine" / "opencode.json").read_text() == "{}"


class TestVia:
    @pytest.fixture
    def via(self, tmp_path: Path) -> str:
        return shlex.join(["env", "-i", f"HOME={tmp_path}", f"PATH={os.environ['PATH']}", "sh", "-c"])

    def test_another_machines_files_are_installed_told_and_removed(
        self, orca: Orca, file: Path, via: str, tmp_path: Path
    ) -> None:
        there = tmp_path / ".config" / "opencode" / "plugins" / PLUGIN_FILE_NAME

        assert states(orca, "--via", via) == [("remote", "missing")] * 2
        assert outcomes(orca, "install", "--via", via) == [("remote", "written")] * 2
        assert states(orca, "--via", via) == [("remote", "up_to_date")] * 2
        assert there.read_bytes() == FILES[0].content
        assert outcomes(orca, "remove", "--via", via) == [("remote", "removed")] * 2
        assert not file.exists()

    def test_a_machine_that_cannot_be_reached_is_a_failure(self, orca: Orca) -> None:
        result = orca("plugin", "status", "--json", "--via", "sh -c 'echo no route >&2; exit 255'")

        assert result.code == 1
        assert json.loads(result.err)["error"]["message"].endswith("no route")

    @pytest.mark.parametrize("via", ["", "'unclosed"])
    def test_what_is_no_command_is_a_mistake(self, orca: Orca, via: str) -> None:
        assert orca("plugin", "status", "--via", via).code == 2


def test_the_file_that_stands_for_all_is_the_first_that_is_not_as_it_should_be(
    orca: Orca, home: Home, file: Path
) -> None:
    session = Session(home.program())
    orca("plugin", "install")
    right = plugin_file(session)
    (file.parent / SCREEN_FILE_NAME).unlink()
    wrong = plugin_file(session)

    assert (right.name, right.state) == (PLUGIN_FILE_NAME, "up_to_date")
    assert (wrong.name, wrong.state) == (SCREEN_FILE_NAME, "missing")


def test_a_removal_sticks_and_is_told_until_the_plugin_is_installed_again(
    orca: Orca, home: Home, plugins: Path, tmp_path: Path
) -> None:
    (tmp_path / "opencode").write_text("#!/bin/sh\nread x\n")
    (tmp_path / "opencode").chmod(0o755)
    path = f"PATH={tmp_path}:{os.environ['PATH']}"
    orca("plugin", "install")

    orca("plugin", "remove")
    pane = orca("open", "--json", "--env", path, "--agent", "opencode").json()["pane"]
    shell = orca("open", "--json", "--env", path).json()["pane"]
    told = orca("plugin", "status").out
    again = orca("plugin", "install")

    assert "missing (removed)" in told
    assert "brings it back; until then the status" in told
    assert again.code == 0
    assert (plugins / PLUGIN_FILE_NAME).exists()
    for opened in (pane, shell):
        orca("close", "--force", opened)


def test_a_removal_that_cannot_be_kept_changes_nothing(orca: Orca, home: Home, plugins: Path) -> None:
    orca("plugin", "install")
    marker = home.root / "state" / "orca-tui" / "opencode-plugin-removed"
    marker.mkdir()
    try:
        refused = orca("plugin", "remove")
    finally:
        marker.rmdir()

    assert (refused.code, "nothing was changed" in refused.err) == (1, True)
    assert (plugins / PLUGIN_FILE_NAME).exists()
