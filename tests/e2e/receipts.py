"""What becomes of notices, agent by agent, by the log of its model: `python -m tests.e2e.receipts [AGENT ...]`.

Each agent works while two notices are left for it, of which one is taken back; then rests while one wakes it; and is
given one that must not wake with a prompt. Printed is how often the model saw each text, and when its receipt came.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise

from tests.e2e.agents import CLAUDE, CODEX, GEMINI, RealAgent
from tests.e2e.hook_desk import HookDesk, at_the_desk
from tests.e2e.opencode import OpenCode
from tests.e2e.opencode2 import OpenCode2
from tests.e2e.sandbox import Sandbox
from tests.e2e.writer import Writer
from tests.hosts.scripts import Say

QUEUED, STALE, WAKES, RIDES = "notice-queued", "notice-stale", "notice-wakes", "notice-rides"
LONG = Say("word", times=20, pause_s=0.1)
SHORT = Say("short")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """An agent at rest, with a turn behind it."""

    writer: Writer
    pane: str
    work: Callable[[], None]
    """Prompt it for a turn of some seconds."""
    prompt: Callable[[], None]
    requests: Callable[[], list[str]]
    """What its model was asked so far."""


@dataclass(frozen=True, kw_only=True)
class Line:
    text: str
    state: str
    new: int
    """In how many requests it was new."""
    receipt_s: float | None
    """From when it was left, or its moment came, to the receipt."""


def lines_of(subject: Subject) -> Iterator[Line]:
    writer, pane = subject.writer, subject.pane
    turns = writer.pane(pane).turns
    subject.work()
    writer.waits(pane, "working")
    stale, queued = (writer.send(pane, text) for text in (STALE, QUEUED))
    writer.cancel(pane, stale.id)
    writer.becomes(pane, queued.id, "delivered")
    writer.turns(pane, turns + 1)
    writer.waits(pane, "done", "idle")
    wakes = writer.send(pane, WAKES, wait="done")
    rides = writer.send(pane, RIDES, resume=False)
    turns = writer.pane(pane).turns
    subject.prompt()
    writer.becomes(pane, rides.id, "delivered")
    writer.turns(pane, turns + 1)
    for text, reply in ((STALE, stale), (QUEUED, queued), (WAKES, wakes), (RIDES, rides)):
        row = writer.notice(pane, reply.id)
        late = row.receipt.at - row.admitted_at if row.receipt is not None else None
        yield Line(text=text, state=row.state, new=new_in(subject.requests(), text), receipt_s=late)


def new_in(requests: list[str], text: str) -> int:
    """In how many requests a text was that the request before did not have as often: history repeats it."""
    counts = [0, *(request.count(text) for request in requests)]
    return sum(after > before for before, after in pairwise(counts) if after)


@contextmanager
def real(agent: RealAgent, *, consent: bool) -> Iterator[Subject]:
    with at_the_desk(agent, consent=consent) as desk:
        yield Subject(
            writer=desk.writer,
            pane=desk.pane,
            work=lambda: desk.journey.prompt(LONG),
            prompt=lambda: desk.journey.prompt(SHORT),
            requests=lambda: conversation_requests(desk),
        )


def conversation_requests(desk: HookDesk) -> list[str]:
    """Without those for titles, which are asked for without tools."""
    return [json.dumps(one["body"]) for one in desk.ground.requests() if one["tools"]]


@contextmanager
def opencode1() -> Iterator[Subject]:
    with closing(Sandbox()) as sandbox, closing(OpenCode(sandbox)) as host:
        pane = host.open()
        with closing(Writer(sandbox)) as writer:
            host.prompt(pane, {"text": "hello"})
            writer.turns(pane, 1)
            yield Subject(
                writer=writer,
                pane=pane,
                work=lambda: host.prompt(pane, {"text": "word", "n": 20, "delay": 0.1}),
                prompt=lambda: host.prompt(pane, {"text": "short"}),
                requests=lambda: [json.dumps(one["conversation"]) for one in host.asked("")],
            )


@contextmanager
def opencode2() -> Iterator[Subject]:
    with closing(Sandbox()) as sandbox:
        host = OpenCode2(sandbox, untyped=True)
        with closing(Writer(sandbox)) as writer:

            def prompt(ms: int) -> None:
                host.say(cmd="prompt", sessionID="ses_root", text="work", ms=ms)

            prompt(10)
            writer.turns(host.pane, 1)
            yield Subject(
                writer=writer,
                pane=host.pane,
                work=lambda: prompt(2_000),
                prompt=lambda: prompt(10),
                requests=lambda: [
                    json.dumps(record["conversation"])
                    for record in host.records()
                    if record["rec"] == "request"
                ],
            )


SUBJECTS: Mapping[str, tuple[str, Callable[[], AbstractContextManager[Subject]]]] = {
    "opencode1": ("OpenCode 1", opencode1),
    "opencode2": ("OpenCode 2 (double)", opencode2),
    "claude": ("Claude Code", lambda: real(CLAUDE, consent=False)),
    "codex": ("Codex", lambda: real(CODEX, consent=True)),
    "gemini": ("Gemini CLI", lambda: real(GEMINI, consent=True)),
}


def report(name: str) -> bool:
    """Print one agent's lines; whether all is as it should be."""
    title, opened = SUBJECTS[name]
    print(title, flush=True)
    right = True
    with opened() as subject:
        for line in lines_of(subject):
            wanted = ("cancelled", 0) if line.text == STALE else ("delivered", 1)
            well = (line.state, line.new) == wanted
            right &= well
            late = "" if line.receipt_s is None else f"receipt after {line.receipt_s:.2f} s"
            mark = " " if well else "!"
            print(f" {mark} {line.text:14} {line.state:10} new in {line.new} requests  {late}", flush=True)
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(SUBJECTS))
    chosen = parser.parse_args().agents or list(SUBJECTS)
    return 0 if all([report(name) for name in chosen]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
