"""Notices for one running agent whose hooks take them along: left, followed, and looked for in its model's log."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from orca_tui.commands.inbox import NoticeInfo
from orca_tui.commands.send import SendReply
from tests.e2e.agents import RealAgent
from tests.e2e.ground import Ground
from tests.e2e.journey import Journey
from tests.e2e.sandbox import Sandbox
from tests.e2e.writer import Writer
from tests.hosts.scripts import Say

SLOW_CURL = """\
#!/bin/sh
case "$*" in */ask*) [ -e {folder}/late ] && sleep 2;; esac
{curl} "$@"
code=$?
case "$*" in */ask*) [ -e {folder}/slow ] && sleep 2;; esac
exit $code
"""
"""A machine on which a hook takes its time, before or after it has asked."""


class HookDesk:
    """An agent at rest with one turn behind it."""

    def __init__(self, ground: Ground, journey: Journey, writer: Writer) -> None:
        self.ground = ground
        self.journey = journey
        self.pane = journey.pane
        self.writer = writer

    def send(self, text: str, **facts: Any) -> SendReply:
        return self.writer.send(self.pane, text, **facts)

    def cancel(self, notice: str) -> None:
        self.writer.cancel(self.pane, notice)

    def becomes(self, notice: str, state: str) -> NoticeInfo:
        return self.writer.becomes(self.pane, notice, state)

    def requests(self) -> list[str]:
        """What the model was asked, as JSON."""
        return [json.dumps(request["body"]) for request in self.ground.requests()]

    def asked(self, text: str) -> int:
        """How many requests to the model held a text."""
        return sum(text in request for request in self.requests())

    def submit(self, text: str) -> None:
        """Paste and submit a prompt of which the model may never hear."""
        self.writer.paste(self.pane, text)
        self.journey.shows(text)
        self.writer.keys(self.pane, "enter")

    @contextmanager
    def hooks(self, pace: str) -> Iterator[None]:
        """Hooks ask `late`, or are `slow` after they have asked."""
        flag = self.ground.sandbox.root / "bin" / pace
        flag.touch()
        try:
            yield
        finally:
            flag.unlink()


@contextmanager
def at_the_desk(agent: RealAgent, *, consent: bool) -> Iterator[HookDesk]:
    """Start an agent with its hooks and have it answer once."""
    with Ground(agent) as ground, closing(Writer(ground.sandbox)) as writer:
        install_slow_curl(ground.sandbox)
        if consent:
            ground.sandbox.run("agents", "allow", agent.name)
        journey = ground.start()
        journey.shows(agent.takes_prompt)
        journey.until("idle")
        with journey.scenario("idle", "working", "done", rings=1):
            journey.prompt(Say("hello"))
            journey.until("done")
        yield HookDesk(ground, journey, writer)


def install_slow_curl(sandbox: Sandbox) -> None:
    """Before the real one on the PATH."""
    folder = sandbox.root / "bin"
    folder.mkdir()
    program = folder / "curl"
    program.write_text(SLOW_CURL.format(folder=folder, curl=shutil.which("curl")))
    program.chmod(0o755)
    sandbox.env["PATH"] = f"{folder}:{sandbox.env['PATH']}"
