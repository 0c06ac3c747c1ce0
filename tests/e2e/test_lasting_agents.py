"""Real agents outlive the server, and their conversations outlive a reboot.

All tests share one sandbox, in this order: OpenCode is there from the beginning, the others join it for the reboot.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
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
def pane(tenant: OpenCode) -> str:
    return tenant.open()


def test_a_turn_of_opencode_goes_on_under_the_next_server(room: Sandbox, tenant: OpenCode, pane: str) -> None:
    tenant.prompt(pane, LONG_ANSWER)
    before = room.wait(pane, "working", timeout=60)
    room.shows(pane, "word 3", timeout=60)
    screen = room.screen(pane)

    os.kill(server_pid(room), signal.SIGKILL)
    events = room.follow()

    after = room.panes()[pane]
    assert after["pid"] == before["pid"]
    assert after["session_id"] == before["session_id"]
    assert after["status"] == "working"
    assert screen.splitlines()[0] in room.screen(pane)
    done = room.wait(pane, "done", timeout=60)
    assert done["turns"] == 1
    assert done["confirmed"]
    assert events.rings(pane) <= 1
    events.wait_for_rings(pane, 1)
    events.wait_for_statuses(pane, "working>done")
    assert events.statuses(pane) == ["working>done"]


def test_a_restart_changes_no_status_and_rings_nothing(room: Sandbox, tenant: OpenCode, pane: str) -> None:
    before = room.wait(pane, "done", timeout=60)

    room.run("server", "restart")
    events = room.follow()
    tenant.prompt(pane, ANSWER)
    poll_until(lambda: room.panes()[pane]["turns"] == 2, "the second turn ends", 60)

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
def rebooted(room: Sandbox, tenant: OpenCode, pane: str) -> Iterator[Rebooted]:
    with ExitStack() as stack:
        script = "DO:" + json.dumps([ANSWER])
        conversations = {"opencode": Conversation(room, pane, log=tenant.requests, script=script)}
        for agent in HOOKED:
            log = room.root / f"{agent.name}.jsonl"
            model = stack.enter_context(serving(agent.dialect(), log=log))
            agent.install(room, model.url)
            room.try_run("agents", "allow", agent.name)  # Who tells its session only with consent.
            opened = room.open("--agent", agent.name, "--cwd", str(room.project), "--", *agent.command)
            script = prompt_of(Say("finished"))
            conversations[agent.name] = Conversation(room, opened, log=log, script=script)
        for agent in HOOKED:
            room.shows(conversations[agent.name].pane, agent.takes_prompt, START_S)
        for conversation in conversations.values():
            conversation.prompt("FIRST-MARK")
        for conversation in conversations.values():
            poll_until(conversation.is_resumable, "the turn is written down", 60)
        reboot(room)

        asked_before = {name: len(one.asked()) for name, one in conversations.items()}
        (saved,) = map(json.loads, room.run("sessions", "list", "--json").splitlines())
        restored = json.loads(room.run("sessions", "restore", "--json"))
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
