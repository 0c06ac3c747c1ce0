"""One process at a time holds a lock, and a dead one holds none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from orca_tui.process.lock import LockFile


def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    first = LockFile.acquire(tmp_path / "lock")
    assert first is not None
    assert LockFile.acquire(tmp_path / "lock") is None

    first.release()
    first.release()
    second = LockFile.acquire(tmp_path / "lock")

    assert second is not None
    second.release()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from orca_tui.process.lock import LockFile\n"
        "lock = LockFile.acquire(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert LockFile.acquire(tmp_path / "lock") is None
        holder.kill()
        holder.wait()

    lock = LockFile.acquire(tmp_path / "lock")
    assert lock is not None
    lock.release()


def test_the_file_is_private(tmp_path: Path) -> None:
    lock = LockFile.acquire(tmp_path / "lock")
    assert lock is not None

    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
    lock.release()
