"""A folder that shows a user's own OpenCode folder with our plugin in it, and touches nothing of theirs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files, plugin_revision
from status_plugin.manifest import MANIFEST_NAME
from status_plugin.overlay import OverlayResult, install_overlay, overlay_path, overlays_folder
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

FILES = plugin_files()
OURS = [SCREEN_FILE_NAME.partition("/")[0], PLUGIN_FILE_NAME]
FOREIGN = "// my own plugin\nexport default {}\n"


class User:
    """A user's folder and the state directory that its overlay is made in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "mine"
        self.state = root / "state"

    def has(self, **files: str) -> User:
        """Files by their path, with `__` for `/` and `_` for `.`: `plugins__a_js`."""
        for name, content in files.items():
            path = self.source / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return self

    def install(self) -> OverlayResult:
        return install_overlay(self.state, self.source, FILES)

    @property
    def overlay(self) -> Path:
        return overlay_path(self.state, self.source)

    def shown(self, folder: str = "") -> list[str]:
        """What the overlay's folder has, without what is ours."""
        return [name for name in names_in(self.overlay / folder) if name not in (*OURS, MANIFEST_NAME)]


@pytest.fixture
def user() -> Iterator[User]:
    with TemporaryDirectory(prefix="orca") as folder:
        Path(folder).chmod(0o755)
        yield User(Path(folder)).has(opencode_json="{}", plugins__a_js="a", agent__build_md="b")


class TestMirror:
    def test_entries_are_links_and_plugins_a_folder_of_links(self, user: User) -> None:
        result = user.install()

        assert (result.outcome, result.path, result.reason) == ("ready", user.overlay, "")
        assert user.shown() == ["agent", "opencode.json", "plugins"]
        assert os.readlink(user.overlay / "opencode.json") == str(user.source / "opencode.json")
        assert os.readlink(user.overlay / "agent") == str(user.source / "agent")
        assert not (user.overlay / "plugins").is_symlink()
        assert os.readlink(user.overlay / "plugins" / "a.js") == str(user.source / "plugins" / "a.js")

    def test_our_files_are_regular_ones_beside_the_users(self, user: User) -> None:
        user.install()

        for file in FILES:
            path = user.overlay / "plugins" / file.name
            assert not path.is_symlink()
            assert path.read_bytes() == file.content

    def test_it_is_named_after_the_users_folder_and_private(self, user: User) -> None:
        user.install()

        assert user.overlay.parent == overlays_folder(user.state) == user.state / "opencode-overlays"
        assert len(user.overlay.name) == 32
        assert (user.overlay.stat().st_mode & 0o777, user.overlay.parent.stat().st_mode & 0o777) == (
            0o700,
            0o700,
        )

    def test_a_folder_named_plugin_is_one_of_links_too(self, user: User) -> None:
        user.has(plugin__b_js="b").install()

        assert not (user.overlay / "plugin").is_symlink()
        assert user.shown("plugin") == ["b.js"]

    def test_a_users_plugin_folder_that_is_a_link_is_shown(self, user: User) -> None:
        (user.source / "plugins").rename(user.root / "elsewhere")
        (user.source / "plugins").symlink_to(user.root / "elsewhere")

        assert user.install().outcome == "ready"
        assert user.shown("plugins") == ["a.js"]
        assert names_in(user.root / "elsewhere") == ["a.js"]

    @pytest.mark.parametrize("kind", ["dangling", "file"])
    def test_a_users_plugins_that_are_no_folder_leave_ours_alone_there(self, user: User, kind: str) -> None:
        (user.source / "plugins" / "a.js").unlink()
        (user.source / "plugins").rmdir()
        if kind == "file":
            (user.source / "plugins").write_text("")
        else:
            (user.source / "plugins").symlink_to(user.root / "missing")

        assert user.install().outcome == "ready"
        assert names_in(user.overlay / "plugins") == OURS

    def test_names_that_are_no_text_are_shown(self, user: User) -> None:
        odd = os.fsencode(user.source) + b"/\xff\n.md"
        with open(odd, "w") as file:
            file.write("odd")

        user.install()
        assert os.readlink(os.fsencode(user.overlay) + b"/\xff\n.md") == odd
        before = everything_below(user.overlay)
        user.install()
        os.unlink(odd)
        assert everything_below(user.overlay) == before
        user.install()
        assert user.shown() == ["agent", "opencode.json", "plugins"]

    def test_an_entry_that_leads_to_the_overlay_is_not_shown(self, user: User) -> None:
        result = install_overlay(user.source / "state", user.source, FILES)

        assert result.outcome == "ready"
        assert "state" not in names_in(result.path)

    def test_nothing_is_written_in_the_users_folder(self, user: User) -> None:
        user.has(plugin__b_js="b")
        before = everything_below(user.source)

        user.install()
        user.install()

        assert everything_below(user.source) == before


