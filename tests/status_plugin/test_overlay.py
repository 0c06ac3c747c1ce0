"""When there is no overlay, and what goes wrong while one is made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME
from status_plugin.manifest import MANIFEST_NAME
from status_plugin.overlay import install_overlay
from tests.status_plugin.folders import (
    NO_ROOM,
    NOBODY,
    everything_below,
    install_now,
    installers,
    names_in,
    not_as_root,
    small_disk,
)
from tests.status_plugin.users import FILES, FOREIGN, OURS, User


class TestRefused:
    @pytest.mark.parametrize("folder", ["plugins", "plugin"])
    def test_a_foreign_file_of_the_users_under_our_name_is_refused_clearly(
        self, user: User, folder: str
    ) -> None:
        (user.source / folder).mkdir(exist_ok=True)
        theirs = user.source / folder / PLUGIN_FILE_NAME
        theirs.write_text(FOREIGN)

        result = user.install()

        assert result.outcome == "refused"
        assert str(theirs) in result.reason
        assert not user.state.exists()
        assert theirs.read_text() == FOREIGN

    def test_a_copy_of_our_file_in_the_users_folder_is_not_shown_beside_ours(self, user: User) -> None:
        (user.source / "plugins" / PLUGIN_FILE_NAME).write_bytes(FILES[0].content)

        assert user.install().outcome == "ready"
        assert not (user.overlay / "plugins" / PLUGIN_FILE_NAME).is_symlink()

    def test_a_path_that_is_not_absolute_is_refused(self, user: User) -> None:
        result = install_overlay(user.state, Path("config"), FILES)

        assert (result.outcome, "absolute" in result.reason) == ("refused", True)

    @pytest.mark.parametrize("kind", ["missing", "file", "loop", "fifo"])
    def test_a_folder_that_is_none_is_a_failure_that_leaves_nothing(self, user: User, kind: str) -> None:
        path = user.root / "odd"
        match kind:
            case "file":
                path.write_text("")
            case "loop":
                path.symlink_to(path)
            case "fifo":
                os.mkfifo(path)

        result = install_overlay(user.state, path, FILES)

        assert (result.outcome, bool(result.reason)) == ("failed", True)
        assert not user.state.exists()

    @pytest.mark.parametrize("folder", ["", "plugins"])
    def test_a_folder_that_cannot_be_listed_is_a_failure(self, user: User, folder: str) -> None:
        closed = user.source / folder
        if os.geteuid() == 0:
            os.chown(user.root, NOBODY, -1)
        closed.chmod(0)
        try:
            with not_as_root():
                result = user.install()
        finally:
            closed.chmod(0o755)

        assert result.outcome == "failed"
        assert result.reason.startswith("Permission denied")

    def test_a_folder_that_has_vanished_leaves_its_overlay_as_it_was(self, user: User) -> None:
        user.install()
        user.source.rename(user.root / "moved")
        before = everything_below(user.state)

        assert user.install().outcome == "failed"
        assert everything_below(user.state) == before

    def test_an_overlay_in_place_of_a_folder_stands_for_the_folder_it_shows(self, user: User) -> None:
        user.install()
        before = everything_below(user.state)

        result = install_overlay(user.state, user.overlay, FILES)

        assert (result.outcome, result.path, result.source) == ("ready", user.overlay, user.source)
        assert everything_below(user.state) == before

    def test_a_folder_inside_an_overlay_or_beside_them_is_refused(self, user: User) -> None:
        user.install()
        stranger, copy = user.overlay.parent / "stranger", user.overlay.parent / "copy"
        stranger.mkdir()
        copy.mkdir()
        (copy / MANIFEST_NAME).write_bytes((user.overlay / MANIFEST_NAME).read_bytes())

        for path in (user.overlay / "plugins", user.overlay.parent, stranger, copy):
            assert install_overlay(user.state, path, FILES).outcome == "refused"


class TestTrouble:
    def test_a_link_in_place_of_the_overlay_is_not_followed(self, user: User) -> None:
        theirs = user.root / "theirs"
        theirs.mkdir()
        user.overlay.parent.mkdir(parents=True)
        user.overlay.symlink_to(theirs)

        assert user.install().outcome == "failed"
        assert names_in(theirs) == []

    def test_a_state_directory_without_write_permission_is_a_failure_with_a_reason(self, user: User) -> None:
        user.state.mkdir(mode=0o555)

        with not_as_root():
            result = user.install()

        assert result.outcome == "failed"
        assert result.reason.startswith("Permission denied")

    def test_a_full_disk_is_a_failure_that_the_next_time_mends(self, user: User) -> None:
        with small_disk(user.state, len(FILES[0].content) // 2):
            result = user.install()

            assert result.outcome == "ready"
            assert {file.outcome for file in result.files} == {"failed"}
            assert result.files[0].reason.startswith(NO_ROOM)
            assert user.shown() == ["agent", "opencode.json", "plugins"]
            assert names_in(user.overlay / "plugins") == ["a.js", OURS[0]]
        if user.state.exists() and not user.overlay.exists():
            assert [file.outcome for file in user.install().files] == ["written", "written"]

    def test_ten_that_open_at_once_make_one_whole_overlay(self, user: User) -> None:
        with installers(10, user.state, kind="overlay", source=user.source) as processes:
            for process in processes:
                install_now(process)
            said = [process.communicate()[0].split("\n")[-2] for process in processes]

        assert sorted(said) == ["ready unchanged unchanged"] * 9 + ["ready written written"]
        assert user.shown() == ["agent", "opencode.json", "plugins"]
        assert names_in(user.overlay / "plugins") == sorted([*OURS, "a.js"])

    def test_a_crash_at_any_step_leaves_an_overlay_that_the_next_one_completes(self, user: User) -> None:
        """Steps are what the system is asked to do."""
        steps = 0
        while True:
            state = user.root / f"state{steps}"
            if not crashes_at(steps, state, user.source):
                break
            result = install_overlay(state, user.source, FILES)
            assert result.outcome == "ready", steps
            path = result.path
            assert {name for name in names_in(path) if name != MANIFEST_NAME} == {
                "agent",
                "opencode.json",
                "plugins",
            }
            assert names_in(path / "plugins") == sorted([*OURS, "a.js"])
            assert [(path / "plugins" / file.name).read_bytes() for file in FILES] == [
                file.content for file in FILES
            ]
            steps += 1
        assert steps > 8


CRASHER = """
import os, sys
from pathlib import Path
from status_plugin.generate import plugin_files
from status_plugin.overlay import install_overlay

state, source, left = sys.argv[1:]
files = plugin_files()
left = int(left)

def count(event, arguments):
    global left
    if event in ("os.mkdir", "os.symlink", "os.rename", "os.link", "os.unlink"):
        if left == 0:
            os._exit(9)
        left -= 1

sys.addaudithook(count)
install_overlay(Path(state), Path(source), files)
"""


def crashes_at(step: int, state: Path, source: Path) -> bool:
    """Run an installer that ends right before its step of that number; False when there is none."""
    command = [sys.executable, "-c", CRASHER, str(state), str(source), str(step)]
    return subprocess.run(command, check=False).returncode == 9
