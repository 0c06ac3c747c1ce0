"""The recorder: scripts, and a recording of a small program that is replayable."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orca_tui.process.spawner import Program
from tests.accuracy.record.log import HOME, Log
from tests.accuracy.record.places import short_home
from tests.accuracy.record.stage import Stage
from tests.accuracy.record.steps import Step, parse
from tests.accuracy.recording import Recording, load

pytestmark = pytest.mark.anyio

SCRIPTS = Path(__file__).parent / "record" / "scripts"
PROGRAM = """
import os, sys
from pathlib import Path
sys.stdout.write("\\x1b]0;ready\\x07in " + os.getcwd() + "? ")
sys.stdout.flush()
answer = input()
Path(os.environ["HOME"], "state.json").write_text('{"status": "busy"}')
sys.stdout.write(answer.upper() + "\\x1b[c")
sys.stdout.flush()
input()
sys.exit(3)
"""


def test_a_script_is_read_line_by_line() -> None:
    assert parse("# why\n\nsay PLAIN please\nkey escape\nexits\n") == [
        Step(do="say", what="PLAIN please"),
        Step(do="key", what="escape"),
        Step(do="exits"),
    ]


@pytest.mark.parametrize("line", ["shout hello", "say", "exits now"])
def test_a_line_that_is_no_step_is_told(line: str) -> None:
    with pytest.raises(ValueError, match="line 2"):
        parse(f"exits\n{line}")


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.steps")), ids=lambda path: path.stem)
def test_every_script_can_be_read(script: Path) -> None:
    assert parse(script.read_text())[-1] == Step(do="exits")


async def recorded(home: Path, out: Path) -> Recording:
    log = Log({"agent": "claude", "version": "1", "cols": 120, "rows": 40}, home)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TERM": "xterm"}
    program = Program(
        argv=(sys.executable, "-c", PROGRAM), environment=environment, directory=str(home), cols=120, rows=40
    )
    stage = Stage(log, program, ("*.json",), home)
    await stage.enter()
    for step in parse("titled ready\nsee in\nsay hello\nsee HELLO\nkey enter\nexits"):
        await stage.perform(step)
    await stage.leave()
    log.save(out)
    return load(out)


@pytest.fixture
def home() -> Iterator[Path]:
    with short_home() as made:
        yield made


async def test_a_recording_has_what_the_program_and_the_driver_did(home: Path, tmp_path: Path) -> None:
    recording = await recorded(home, tmp_path / "one.jsonl.gz")

    output = b"".join(line.data() for line in recording.lines if line.kind == "output")
    assert b"\x1b]0;ready\x07" in output
    assert b"HELLO" in output
    assert [line.what for line in recording.lines if line.kind == "key"] == [
        {"text": "hello"},
        {"name": "enter"},
        {"name": "enter"},
    ]
    assert [line.what["text"] for line in recording.lines if line.kind == "file"] == ['{"status": "busy"}']
    assert recording.lines[-1].what == {"exit": 3}
    assert recording.pid is not None


async def test_a_recording_does_not_say_where_it_was_made(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.jsonl"

    await recorded(home, out)

    assert str(home) not in out.read_text()
    assert HOME in out.read_text()


async def test_a_hook_hands_its_payload_over_unread(home: Path, tmp_path: Path) -> None:
    log = Log({"agent": "claude", "version": "1"}, home)
    program = Program(argv=("true",), environment={}, directory="/", cols=120, rows=40)
    stage = Stage(log, program, (), home)
    sink = Path(__file__).parent / "record" / "hook_sink.py"
    async with await asyncio.start_unix_server(stage.hook, path=home / "s"):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(sink), "Stop", "{}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={"RECORDER_SOCKET": str(home / "s")},
        )
        printed, _ = await process.communicate(b'{"hook_event_name": "Stop"}')
        await stage.heard_hooks(1)
    log.save(tmp_path / "one.jsonl")

    (line,) = load(tmp_path / "one.jsonl").lines
    assert printed == b"{}\n"
    assert line.what == {"event": "Stop", "payload": {"hook_event_name": "Stop"}}