class TestAgain:
    def test_an_overlay_that_is_up_to_date_is_not_touched(self, user: User) -> None:
        (user.source / "empty").mkdir()
        (user.source / "plugin").mkdir()
        user.install()
        before = everything_below(user.state)

        result = user.install()

        assert [file.outcome for file in result.files] == ["unchanged", "unchanged"]
        assert everything_below(user.state) == before

    def test_what_is_new_is_added_and_what_is_gone_is_taken_back(self, user: User) -> None:
        user.has(plugin__b_js="b").install()
        plugin = (user.overlay / "plugins" / PLUGIN_FILE_NAME).stat()

        (user.source / "opencode.json").unlink()
        (user.source / "plugin" / "b.js").unlink()
        (user.source / "plugin").rmdir()
        user.has(tui_json="{}", plugins__c_js="c").install()

        assert user.shown() == ["agent", "plugins", "tui.json"]
        assert user.shown("plugins") == ["a.js", "c.js"]
        after = (user.overlay / "plugins" / PLUGIN_FILE_NAME).stat()
        assert (after.st_mtime_ns, after.st_ino) == (plugin.st_mtime_ns, plugin.st_ino)

    def test_what_the_agent_made_there_stays_and_hides_what_the_user_has_since(self, user: User) -> None:
        user.install()
        (user.overlay / "node_modules").mkdir()
        (user.overlay / "node_modules" / "made").write_text("by the agent")

        before = user.install().hidden
        (user.source / "node_modules").mkdir()
        since = user.install().hidden
        (user.source / "node_modules").rmdir()
        user.install()

        assert (before, since) == ((), ("node_modules",))
        assert (user.overlay / "node_modules" / "made").read_text() == "by the agent"

    def test_a_link_that_somebody_else_changed_is_not_taken_back(self, user: User) -> None:
        user.install()
        (user.overlay / "opencode.json").unlink()
        (user.overlay / "opencode.json").symlink_to("/dev/null")

        assert user.install().hidden == ("opencode.json",)
        (user.source / "opencode.json").unlink()
        user.install()

        assert os.readlink(user.overlay / "opencode.json") == "/dev/null"

    def test_a_link_in_place_of_our_file_is_replaced_and_its_target_stays(self, user: User) -> None:
        user.install()
        theirs = user.root / "theirs.js"
        theirs.write_bytes(FILES[0].content)
        path = user.overlay / "plugins" / PLUGIN_FILE_NAME
        path.unlink()
        path.symlink_to(theirs)
        before = everything_below(user.root)[str(theirs)]

        assert user.install().files[0].outcome == "written"
        assert not path.is_symlink()
        assert everything_below(user.root)[str(theirs)] == before

    @pytest.mark.parametrize("folder", ["plugins", "plugins/orca-tui-status"])
    def test_a_link_in_place_of_a_folder_is_replaced_and_its_target_stays(
        self, user: User, folder: str
    ) -> None:
        user.install()
        theirs = user.root / "theirs"
        theirs.mkdir()
        os.rename(user.overlay / folder, user.root / "moved")
        (user.overlay / folder).symlink_to(theirs)

        assert user.install().outcome == "ready"
        assert names_in(theirs) == []
        assert (user.overlay / "plugins" / SCREEN_FILE_NAME).read_bytes() == FILES[1].content

    def test_a_higher_revision_stays(self, user: User) -> None:
        user.install()
        path = user.overlay / "plugins" / PLUGIN_FILE_NAME
        newer = f"// orca-tui status plugin, revision {plugin_revision() + 1}\n"
        path.write_text(newer)

        assert user.install().files[0].outcome == "newer"
        assert path.read_text() == newer

    def test_somebody_elses_file_under_our_name_stays(self, user: User) -> None:
        user.install()
        path = user.overlay / "plugins" / PLUGIN_FILE_NAME
        path.write_text(FOREIGN)

        assert user.install().files[0].outcome == "refused"
        assert path.read_text() == FOREIGN


class TestManifest:
    def listed(self, user: User) -> dict[str, list[str]]:
        links: dict[str, list[str]] = json.loads((user.overlay / MANIFEST_NAME).read_text())["links"]
        return links

    def test_it_lists_what_is_shown_and_of_which_folder(self, user: User) -> None:
        user.install()

        assert json.loads((user.overlay / MANIFEST_NAME).read_text()) == {
            "version": 1,
            "source": str(user.source),
            "links": {"": ["agent", "opencode.json"], "plugins": ["a.js"]},
        }

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "{}", '{"version": 1, "source": 1, "links": {}}', "\0" * 99]
    )
    def test_a_damaged_one_costs_nothing_but_leftovers(self, user: User, text: str) -> None:
        user.install()
        (user.overlay / MANIFEST_NAME).write_text(text)
        (user.source / "opencode.json").unlink()

        assert user.install().outcome == "ready"
        assert user.shown() == ["agent", "opencode.json", "plugins"]
        assert self.listed(user)[""] == ["agent"]

    def test_names_that_lead_out_of_the_overlay_are_not_believed(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        manifest["links"][""] += ["..", "../../../mine/opencode.json", "/etc/passwd"]
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest))

        user.install()

        assert (user.source / "opencode.json").exists()

    def test_links_that_a_crash_left_behind_are_known_and_taken_back(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        manifest["links"][""].append("gone.json")  # As it is written before a link is made.
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest))
        (user.overlay / "gone.json").symlink_to(user.source / "gone.json")

        user.install()

        assert user.shown() == ["agent", "opencode.json", "plugins"]

    def test_an_overlay_of_a_newer_orca_tui_is_used_as_it_is(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest | {"version": 2}))
        (user.source / "opencode.json").unlink()
        before = everything_below(user.state)

        result = user.install()

        assert (result.outcome, [file.outcome for file in result.files]) == ("ready", ["newer", "newer"])
        assert everything_below(user.state) == before


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
        (user.overlay.parent / "stranger").mkdir()

        for path in (user.overlay / "plugins", user.overlay.parent, user.overlay.parent / "stranger"):
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
