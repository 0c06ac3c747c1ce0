"""The process table, looked at with real programs."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path

import pytest

from orca_tui.process.table import SystemTable
from tests.process.local_spawner import LocalSpawner
from tests.process.programs import python, running

pytestmark = pytest.mark.anyio


async def test_the_foreground_group_is_the_job_that_has_the_keyboard() -> None:
    argv = python("print('job', flush=True); import signal; signal.pause()")
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in argv)
    async with running(LocalSpawner(), "/bin/bash", "-c", f"set -m; {quoted}; echo over") as run:
        await run.says(b"job")
        group = SystemTable().foreground_group(run.child.master)

        assert group is not None
        assert group != run.child.pid
        members = SystemTable().members(group)
        assert [process.argv for process in members] == [argv]
        assert members == (SystemTable().process(members[0].pid),)


async def test_a_group_exists_until_the_last_of_it_is_reaped() -> None:
    leader = await asyncio.create_subprocess_exec("/bin/sh", "-c", "sleep 60 & exit", process_group=0)
    assert SystemTable().group_exists(leader.pid)
    await leader.wait()
    assert SystemTable().process(leader.pid) is None
    assert SystemTable().group_exists(leader.pid), "the one that it left behind lives"

    os.killpg(leader.pid, signal.SIGKILL)

    await until_gone(leader.pid)


async def until_gone(group: int) -> None:
    async with asyncio.timeout(10):
        while SystemTable().group_exists(group):  # noqa: ASYNC110 - nobody announces it.
            await asyncio.sleep(0.01)


async def test_a_terminal_without_programs_has_no_foreground() -> None:
    master, slave = os.openpty()
    try:
        assert SystemTable().foreground_group(master) is None
    finally:
        os.close(master)
        os.close(slave)


async def test_a_process_that_has_ended_is_none_even_before_it_is_reaped() -> None:
    process = subprocess.Popen(["/bin/true"])  # noqa: ASYNC220 - it must not be waited for.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # noqa: ASYNC222

    assert SystemTable().process(process.pid) is None
    process.wait()


async def test_a_directory_is_where_the_process_is_now(tmp_path: Path) -> None:
    async with running(LocalSpawner(), "/bin/sh", "-c", f"cd {tmp_path}; echo there; read x") as run:
        await run.says(b"there")
        assert SystemTable().directory(run.child.pid) == str(tmp_path)

    assert SystemTable().directory(run.child.pid) is None


async def test_usage_counts_every_process_of_the_session() -> None:
    async with running(
        LocalSpawner(), "/bin/bash", "-c", "set -m; sleep 100 & sleep 100 & echo go; wait"
    ) as run:
        await run.says(b"go")
        usage = SystemTable().usage([run.child.pid])

        assert len(usage[run.child.pid]) == 3
        assert all(used.rss_bytes > 0 for used in usage[run.child.pid].values())


def test_a_number_larger_than_any_process_is_none() -> None:
    table = SystemTable()

    assert table.process(1795988010071) is None
    assert table.group_of(1795988010071) is None


async def test_a_line_of_parents_tells_sessions_and_begins_with_the_process_itself() -> None:
    async with running(LocalSpawner(), "/bin/sh", "-c", "setsid -w sh -c 'echo $$; read x'; :") as run:
        await run.says(b"\n")
        inner = int(run.output.split()[0])
        line = SystemTable().lineage(inner)

        pids = [kin.pid for kin in line]
        assert pids[0] == inner
        assert run.child.pid in pids
        assert os.getpid() in pids
        sessions = {kin.pid: kin.session for kin in line}
        assert sessions[inner] == inner
        assert sessions[run.child.pid] == run.child.pid
        leader = SystemTable().process(run.child.pid)
        assert leader is not None
        assert {kin.pid: kin.started for kin in line}[run.child.pid] == leader.started


def test_a_process_that_is_gone_has_no_line() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()

    assert SystemTable().lineage(process.pid) == ()
