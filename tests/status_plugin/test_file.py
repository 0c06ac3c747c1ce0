"""One plugin file is written only when its bytes differ, and nothing that is not ours is touched."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, plugin_revision
from tests.status_plugin.folders import (
    NOBODY,
    files_no_larger_than,
    identity,
    install_now,
    installers,
    line_of,
    names_in,
    no_right_to_write,
    not_as_root,
)
from tests.status_plugin.places import (
    CONTENT,
    FOREIGN,
    NEWER,
    OLDER,
    install,
    link_to,
    path_in,
    place,
    remove,
    status,
)


@pytest.fixture
def installed(config: Path) -> Path:
    install(config)
    return path_in(config)


class TestMissing:
    def test_the_file_is_written_and_its_folders_are_made(self, config: Path) -> None:
        result = install(config)

        assert result.outcome == "written"
        assert result.path == config / "plugins" / PLUGIN_FILE_NAME
        assert result.path.read_bytes() == CONTENT

    def test_nothing_else_is_left_in_the_folder(self, installed: Path) -> None:
        assert names_in(installed.parent) == [PLUGIN_FILE_NAME]
        assert names_in(installed.parent.parent) == ["plugins"]

    def test_looking_at_it_makes_nothing(self, config: Path) -> None:
        assert status(config).state == "missing"
        assert not config.exists()


class TestUpToDate:
    def test_neither_mtime_nor_inode_changes(self, config: Path, installed: Path) -> None:
        os.utime(installed, ns=(1, 1))
        before = identity(installed)

        assert install(config).outcome == "unchanged"
        assert identity(installed) == before

    def test_a_link_to_our_bytes_is_up_to_date(self, config: Path, tmp_path: Path) -> None:
        target = tmp_path / "dotfiles.js"
        target.write_bytes(CONTENT)
        link = link_to(config, target)
        before = identity(target)

        result = install(config)

        assert (result.outcome, result.target) == ("unchanged", target)
        assert link.is_symlink()
        assert identity(target) == before

    def test_the_folder_need_not_be_writable(self, config: Path, installed: Path) -> None:
        with no_right_to_write(config, installed.parent):
            assert install(config).outcome == "unchanged"

    def test_its_status_tells_the_revision(self, config: Path, installed: Path) -> None:
        found = status(config)

        assert (found.state, found.revision, found.path) == ("up_to_date", plugin_revision(), installed)


class TestStale:
    def test_an_older_revision_is_replaced(self, config: Path) -> None:
        path = place(config, OLDER)

        assert status(config).state == "stale"
        assert install(config).outcome == "written"
        assert path.read_bytes() == CONTENT

    def test_other_bytes_of_the_same_revision_are_replaced(self, config: Path) -> None:
        path = place(config, CONTENT + b"// edited\n")

        assert install(config).outcome == "written"
        assert path.read_bytes() == CONTENT

    def test_a_file_cut_short_is_replaced(self, config: Path) -> None:
        path = place(config, CONTENT[: len(CONTENT) // 2])

        assert install(config).outcome == "written"
        assert path.read_bytes() == CONTENT

    def test_an_empty_file_is_replaced(self, config: Path) -> None:
        path = place(config, b"")

        assert install(config).outcome == "written"
        assert path.read_bytes() == CONTENT

    def test_the_mode_is_kept(self, config: Path) -> None:
        path = place(config, OLDER)
        path.chmod(0o600)

        install(config)

        assert path.stat().st_mode & 0o777 == 0o600

    def test_it_is_written_through_a_link_that_stays_a_link(self, config: Path, tmp_path: Path) -> None:
        target = tmp_path / "dotfiles" / "plugin.js"
        target.parent.mkdir()
        target.write_bytes(OLDER)
        link = link_to(config, target)

        result = install(config)

        assert (result.outcome, result.target) == ("written", target)
        assert link.readlink() == target
        assert target.read_bytes() == CONTENT
        assert names_in(link.parent) == [PLUGIN_FILE_NAME]
        assert names_in(target.parent) == ["plugin.js"]

    def test_a_chain_of_links_is_followed_to_its_end(self, config: Path, tmp_path: Path) -> None:
        target, middle = tmp_path / "target.js", tmp_path / "middle.js"
        target.write_bytes(OLDER)
        middle.symlink_to(target)
        link_to(config, middle)

        install(config)

        assert middle.is_symlink()
        assert target.read_bytes() == CONTENT

    def test_a_dangling_link_gets_the_file_that_it_leads_to(self, config: Path, tmp_path: Path) -> None:
        target = tmp_path / "missing.js"
        link = link_to(config, target)

        assert status(config).state == "stale"
        assert install(config).outcome == "written"
        assert link.is_symlink()
        assert target.read_bytes() == CONTENT

    def test_a_link_into_a_missing_folder_is_a_failure_with_a_reason(
        self, config: Path, tmp_path: Path
    ) -> None:
        link_to(config, tmp_path / "missing" / "plugin.js")

        result = install(config)

        assert result.outcome == "failed"
        assert "No such file or directory" in result.reason

    def test_an_unreadable_file_is_replaced_once_by_a_readable_one(self, config: Path) -> None:
        path = place(config, OLDER)
        path.chmod(0)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, -1)
            os.chown(path.parent, NOBODY, -1)

        with not_as_root():
            before = status(config).state
            outcomes = [install(config).outcome for _ in range(2)]

        assert before == "unreadable"
        assert outcomes == ["written", "unchanged"]
        assert path.read_bytes() == CONTENT


class TestNotOurs:
    def test_a_foreign_file_is_refused_and_left_alone(self, config: Path) -> None:
        path = place(config, FOREIGN)
        before = identity(path)

        result = install(config)

        assert result.outcome == "refused"
        assert result.reason == f"{path} was not written by orca-tui"
        assert path.read_bytes() == FOREIGN
        assert identity(path) == before

    def test_a_foreign_file_behind_a_link_is_refused(self, config: Path, tmp_path: Path) -> None:
        target = tmp_path / "mine.js"
        target.write_bytes(FOREIGN)
        link_to(config, target)

        assert install(config).outcome == "refused"
        assert target.read_bytes() == FOREIGN

    def test_a_higher_revision_stays(self, config: Path) -> None:
        path = place(config, NEWER)

        assert install(config).outcome == "newer"
        assert status(config).revision == plugin_revision() + 1
        assert path.read_bytes() == NEWER

    def test_a_folder_under_our_name_is_refused(self, config: Path) -> None:
        path = path_in(config)
        path.mkdir(parents=True)

        result = install(config)

        assert result.outcome == "refused"
        assert result.reason == f"{path} is not a file"

    def test_a_named_pipe_under_our_name_is_refused_and_not_waited_for(self, config: Path) -> None:
        path = path_in(config)
        path.parent.mkdir(parents=True)
        os.mkfifo(path)

        assert install(config).outcome == "refused"

    def test_a_loop_of_links_is_refused(self, config: Path) -> None:
        path = path_in(config)
        link_to(config, path)

        assert install(config).outcome == "refused"
        assert path.is_symlink()

    def test_a_file_where_the_folder_should_be_is_a_failure_with_a_reason(self, config: Path) -> None:
        config.mkdir()
        (config / "plugins").write_text("")

        result = install(config)

        assert result.outcome == "failed"
        assert result.reason.startswith("File exists")


class TestTrouble:
    def test_a_folder_without_write_permission_is_a_failure_with_a_reason(self, config: Path) -> None:
        path = place(config, OLDER)

        with no_right_to_write(path.parent):
            result = install(config)

        assert result.outcome == "failed"
        assert result.reason.startswith("Permission denied")
        assert path.read_bytes() == OLDER

    def test_a_file_that_cannot_be_written_whole_leaves_the_old_one_and_nothing_else(
        self, config: Path
    ) -> None:
        path = place(config, OLDER)

        with files_no_larger_than(len(CONTENT) // 2):
            result = install(config)

        assert result.outcome == "failed"
        assert result.reason.startswith("File too large")
        assert path.read_bytes() == OLDER
        assert names_in(path.parent) == [PLUGIN_FILE_NAME]

    def test_the_temporary_name_is_none_that_opencode_loads(self, config: Path) -> None:
        place(config, OLDER)
        with installers(1, config) as [process]:
            install_now(process)
            said = [line_of(process) for _ in range(3)]

        names = said[1].removeprefix("renames among ").split()
        assert said[2] == "written"
        assert len(names) == 2
        assert [name for name in names if name.endswith((".js", ".ts"))] == [PLUGIN_FILE_NAME]

    def test_a_writer_waits_for_its_turn_and_then_looks_again(self, config: Path) -> None:
        path = place(config, OLDER)
        holder = os.open(path.parent, os.O_RDONLY)
        fcntl.flock(holder, fcntl.LOCK_EX)
        with installers(1, config) as [process]:
            install_now(process)
            assert line_of(process) == "asks for its turn"
            path.write_bytes(CONTENT)
            before = identity(path)
            os.close(holder)
            said = process.communicate()[0].split("\n")

        assert said[-2] == "unchanged"
        assert identity(path) == before

    def test_ten_that_install_at_once_write_once(self, config: Path) -> None:
        place(config, OLDER)
        with installers(10, config) as processes:
            for process in processes:
                install_now(process)
            outcomes = [process.communicate()[0].split()[-1] for process in processes]

        assert sorted(outcomes) == ["unchanged"] * 9 + ["written"]
        assert names_in(config / "plugins") == [PLUGIN_FILE_NAME]


class TestRemove:
    def test_our_file_is_removed(self, config: Path, installed: Path) -> None:
        assert remove(config).outcome == "removed"
        assert not installed.exists()

    def test_a_newer_revision_of_ours_is_removed(self, config: Path) -> None:
        path = place(config, NEWER)

        assert remove(config).outcome == "removed"
        assert not path.exists()

    def test_nothing_there_is_nothing_to_remove(self, config: Path) -> None:
        assert remove(config).outcome == "missing"

    def test_a_foreign_file_is_refused(self, config: Path) -> None:
        path = place(config, FOREIGN)

        assert remove(config).outcome == "refused"
        assert path.read_bytes() == FOREIGN

    def test_a_link_is_removed_and_what_it_leads_to_stays(self, config: Path, tmp_path: Path) -> None:
        target = tmp_path / "dotfiles.js"
        target.write_bytes(CONTENT)
        link = link_to(config, target)

        result = remove(config)

        assert (result.outcome, result.reason) == ("removed", f"{target} was left")
        assert not link.is_symlink()
        assert target.read_bytes() == CONTENT
