"""The contract of spawners. Every implementation passes it: add a new one to `spawner`'s parameters."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

import pytest

from orca_tui.base.errors import Invalid, SpawnFailed
from orca_tui.process.spawner import Program, Spawner
from tests.process.keepers import kept_spawner
from tests.process.local_spawner import LocalSpawner
from tests.process.programs import python, running, tells_sizes

pytestmark = pytest.mark.anyio

SPAWNERS: dict[str, Callable[[], AbstractAsyncContextManager[Spawner]]] = {
    "local": lambda: nullcontext(LocalSpawner()),
    "kept": kept_spawner,
}


@pytest.fixture(params=SPAWNERS)
async def spawner(request: pytest.FixtureRequest) -> AsyncIterator[Spawner]:
    async with SPAWNERS[request.param]() as made:
        yield made


async def test_the_program_runs_in_its_directory_with_exactly_its_environment(
    spawner: Spawner, tmp_path: Path
) -> None:
    code = "import os; print(sorted(os.environb.items())); print(os.getcwd())"
    environment = {"PATH": "/bin", "NAME": "ü = 1\n2", "EMPTY": ""}

    async with running(spawner, *python(code), environment=environment, directory=str(tmp_path)) as run:
        await run.exits()

    shown = [item for item in eval(run.output.split(b"\r\n")[0]) if item[0] != b"LC_CTYPE"]
    assert shown == sorted((os.fsencode(name), os.fsencode(value)) for name, value in environment.items())
    assert run.output.split(b"\r\n")[1] == os.fsencode(tmp_path)


async def test_bytes_that_are_no_text_survive_in_arguments_and_variables(spawner: Spawner) -> None:
    raw = os.fsdecode(b"\xff\xfe")

    async with running(
        spawner, "/bin/sh", "-c", 'printf %s "$1$RAW" | od -An -tx1', "sh", raw, environment={"RAW": raw}
    ) as run:
        await run.says(b"ff fe ff fe")


async def test_the_terminal_controls_the_program_and_has_its_size(spawner: Spawner) -> None:
    code = (
        "import os\n"
        "assert os.getsid(0) == os.getpid() == os.getpgrp() == os.tcgetpgrp(0)\n"
        "open('/dev/tty').close()\n"
        "print(os.get_terminal_size(0), [os.isatty(n) for n in range(3)])"
    )

    async with running(spawner, *python(code), cols=101, rows=33) as run:
        await run.says(b"columns=101, lines=33) [True, True, True]")
        assert await run.exits() == 0


async def test_no_descriptor_of_the_server_is_inherited(spawner: Spawner) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        async with running(spawner, "/bin/sh", "-c", "ls /dev/fd; echo end") as run:
            await run.says(b"end")
    finally:
        os.close(reading)
        os.close(writing)

    assert set(bytes(run.output).split()) - {b"end"} <= {b"0", b"1", b"2", b"3"}


async def test_ignored_and_blocked_signals_are_not_inherited(spawner: Spawner) -> None:
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGUSR1)}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    code = (
        "import signal\n"
        "ignored = [s.name for s in signal.valid_signals() if signal.getsignal(s) == signal.SIG_IGN]\n"
        "print('ignored', sorted(set(ignored) - {'SIGPIPE', 'SIGXFSZ'}), end=' ')\n"  # Python's own habit.
        "print('blocked', signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    try:
        async with running(spawner, *python(code)) as run:
            await run.says(b"ignored [] blocked set()")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.mark.parametrize(
    ("argv", "directory", "reason", "exit_code"),
    [
        (("no-such-command",), "/", "command not found: no-such-command", 127),
        (("/no/such/command",), "/", "command not found: /no/such/command", 127),
        (("/etc/passwd",), "/", "/etc/passwd cannot be run: Permission denied", 126),
        (("/bin/sh",), "/no/such/directory", "the directory /no/such/directory does not exist", 126),
        (("/bin/sh",), "/etc/passwd", "the directory /etc/passwd cannot be entered: Not a directory", 126),
    ],
)
async def test_a_program_that_cannot_be_run_is_refused_with_the_reason_and_a_shells_exit_code(
    spawner: Spawner, argv: tuple[str, ...], directory: str, reason: str, exit_code: int
) -> None:
    program = Program(argv=argv, environment={"PATH": "/bin"}, directory=directory, cols=80, rows=24)

    with pytest.raises(SpawnFailed) as caught:
        await spawner.spawn(program, lambda _: None)

    assert caught.value.message == reason
    assert caught.value.facts["exit_code"] == exit_code


async def test_a_command_is_looked_up_in_the_panes_own_path(spawner: Spawner, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho found it\n")
    tool.chmod(0o755)

    async with running(spawner, "tool", environment={"PATH": f"{tmp_path}:/bin"}) as run:
        await run.says(b"found it")


@pytest.mark.parametrize("argv", [(), ("a\0b",)])
async def test_a_command_that_is_none_is_refused(spawner: Spawner, argv: tuple[str, ...]) -> None:
    program = Program(argv=argv, environment={}, directory="/", cols=80, rows=24)

    with pytest.raises(Invalid):
        await spawner.spawn(program, lambda _: None)


@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", -15), ("kill -KILL $$", -9)]
)
async def test_the_exit_code_is_told_and_a_signal_is_negative(
    spawner: Spawner, script: str, code: int
) -> None:
    async with running(spawner, "/bin/sh", "-c", script) as run:
        assert await run.exits() == code


async def test_a_changed_size_is_told_by_one_sigwinch(spawner: Spawner) -> None:
    async with running(spawner, *tells_sizes(), cols=80, rows=24) as run:
        await run.says(b"size 24 80")
        run.child.resize(80, 24)
        run.io.write(b"same\n")
        await run.says(b"got same")
        run.child.resize(90, 30)
        await run.says(b"size 30 90")

    assert run.output.count(b"size") == 2


async def test_hanging_up_reaches_the_program_and_the_job_in_the_foreground(spawner: Spawner) -> None:
    job = "import signal, sys; signal.signal(1, lambda *_: sys.exit(0)); print('job'); signal.pause()"
    script = f"set -m; trap 'echo shell hung up; exit 0' HUP; {' '.join(map(_quoted, python(job)))}; echo x"
    async with running(spawner, "/bin/bash", "-c", script) as run:
        await run.says(b"job")
        run.child.hang_up()
        assert await run.exits() == 0

    assert b"shell hung up" in run.output


async def test_a_stopped_program_hears_the_hang_up(spawner: Spawner) -> None:
    async with running(spawner, "/bin/sh", "-c", "kill -STOP $$") as run:
        run.child.hang_up()
        assert await run.exits() == -signal.SIGHUP


async def test_killing_reaches_what_ignored_the_hang_up(spawner: Spawner) -> None:
    async with running(spawner, "/bin/sh", "-c", "trap '' HUP; echo ready; sleep 100") as run:
        await run.says(b"ready")
        run.child.hang_up()
        assert run.child.survivors()
        run.child.kill()
        assert await run.exits() == -signal.SIGKILL


async def test_last_words_are_read_even_while_reading_was_paused(spawner: Spawner) -> None:
    async with running(spawner, "/bin/sh", "-c", "read go; echo last words") as run:
        run.io.pause()
        run.io.write(b"\n")
        await run.exits()

    assert b"last words" in run.output


async def test_many_programs_start_at_once(spawner: Spawner) -> None:
    async def one(number: int) -> int:
        async with running(spawner, "/bin/sh", "-c", f"exit {number}") as run:
            return await run.exits()

    assert await asyncio.gather(*map(one, range(8))) == list(range(8))


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
