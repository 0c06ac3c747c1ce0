"""A helper process that may misbehave: its stacks, its bounds, its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

import orca_tui
from orca_tui.base.errors import SpawnFailed
from orca_tui.process.confined import NICENESS, confess
from orca_tui.process.helper import MOST_LOG_BYTES, Helper, HelperProgram
from tests.process.programs import until

pytestmark = pytest.mark.anyio

ROOT = Path(orca_tui.__file__).parent.parent
BEGIN = """
import os, sys, time
from orca_tui.process import confined
confined.LINGERS_S = 0.1
confined.confine(stack_fd=int(sys.argv[-1]), memory_bytes=400 << 20)
"""


def program(tmp_path: Path, source: str) -> HelperProgram:
    file = tmp_path / "helper.py"
    file.write_text(BEGIN + source)
    return HelperProgram(
        argv=[sys.executable, "-u", str(file)],
        environment={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        log_file=tmp_path / "log",
    )


@asynccontextmanager
async def running(tmp_path: Path, source: str) -> AsyncIterator[Helper]:
    """A helper that has come as far as to print `ready`."""
    helper = await Helper.start(program(tmp_path, source))
    try:
        async with asyncio.timeout(20):
            while "ready" not in (tmp_path / "log").read_text():  # noqa: ASYNC110 - nothing announces it.
                await asyncio.sleep(0.01)
            yield helper
    finally:
        helper.kill()
        await helper.wait()
        helper.forget()


async def test_a_process_that_sleeps_says_where(tmp_path: Path) -> None:
    async with running(tmp_path, "def nap():\n    print('ready')\n    time.sleep(1000)\nnap()") as helper:
        stacks = await helper.stacks()

    assert f'File "{tmp_path}/helper.py", line 8 in nap' in stacks


async def test_code_that_never_lets_go_of_the_interpreter_says_where(tmp_path: Path) -> None:
    source = "def grind():\n    print('ready')\n    return 7 ** (10 ** 9)\ngrind()"
    async with running(tmp_path, source) as helper:
        stacks = await helper.stacks()

    assert "in grind" in stacks


async def test_a_stopped_process_says_nothing_and_is_ended_all_the_same(tmp_path: Path) -> None:
    async with running(tmp_path, "print('ready')\ntime.sleep(1000)") as helper:
        os.kill(helper.pid, signal.SIGSTOP)

        assert await helper.stacks() == ""
        helper.kill()
        assert await helper.wait() == -signal.SIGKILL


async def test_a_crash_leaves_its_stack(tmp_path: Path) -> None:
    source = "import ctypes\ndef crash():\n    ctypes.string_at(0)\nprint('ready')\ncrash()"
    async with running(tmp_path, source) as helper:
        assert await helper.wait() == -signal.SIGSEGV
        assert "in crash" in helper.last_words()


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA bounds nothing elsewhere")
async def test_who_wants_more_memory_than_there_may_be_gets_an_error(tmp_path: Path) -> None:
    source = """
try:
    x = b"x" * (1 << 30)
except MemoryError:
    print("ready: refused")
time.sleep(1000)
"""
    async with running(tmp_path, source):
        assert "ready: refused" in (tmp_path / "log").read_text()


async def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    source = (
        "import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\nprint(f'{child.pid} ready')\n"
        "time.sleep(1000)"
    )
    async with running(tmp_path, source):
        child = int((tmp_path / "log").read_text().split()[0])
        assert psutil.pid_exists(child)

    await until(lambda: has_ended(child))


def has_ended(pid: int) -> bool:
    """A killed process may be there for a moment; nobody may have asked how it ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def test_a_stuck_process_ends_when_its_starter_is_gone(tmp_path: Path) -> None:
    async with running(tmp_path, "print('ready')\ntime.sleep(1000)") as helper:
        assert helper._process.stdin is not None
        helper._process.stdin.close()  # As the kernel does at the starter's end.

        assert await helper.wait() == 1


async def test_its_usage_is_known_while_it_lives(tmp_path: Path) -> None:
    async with running(tmp_path, "print('ready')\ntime.sleep(1000)") as helper:
        usage = helper.usage()
        assert usage is not None
        assert usage.rss_bytes > 1 << 20
        assert psutil.Process(helper.pid).nice() == psutil.Process().nice() + NICENESS

        helper.kill()
        await helper.wait()
        assert helper.usage() is None
        assert await helper.stacks() == ""


async def test_its_log_begins_anew_when_it_is_too_long(tmp_path: Path) -> None:
    async with running(tmp_path, "print('ready')\nsys.stdin.read()\ntime.sleep(1000)") as helper:
        helper.bound_log()
        assert "ready" in (tmp_path / "log").read_text()

        with (tmp_path / "log").open("ab") as log:
            log.truncate(MOST_LOG_BYTES + 1)
        helper.bound_log()
        assert (tmp_path / "log").stat().st_size == 0


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    missing = HelperProgram(argv=[str(tmp_path / "none")], environment={}, log_file=tmp_path / "log")

    with pytest.raises(SpawnFailed, match="cannot be started"):
        await Helper.start(missing)


async def test_the_peak_of_its_memory_grows_and_never_shrinks(tmp_path: Path) -> None:
    source = """
peak_bytes = confined.PeakMemory()
before = peak_bytes()
x = b"x" * (64 << 20)
grown = peak_bytes()
del x
inexact = 1 << 20  # Linux counts pages by processor, and adds them up when it has time.
quiet = 0
def seen(event, _):
    global quiet
    quiet += event == "open"
sys.addaudithook(seen)
for _ in range(1000):
    peak_bytes()
quiet = quiet < 100  # The file is not read each time.
print("ready", quiet and before + (32 << 20) < grown <= peak_bytes() + inexact, before, grown, peak_bytes())
time.sleep(1000)
"""
    async with running(tmp_path, source):
        assert "ready True" in (tmp_path / "log").read_text()


async def test_a_start_that_is_given_up_leaves_no_descriptor_open(tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")
    starting = asyncio.ensure_future(Helper.start(program(tmp_path, "print('ready')")))
    await asyncio.sleep(0)
    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting
    assert os.listdir("/dev/fd") == before


def test_a_last_exception_is_told_by_its_place_and_without_its_message() -> None:
    reading, writing = os.pipe()
    try:
        raise ValueError("a secret")
    except ValueError as error:
        confess(writing, error)
    os.close(writing)
    with os.fdopen(reading) as said:
        words = said.read()

    assert f'File "{__file__}"' in words
    assert "secret" not in words
