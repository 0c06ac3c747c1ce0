"""A pane whose program does what a test asks for: the command line and HTTP from inside."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orca_tui
from tests.server.running import LIMIT_S, Api, Server

ROOT = Path(orca_tui.__file__).parent.parent
PROGRAM = Path(__file__).parent.parent / "hosts" / "insider.py"
WAYS = ("child", "setsid", "orphan", "daemon")
CURL = """
import http.client, socket, sys
method, target, body, token = sys.argv[2:]
connection = http.client.HTTPConnection("orca")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(sys.argv[1])
headers = {"Authorization": f"Bearer {token}"} if token else {}
connection.request(method, target, body or None, headers)
answer = connection.getresponse()
print(answer.status, answer.read().decode(), end="")
"""


@dataclass(frozen=True)
class Done:
    """What a program left behind."""

    code: int
    out: str
    err: str

    def error(self) -> dict[str, Any]:
        return json.loads(self.err)["error"]  # type: ignore[no-any-return]


class Insider:
    """One such pane."""

    def __init__(self, server: Server, pane: str, path: Path) -> None:
        self.server = server
        self.pane = pane
        self._path = path

    @classmethod
    async def open(cls, server: Server, api: Api, **options: Any) -> Insider:
        path = server.root / f"inside-{len(list(server.root.glob('inside-*')))}"
        pane = await api.open(sys.executable, str(PROGRAM), str(path), **options)
        await api.shows(pane, "inside")
        return cls(server, pane, path)

    @property
    def token(self) -> str:
        """The pane's, as its program finds it."""
        return self.variables()["ORCA_TUI_TOKEN"]

    def variables(self) -> dict[str, str]:
        """What the pane's program was started with."""
        pid = self._pid()
        raw = Path(f"/proc/{pid}/environ").read_bytes().decode()
        return dict(pair.split("=", 1) for pair in raw.split("\0") if pair)

    def _pid(self) -> int:
        found = [
            int(process.name)
            for process in Path("/proc").iterdir()
            if process.name.isdigit() and str(self._path).encode() in _read(process / "cmdline").split(b"\0")
        ]
        return found[0]

    async def orca(
        self,
        *words: str,
        behind: tuple[str, ...] = (),
        way: str = "child",
        token: str | None = None,
        **more: str,
    ) -> Done:
        """Run the command line with `--json`, then the words `behind`; without a token, unless one is given."""
        argv = [sys.executable, "-m", "orca_tui", *words, "--json", *behind]
        env = {
            name: value
            for name, value in self.server.parts.environment.variables.items()
            if not name.startswith("ORCA_TUI")
        }
        env |= {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **more}
        return await self._run(argv, env | ({"ORCA_TUI_TOKEN": token} if token else {}), way)

    async def program(self, *argv: str, variables: dict[str, str]) -> Done:
        """Run any program with these variables alone."""
        return await self._run(list(argv), variables, "child")

    async def http(
        self, method: str, target: str, body: object = None, *, token: str = "", way: str = "child"
    ) -> tuple[int, Any]:
        """Ask over HTTP; the status and the body."""
        path = str(self.server.parts.sockets().http)
        text = "" if body is None else json.dumps(body)
        argv = [sys.executable, "-c", CURL, path, method, target, text, token]
        done = await self._run(argv, {"PATH": os.environ["PATH"]}, way)
        status, _, answer = done.out.partition(" ")
        return int(status), json.loads(answer)

    async def _run(self, argv: list[str], env: dict[str, str], way: str) -> Done:
        async with asyncio.timeout(LIMIT_S):
            reader, writer = await asyncio.open_unix_connection(str(self._path))
            writer.write(json.dumps({"argv": argv, "env": env, "way": way}).encode() + b"\n")
            answer = json.loads(await reader.readline())
            writer.close()
        return Done(**answer)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
