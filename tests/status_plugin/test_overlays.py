"""How each overlay stands, and taking one away."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files
from status_plugin.manifest import MANIFEST_NAME
from status_plugin.overlay import install_overlay, overlays_folder
from status_plugin.overlays import known_overlays, remove_overlay, status_overlay
from tests.status_plugin.folders import everything_below, names_in

FILES = plugin_files()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "plugins").mkdir(parents=True)
    (folder / "plugin").mkdir()
    for name in ("opencode.json", "plugins/a.js", "plugin/b.js"):
        (folder / name).write_text(name)
    return folder


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def overlay(state: Path, source: Path) -> Path:
    return install_overlay(state, source, FILES).path


class TestStatus:
    def test_all_overlays_are_known_and_nothing_else(
        self, state: Path, overlay: Path, tmp_path: Path
    ) -> None:
        (overlays_folder(state) / "link").symlink_to(tmp_path)
        (overlays_folder(state) / "file").write_text("")

        assert known_overlays(state) == (overlay,)
        assert known_overlays(tmp_path / "missing") == ()

    def test_a_new_one_shows_its_folder_whole(self, overlay: Path, source: Path) -> None:
        found = status_overlay(overlay, FILES)

        assert (found.source, found.hidden, found.outdated, found.reason) == (source, (), (), "")
        assert [file.state for file in found.files] == ["up_to_date", "up_to_date"]

    def test_looking_touches_nothing(self, overlay: Path, tmp_path: Path) -> None:
        before = everything_below(tmp_path)

        status_overlay(overlay, FILES)

        assert everything_below(tmp_path) == before

    def test_what_came_and_went_since_is_outdated(self, overlay: Path, source: Path) -> None:
        (source / "opencode.json").unlink()
        (source / "tui.json").write_text("{}")
        (source / "plugins" / "c.js").write_text("c")

        assert set(status_overlay(overlay, FILES).outdated) == {"opencode.json", "tui.json", "plugins/c.js"}

    def test_what_something_else_stands_in_front_of_is_hidden(self, overlay: Path) -> None:
        (overlay / "opencode.json").unlink()
        (overlay / "opencode.json").write_text("the agent's")

        assert status_overlay(overlay, FILES).hidden == ("opencode.json",)

    def test_a_folder_that_has_vanished_is_told(self, overlay: Path, source: Path) -> None:
        source.rename(source.with_name("moved"))

        assert status_overlay(overlay, FILES).reason == f"No such file or directory: {source}"

    def test_a_damaged_list_is_told(self, overlay: Path) -> None:
        (overlay / MANIFEST_NAME).write_text("{")

        found = status_overlay(overlay, FILES)

        assert (found.source, found.reason) == (None, "its list of links is missing or damaged")

    def test_our_files_are_told_one_by_one(self, overlay: Path, tmp_path: Path) -> None:
        (overlay / "plugins" / PLUGIN_FILE_NAME).unlink()
        (overlay / "plugins" / PLUGIN_FILE_NAME).symlink_to(tmp_path)
        (overlay / "plugins" / SCREEN_FILE_NAME).write_text("theirs")

        found = status_overlay(overlay, FILES)

        assert [file.state for file in found.files] == ["stale", "foreign"]
        assert "is a link" in found.files[0].reason


class TestRemove:
    def test_nothing_of_ours_is_left_and_nothing_of_theirs_is_touched(
        self, overlay: Path, source: Path
    ) -> None:
        before = everything_below(source)

        results = remove_overlay(overlay, FILES)

        assert [(result.path.name, result.outcome) for result in results] == [
            (PLUGIN_FILE_NAME, "removed"),
            ("tui.js", "removed"),
            (overlay.name, "removed"),
        ]
        assert not overlay.exists()
        assert everything_below(source) == before

    def test_what_an_agent_put_there_is_left_and_told(self, overlay: Path) -> None:
        (overlay / "node_modules").mkdir()
        (overlay / "plugins" / "made.js").write_text("made")

        result = remove_overlay(overlay, FILES)[-1]

        assert (result.outcome, result.reason) == ("removed", "left in it: node_modules, plugins")
        assert names_in(overlay / "plugins") == ["made.js"]

    def test_a_link_out_of_the_overlay_is_not_followed(self, overlay: Path, source: Path) -> None:
        for folder in ("plugins", "plugin"):
            (overlay / folder).rename(overlay.parent.parent / folder)
            (overlay / folder).symlink_to(source / folder)
        (source / "plugins" / PLUGIN_FILE_NAME).write_bytes(FILES[0].content)
        (source / "plugins" / "orca-tui-status").mkdir()
        before = everything_below(source)

        results = remove_overlay(overlay, FILES)

        assert [result.outcome for result in results] == ["refused", "refused", "removed"]
        assert everything_below(source) == before
        assert {name for name in names_in(overlay)} == {"plugin", "plugins"}

    def test_a_link_that_leads_elsewhere_by_now_stays(self, overlay: Path) -> None:
        (overlay / "opencode.json").unlink()
        (overlay / "opencode.json").symlink_to("/dev/null")

        remove_overlay(overlay, FILES)

        assert os.readlink(overlay / "opencode.json") == "/dev/null"

    def test_a_file_of_somebody_else_under_our_name_stays(self, overlay: Path) -> None:
        (overlay / "plugins" / PLUGIN_FILE_NAME).write_text("theirs")

        results = remove_overlay(overlay, FILES)

        assert results[0].outcome == "refused"
        assert (overlay / "plugins" / PLUGIN_FILE_NAME).read_text() == "theirs"

    def test_an_overlay_of_a_newer_orca_tui_stays(self, overlay: Path) -> None:
        manifest = json.loads((overlay / MANIFEST_NAME).read_text())
        (overlay / MANIFEST_NAME).write_text(json.dumps(manifest | {"version": 2}))
        before = everything_below(overlay)

        assert [result.outcome for result in remove_overlay(overlay, FILES)] == ["refused"]
        assert everything_below(overlay) == before

    def test_one_that_is_not_there_is_missing(self, overlay: Path) -> None:
        assert [result.outcome for result in remove_overlay(overlay.with_name("other"), FILES)] == ["missing"]
