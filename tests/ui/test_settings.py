"""The settings as the UI uses them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES

from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.config import Config, Persistence, Terminal, Ui
from orca_tui.ui.settings import Settings, changes, checked, follow, load, taken

CASES = [
    ('[ui]\ntheme = "nrod"\n', 2, "did you mean 'nord'?"),
    ('[keys]\nprefix = "ctrl+a"\n\n[keys.bindings]\nzom = "prefix z"\n', 5, "did you mean 'zoom'?"),
    ('[keys]\nprefix = "ctl+a"\n', 2, "no key is called 'ctl+a'"),
    ('[keys.bindings]\nhelp = "prefix F1"\nzoom = "z"\n', 3, "would be taken from every program"),
]


@pytest.mark.parametrize(("text", "line", "reason"), CASES)
def test_a_file_that_cannot_be_used_is_told_with_line_and_reason(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)

    with pytest.raises(ConfigError) as raised:
        load(path, BUILTIN_THEMES)

    assert raised.value.facts["line"] == line
    assert reason in raised.value.message
    assert f"config.toml:{line}" in raised.value.message


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path / "config.toml", BUILTIN_THEMES)

    assert settings.config == Config()
    assert settings.keymap.prefix == "ctrl+b"


def test_an_unknown_theme_that_is_near_nothing_lists_all() -> None:
    with pytest.raises(Invalid, match=r"there are .*nord.*textual-dark"):
        checked(Config(ui=Ui(theme="????")), BUILTIN_THEMES)


class Told:
    """Who lives by settings, and what it says."""

    def __init__(self) -> None:
        self.settings = checked(Config(), BUILTIN_THEMES)
        self.said: list[tuple[str, str]] = []

    def use(self, settings: Settings) -> None:
        self.settings = settings

    def say(self, text: str, severity: str = "information") -> None:
        self.said.append((text, severity))


@pytest.mark.anyio
async def test_a_folder_that_is_not_there_has_nothing_beside_it_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a whole home would be, with every file that a browser writes."""
    watched: list[tuple[Path, bool]] = []
    file = tmp_path / "orca-tui" / "config.toml"

    async def awatch(*folders: Path, recursive: bool) -> AsyncIterator[set[tuple[int, str]]]:
        watched.append((folders[0], recursive))
        file.parent.mkdir(exist_ok=True)
        if len(watched) > 1:
            file.touch()
        yield {(1, str(folders[0] / ("config.toml" if len(watched) > 1 else "orca-tui")))}

    monkeypatch.setattr("watchfiles.awatch", awatch)
    seen = changes(file)
    async with asyncio.timeout(20):
        await anext(seen)
    await seen.aclose()

    assert watched == [(tmp_path, False), (file.parent, False)]


@pytest.mark.anyio
async def test_a_system_that_watches_no_more_files_is_told_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def awatch(*_: Path, recursive: bool) -> AsyncIterator[set[tuple[int, str]]]:
        raise RuntimeError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.awatch", awatch)
    taker = Told()
    await follow(tmp_path / "config.toml", BUILTIN_THEMES, taker)

    [(text, severity)] = taker.said
    assert "OS file watch limit reached" in text
    assert severity == "warning"


@pytest.mark.anyio
@pytest.mark.parametrize("folder", ["", "not/there/yet"])
async def test_a_change_of_the_file_is_noticed(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "config.toml"
    noticed = asyncio.Event()

    async def watch() -> None:
        async for _ in changes(path):
            noticed.set()

    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        watcher = group.create_task(watch())
        path.parent.mkdir(parents=True, exist_ok=True)
        number = 0
        while not noticed.is_set():
            path.write_text(f"# {number}\n")  # Again, since nothing says when the watch has begun.
            number += 1
            await asyncio.wait([group.create_task(noticed.wait())], timeout=0.2)
        watcher.cancel()
        noticed.set()


def test_the_toast_names_the_changed_settings_that_hold_only_after_a_start() -> None:
    before = Config()

    assert taken(before, Config(ui=Ui(theme="nord"))) == "settings taken"
    assert taken(before, Config(terminal=Terminal(allow_checksum=True))) == (
        "settings taken; terminal.allow_checksum after `orca-tui server restart`"
    )
    assert taken(before, Config(ui=Ui(ascii=True), persistence=Persistence(screens=False))) == (
        "settings taken; persistence after `orca-tui server restart`; ui.ascii when the UI starts again"
    )
