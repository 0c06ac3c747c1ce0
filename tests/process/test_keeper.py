"""The keeper as a process: what outlives a server, and what the next one gets."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from orca_tui.base.clock import SystemClock
from orca_tui.base.errors import ServerUnavailable, SpawnFailed
from orca_tui.process import daemon, keeper_script
from orca_tui.process.keeper_wire import VERSION, FrameCutter, frame
from orca_tui.process.kept import KeptChild, KeptSpawner
from orca_tui.process.pty_io import PtyIo
from orca_tui.process.spawner import HUNG_UP, Kept, Program
from tests.process.keepers import KeeperProcess, keeper_process
from tests.process.programs import LIMIT_S, Running, python, until

pytestmark = pytest.mark.anyio

COUNT = "n=0; while :; do echo n$n; n=$((n+1)); done"
MAX_RSS_BYTES = 15 << 20
MANY = 200


def program(*argv: str, key: str = "") -> Program:
    return Program(
        argv=argv, environment={"PATH": os.environ["PATH"]}, directory="/", cols=80, rows=24, key=key
    )


def nothing(_: object) -> None:
    pass


@asynccontextmanager
async def reading(child: object, first: bytes = b"") -> AsyncIterator[Running]:
    """What a child writes, after `first`."""
    assert isinstance(child, KeptChild)
    run = Running()
    run.child = child
    run.received(first)
    run.io = PtyIo(child.master, SystemClock(), received=run.received, ended=run.ended)
    run.io.resume()
    try:
        yield run
    finally:
        run.io.close()


def numbers(output: bytes) -> list[int]:
    """The whole lines `n1`, `n2` ... of an output."""
    return [int(line[1:]) for line in bytes(output).split(b"\r\n")[1:-1]]


async def taken_over(process: KeeperProcess) -> tuple[KeptSpawner, Kept]:
    """The next server, and the one program that it is handed."""
    spawner = process.spawner()
    (kept,) = await spawner.open(nothing)
    return spawner, kept


async def test_a_program_outlives_its_server_and_no_byte_is_lost_within_the_grace() -> None:
    with keeper_process() as process:
        first = process.spawner()
        child = await first.spawn(program("/bin/sh", "-c", COUNT, key="p1"), nothing)
        async with reading(child) as before:
            await before.says(b"n500\r")
        await first.close(end=False)
        child.close()

        second, kept = await taken_over(process)

        assert (kept.key, kept.child.pid, kept.lost, kept.missed) == ("p1", child.pid, 0, b"")
        async with reading(kept.child, bytes(before.output)) as after:
            await after.until(lambda: len(after.output) > len(before.output) + 100_000)
        counted = numbers(after.output)
        assert counted == list(range(1, len(counted) + 1))
        kept.child.kill()
        await second.close(end=True)


async def test_after_the_grace_the_newest_output_is_kept_and_what_is_lost_is_counted() -> None:
    with keeper_process(grace_s=0.0, ring_bytes=10_000) as process:
        first = process.spawner()
        child = await first.spawn(program("/bin/sh", "-c", COUNT, key="p1"), nothing)
        await first.close(end=False)
        assert process.pid is not None
        await until(lambda: cpu_of(child.pid) > 0.2)  # It is not stopped by a full terminal.

        second, kept = await taken_over(process)

        assert len(kept.missed) == 10_000
        assert kept.lost > 0
        async with reading(kept.child, kept.missed) as after:
            await after.until(lambda: len(after.output) > 50_000)
        counted = numbers(after.output)
        assert counted == list(range(counted[0], counted[0] + len(counted)))
        kept.child.kill()
        await second.close(end=True)


async def test_a_ring_is_given_again_until_a_server_has_it_where_the_next_one_looks() -> None:
    with keeper_process(grace_s=0.0) as process:
        first = process.spawner()
        await first.spawn(program("/bin/sh", "-c", "read x; echo words; read x", key="p1"), nothing)
        await first.close(end=False)
        spawner, kept = await taken_over(process)
        os.write(kept.child.master, b"\n")
        for _ in range(2):
            await spawner.close(end=False)
            await until(lambda: b"words" in ring_of(process))
            spawner, kept = await taken_over(process)
            assert b"words" in kept.missed

        kept.took()
        await spawner.close(end=False)

        spawner, kept = await taken_over(process)
        assert kept.missed == b""
        await spawner.close(end=True)


def ring_of(process: KeeperProcess) -> bytes:
    """What a server would be given now; asked as one that takes nothing."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(str(process.socket))
        server.sendall(frame({"op": "hello", "v": VERSION}))
        server.settimeout(LIMIT_S)
        cutter = FrameCutter()
        while True:
            data, descriptors, _, _ = socket.recv_fds(server, 1 << 16, 1)
            for descriptor in descriptors:
                os.close(descriptor)
            for head, raw in cutter.feed(data):
                if head["ev"] == "pane":
                    return raw


