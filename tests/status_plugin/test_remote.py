"""The plugin's files on another machine, here a shell with a home of its own: the rules are those of one's own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files, plugin_revision
from status_plugin.remote import (
    CommandTransport,
    Completed,
    RemoteError,
    install_remote,
    remove_remote,
    status_remote,
)
from tests.status_plugin.folders import NO_ROOM, NOBODY, everything_below, identity, names_in, small_disk

FILES = plugin_files()
MAIN = FILES[:1]
CONTENT = FILES[0].content
OLDER = b"// orca-tui status plugin, revision 0\nexport default {}\n"
NEWER = f"// orca-tui status plugin, revision {plugin_revision() + 1}\nexport\n".encode()
SHELLS = [shell for shell in ("sh", "dash", "bash", "ksh", "zsh", "busybox") if shutil.which(shell)]


class Machine:
    """A home, and the way to a shell there."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.argv = ["env", "-i", f"HOME={home}", f"PATH={os.environ['PATH']}", "sh", "-c"]
        self.plugins = home / ".config" / "opencode" / "plugins"
        self.path = self.plugins / PLUGIN_FILE_NAME

    def run(self, command: str, stdin: bytes) -> Completed:
        return CommandTransport(self.argv).run(command, stdin)

    def as_nobody(self) -> Machine:
        """The administrator is refused nothing, so somebody else goes there."""
        if os.geteuid() == 0:
            self.argv = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", *self.argv]
        return self

    def has(self, content: bytes) -> Path:
        self.plugins.mkdir(parents=True)
        self.path.write_bytes(content)
        return self.path

    def install(self) -> tuple[str, str]:
        [result] = install_remote(self, MAIN)
        return result.outcome, result.reason

    def state(self) -> str:
        [found] = status_remote(self, MAIN)
        return found.state


@pytest.fixture
def machine() -> Iterator[Machine]:
    with TemporaryDirectory(prefix="orca") as folder:
        Path(folder).chmod(0o755)
        yield Machine(Path(folder))


class TestInstall:
    def test_every_file_is_written_where_opencode_looks_for_it(self, machine: Machine) -> None:
        results = install_remote(machine, FILES)

        assert [(result.outcome, result.path) for result in results] == [
            ("written", machine.plugins / PLUGIN_FILE_NAME),
            ("written", machine.plugins / SCREEN_FILE_NAME),
        ]
        assert [result.path.read_bytes() for result in results] == [file.content for file in FILES]
        assert names_in(machine.plugins) == ["orca-tui-status", PLUGIN_FILE_NAME]
        assert names_in(machine.plugins.parent) == ["plugins"]
        assert machine.path.stat().st_mode & 0o777 == 0o644

    def test_what_is_up_to_date_is_not_touched(self, machine: Machine) -> None:
        install_remote(machine, FILES)
        before = everything_below(machine.home)

        assert [result.outcome for result in install_remote(machine, FILES)] == ["unchanged", "unchanged"]
        assert everything_below(machine.home) == before

    def test_the_configuration_folder_may_be_elsewhere(self, machine: Machine) -> None:
        elsewhere = machine.home / "else where"
        machine.argv.insert(2, f"XDG_CONFIG_HOME={elsewhere}")

        assert install_remote(machine, MAIN)[0].path == elsewhere / "opencode" / "plugins" / PLUGIN_FILE_NAME

    def test_a_relative_configuration_folder_counts_as_none(self, machine: Machine) -> None:
        machine.argv.insert(2, "XDG_CONFIG_HOME=config")

        assert install_remote(machine, MAIN)[0].path == machine.path

    @pytest.mark.parametrize("shell", SHELLS)
    def test_any_posix_shell_will_do(self, machine: Machine, shell: str) -> None:
        bins = machine.home / "bin"
        bins.mkdir()
        (bins / "sh").symlink_to(shutil.which(shell) or shell)
        machine.argv[3] = f"PATH={bins}:{os.environ['PATH']}"

        assert [result.outcome for result in install_remote(machine, FILES)] == ["written", "written"]
        assert [found.state for found in status_remote(machine, FILES)] == ["up_to_date", "up_to_date"]
        assert [result.outcome for result in remove_remote(machine, FILES)] == ["removed", "removed"]

    @pytest.mark.parametrize("content", [OLDER, CONTENT + b"// edited\n", CONTENT[:5000], b""])
    def test_what_is_old_edited_cut_short_or_empty_is_replaced(
        self, machine: Machine, content: bytes
    ) -> None:
        path = machine.has(content)

        assert machine.state() == "stale"
        assert machine.install() == ("written", "")
        assert path.read_bytes() == CONTENT
        assert names_in(machine.plugins) == [PLUGIN_FILE_NAME]

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o400, 0o755, 0o664])
    def test_the_mode_is_kept(self, machine: Machine, mode: int) -> None:
        machine.has(OLDER).chmod(mode)

        machine.install()

        assert machine.path.stat().st_mode & 0o7777 == mode

    def test_a_link_is_written_through_and_stays_one(self, machine: Machine) -> None:
        target = machine.home / "dot files" / "it's.js"
        target.parent.mkdir()
        target.write_bytes(OLDER)
        machine.plugins.mkdir(parents=True)
        (machine.home / "middle").symlink_to("dot files/it's.js")
        machine.path.symlink_to("../../../middle")

        [result] = install_remote(machine, MAIN)

        assert (result.outcome, result.target.resolve()) == ("written", target)
        assert os.readlink(machine.path) == "../../../middle"
        assert target.read_bytes() == CONTENT
        before = identity(target)
        assert (machine.install(), identity(target)) == (("unchanged", ""), before)

    def test_a_dangling_link_gets_what_it_leads_to(self, machine: Machine) -> None:
        machine.plugins.mkdir(parents=True)
        machine.path.symlink_to(machine.home / "missing.js")

        assert machine.state() == "stale"
        assert machine.install() == ("written", "")
        assert (machine.home / "missing.js").read_bytes() == CONTENT


