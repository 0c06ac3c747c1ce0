"""The session on the disk: never half, with backups, whenever a crash comes."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId
from orca_tui.layout import Layout, open_in_workspace
from orca_tui.server.persist_snapshot import Damaged
from orca_tui.server.saved_session import SavedPane, SavedSession, decoded, encoded
from orca_tui.server.session_file import BACKUPS, EARLIER, SessionFile

KILLED = -signal.SIGKILL


def session(at: float = 1.0, panes: int = 1) -> SavedSession:
    layout = Layout(next_pane=panes + 1)
    for number in range(1, panes + 1):
        layout = open_in_workspace(layout, PaneId(f"p{number}"), f"w{number}")
    saved = tuple(
        SavedPane(
            id=f"p{number}",
            command=("cat", "ü\n"),
            directory="/",
            size=(80, 24),
            token="t" * 43,
            status=bytes(range(256)),
            resumes=("claude", "id"),
        )
        for number in range(1, panes + 1)
    )
    return SavedSession(server="default", keeper="k", saved_at=at, layout=layout, panes=saved)


@pytest.fixture
def file(tmp_path: Path) -> SessionFile:
    made = SessionFile(tmp_path / "dir")
    made.open()
    return made


def test_what_is_written_is_read(file: SessionFile, tmp_path: Path) -> None:
    file.write(session(panes=3))

    assert file.load() == (session(panes=3), "")
    assert (tmp_path / "dir").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "dir" / "session.json").stat().st_mode & 0o777 == 0o600


def test_without_a_file_there_is_no_session_and_nothing_to_say(file: SessionFile) -> None:
    assert file.load() == (None, "")


def test_every_damage_is_noticed() -> None:
    whole = encoded(session())
    for at in range(len(whole) - 1):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            with pytest.raises(Damaged):
                decoded(damaged)


def test_a_file_that_cannot_be_read_gives_way_to_the_newest_good_backup_and_says_so(
    file: SessionFile, tmp_path: Path
) -> None:
    for number in range(1, 5):
        file.write(session(at=number))
        file.back_up()
    (tmp_path / "dir" / "session.json").write_bytes(b"rubbish")
    (tmp_path / "dir" / "session.1.json").write_bytes(encoded(session())[:100])

    loaded = file.load()

    assert loaded.session == session(at=3)
    assert "session.json cannot be used" in loaded.note
    assert "session.2.json was used instead" in loaded.note


def test_there_are_three_backups_and_a_damaged_file_is_none(file: SessionFile, tmp_path: Path) -> None:
    for number in range(1, 7):
        file.write(session(at=number))
        file.back_up()
    (tmp_path / "dir" / "session.json").write_bytes(b"rubbish")
    file.back_up()

    backups = [tmp_path / "dir" / f"session.{number}.json" for number in range(1, BACKUPS + 1)]
    assert [decoded(path.read_bytes()).saved_at for path in backups] == [6, 5, 4]
    assert not (tmp_path / "dir" / f"session.{BACKUPS + 1}.json").exists()


def test_sessions_of_earlier_lives_have_ids_and_the_oldest_go(file: SessionFile) -> None:
    ids = [file.put_aside(session(at=number)) for number in range(EARLIER + 2)]

    assert ids == [f"s{number}" for number in range(1, EARLIER + 3)]
    assert file.earlier_ids() == ids[2:]
    assert file.earlier(ids[-1]).saved_at == EARLIER + 1
    file.forget(ids[-1])
    for gone in (ids[0], ids[-1], "s", "../session", "x1"):
        with pytest.raises(NotFound):
            file.earlier(gone)


# Kills


def killed_child(work: Callable[[], None], before: Callable[[], None]) -> int:
    """Do work in a process that `before` prepares for its end; how it ended."""
    pid = os.fork()
    if pid == 0:
        before()
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_at_event(number: int) -> Callable[[], None]:
    """Be killed at the so-manieth file operation."""

    def prepare() -> None:
        left = number

        def hook(event: str, _: object) -> None:
            nonlocal left
            if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.truncate", "os.chmod"):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)

    return prepare


def kill_at_byte(number: int) -> Callable[[], None]:
    """Be killed when a file grows beyond so many bytes, which leaves it half."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))

    return prepare


def test_a_kill_at_any_operation_leaves_a_session_that_loads(file: SessionFile) -> None:
    file.write(session(at=1))
    for number in range(30):

        def work(at: float = 10.0 + number) -> None:
            file.back_up()
            file.write(session(at=at, panes=3))

        how = killed_child(work, kill_at_event(number))
        loaded = file.load()
        assert loaded.session is not None
        assert loaded.note == ""
        if how == 0:
            break
        assert how == KILLED
    assert how == 0
    assert number > 3  # It was really killed on the way.


def test_a_kill_at_any_byte_leaves_the_session_before(file: SessionFile) -> None:
    file.write(session(at=1))
    size = len(encoded(session(at=2, panes=3)))
    for limit in range(0, size, size // 20):
        how = killed_child(lambda: file.write(session(at=2, panes=3)), kill_at_byte(limit))

        assert how == -signal.SIGXFSZ
        assert file.load() == (session(at=1), "")


def test_a_full_disk_leaves_the_session_before(file: SessionFile, tmp_path: Path) -> None:
    file.write(session(at=1))

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            file.write(session(at=2, panes=3))
        except OSError:
            os._exit(7)

    assert killed_child(work, kill_at_byte(100)) == 7
    assert file.load() == (session(at=1), "")
    assert sorted(path.name for path in (tmp_path / "dir").iterdir()) == ["earlier", "session.json"]