async def test_an_exit_without_a_server_is_told_to_the_next_until_one_has_taken_note() -> None:
    with keeper_process() as process:
        first = process.spawner()
        child = await first.spawn(program("/bin/sh", "-c", "exit 7", key="p1"), nothing)
        await first.close(end=False)
        await until(lambda: not psutil.pid_exists(child.pid))
        second, kept = await taken_over(process)
        await second.close(end=False)  # It has not listened.
        third, kept = await taken_over(process)
        codes: list[int] = []
        kept.listen(codes.append)
        await until(lambda: bool(codes))
        await third.close(end=False)

        fourth = process.spawner()

        assert codes == [7]
        assert await fourth.open(nothing) == ()
        await fourth.close(end=True)


async def test_a_killed_keeper_ends_the_programs_and_a_new_one_starts_with_the_next_pane() -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        lost: list[bool] = []
        assert await spawner.open(lost.append) == ()
        codes: list[int] = []
        child = await spawner.spawn(program("/bin/cat"), codes.append)

        process.kill()

        await until(lambda: bool(lost))
        assert lost == [False]
        assert codes == [HUNG_UP]
        await until(lambda: not running(child.pid))
        again = await spawner.spawn(program("/bin/cat"), codes.append)
        assert again.pid != child.pid
        again.kill()
        await spawner.close(end=True)


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def cpu_of(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def test_a_server_whose_keeper_has_another_one_does_not_take_it_back() -> None:
    with keeper_process() as process:
        first = process.spawner()
        lost: list[bool] = []
        await first.open(lost.append)
        second = process.spawner()
        dropped: list[bool] = []
        await second.open(dropped.append)

        with pytest.raises(SpawnFailed):
            await first.spawn(program("/bin/cat"), nothing)
        await until(lambda: bool(lost))
        with pytest.raises(SpawnFailed, match="another one takes over"):
            await first.spawn(program("/bin/cat"), nothing)

        child = await second.spawn(program("/bin/cat"), nothing)
        assert running(child.pid)
        assert (lost, dropped) == ([True], [])
        await first.close(end=False)
        await second.close(end=True)


async def test_a_newer_server_takes_the_place_of_the_one_before_and_no_program_ends() -> None:
    with keeper_process() as process:
        first = process.spawner()
        lost: list[bool] = []
        await first.open(lost.append)
        child = await first.spawn(program("/bin/cat", key="p1"), nothing)

        second, kept = await taken_over(process)

        await until(lambda: bool(lost))
        assert lost == [True]
        assert kept.child.pid == child.pid
        assert running(child.pid)
        await second.close(end=True)


async def test_a_server_that_takes_nothing_is_dropped_and_the_next_gets_everything() -> None:
    with keeper_process(grace_s=0.0, send_timeout_s=0.1) as process:
        spawner = process.spawner()
        flood = "import os\nwhile True: os.write(1, b'x' * 4096)"
        await spawner.spawn(program(*python(flood), key="p1"), nothing)
        await spawner.close(end=False)
        await until(lambda: len(ring_of(process)) == 1 << 20)
        with socket.socket(socket.AF_UNIX) as stuck:
            stuck.connect(str(process.socket))
            stuck.sendall(frame({"op": "hello", "v": VERSION}))

            next_one, kept = await taken_over(process)

        assert kept.missed.count(b"x") == 1 << 20
        kept.child.kill()
        await next_one.close(end=True)


async def test_the_keeper_ends_with_its_programs_when_it_is_told_to() -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        child = await spawner.spawn(program("/bin/cat"), nothing)
        await spawner.close(end=True)
        process.wait()

        await until(lambda: not running(child.pid))
        assert not process.socket.exists()


async def test_a_terminated_keeper_hangs_up_on_its_programs() -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        child = await spawner.spawn(program("/bin/cat"), nothing)
        await spawner.close(end=False)
        child.close()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGTERM)
        process.wait()

        await until(lambda: not running(child.pid))


async def test_a_socket_that_was_cleaned_away_is_there_again_for_the_next_server() -> None:
    with keeper_process() as process:
        first = process.spawner()
        child = await first.spawn(program("/bin/cat", key="p1"), nothing)
        process.socket.unlink()
        process.socket.parent.rmdir()
        await first.close(end=False)
        await until(process.socket.exists)

        second, kept = await taken_over(process)

        assert kept.child.pid == child.pid
        assert process.socket.stat().st_mode & 0o777 == 0o600
        await second.close(end=True)


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        frame({"op": "end"}),
        frame({"op": "hello"}),
        frame({}),
        frame({"op": "hello", "v": VERSION}) + frame({"op": "what"}),
        frame({"op": "hello", "v": VERSION}) + frame({"op": "spawn", "id": "x", "cols": "a", "rows": 1}),
    ],
)
async def test_what_is_no_server_is_dropped_and_harms_nobody(said: bytes) -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        child = await spawner.spawn(program("/bin/cat", key="p1"), nothing)
        await spawner.close(end=False)
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.settimeout(LIMIT_S)
            stranger.connect(str(process.socket))
            stranger.sendall(said)
            while stranger.recv(1 << 16):
                pass

        spawner, kept = await taken_over(process)

        assert kept.child.pid == child.pid
        await spawner.close(end=True)