class TestNotOurs:
    @pytest.mark.parametrize(
        "content",
        [
            b"// my own plugin\n",
            b"// orca-tui status plugin, revision x\n",
            b"// orca-tui status plugin, revision 1",
            b"// orca-tui status plugin, revision 1234567890\n",
            b"\n// orca-tui status plugin, revision 1\n",
            b"\0\xff\n",
        ],
    )
    def test_a_foreign_file_is_refused_and_left_alone(self, machine: Machine, content: bytes) -> None:
        path = machine.has(content)
        before = identity(path)

        assert machine.install() == ("refused", f"{path} was not written by orca-tui")
        assert remove_remote(machine, MAIN)[0].outcome == "refused"
        assert (path.read_bytes(), identity(path)) == (content, before)

    def test_a_higher_revision_stays(self, machine: Machine) -> None:
        path = machine.has(NEWER)

        assert machine.install()[0] == "newer"
        assert status_remote(machine, MAIN)[0].revision == plugin_revision() + 1
        assert path.read_bytes() == NEWER

    @pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "device"])
    def test_what_is_no_file_is_refused_and_not_waited_for(self, machine: Machine, kind: str) -> None:
        machine.plugins.mkdir(parents=True)
        match kind:
            case "folder":
                machine.path.mkdir()
            case "fifo":
                os.mkfifo(machine.path)
            case "loop":
                machine.path.symlink_to(machine.path)
            case _:
                machine.path.symlink_to("/dev/zero")

        assert machine.state() == "blocked"
        assert machine.install()[0] == "refused"


