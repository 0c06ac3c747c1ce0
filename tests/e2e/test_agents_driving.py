"""A program in a pane that drives another one, after its user's grant; and a condition, in every state of an agent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.e2e.sandbox import Sandbox
from tests.server.agents import PROGRAM

ORCA = f"{sys.executable} -m orca_tui"


def agent(sandbox: Sandbox) -> tuple[str, Path]:
    """A pane with a scripted agent that rests, and the log of its prompts."""
    log = sandbox.root / "prompts"
    log.touch()
    pane = sandbox.open("--agent", "claude", "--", sys.executable, str(PROGRAM), str(log))
    sandbox.wait(pane, "idle")
    return pane, log


def prompts(log: Path) -> list[str]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_from_inside_without_the_token_another_pane_is_refused_until_the_user_grants_it(
    sandbox: Sandbox,
) -> None:
    other, log = agent(sandbox)
    shell = sandbox.open("--", "bash", "--norc", "--noprofile", "-i")
    send = f"env -u ORCA_TUI_TOKEN {ORCA} send {other}"

    sandbox.type(shell, f"{send} 'before the grant'; echo ended=$?\r")
    sandbox.shows(shell, "ended=5")
    assert f"orca-tui grant {shell} {other}" in sandbox.run("read", shell, "--unwrap")
    sandbox.type(shell, f"setsid -w {send} 'by setsid'; echo setsid=$?\r")
    sandbox.shows(shell, "setsid=5")

    assert json.loads(sandbox.run("grant", shell, other, "--json"))["granted"] == [other]
    sandbox.type(shell, f"{send} 'after the grant' --wait receipt; echo ended=$?\r")
    sandbox.shows(shell, "ended=0")
    sandbox.run("revoke", shell)
    sandbox.type(shell, f"{send} 'after the revocation'; echo again=$?\r")
    sandbox.shows(shell, "again=5")

    [prompt] = prompts(log)
    assert f"the agent in pane {shell}" in prompt
    assert "after the grant" in prompt


def test_a_condition_wakes_an_idle_agent_only_and_says_why_not(sandbox: Sandbox) -> None:
    pane, log = agent(sandbox)

    def conditional(text: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(sandbox.run("send", pane, text, "--if-idle", "--json"))
        return told

    sandbox.type(pane, "half a thought")
    drafting = conditional("over a draft")
    sandbox.run("keys", pane, "ctrl+u")
    sandbox.type(pane, "work\r")
    sandbox.wait(pane, "working")
    busy = conditional("while busy")
    sandbox.run("keys", pane, "ctrl+a")
    sandbox.wait(pane, "waiting")
    waiting = conditional("while it asks")
    sandbox.type(pane, "y")
    sandbox.wait(pane, "working")
    sandbox.run("keys", pane, "ctrl+e")
    sandbox.wait(pane, "done")
    while (idle := conditional("while idle"))["reason"] == "draft":  # The last key is typing still.
        sandbox.run("inbox", "cancel", pane, idle["id"])
    sandbox.wait(pane, "working")

    told = {one["reason"]: (one["woke"], one["state"]) for one in (drafting, busy, waiting)}
    assert told == dict.fromkeys(("draft", "busy", "waiting"), (False, "pending"))
    assert (idle["reason"], idle["woke"], idle["state"], idle["guard"]) == ("woke", True, "delivered", "held")
    assert prompts(log) == ["work", "while idle"]
