"""What an overlay shows of a user's folder, and that nothing is touched to show it."""

from __future__ import annotations

import os

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_revision
from status_plugin.manifest import MANIFEST_NAME
from status_plugin.overlay import install_overlay, overlays_folder
from tests.status_plugin.folders import (
    everything_below,
    names_in,
)
from tests.status_plugin.users import FILES, FOREIGN, OURS, User


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

    def test_an_empty_folder_has_an_overlay_that_is_known_and_not_touched_again(self, user: User) -> None:
        source = user.root / "empty"
        source.mkdir()
        result = install_overlay(user.state, source, FILES)
        before = everything_below(user.state)

        assert names_in(result.path) == [MANIFEST_NAME, "plugins"]
        assert install_overlay(user.state, source, FILES).outcome == "ready"
        assert install_overlay(user.state, result.path, FILES).path == result.path
        assert everything_below(user.state) == before

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