class TestTrouble:
    def test_a_folder_without_write_permission_is_a_failure_with_a_reason(self, machine: Machine) -> None:
        path = machine.has(OLDER)
        machine.as_nobody()

        outcome, reason = machine.install()

        assert (outcome, "Permission denied" in reason) == ("failed", True)
        assert path.read_bytes() == OLDER
        assert names_in(machine.plugins) == [PLUGIN_FILE_NAME]

    def test_an_unreadable_file_is_replaced_once(self, machine: Machine) -> None:
        path = machine.has(OLDER)
        path.chmod(0)
        if os.geteuid() == 0:
            for place in (machine.home, *machine.home.rglob("*")):
                os.chown(place, NOBODY, -1)
        machine.as_nobody()

        assert machine.state() == "unreadable"
        assert [machine.install()[0] for _ in range(2)] == ["written", "unchanged"]

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self, machine: Machine) -> None:
        machine.plugins.mkdir(parents=True)
        with small_disk(machine.plugins, len(CONTENT) // 2):
            machine.path.write_bytes(OLDER)

            outcome, reason = machine.install()

            assert outcome == "failed"
            assert any(words in reason for words in (*NO_ROOM, "not all of the content"))
            assert machine.path.read_bytes() == OLDER
            assert names_in(machine.plugins) == [PLUGIN_FILE_NAME]

    def test_a_connection_that_breaks_in_the_middle_leaves_the_old_file(self, machine: Machine) -> None:
        class Breaking(Machine):
            def run(self, command: str, stdin: bytes) -> Completed:
                return super().run(command, stdin[:1000])

        machine.has(OLDER)

        [result] = install_remote(Breaking(machine.home), MAIN)

        assert (result.outcome, result.reason) == ("failed", "not all of the content arrived")
        assert machine.path.read_bytes() == OLDER
        assert names_in(machine.plugins) == [PLUGIN_FILE_NAME]

    def test_ten_that_install_at_once_write_one_whole_file(self, machine: Machine) -> None:
        machine.has(OLDER)
        with ThreadPoolExecutor(10) as pool:
            outcomes = list(pool.map(lambda _: machine.install()[0], range(10)))

        assert sorted(outcomes) == ["unchanged"] * 9 + ["written"]
        assert names_in(machine.plugins) == [PLUGIN_FILE_NAME]
        assert names_in(machine.plugins.parent) == ["plugins"]

    @pytest.mark.parametrize("holder", ["", "dead"])
    def test_a_writer_that_died_holds_nobody_up_for_ever(self, machine: Machine, holder: str) -> None:
        machine.has(OLDER)
        gone = subprocess.Popen(["true"])
        gone.wait()
        lock = machine.plugins.parent / ".orca-tui-status.lock"
        lock.write_text(f"{gone.pid}\n" if holder else "")

        assert machine.install() == ("written", "")
        assert not lock.exists()

    @pytest.mark.parametrize(
        ("argv", "words"),
        [
            (["no-such-command"], "No such file or directory"),
            (["false"], "the command ended with 1 and said nothing"),
            (["sh", "-c", "echo Connection refused >&2; exit 255"], "Connection refused"),
            (
                ["sh", "-c", "printf 'orca-tui-plugin\\0oops\\0\\0/a\\0/a\\0\\0'"],
                "'oops' is no answer to that",
            ),
        ],
    )
    def test_a_machine_that_cannot_be_asked_is_told_apart(self, argv: list[str], words: str) -> None:
        with pytest.raises(RemoteError, match=words):
            status_remote(CommandTransport(argv), MAIN)

    def test_what_a_login_prints_is_passed_over(self, machine: Machine) -> None:
        machine.argv[-1:] = ["-c", 'echo welcome; printf "\\0"; eval "$0"']

        assert machine.state() == "missing"


class TestRemove:
    def test_our_files_and_our_folder_are_removed(self, machine: Machine) -> None:
        install_remote(machine, FILES)

        assert [result.outcome for result in remove_remote(machine, FILES)] == ["removed", "removed"]
        assert names_in(machine.plugins) == []
        assert [result.outcome for result in remove_remote(machine, FILES)] == ["missing", "missing"]

    def test_a_link_is_removed_and_what_it_leads_to_stays(self, machine: Machine) -> None:
        target = machine.home / "dotfiles.js"
        target.write_bytes(CONTENT)
        machine.plugins.mkdir(parents=True)
        machine.path.symlink_to(target)

        [result] = remove_remote(machine, MAIN)

        assert (result.outcome, result.reason) == ("removed", f"{target} was left")
        assert not machine.path.is_symlink()
        assert target.read_bytes() == CONTENT
