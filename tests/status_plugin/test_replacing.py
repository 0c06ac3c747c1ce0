"""Files are replaced as a whole or not at all, whatever happens to them, their folders or the disk meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME
from tests.status_plugin.folders import NO_ROOM, names_in, small_disk, write_while
from tests.status_plugin.places import CONTENT, FOREIGN, OLDER, install, link_to, path_in, place


class TestAttacks:
    """What happens to the file while it is looked at or written."""

    @pytest.fixture
    def content(self, tmp_path: Path) -> Path:
        file = tmp_path / "content"
        file.write_bytes(CONTENT)
        return file

    def test_a_foreign_file_that_takes_the_place_between_look_and_write_stays(
        self, config: Path, tmp_path: Path, content: Path
    ) -> None:
        path = place(config, OLDER)
        (tmp_path / "mine.js").write_bytes(FOREIGN)

        outcome, reason = write_while(f"os.rename({str(tmp_path / 'mine.js')!r}, path)", path, content)

        assert outcome == "refused"
        assert reason.startswith("it was changed while it was being replaced")
        assert path.read_bytes() == FOREIGN
        assert names_in(path.parent) == [PLUGIN_FILE_NAME]

    def test_a_file_that_appears_between_look_and_write_stays(self, config: Path, content: Path) -> None:
        path = path_in(config)
        path.parent.mkdir(parents=True)

        outcome, _ = write_while(f"Path(path).write_bytes({FOREIGN!r})", path, content)

        assert outcome == "refused"
        assert path.read_bytes() == FOREIGN

    def test_a_link_that_is_swapped_leads_to_nothing_that_is_written(
        self, config: Path, tmp_path: Path, content: Path
    ) -> None:
        ours, theirs = tmp_path / "ours.js", tmp_path / "theirs.js"
        ours.write_bytes(OLDER)
        theirs.write_bytes(FOREIGN)
        link = link_to(config, ours)

        outcome, _ = write_while(f"os.unlink(path); os.symlink({str(theirs)!r}, path)", link, content)

        assert outcome == "written"  # What was looked at, and not where the link leads by now.
        assert ours.read_bytes() == CONTENT
        assert theirs.read_bytes() == FOREIGN

    def test_a_folder_that_is_swapped_for_a_link_is_not_written_into(
        self, config: Path, tmp_path: Path, content: Path
    ) -> None:
        path = place(config, OLDER)
        theirs = tmp_path / "theirs"
        theirs.mkdir()
        (theirs / PLUGIN_FILE_NAME).write_bytes(FOREIGN)
        folder, moved = str(path.parent), str(tmp_path / "moved")
        swap = f"os.rename({folder!r}, {moved!r}); os.symlink({str(theirs)!r}, {folder!r})"

        write_while(swap, path, content)

        assert names_in(theirs) == [PLUGIN_FILE_NAME]
        assert (theirs / PLUGIN_FILE_NAME).read_bytes() == FOREIGN

    def test_the_other_name_of_a_file_keeps_what_it_holds(self, config: Path, tmp_path: Path) -> None:
        path = place(config, OLDER)
        other = tmp_path / "other.js"
        other.hardlink_to(path)

        assert install(config).outcome == "written"
        assert other.read_bytes() == OLDER
        assert path.read_bytes() == CONTENT

    @pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/full"])
    def test_a_link_to_a_device_is_refused_and_not_read_to_its_end(self, config: Path, device: str) -> None:
        link_to(config, Path(device))

        result = install(config)

        assert (result.outcome, result.reason) == ("refused", f"{device} is not a file")

    def test_a_folder_that_is_a_link_is_followed_and_stays_one(self, config: Path, tmp_path: Path) -> None:
        real = tmp_path / "dotfiles"
        real.mkdir()
        config.mkdir()
        (config / "plugins").symlink_to(real)

        assert install(config).outcome == "written"
        assert (config / "plugins").is_symlink()
        assert names_in(real) == [PLUGIN_FILE_NAME]

    def test_folders_that_are_a_loop_of_links_are_a_failure_with_a_reason(self, config: Path) -> None:
        config.mkdir()
        (config / "plugins").symlink_to(config / "plugins")

        assert install(config).outcome == "failed"


class TestSmallDisk:
    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self, config: Path) -> None:
        config.mkdir()
        with small_disk(config / "plugins", len(CONTENT) // 2):
            path = path_in(config)
            path.write_bytes(OLDER)

            result = install(config)

            assert result.outcome == "failed"
            assert result.reason.startswith(NO_ROOM)
            assert path.read_bytes() == OLDER
            assert names_in(path.parent) == [PLUGIN_FILE_NAME]
