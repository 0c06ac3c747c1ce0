"""`python -m benchmarks notices`: how fast notices are admitted, and how soon each is acknowledged.

Every pane holds an agent whose turn runs, so that what is measured is the admission alone: parsed, decided, on the
disk, answered. Each sender waits for an answer before it leaves the next notice. Afterwards every notice must be
there, pending, once and in its order.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.states import server, summary, wait_until
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.client.blocking import Client
from orca_tui.commands.inbox import INBOX_LIST, InboxListRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.send import SEND, SendRequest
from orca_tui.commands.spec import Empty

NOTICES, PANES, SENDERS = 1000, 50, 4
WARM_UP = 100  # Notices before the clock starts: what is loaded at the first use is no part of the rate.
START_S = 60.0
BUSY_AGENT = r"printf '\033]7501;state=working\033\\'; exec cat"
TEXT = "The tests on main are green again; the failure was a race in the fixture, not in your change."
AIM_PER_S = 500.0
AIM_P99_MS = 20.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    seconds: float
    latencies_ms: list[float]
    wrong: list[str]

    @property
    def per_second(self) -> float:
        return len(self.latencies_ms) / self.seconds


def measure(notices: int, panes: int, senders: int) -> Result:
    """Leave so many notices, in turn for each of so many panes, from so many connections at once."""
    with server() as (environment, socket), Client(socket) as client:
        opened = [open_agent(client, environment) for _ in range(panes)]
        wait_until(lambda: all(str(info.status) == "working" for info in panes_of(client)), START_S)
        asyncio.run(leave(socket, numbered("warm-up", WARM_UP, opened), senders))
        began = time.monotonic()
        latencies_ms = asyncio.run(leave(socket, numbered("notice", notices, opened), senders))
        seconds = time.monotonic() - began
        return Result(seconds=seconds, latencies_ms=latencies_ms, wrong=check(client, notices, opened))


def open_agent(client: Client, environment: dict[str, str]) -> str:
    request = OpenRequest(
        agent="codex",
        command=("/bin/sh", "-c", BUSY_AGENT),
        cwd=environment["HOME"],
        environment=environment,
    )
    return client.call(OPEN, request).pane


def panes_of(client: Client) -> tuple:  # type: ignore[type-arg]
    return client.call(LIST, Empty()).panes


def numbered(word: str, number: int, panes: list[str]) -> Iterator[SendRequest]:
    for index in range(number):
        yield SendRequest(pane=panes[index % len(panes)], text=f"{TEXT} ({index})", id=f"{word}-{index}")


async def leave(socket: Path, requests: Iterator[SendRequest], senders: int) -> list[float]:
    """The latency of each, in ms."""
    latencies_ms: list[float] = []

    async def send_all() -> None:
        client = await AsyncClient.connect(socket)
        try:
            for request in requests:
                began = time.monotonic()
                await client.call(SEND, request)
                latencies_ms.append((time.monotonic() - began) * 1000)
        finally:
            client.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(senders):
            group.create_task(send_all())
    return latencies_ms


def check(client: Client, notices: int, panes: list[str]) -> list[str]:
    """What is not as it was left."""
    wrong = []
    for index, pane in enumerate(panes):
        waiting = client.call(INBOX_LIST, InboxListRequest(pane=pane)).notices
        found = [one.id for one in waiting if one.id.startswith("notice-") and one.state == "pending"]
        wanted = {f"notice-{number}" for number in range(index, notices, len(panes))}
        if len(found) != len(wanted) or set(found) != wanted:
            wrong.append(f"{pane} holds {len(found)} notices, not {len(wanted)}")
    return wrong


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks notices", description=__doc__)
    parser.add_argument("--notices", type=int, default=NOTICES)
    parser.add_argument("--panes", type=int, default=PANES)
    parser.add_argument("--senders", type=int, default=SENDERS)
    options = parser.parse_args(arguments)
    result = measure(options.notices, options.panes, options.senders)
    print(f"{options.notices} notices for {options.panes} sessions, {options.senders} at once")
    print(f"admitted {result.per_second:.0f}/s                    aim: >= {AIM_PER_S:g}/s")
    print(f"answered after {summary(result.latencies_ms)}   aim: p99 <= {AIM_P99_MS:g} ms")
    print("\n".join(result.wrong) or "each is pending, once")
    sys.exit(bool(result.wrong))
