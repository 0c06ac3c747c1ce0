"""Starting a detached process and learning whether it came up."""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

import pytest

from orca_tui.base.errors import ServerUnavailable
from orca_tui.process import daemon

PREFIX = (
    "import os, signal, sys, time\nfrom orca_tui.process.daemon import announce_ready\n"
    "fd = int(sys.argv[sys.argv.index('--ready-fd') + 1])\n"
)


SELECT_LIMIT = 1024  # FD_SETSIZE


def start(code: str, log_file: Path, timeout_s: float = 20.0) -> int:
    return daemon.start(
        [sys.executable, "-c", PREFIX + code], log_file=log_file, environment=os.environ, timeout_s=timeout_s
    )


def test_the_start_returns_when_the_process_says_that_it_is_ready(tmp_path: Path) -> None:
    pid = start("print('hello', flush=True); announce_ready(fd); signal.pause()", tmp_path / "state" / "log")

    try:
        assert os.getsid(pid) == pid
        assert (tmp_path / "state" / "log").read_text() == "hello\n"
        assert (tmp_path / "state" / "log").stat().st_mode & 0o777 == 0o600
        assert os.readlink(f"/proc/{pid}/fd/0") == os.devnull
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_what_the_starter_inherited_is_not_held_by_the_server(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    os.set_blocking(reading, False)
    pid = start("announce_ready(fd); signal.pause()", tmp_path / "log")

    try:
        os.close(writing)
        assert os.read(reading, 1) == b"", "nobody else has the other end"
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_a_process_that_dies_is_told_with_its_last_words_only(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("words of an earlier server\n")

    with pytest.raises(ServerUnavailable, match="ended at once") as caught:
        start("raise SystemExit('no engine here')", log)

    assert "no engine here" in caught.value.message
    assert "earlier" not in caught.value.message


def test_a_process_that_hangs_is_ended(tmp_path: Path) -> None:
    log = tmp_path / "log"

    with pytest.raises(ServerUnavailable, match="does not answer"):
        start("print(os.getpid(), flush=True); signal.pause()", log, timeout_s=3.0)

    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text()), 0)


def test_a_command_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="could not be started"):
        daemon.start(["/no/such/python"], log_file=tmp_path / "log", environment={})


def test_a_log_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ServerUnavailable, match="cannot be kept"):
        start("", tmp_path / "file" / "log")


def test_a_starter_that_is_gone_does_not_stop_the_server() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    daemon.announce_ready(writing)

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(writing)


def test_a_starter_with_more_files_than_select_can_name_starts_one_all_the_same(tmp_path: Path) -> None:
    first = os.open(os.devnull, os.O_RDONLY)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * SELECT_LIMIT)), hard))
    held = [os.dup(first) for _ in range(SELECT_LIMIT)]
    try:
        pid = start("announce_ready(fd)", tmp_path / "log")
    finally:
        for descriptor in (first, *held):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    os.waitpid(pid, 0)