async def test_a_server_of_another_version_is_told_so_and_changes_nothing() -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        lost: list[bool] = []
        await spawner.open(lost.append)
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.settimeout(LIMIT_S)
            stranger.connect(str(process.socket))
            stranger.sendall(frame({"op": "hello", "v": VERSION + 1}))
            ((head, _),) = FrameCutter().feed(stranger.recv(1 << 16))

        assert head == {"ev": "refused", "v": VERSION}
        child = await spawner.spawn(program("/bin/cat"), nothing)
        assert running(child.pid)
        assert lost == []
        await spawner.close(end=True)


async def test_a_keeper_without_programs_and_server_ends_by_itself() -> None:
    with keeper_process(idle_s=0.3) as process:
        spawner = process.spawner()
        await spawner.open(nothing)
        await spawner.close(end=False)

        process.wait()

        assert not process.socket.exists()


async def test_exits_that_nobody_asks_for_do_not_keep_it() -> None:
    with keeper_process(idle_s=0.3) as process:
        spawner = process.spawner()
        child = await spawner.spawn(program("/bin/sh", "-c", "read x", key="p1"), nothing)
        await spawner.close(end=False)
        child.hang_up()

        process.wait()

        assert not process.socket.exists()


async def test_a_program_that_runs_keeps_it_without_a_server() -> None:
    with keeper_process(idle_s=0.05) as process:
        spawner = process.spawner()
        child = await spawner.spawn(program("/bin/sh", "-c", "sleep 0.5; exec cat", key="p1"), nothing)
        await spawner.close(end=False)
        await until(lambda: psutil.Process(child.pid).name() == "cat")

        second, kept = await taken_over(process)

        assert kept.child.pid == child.pid
        await second.close(end=True)


async def test_a_program_that_could_not_be_run_leaves_no_zombie() -> None:
    with keeper_process() as process:
        spawner = process.spawner()
        for _ in range(3):
            with pytest.raises(SpawnFailed):
                await spawner.spawn(program("/no/such/program"), nothing)

        await until(lambda: not psutil.Process(process.pid).children())
        await spawner.close(end=True)


async def test_two_hundred_programs_change_their_server() -> None:
    with keeper_process() as process:
        first = process.spawner()
        children = [await first.spawn(program("/bin/cat", key=f"p{n}"), nothing) for n in range(MANY)]
        await first.close(end=False)

        second = process.spawner()
        kept = await second.open(nothing)

        assert {one.key: one.child.pid for one in kept} == {
            f"p{n}": child.pid for n, child in enumerate(children)
        }
        for one, child in zip(kept, children, strict=True):
            one.child.close()
            child.close()
        await second.close(end=True)


async def test_a_server_without_descriptors_left_gets_a_reason_and_goes_on() -> None:
    import resource

    with keeper_process() as process:
        spawner = process.spawner()
        await spawner.open(nothing)
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        probe = os.dup(0)
        os.close(probe)
        resource.setrlimit(resource.RLIMIT_NOFILE, (probe, before[1]))
        try:
            with pytest.raises(SpawnFailed, match="too many open files"):
                await spawner.spawn(program("/bin/cat"), nothing)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)

        child = await spawner.spawn(program("/bin/cat"), nothing)
        assert running(child.pid)
        child.kill()
        await spawner.close(end=True)


async def test_a_keeper_that_dies_while_it_hands_over_is_a_reason_and_no_hang(tmp_path: Path) -> None:
    async def hand_over(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(frame({"ev": "hello", "v": VERSION, "keeper": "k", "panes": 1}))
        await writer.drain()
        writer.close()

    async with await asyncio.start_unix_server(hand_over, tmp_path / "k"):
        spawner = KeptSpawner(tmp_path / "k", lambda: None)

        with pytest.raises(ServerUnavailable, match="hung up"):
            await spawner.open(nothing)
        with pytest.raises(SpawnFailed, match="hung up"):
            await spawner.spawn(program("/bin/cat"), nothing)


async def test_a_keeper_that_cannot_be_started_is_a_reason_and_no_hang(tmp_path: Path) -> None:
    spawner = KeptSpawner(tmp_path / "no.keeper", lambda: None)

    with pytest.raises(ServerUnavailable, match="does not answer"):
        await spawner.open(nothing)
    with pytest.raises(SpawnFailed, match="does not answer"):
        await spawner.spawn(program("/bin/cat"), nothing)


def test_the_keeper_is_small_and_there_is_one_of_a_name() -> None:
    with keeper_process() as process:
        command = [
            sys.executable,
            "-I",
            "-S",
            keeper_script.__file__,
            str(process.socket),
            str(process.root / "lock"),
        ]
        process.pid = daemon.start(command, log_file=process.log, environment=os.environ)

        second = subprocess.run([*command, "--ready-fd", "1"], capture_output=True, check=False)

        assert second.returncode == keeper_script.LOCKED
        assert psutil.Process(process.pid).memory_info().rss <= MAX_RSS_BYTES
        assert psutil.Process(process.pid).num_threads() == 1
        print("keeper RSS", psutil.Process(process.pid).memory_info().rss / (1 << 20))
