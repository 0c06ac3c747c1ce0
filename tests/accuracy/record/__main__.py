"""Records a real agent: `python -m tests.accuracy.record AGENT OUT --script FILE --binary PATH`.

OUT is written as tests/captured/README.md describes it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from orca_tui.process.spawner import Program
from orca_tui.server.environment import PaneIdentity, pane_environment
from orca_tui.server.intake import serve_intake
from tests.accuracy.record.agents import SETUPS, Place, Setup
from tests.accuracy.record.log import Log
from tests.accuracy.record.models import fake_model
from tests.accuracy.record.places import short_home
from tests.accuracy.record.stage import COLS, ROWS, Stage
from tests.accuracy.record.steps import Step, parse

LAST_HOOKS_S = 1.0
"""Hooks outlive their agent by less."""


def main() -> int:
    arguments = _arguments()
    with short_home() as home, fake_model(arguments.agent) as port:
        return asyncio.run(_record(arguments, home, port))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy.record", description=__doc__)
    parser.add_argument("agent", choices=sorted(SETUPS))
    parser.add_argument("out", type=Path)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--binary", required=True, help="the agent's executable")
    parser.add_argument(
        "--untrusted", action="store_true", help="the agent has not been told to trust its folder"
    )
    parser.add_argument("--option", action="append", default=[], help="another argument for the agent")
    return parser.parse_args()


async def _record(arguments: argparse.Namespace, home: Path, port: int) -> int:
    project = home / "proj"
    project.mkdir()
    setup = SETUPS[arguments.agent](_place(arguments, home, project, port))
    log = Log(_header(arguments, home), home)
    stage = Stage(log, _program(setup, home, project), setup.watched, home)
    async with (
        await asyncio.start_unix_server(stage.hook, path=home / "s"),
        _intake(stage, home / "i"),
        asyncio.TaskGroup() as group,
    ):
        await stage.enter()
        files = group.create_task(stage.watch_files())
        failed = await _perform(stage, parse(arguments.script.read_text()))
        await stage.leave()
        await asyncio.sleep(LAST_HOOKS_S)
        files.cancel()
    log.save(arguments.out)
    return failed


def _place(arguments: argparse.Namespace, home: Path, project: Path, port: int) -> Place:
    return Place(
        binary=arguments.binary,
        home=home,
        project=project,
        port=port,
        options=tuple(arguments.option),
        trusted=not arguments.untrusted,
    )


def _header(arguments: argparse.Namespace, home: Path) -> dict[str, Any]:
    return {
        "agent": arguments.agent,
        "version": _version(arguments.binary, {**os.environ, "HOME": str(home)}),
        "cols": COLS,
        "rows": ROWS,
        "date": time.strftime("%Y-%m-%d"),
        "how": f"{arguments.script.name}{' in an untrusted folder' if arguments.untrusted else ''}",
    }


@asynccontextmanager
async def _intake(stage: Stage, path: Path) -> AsyncIterator[None]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.setblocking(False)
        async with serve_intake(listener, stage):
            yield


async def _perform(stage: Stage, steps: list[Step]) -> int:
    for step in steps:
        try:
            await stage.perform(step)
        except TimeoutError as error:
            print(f"did not come to pass: {step.do} {step.what} {error}\n{stage.screen()}", file=sys.stderr)
            return 1
    return 0


def _program(setup: Setup, home: Path, project: Path) -> Program:
    base = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "SHELL": "/bin/bash",
        "USER": "user",
    }
    identity = PaneIdentity(
        server="default",
        pane="p1",
        token="recorder",
        intake=str(home / "i"),
        api=str(home / "a"),
        programs=sysconfig.get_path("scripts"),
    )
    added = {**setup.environment, "RECORDER_SOCKET": str(home / "s")}
    environment = pane_environment(base, identity, str(project), added.items())
    return Program(argv=setup.argv, environment=environment, directory=str(project), cols=COLS, rows=ROWS)


def _version(binary: str, environment: dict[str, str]) -> str:
    printed = subprocess.run(
        [binary, "--version"], capture_output=True, text=True, env=environment, check=True
    )
    return next(word.strip("v.,") for word in printed.stdout.split() if word.strip("v")[:1].isdigit())


if __name__ == "__main__":
    sys.exit(main())
