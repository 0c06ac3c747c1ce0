"""`python -m benchmarks states`: many agents that change state all the time; is the board right, and how soon?

Every pane runs `scripted_agent.py`, which logs what it told and when. Each change that the server tells of is
matched with the last one of that kind in the log; what came too soon after another to be shown has no match.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.contenders import shell_environment
from benchmarks.outer import cpu_seconds
from orca_tui.base.errors import ServerUnavailable
from orca_tui.client.blocking import Client
from orca_tui.commands.events import EVENTS, EventsRequest, StatusEvent
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.spec import Empty
from orca_tui.config import DEFAULT_SERVER, Environment

AGENT = Path(__file__).with_name("scripted_agent.py")
COMMAND = (sys.executable, "-m", "orca_tui")
KINDS = (("program_status", "codex"), ("title", "gemini"), ("hook", "claude"))
"""How an agent tells of its states, and which agent it says that it is."""

END = b"end\n"
"""The last line of a log."""

PANES, CHANGES_A_SECOND, SECONDS = 50, 10, 60
SETTLE_S = 3.0  # Longer than anything that is held back before it is shown.
START_S = 60.0
POLL_S = 0.5  # Rarely, since it takes the time of the thread that listens.
AIM_P99_MS = 50.0


@dataclass(frozen=True, slots=True)
class Change:
    at: float
    to: str
    before: str = ""


@dataclass(kw_only=True, slots=True)
class Pane:
    kind: str
    log: Path

    def told(self) -> list[Change]:
        """What the agent has told so far."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [Change(float(at), to) for at, _, to in (line.partition(" ") for line in lines) if to]

    def has_ended(self) -> bool:
        if not self.log.exists():
            return False
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - len(END)))
            return log.read() == END


@dataclass(kw_only=True, slots=True)
class Result:
    wrong: list[str] = field(default_factory=list)
    told: int = 0
    shown: int = 0
    latencies_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cpu_percent: float = 0.0


class Watcher:
    """Takes the server's events as they come."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.shown: dict[str, list[Change]] = defaultdict(list)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        try:
            for item in self._client.stream(EVENTS, EventsRequest()):
                if isinstance(event := item.event, StatusEvent):
                    self.shown[event.pane].append(Change(time.time(), str(event.to), str(event.from_)))
        except ServerUnavailable:
            return  # It was stopped.

    def join(self) -> None:
        self._thread.join()


@contextmanager
def server() -> Iterator[tuple[dict[str, str], Path]]:
    """A server of its own: the environment of its panes, and its socket."""
    root = Path(tempfile.mkdtemp(prefix="bs-"))
    environment = shell_environment(root)
    (root / "run").mkdir(mode=0o700)
    subprocess.run([*COMMAND, "server", "start"], env=environment, check=True, capture_output=True)
    try:
        yield environment, Environment(environment).paths().socket(DEFAULT_SERVER, "wire")
    finally:
        subprocess.run(
            [*COMMAND, "server", "stop", "--yes"], env=environment, check=False, capture_output=True
        )
        shutil.rmtree(root, ignore_errors=True)


def measure(panes: int, seconds: int) -> Result:
    """Run so many agents for so long."""
    with server() as (environment, socket), Client(socket) as client, Client(socket) as listener:
        watcher = Watcher(listener)
        opened = {
            open_agent(client, environment, number, seconds): pane
            for number, pane in enumerate(agents(Path(environment["HOME"]), panes))
        }
        wait_until(lambda: all(pane.log.exists() for pane in opened.values()), START_S)
        pid = json.loads(run(environment, "server", "status", "--json"))["pid"]
        began, before = time.monotonic(), cpu_seconds([pid])
        wait_until(lambda: all(pane.has_ended() for pane in opened.values()), seconds + START_S)
        cpu_percent = (cpu_seconds([pid]) - before) / (time.monotonic() - began) * 100
        time.sleep(SETTLE_S)
        finals = {info.pane: str(info.status) for info in client.call(LIST, Empty()).panes}
        result = compare(opened, watcher.shown, finals)
        result.cpu_percent = cpu_percent
    watcher.join()
    return result


def agents(home: Path, number: int) -> Iterator[Pane]:
    for index in range(number):
        yield Pane(kind=KINDS[index % len(KINDS)][0], log=home / f"{index}.log")


def open_agent(client: Client, environment: dict[str, str], number: int, seconds: int) -> str:
    kind, agent = KINDS[number % len(KINDS)]
    settings = {
        "STATES_KIND": kind,
        "STATES_LOG": str(Path(environment["HOME"]) / f"{number}.log"),
        "STATES_EVERY_S": str(1 / CHANGES_A_SECOND),
        "STATES_CHANGES": str(seconds * CHANGES_A_SECOND),
        "STATES_SEED": str(number),
    }
    request = OpenRequest(
        agent=agent,
        command=(sys.executable, "-I", str(AGENT)),
        cwd=environment["HOME"],
        environment=environment | settings,
    )
    return client.call(OPEN, request).pane


def run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run([*COMMAND, *arguments], env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def wait_until(condition: Callable[[], bool], limit_s: float) -> None:
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the agents are not done")
        time.sleep(POLL_S)


def compare(panes: dict[str, Pane], shown: dict[str, list[Change]], finals: dict[str, str]) -> Result:
    """What was shown beside what was told."""
    result = Result()
    for name, pane in panes.items():
        told = pane.told()
        result.told += len(told)
        if finals.get(name) != told[-1].to:
            result.wrong.append(f"{name} ({pane.kind}) shows {finals.get(name)}, not {told[-1].to}")
        for change in shown[name]:
            since = [one.at for one in told if one.to == change.to and one.at <= change.at]
            if since:
                result.shown += 1
                result.latencies_ms[kind_of(pane, change)].append((change.at - since[-1]) * 1000)
    return result


def kind_of(pane: Pane, change: Change) -> str:
    """The start of a turn that OSC 7501 tells of is held back for 100 ms: agents flicker when they start."""
    starts = change.to == "working" and change.before != "waiting"
    return f"{pane.kind}, start of a turn" if starts and pane.kind == "program_status" else pane.kind


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks states", description=__doc__)
    parser.add_argument("--panes", type=int, default=PANES)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    options = parser.parse_args(arguments)
    result = measure(options.panes, options.seconds)
    print(f"{options.panes} panes, {CHANGES_A_SECOND} changes a second each, {options.seconds} s")
    print(f"told {result.told}, shown {result.shown}; server CPU {result.cpu_percent:.1f} %")
    for kind, values in sorted(result.latencies_ms.items()):
        print(f"{kind:36}{summary(values)}")
    held = [value for kind, values in result.latencies_ms.items() if "start" not in kind for value in values]
    print(f"{'all that is not held back':36}{summary(held)}   aim: p99 <= {AIM_P99_MS:g} ms")
    print(
        "wrong at the end: "
        + (f"{len(result.wrong)}\n" + "\n".join(result.wrong) if result.wrong else "none")
    )
    sys.exit(bool(result.wrong))


def summary(values: list[float]) -> str:
    ordered = sorted(values)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    return f"p50 {statistics.median(ordered):7.1f} ms   p99 {p99:7.1f} ms   ({len(ordered)})"
