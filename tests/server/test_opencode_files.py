"""Where the plugin is installed for a pane, and what the pane's program is told."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from orca_tui.config import Environment
from orca_tui.server import opencode_files
from orca_tui.server.opencode_files import Installed, install_for
from status_plugin.generate import PLUGIN_FILE_NAME, plugin_bytes, plugin_files
from status_plugin.overlay import overlay_path
from status_plugin.removal import forget_removal, mark_removed

pytestmark = pytest.mark.anyio


class Room:
    """A user with a home and a state directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "state"
        self.own = root / "config" / "opencode" / "plugins" / PLUGIN_FILE_NAME
        self.mine = root / "mine"
        self.mine.mkdir()
        (self.mine / "opencode.json").write_text("{}")

    async def install(self, config_dir: str | None = None) -> Installed:
        variables = {"HOME": str(self.root), "XDG_CONFIG_HOME": str(self.root / "config")}
        if config_dir is not None:
            variables["OPENCODE_CONFIG_DIR"] = config_dir
        return await install_for(Environment(variables), self.state, plugin_files())

    @property
    def overlay(self) -> Path:
        return overlay_path(self.state, self.mine)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.mark.parametrize("config_dir", [None, ""])
async def test_without_a_folder_of_the_users_own_the_global_one_has_it(
    room: Room, config_dir: str | None
) -> None:
    assert await room.install(config_dir) == Installed()

    assert room.own.read_bytes() == plugin_bytes()
    assert not room.state.exists()


async def test_a_folder_of_the_users_own_gets_an_overlay_and_the_pane_is_told(room: Room) -> None:
    installed = await room.install(str(room.mine))

    assert installed == Installed(environment={"OPENCODE_CONFIG_DIR": str(room.overlay)})
    assert (room.overlay / "plugins" / PLUGIN_FILE_NAME).read_bytes() == plugin_bytes()
    assert sorted(path.name for path in room.mine.iterdir()) == ["opencode.json"]
    assert not room.own.exists()


async def test_a_pane_opened_inside_a_pane_has_the_same_overlay(room: Room) -> None:
    first = await room.install(str(room.mine))

    assert await room.install(first.environment["OPENCODE_CONFIG_DIR"]) == first


async def test_the_global_folder_under_its_own_name_needs_no_overlay(room: Room) -> None:
    room.own.parent.parent.mkdir(parents=True)
    (room.root / "link").symlink_to(room.own.parent.parent)

    assert await room.install(str(room.root / "link")) == Installed()
    assert room.own.exists()


@pytest.mark.parametrize("config_dir", ["missing", "relative"])
async def test_a_folder_that_cannot_be_shown_is_used_as_it_is_and_told(room: Room, config_dir: str) -> None:
    value = str(room.root / "missing") if config_dir == "missing" else "relative"

    installed = await room.install(value)

    assert installed.environment == {}
    assert installed.note.startswith(
        f"OPENCODE_CONFIG_DIR={value} is used as it is, without the status plugin: "
    )
    assert room.own.exists()  # OpenCode 1 reads this one, too.


async def test_a_foreign_file_under_our_name_is_told(room: Room) -> None:
    theirs = room.mine / "plugins" / PLUGIN_FILE_NAME
    theirs.parent.mkdir()
    theirs.write_text("// mine\n")

    installed = await room.install(str(room.mine))

    assert (installed.environment, str(theirs) in installed.note) == ({}, True)
    assert theirs.read_text() == "// mine\n"


async def test_a_foreign_file_in_the_global_folder_is_told(room: Room) -> None:
    room.own.parent.mkdir(parents=True)
    room.own.write_text("// mine\n")

    note = (await room.install()).note

    assert note.startswith(f"the status plugin is not installed in {room.own.parents[1]}: ")
    assert note.endswith("was not written by orca-tui")


async def test_an_installation_that_hangs_is_told_in_time(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.own.parent.mkdir(parents=True)
    monkeypatch.setattr(opencode_files, "INSTALL_TIMEOUT_S", 0.1)
    folder = os.open(room.own.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        installed = await room.install()
    finally:
        os.close(folder)

    assert "another process" in installed.note


async def test_what_is_up_to_date_is_not_touched(room: Room) -> None:
    await room.install(str(room.mine))
    file = room.overlay / "plugins" / PLUGIN_FILE_NAME
    before = (file.stat().st_mtime_ns, file.stat().st_ino, room.overlay.stat().st_mtime_ns)

    await room.install(str(room.mine))

    assert (file.stat().st_mtime_ns, file.stat().st_ino, room.overlay.stat().st_mtime_ns) == before


async def test_what_the_user_removed_no_pane_brings_back(room: Room) -> None:
    mark_removed(room.state)
    for config_dir in (None, str(room.mine)):
        installed = await room.install(config_dir)

        assert installed == Installed(
            note="the status plugin was removed; `orca-tui plugin install` brings it back"
        )
    assert not room.own.exists()
    assert not room.overlay.exists()

    forget_removal(room.state)
    assert await room.install() == Installed()
    assert room.own.exists()
