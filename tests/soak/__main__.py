"""The soak: `python -m tests.soak --seconds 600`. Prints what there is at each step, and exits with 1 on a leak.

Each round begins with as many panes as there may be. Then at random panes are closed, opened and made to flood, UIs
attach and are killed, the server is killed or restarted. Between rounds everything is brought to the same rest, and
counted: processes, descriptors and memory of server and keeper, files. The first rounds warm up; after them nothing
may grow.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.e2e.hand import Hand
from tests.e2e.rebooting import server_pid
from tests.e2e.sandbox import Sandbox, poll_until

PANES = 30
STEPS = 40
SHORT_STEPS = 8
"""Of a round of a dose that is measured in seconds."""
SHORT_S = 120.0
WARM_UP_ROUNDS = 3
LEAST_ROUNDS = WARM_UP_ROUNDS + 2
MAX_GROWTH_BYTES = 24 << 20
"""Of the server over all rounds: the engines' pools settle within that."""
FLOOD = "i=0; while [ $i -lt 200000 ]; do echo $i; i=$((i+1)); done; exec cat"


@dataclass(frozen=True)
class Count:
    """What there is when everything rests."""

    processes: int
    server_files: int
    keeper_files: int
    server_rss: int
    keeper_rss: int
    files: int

    def __str__(self) -> str:
        return (
            f"processes {self.processes}  server fds {self.server_files} rss {self.server_rss >> 20} MB  "
            f"keeper fds {self.keeper_files} rss {self.keeper_rss >> 20} MB  files {self.files}"
        )


class Soak:
    """One sandbox under stress."""

    def __init__(self, seed: int) -> None:
        self.sandbox = Sandbox()
        self.random = random.Random(seed)
        self.server_pids: set[int] = set()

    def round(self, steps: int) -> None:
        """All panes, random deeds, then rest: no UI, no pane."""
        with self._hand() as hand:
            while len(hand.panes()) < PANES:
                hand.open(None, "/bin/cat")
        deeds = (self._open, self._close, self._close, self._flood, self._flood, self._ui, self._end_server)
        for _ in range(steps):
            self.random.choice(deeds)()
        with self._hand() as hand:
            for pane in hand.panes():
                hand.end(pane)
            poll_until(lambda: not hand.panes(), "all panes are gone")
        poll_until(lambda: not self._keeper().children(), "all programs are gone")

    def count(self) -> Count:
        server, keeper = psutil.Process(server_pid(self.sandbox)), self._keeper()
        return Count(
            processes=len(keeper.children(recursive=True)) + len(server.children(recursive=True)) + 2,
            server_files=server.num_fds(),
            keeper_files=keeper.num_fds(),
            server_rss=server.memory_info().rss,
            keeper_rss=keeper.memory_info().rss,
            files=sum(path.is_file() for path in (self.sandbox.root / "state").rglob("*")),
        )

    def strays(self) -> list[int]:
        """Processes of the sandbox that nobody owns any more."""
        ours = {server_pid(self.sandbox), self._keeper().pid}
        root = str(self.sandbox.root)
        found = []
        for process in psutil.process_iter(["pid", "environ"]):
            with suppress(psutil.Error):
                environment = process.info["environ"] or {}
                if environment.get("XDG_RUNTIME_DIR", "").startswith(root) and process.pid not in ours:
                    found.append(process.pid)
        return found

    def close(self) -> None:
        self.sandbox.close()

    @contextmanager
    def _hand(self) -> Iterator[Hand]:
        """A connection to the server of now."""
        with closing(Hand(self.sandbox)) as hand:
            yield hand

    def _open(self, *command: str) -> None:
        with self._hand() as hand:
            if len(hand.panes()) < PANES:
                hand.open(None, *(command or ("/bin/cat",)))

    def _flood(self) -> None:
        self._open("/bin/sh", "-c", FLOOD)

    def _close(self) -> None:
        with self._hand() as hand:
            if panes := hand.panes():
                hand.end(self.random.choice(panes))

    def _ui(self) -> None:
        terminal = self.sandbox.terminal()
        terminal.shows("orca-tui")
        terminal.signal(self.random.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)))
        terminal.ends()
        terminal.close()

    def _end_server(self) -> None:
        if self.random.random() < 0.5:
            os.kill(server_pid(self.sandbox), signal.SIGKILL)
        else:
            self.sandbox.run("server", "restart")
        self.sandbox.run("server", "start")

    def _keeper(self) -> psutil.Process:
        socket = str(self.sandbox.root / "run" / "orca-tui" / "default.keeper")
        (keeper,) = [
            process
            for process in psutil.process_iter(["cmdline"])
            if socket in (process.info["cmdline"] or [])
        ]
        return keeper


def leaks(counts: list[Count]) -> list[str]:
    """What has grown since the warm-up."""
    first, last = counts[WARM_UP_ROUNDS], counts[-1]
    found = [
        f"{name}: {getattr(first, name)} -> {getattr(last, name)}"
        for name in ("processes", "server_files", "keeper_files", "files")
        if getattr(last, name) > getattr(first, name)
    ]
    for name in ("server_rss", "keeper_rss"):
        before, after = getattr(first, name), getattr(last, name)
        if after - before > MAX_GROWTH_BYTES:
            found.append(f"{name}: {before >> 20} -> {after >> 20} MB")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--steps", type=int, help="deeds in a round")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    steps = asked.steps or (STEPS if asked.seconds > SHORT_S else SHORT_STEPS)
    soak = Soak(asked.seed)
    counts: list[Count] = []
    end = time.monotonic() + asked.seconds
    try:
        soak.sandbox.run("server", "start")
        while time.monotonic() < end or len(counts) < LEAST_ROUNDS:
            soak.round(steps)
            counts.append(soak.count())
            print(f"round {len(counts):3}  {counts[-1]}", flush=True)
        found = leaks(counts) + [f"stray process {pid}" for pid in soak.strays()]
    finally:
        soak.close()
    if Path(soak.sandbox.root).exists():
        found.append(f"{soak.sandbox.root} is still there")
    print("\n".join(f"LEAK {one}" for one in found) or "nothing was left behind")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
