"""The programs that are measured: orca-tui and tmux, each started the same way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

from benchmarks.outer import Outer

START_LIMIT_S = 20.0
PROMPT = "READY$ "


def shell_environment(root: Path) -> dict[str, str]:
    """A plain environment whose bash shows a prompt that can be waited for."""
    settings = f"PS1='{PROMPT}'\nunset PROMPT_COMMAND\nbind 'set enable-bracketed-paste off'\n"
    for name in (".bashrc", ".bash_profile"):  # tmux starts login shells.
        (root / name).write_text(settings)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "SHELL": "/bin/bash",
        "BASH_SILENCE_DEPRECATION_WARNING": "1",
        "TMUX_TMPDIR": str(root),
        **{f"XDG_{name}_HOME": str(root / name.lower()) for name in ("CONFIG", "STATE", "CACHE", "DATA")},
        "XDG_RUNTIME_DIR": str(root / "run"),
    }


class Contender(Protocol):
    """A multiplexer, started with one shell pane on an outer terminal of 200x50."""

    name: str
    outer: Outer

    def split(self, command: str) -> None:
        """Open one more visible pane with a shell command; the first keeps the keyboard."""
        ...

    def pids(self) -> list[int]:
        """Its own processes: server and client, never what runs in panes."""
        ...

    def close(self) -> None: ...


class Tmux:
    name = "tmux"

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="bt-"))
        self.env = shell_environment(self.root)
        (self.root / "run").mkdir(mode=0o700)
        self.outer = Outer(["tmux", "-f", "/dev/null", "new-session", "-s", "bench"], self.env)
        self.outer.wait_for(PROMPT.encode(), START_LIMIT_S)
        self.outer.settle()

    def split(self, command: str) -> None:
        self._tmux("split-window", "-d", "-h", command)
        self._tmux("select-layout", "tiled")
        self.outer.drain(0.3)

    def pids(self) -> list[int]:
        server = int(self._tmux("display-message", "-p", "#{pid}"))
        return [server, self.outer.pid]

    def close(self) -> None:
        subprocess.run(["tmux", "kill-server"], env=self.env, capture_output=True, check=False)
        self.outer.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def _tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", *arguments], env=self.env, capture_output=True, text=True, check=True
        ).stdout


class OrcaTui:
    name = "orca-tui"
    command = (sys.executable, "-m", "orca_tui")

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="bo-"))
        self.env = shell_environment(self.root)
        (self.root / "run").mkdir(mode=0o700)
        self._run("server", "start")
        self.first: str = json.loads(self._run("open", "--json", "--agent", "shell"))["pane"]
        self.outer = Outer([*self.command, "attach"], self.env)
        self.outer.wait_for(PROMPT.strip().encode(), START_LIMIT_S)
        self.outer.settle()

    def split(self, command: str) -> None:
        self._run("open", "--split", "right", "--", "/bin/sh", "-c", command)
        tab = json.loads(self._run("list", "--json").splitlines()[0])["tab"]
        self._run("arrange", tab, "tiled")
        self._run("focus", self.first)
        self.outer.drain(0.5)

    def pids(self) -> list[int]:
        status = json.loads(self._run("server", "status", "--json"))
        return [status["pid"], self.outer.pid]

    def close(self) -> None:
        subprocess.run(
            [*self.command, "server", "stop", "--yes"], env=self.env, capture_output=True, check=False
        )
        self.outer.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [*self.command, *arguments], env=self.env, capture_output=True, text=True, check=True
        ).stdout
