"""Real agents outlive the server, and their conversations outlive a reboot."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.agents import CLAUDE, CODEX, GEMINI, RealAgent
from tests.e2e.opencode import OpenCode
from tests.e2e.rebooting import reboot, server_pid
from tests.e2e.sandbox import Sandbox, poll_until, within
from tests.hosts.model_api import serving
from tests.hosts.scripts import Say, prompt_of

LONG_ANSWER = {"text": "word", "n": 150, "delay": 0.1}
ANSWER = {"text": "finished"}
ECHO_S = 5.0


def test_a_turn_of_opencode_goes_on_under_the_next_server(sandbox: Sandbox, opencode: OpenCode) -> None:
    pane = opencode.open()
    opencode.prompt(pane, LONG_ANSWER)
    before = sandbox.wait(pane, "working", timeout=60)
    sandbox.shows(pane, "word 3", timeout=60)
    screen = sandbox.run("read", pane)

    os.kill(server_pid(sandbox), signal.SIGKILL)
    events = sandbox.follow()

    after = sandbox.panes()[pane]
    assert after["pid"] == sandbox.panes()[pane]["pid"]
    assert after["session_id"] == before["session_id"]
    assert after["status"] == "working"
    assert screen.splitlines()[0] in sandbox.run("read", pane)
    done = sandbox.wait(pane, "done", timeout=60)
    assert done["turns"] == 1
    assert done["confirmed"]
    assert events.rings(pane) <= 1
    events.wait_for_rings(pane, 1)
    events.wait_for_statuses(pane, "working>done")
    assert events.statuses(pane) == ["working>done"]


def test_a_restart_changes_no_status_and_rings_nothing(sandbox: Sandbox, opencode: OpenCode) -> None:
    pane = opencode.open()
    opencode.prompt(pane, ANSWER)
    sandbox.wait(pane, "done", timeout=60)
    before = sandbox.panes()[pane]

    sandbox.run("server", "restart")
    events = sandbox.follow()
    opencode.prompt(pane, ANSWER)
    poll_until(lambda: sandbox.panes()[pane]["turns"] == 2, "the second turn ends")

    assert before["turns"] == 1
    assert before["unread"]
    events.wait_for_statuses(pane, "done>working", "working>done")
    assert events.statuses(pane) == ["done>working", "working>done"]
    events.wait_for_rings(pane, 1)
    assert events.rings(pane) == 1


class Conversation:
    """An agent in a pane, and what its model was asked."""

    def __init__(
        self,
        sandbox: Sandbox,
        log: Path,
        command: tuple[str, ...],
        takes_prompt: str,
        script: Callable[[], str],
    ) -> None:
        self.sandbox = sandbox
        self.takes_prompt = takes_prompt
        self._log = log
        self._script = script
        self.pane = sandbox.open("--agent", command[0], "--cwd", str(sandbox.project), "--", *command)
        sandbox.shows(self.pane, takes_prompt, timeout=60)

    def prompt(self, mark: str) -> None:
        """Have a turn whose prompt holds a mark."""
        poll_until(lambda: self._takes(f"{mark} {self._script()}", mark), f"the agent takes {mark}", 60)
        self.sandbox.run("keys", self.pane, "enter")
        poll_until(lambda: self._answered(mark), f"the model is asked {mark}", 60)

    def _takes(self, text: str, mark: str) -> bool:
        """Whether the agent shows what is pasted; one that has just drawn itself may not listen yet."""
        self.sandbox.run("paste", self.pane, text)
        return within(lambda: mark in self.sandbox.run("read", self.pane), ECHO_S)

    def asked(self) -> list[str]:
        """The requests to the model, as text."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def _answered(self, mark: str) -> bool:
        if any(mark in line for line in self.asked()):
            return True
        self.sandbox.run("keys", self.pane, "enter")  # It was taken for a part of the paste.
        return False


@contextmanager
def talking(agent: RealAgent) -> Iterator[Conversation]:
    with ExitStack() as stack:
        sandbox = Sandbox()
        stack.callback(sandbox.close)
        log = sandbox.root / "requests.jsonl"
        model = stack.enter_context(serving(agent.dialect(), log=log))
        agent.install(sandbox, model.url)
        sandbox.try_run("agents", "allow", agent.name)  # Who tells its session only with consent.
        yield Conversation(
            sandbox, log, agent.command, agent.takes_prompt, lambda: prompt_of(Say("finished"))
        )


@contextmanager
def talking_to_opencode() -> Iterator[Conversation]:
    sandbox = Sandbox()
    agent = OpenCode(sandbox)
    try:
        yield Conversation(
            sandbox, agent.requests, ("opencode",), "Ask anything", lambda: "DO:" + json.dumps([ANSWER])
        )
    finally:
        agent.close()
        sandbox.close()


@pytest.mark.parametrize(
    "talk",
    [
        pytest.param(lambda: talking(CLAUDE), id="claude"),
        pytest.param(lambda: talking(CODEX), id="codex"),
        pytest.param(lambda: talking(GEMINI), id="gemini"),
        pytest.param(talking_to_opencode, id="opencode"),
    ],
)
def test_a_conversation_goes_on_after_a_reboot(talk: Callable[[], object]) -> None:
    with talk() as conversation:  # type: ignore[attr-defined]
        sandbox: Sandbox = conversation.sandbox
        conversation.prompt("FIRST-MARK")
        poll_until(lambda: _is_resumable(sandbox, conversation.pane), "the turn is written down", 60)
        reboot(sandbox)
        asked_before = len(conversation.asked())

        (row,) = map(json.loads, sandbox.run("sessions", "list", "--json").splitlines())
        restored = json.loads(sandbox.run("sessions", "restore", "--json"))
        sandbox.shows(conversation.pane, "FIRST-MARK", timeout=60)
        conversation.prompt("SECOND-MARK")

        assert row["panes"] == 1
        assert restored["resumed"] == [conversation.pane]
        asked = [line for line in conversation.asked()[asked_before:] if "SECOND-MARK" in line]
        assert "FIRST-MARK" in asked[0]


def _is_resumable(sandbox: Sandbox, pane: str) -> bool:
    record = sandbox.panes()[pane]
    file = sandbox.root / "state" / "orca-tui" / "servers" / "default" / "session.json"
    (saved,) = json.loads(file.read_text().split("\n", 1)[1])["panes"]
    return record["turns"] > 0 and saved["prompted"] and saved["resumes"] is not None
