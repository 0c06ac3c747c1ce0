"""What is printed of a plugin file."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from orca_tui.cli.plugin_report import GLOBAL, done, files_of_overlay, overlay_done, plugin_line
from status_plugin.file import FileState, InstallResult, PluginFileStatus
from status_plugin.generate import plugin_files
from status_plugin.overlay import OverlayResult
from status_plugin.overlays import OverlayStatus

FILES = plugin_files()
PATH = Path("/config/plugins/file.js")


def found(state: FileState, reason: str = "") -> PluginFileStatus:
    return PluginFileStatus(path=PATH, target=PATH, state=state, reason=reason)


@pytest.mark.parametrize("state", get_args(FileState))
def test_every_state_but_the_right_one_comes_with_advice(state: FileState) -> None:
    line = plugin_line(GLOBAL, FILES[0], found(state))

    assert bool(line.advice) == (state != "up_to_date")
    assert line.sentence().splitlines()[0] == f"global: {state.replace('_', ' ')}  {PATH}"


def test_a_reason_stands_beside_the_state() -> None:
    line = plugin_line(GLOBAL, FILES[0], found("foreign", "not ours"))

    assert line.sentence().startswith(f"global: foreign (not ours)  {PATH}\n  move it away")


def test_what_an_overlay_does_not_show_is_told_once() -> None:
    status = OverlayStatus(
        path=PATH,
        source=Path("/mine"),
        files=(found("up_to_date"), found("up_to_date")),
        hidden=("package.json",),
        outdated=("new.md",),
        reason="odd",
    )

    first, second = files_of_overlay(FILES, status)

    assert first.reason == "odd; does not show package.json; the user's folder has changed: new.md"
    assert (second.reason, second.advice) == ("", "")
    assert first.sentence().startswith("overlay of /mine: up to date (odd; ")


def test_a_result_is_told_with_its_path_and_reason() -> None:
    result = InstallResult(path=PATH, target=PATH, outcome="failed", reason="no room")

    assert done(GLOBAL, result).sentence() == f"{PATH}: failed (no room)"


def test_an_overlay_that_could_not_be_renewed_is_skipped() -> None:
    result = OverlayResult(path=PATH, source=Path("/mine"), outcome="failed", reason="gone")

    assert [line.sentence() for line in overlay_done(result)] == [f"{PATH}: skipped (gone)"]
