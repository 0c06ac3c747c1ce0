"""An agent that only the user's settings know: it speaks OSC 26, and its screen and title are read by rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.sandbox import Sandbox, poll_until

BOT = r"""#!/bin/sh
said() { printf '\033]26;CodeAgent=bot;SessionId=s1;Status=%s;Detail=%s\033\\' "$1" "$2"; }
said idle
while IFS= read -r line; do
  case $line in
    work) said running ;;
    ask) said awaiting-approval cm0gLXJmIHg= ;;
    finish) said finished ;;
    fail) said error b3Zlcmxvd2Vk ;;
    title) said idle; printf '\033]2;bot: busy\007' ;;
    quit) exit 0 ;;
  esac
done
"""
SETTINGS = """
[agents.bot]
title = "My bot"
command = ["{program}", "--tui"]
match = ["bot-cli"]
program_status = true
resume = ["--resume", "{{session}}"]
rules = "bot.toml"
"""
RULES = """
[[rule]]
id = "asks-to-continue"
region = "bottom"
count = 2
says = "waiting"
kind = "question"
regex = '^Continue\\? \\[y/n\\]'
text = '^(Continue\\?)'
"""


@pytest.fixture
def bot(sandbox: Sandbox) -> Path:
    program = sandbox.root / "bot-cli"
    program.write_text(BOT)
    program.chmod(0o755)
    folder = Path(sandbox.env["XDG_CONFIG_HOME"]) / "orca-tui"
    folder.mkdir()
    (folder / "config.toml").write_text(SETTINGS.format(program=program))
    (folder / "bot.toml").write_text(RULES)
    return program


def types(sandbox: Sandbox, pane: str, line: str) -> None:
    sandbox.type(pane, f"{line}\r")


def test_a_custom_agent_in_a_shell_pane_shows_what_it_says(sandbox: Sandbox, bot: Path) -> None:
    events = sandbox.follow()
    pane = sandbox.open("--", "/bin/sh", "-i")

    types(sandbox, pane, str(bot))
    sandbox.wait(pane, "idle")
    types(sandbox, pane, "work")
    assert sandbox.wait(pane, "working")["agent"] == "bot"
    types(sandbox, pane, "ask")
    asked = sandbox.wait(pane, "waiting")
    assert (asked["kind"], asked["message"], asked["session_id"]) == ("permission", "rm -rf x", "s1")
    events.wait_for_rings(pane, 1)  # An ask that is answered in a moment rings for nothing.
    types(sandbox, pane, "work")
    sandbox.wait(pane, "working")
    types(sandbox, pane, "finish")
    assert sandbox.wait(pane, "done")["turns"] == 1
    types(sandbox, pane, "work")
    sandbox.wait(pane, "working")
    types(sandbox, pane, "fail")
    assert sandbox.wait(pane, "error")["message"] == "overlowed"

    types(sandbox, pane, "quit")
    poll_until(lambda: sandbox.panes()[pane]["agent"] is None, "the shell is back")
    assert sandbox.panes()[pane]["status"] != "working"
    events.wait_for_rings(pane, 3)
    assert events.rings(pane) == 3


def test_a_custom_agent_is_opened_by_its_name_and_told_by_explain_and_doctor(
    sandbox: Sandbox, bot: Path
) -> None:
    pane = sandbox.open("--agent", "bot")

    sandbox.wait(pane, "idle")
    opened = sandbox.panes()[pane]
    assert (opened["agent"], opened["command"]) == ("bot", [str(bot), "--tui"])
    told = json.loads(sandbox.run("explain", pane, "--json"))
    assert (told["source"], told["missing"]) == ("osc7501", [])
    assert "arbiter rule 1" in told["rule"]
    sandbox.env["PATH"] = f"{bot.parent}:{sandbox.env['PATH']}"
    (bot.parent / "bot-cli").write_text("#!/bin/sh\necho 3.1\n")
    assert "bot 3.1" in sandbox.try_run("doctor").stdout


def test_the_screen_of_a_custom_agent_is_read_by_its_own_rules(sandbox: Sandbox, bot: Path) -> None:
    asking = "import sys; print('Continue? [y/n]', end='', flush=True); sys.stdin.readline()"
    pane = sandbox.open("--agent", "bot", "--", sys.executable, "-c", asking)

    waiting = sandbox.wait(pane, "waiting")

    assert (waiting["kind"], waiting["message"]) == ("question", "Continue?")
    assert waiting["evidence"]["detail"] == "rule asks-to-continue"


def test_a_mistake_in_the_settings_keeps_the_other_agents(sandbox: Sandbox, bot: Path) -> None:
    (Path(sandbox.env["XDG_CONFIG_HOME"]) / "orca-tui" / "bot.toml").write_text("[[rule]]\nid = 1\n")

    checked = sandbox.try_run("config", "check")
    refused = sandbox.try_run("open", "--agent", "bot")

    assert checked.returncode == 1
    assert "bot.toml:2" in checked.stderr
    assert "'bot' is no agent" in refused.stderr
    assert sandbox.open("--agent", "shell")
