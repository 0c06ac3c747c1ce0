"""Real agents outlive the server, and their conversations outlive a reboot.

All tests share one sandbox, in this order: OpenCode is there from the beginning, the others join it for the reboot.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents import CLAUDE, CODEX, GEMINI
from tests.e2e.journey import ENTER_LOST_S
from tests.e2e.opencode import OpenCode
from tests.e2e.rebooting import reboot, server_pid
from tests.e2e.sandbox import Sandbox, poll_until, within
from tests.hosts.model_api import serving
from tests.hosts.scripts import Say, prompt_of

LONG_ANSWER = {"text": "word", "n": 150, "delay": 0.1}
ANSWER = {"text": "finished"}
ECHO_S = 5.0
START_S = 90.0
HOOKED = (CLAUDE, CODEX, GEMINI)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(Sandbox()) as box:
        yield box


@pytest.fixture(scope="module")
def opencode(sandbox: Sandbox) -> Iterator[OpenCode]:
    with closing(OpenCode(sandbox)) as agent:
        yield agent


@pytest.fixture(scope="module")
def pane(opencode: OpenCode) -> str:
    return opencode.open()


def test_a_turn_of_opencode_goes_on_under_the_next_server(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    opencode.prompt(pane, LONG_ANSWER)
    before = sandbox.wait(pane, "working", timeout=60)
    sandbox.shows(pane, "word 3", timeout=60)
    screen = sandbox.screen(pane)

    os.kill(server_pid(sandbox), signal.SIGKILL)
    events = sandbox.follow()

    after = sandbox.panes()[pane]
    assert after["pid"] == before["pid"]
    assert after["session_id"] == before["session_id"]
    assert after["status"] == "working"
    assert screen.splitlines()[0] in sandbox.screen(pane)
    done = sandbox.wait(pane, "done", timeout=60)
    assert done["turns"] == 1
    assert done["confirmed"]
    assert events.rings(pane) <= 1
    events.wait_for_rings(pane, 1)
    events.wait_for_statuses(pane, "working>done")
    assert events.statuses(pane) == ["working>done"]


def test_a_restart_changes_no_status_and_rings_nothing(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    before = sandbox.wait(pane, "done", timeout=60)

    sandbox.run("server", "restart")
    events = sandbox.follow()
    opencode.prompt(pane, ANSWER)
    poll_until(lambda: sandbox.panes()[pane]["turns"] == 2, "the second turn ends", 60)

    assert before["turns"] == 1
    assert before["unread"]
    events.wait_for_statuses(pane, "done>working", "working>done")
    assert events.statuses(pane) == ["done>working", "working>done"]
    events.wait_for_rings(pane, 1)
    assert events.rings(pane) == 1


class Conversation:
    """An agent in a pane, and what its model was asked."""

    def __init__(self, sandbox: Sandbox, pane: str, *, log: Path, script: str) -> None:
        self.sandbox = sandbox
        self.pane = pane
        self._log = log
        self._script = script

    def prompt(self, mark: str) -> None:
        """Have a turn whose prompt holds a mark."""
        poll_until(lambda: self._takes(f"{mark} {self._script}", mark), f"the agent takes {mark}", 60)
        self.sandbox.run("keys", self.pane, "enter")
        poll_until(lambda: self._answered(mark), f"the model is asked {mark}", 60)

    def _takes(self, text: str, mark: str) -> bool:
        """Whether the agent shows what is pasted; one that has just drawn itself may not listen yet."""
        self.sandbox.run("paste", self.pane, text)
        return within(lambda: mark in self.sandbox.screen(self.pane), ECHO_S)

    def asked(self) -> list[str]:
        """The requests to the model, as text."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def _answered(self, mark: str) -> bool:
        if within(lambda: any(mark in line for line in self.asked()), ENTER_LOST_S):
            return True
        self.sandbox.run("keys", self.pane, "enter")  # It was taken for a part of the paste.
        return False

    def is_resumable(self) -> bool:
        """Its turn has ended, and what it takes to go on is written down."""
        file = self.sandbox.root / "state" / "orca-tui" / "servers" / "default" / "session.json"
        panes = {one["id"]: one for one in json.loads(file.read_text().split("\n", 1)[1])["panes"]}
        saved = panes[self.pane]
        ended = self.sandbox.panes()[self.pane]["turns"] > 0
        return ended and saved["prompted"] and saved["resumes"] is not None


@dataclass(frozen=True, kw_only=True)
class Rebooted:
    """Four conversations that a reboot has ended, restored."""

    conversations: Mapping[str, Conversation]
    asked_before: Mapping[str, int]
    saved: dict[str, Any]
    """The session's row, before it was restored."""
    restored: dict[str, Any]


@pytest.fixture(scope="module")
def rebooted(sandbox: Sandbox, opencode: OpenCode, pane: str) -> Iterator[Rebooted]:
    with ExitStack() as stack:
        script = "DO:" + json.dumps([ANSWER])
        conversations = {"opencode": Conversation(sandbox, pane, log=opencode.requests, script=script)}
        for agent in HOOKED:
            log = sandbox.root / f"{agent.name}.jsonl"
            model = stack.enter_context(serving(agent.dialect(), log=log))
            agent.install(sandbox, model.url)
            sandbox.try_run("agents", "allow", agent.name)  # Who tells its session only with consent.
            opened = sandbox.open("--agent", agent.name, "--cwd", str(sandbox.project), "--", *agent.command)
            script = prompt_of(Say("finished"))
            conversations[agent.name] = Conversation(sandbox, opened, log=log, script=script)
        for agent in HOOKED:
            sandbox.shows(conversations[agent.name].pane, agent.takes_prompt, START_S)
        for conversation in conversations.values():
            conversation.prompt("FIRST-MARK")
        for conversation in conversations.values():
            poll_until(conversation.is_resumable, "the turn is written down", 60)
        reboot(sandbox)

        asked_before = {name: len(one.asked()) for name, one in conversations.items()}
        (saved,) = map(json.loads, sandbox.run("sessions", "list", "--json").splitlines())
        restored = json.loads(sandbox.run("sessions", "restore", "--json"))
        yield Rebooted(conversations=conversations, asked_before=asked_before, saved=saved, restored=restored)


def test_every_conversation_is_resumed_after_a_reboot(rebooted: Rebooted) -> None:
    panes = {conversation.pane for conversation in rebooted.conversations.values()}

    assert rebooted.saved["panes"] == len(panes)
    assert set(rebooted.restored["resumed"]) == panes


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "opencode"])
def test_a_conversation_goes_on_after_a_reboot(rebooted: Rebooted, name: str) -> None:
    conversation = rebooted.conversations[name]
    conversation.sandbox.shows(conversation.pane, "FIRST-MARK", START_S)

    conversation.prompt("SECOND-MARK")

    new = conversation.asked()[rebooted.asked_before[name] :]
    assert "FIRST-MARK" in next(line for line in new if "SECOND-MARK" in line)
