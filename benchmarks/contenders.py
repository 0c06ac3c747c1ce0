"""The programs that are measured, each started the same way: a shell at a prompt on an outer terminal."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from benchmarks.outer import Outer, of_home
from benchmarks.results import OURS
from orca_tui.base.errors import Unsupported

START_LIMIT_S = 20.0
PROMPT = "READY$ "
READY = PROMPT.strip().encode()
SCROLLBACK_LINES = 10_000
SPLIT_SETTLES_S = 0.5


def shell_environment(root: Path) -> dict[str, str]:
    """A plain environment whose bash shows a prompt that can be waited for."""
    settings = f"PS1='{PROMPT}'\nunset PROMPT_COMMAND\nbind 'set enable-bracketed-paste off'\n"
    for name in (".bashrc", ".bash_profile"):  # tmux starts login shells.
        (root / name).write_text(settings)
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
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
    """A multiplexer. `begin` starts everything with one shell pane; `detach` and `attach` end and start the client."""

    name: str
    root: Path
    """The home of everything that it starts."""
    outer: Outer

    def begin(self) -> float:
        """Start from nothing; the seconds until the prompt was shown."""
        ...

    def attach(self) -> float:
        """Start a client in the place of the one that there is; the seconds until the prompt was shown."""
        ...

    def split(self, command: str) -> None:
        """Open one more visible pane with a shell command; the first keeps the keyboard."""
        ...

    def parts(self) -> Mapping[str, int]:
        """Its own processes by what they do, never what runs in panes."""
        ...

    def close(self) -> None: ...


class _OnOuter:
    """What contenders share: a directory of their own and an outer terminal."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="b-"))  # Short: sockets lie below it.
        self.env = shell_environment(self.root)
        (self.root / "run").mkdir(mode=0o700)

    def _shown(self, argv: list[str], text: bytes = READY) -> float:
        self.outer = Outer(argv, self.env)
        seconds = self.outer.wait_for(text, START_LIMIT_S) - self.outer.started
        self.outer.settle()
        return seconds

    def shown_alone(self, script: Path, text: bytes) -> float:
        """Run a Python program on the outer terminal; the seconds until it showed a text."""
        try:
            return self._shown([sys.executable, str(script)], text)
        finally:
            self._end()

    def _run(self, *argv: str, check: bool = True) -> str:
        return subprocess.run(argv, env=self.env, capture_output=True, text=True, check=check).stdout

    def _end(self) -> None:
        self.outer.close()
        shutil.rmtree(self.root, ignore_errors=True)


class Tmux(_OnOuter):
    name = "tmux"

    def begin(self) -> float:
        (self.root / "conf").write_text(f"set -g history-limit {SCROLLBACK_LINES}\n")
        return self._shown(["tmux", "-f", str(self.root / "conf"), "new-session", "-s", "bench"])

    def attach(self) -> float:
        self.outer.close()
        return self._shown(["tmux", "attach"])

    def split(self, command: str) -> None:
        self._run("tmux", "split-window", "-d", "-h", command)
        self._run("tmux", "select-layout", "tiled")
        self.outer.drain(SPLIT_SETTLES_S)

    def parts(self) -> Mapping[str, int]:
        return {"server": int(self._run("tmux", "display-message", "-p", "#{pid}")), "client": self.outer.pid}

    def close(self) -> None:
        self._run("tmux", "kill-server", check=False)
        self._end()


class OrcaTui(_OnOuter):
    name = OURS
    command = (sys.executable, "-m", "orca_tui")
    first = ""

    def begin(self) -> float:
        seconds = self._shown([*self.command, "--", self.env["SHELL"]])
        self.first = json.loads(self._orca("list", "--json").splitlines()[0])["pane"]
        return seconds

    def attach(self) -> float:
        self.outer.close()
        return self._shown([*self.command, "attach"])

    def split(self, command: str) -> None:
        self._orca("open", "--split", "right", "--", "/bin/sh", "-c", command)
        tab = json.loads(self._orca("list", "--json").splitlines()[0])["tab"]
        self._orca("arrange", tab, "tiled")
        self._orca("focus", self.first)
        self.outer.drain(SPLIT_SETTLES_S)

    def parts(self) -> Mapping[str, int]:
        server = json.loads(self._orca("server", "status", "--json"))["pid"]
        keeper = next(
            one.pid
            for one in of_home(str(self.root))
            if any("keeper_script" in word for word in one.cmdline())
        )
        return {"server": server, "client": self.outer.pid, "keeper": keeper}

    def close(self) -> None:
        self._run(*self.command, "server", "stop", "--yes", check=False)
        self._end()

    def _orca(self, *arguments: str) -> str:
        return self._run(*self.command, *arguments)


class Cmux(_OnOuter):
    """Server and client in one process; the client that `cmux attach` starts is a second one."""

    name = "cmux"
    first = ""

    def begin(self) -> float:
        seconds = self._shown(["cmux", "--ephemeral", "--socket", str(self._socket)])
        self.first = self._cmux("pane", "list")[0]["id"]
        return seconds

    def attach(self) -> float:
        raise Unsupported("its server ends with the first client")

    def split(self, command: str) -> None:
        before = {one["id"] for one in self._cmux("terminal", "list")}
        self._cmux("pane", "current", "split", "--right")
        new = next(one["id"] for one in self._cmux("terminal", "list") if one["id"] not in before)
        self.outer.drain(SPLIT_SETTLES_S)  # Its shell begins to read.
        self._cmux("terminal", new, "write", "--text", f"exec sh -c '{command}'\r")
        self._cmux("pane", self.first, "focus")
        self.outer.drain(SPLIT_SETTLES_S)

    def parts(self) -> Mapping[str, int]:
        return {"client": self.outer.pid}

    def close(self) -> None:
        self._cmux("server", "stop", "--force")
        self._end()

    @property
    def _socket(self) -> Path:
        return self.root / "cmux"

    def _cmux(self, *arguments: str) -> Any:
        said = self._run("cmux", "--socket", str(self._socket), "--json", *arguments, check=False)
        return json.loads(said) if said.strip() else None


def contenders() -> list[type[OrcaTui | Tmux | Cmux]]:
    """Ours, and the peers that are installed."""
    here = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    peers = [one for one in (Tmux, Cmux) if shutil.which(one.name, path=here)]
    return [OrcaTui, *peers]
