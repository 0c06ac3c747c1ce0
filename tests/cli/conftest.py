"""A user of their own with a real server, and the command line against it."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import orca_tui
from orca_tui.__main__ import Program
from orca_tui.cli.main import run
from orca_tui.config import Environment
from tests.process.keepers import end_keeper

ROOT = Path(orca_tui.__file__).parent.parent
COMMAND_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON object that was printed."""
        [line] = self.out.splitlines()
        return json.loads(line)

    def lines(self) -> list[Any]:
        """JSON objects, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    def error(self) -> Any:
        """The JSON error on stderr."""
        [line] = self.err.splitlines()
        return json.loads(line)["error"]


class Home:
    """One user: home, XDG directories and the environment that points there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.variables = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "HOME": str(self._made("home")),
            "XDG_CONFIG_HOME": str(self._made("config")),
            "XDG_STATE_HOME": str(self._made("state")),
            "XDG_CACHE_HOME": str(self._made("cache")),
            "XDG_RUNTIME_DIR": str(self._made("run")),
        }

    def _made(self, name: str) -> Path:
        path = self.root / name
        path.mkdir(mode=0o700)
        return path

    def program(self, **more: str) -> Program:
        """The composer in this user's environment."""
        return Program(Environment(self.variables | more))

    def spawn(
        self, *arguments: str, more: dict[str, str] | None = None, **settings: Any
    ) -> subprocess.Popen[str]:
        """The command as a process of its own."""
        settings.setdefault("stdout", subprocess.PIPE)
        return subprocess.Popen(
            [sys.executable, "-m", "orca_tui", *arguments],
            env=self.variables | (more or {}),
            stderr=subprocess.PIPE,
            text=True,
            **settings,
        )

    def run(self, *arguments: str, more: dict[str, str] | None = None, **settings: Any) -> Result:
        """The command as a process of its own, until it ends."""
        settings.setdefault("stdin", subprocess.DEVNULL)
        with self.spawn(*arguments, more=more, **settings) as process:
            out, err = process.communicate(timeout=COMMAND_TIMEOUT_S)
        return Result(process.returncode, out, err)


Orca = Callable[..., Result]


@pytest.fixture(scope="session")
def homes() -> Iterator[Callable[[], Home]]:
    """Makes homes below short paths, since socket paths have a limit; ends what still runs in them."""
    made: list[Home] = []

    def make() -> Home:
        made.append(Home(Path(tempfile.mkdtemp(prefix="ot-"))))
        return made[-1]

    yield make
    for home in made:
        for lock in (home.root / "run" / "orca-tui").glob("*.wire"):
            home.run("server", "stop", "--yes", "--server", lock.stem)
        for keeper in (home.root / "run" / "orca-tui").glob("*.keeper"):
            end_keeper(keeper)
        shutil.rmtree(home.root)


@pytest.fixture(scope="module")
def home(homes: Callable[[], Home]) -> Home:
    """A home for all tests of a module."""
    return homes()


@pytest.fixture(scope="module")
def served(home: Home) -> Home:
    """A home in which a server runs."""
    home.program().start_server("default")
    return home


@pytest.fixture
def orca(home: Home, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Orca:
    """Runs a command line in this process."""

    def call(*arguments: str, stdin: str | bytes = "", **more: str) -> Result:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capfd.readouterr()
        code = run(arguments, home.program(**more))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return call


@pytest.fixture
def pane(served: Home, orca: Orca) -> Iterator[str]:
    """A pane in which `cat` answers what is typed."""
    opened: str = orca("open", "--json", "--", "sh", "-c", "echo ready; exec cat").json()["pane"]
    shows(orca, opened, "ready")
    yield opened
    orca("close", opened, "--force")


def shows(orca: Orca, pane: str, text: str) -> None:
    """Wait until a pane shows a text."""
    for _ in range(500):
        if text in orca("read", pane).out:
            return
        orca("wait", pane, "--status", "exited", "--timeout", "0.02")
    raise AssertionError(f"{pane} does not show {text!r}: {orca('read', pane).out!r}")
