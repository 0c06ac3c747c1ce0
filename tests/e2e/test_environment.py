"""What a pane's program finds in its environment."""

from __future__ import annotations

from tests.e2e.sandbox import Sandbox

OF_THE_USER = {
    "CODEX_HOME": "/somewhere/codex",
    "CLAUDE_CODE_USE_BEDROCK": "1",
    "OPENCODE_CONFIG_DIR": "/somewhere/opencode",
    "ANTHROPIC_API_KEY": "key-of-the-user",
}
OF_OTHERS = {
    "TMUX": "/tmp/tmux-0/default,1,0",
    "TMUX_PANE": "%0",
    "CLAUDECODE": "1",
    "CLAUDE_CODE_SESSION_ID": "of-the-agent-that-runs-us",
    "ZELLIJ_SESSION_NAME": "outer",
    "OPENCODE_PID": "1",
}


def test_the_users_settings_arrive_and_those_of_other_multiplexers_and_agents_do_not(
    sandbox: Sandbox,
) -> None:
    sandbox.env |= OF_THE_USER | OF_OTHERS
    found = sandbox.root / "environment"

    pane = sandbox.open("--env", "EXTRA=given", "--", "/bin/sh", "-c", f"env -0 > {found}")
    sandbox.wait(pane, "exited")

    variables = dict(line.split("=", 1) for line in found.read_text().split("\0") if line)
    assert {name: variables.get(name) for name in OF_THE_USER} == OF_THE_USER
    assert set(OF_OTHERS) & set(variables) == set()
    assert variables["EXTRA"] == "given"
    assert variables["ORCA_TUI_PANE"] == pane
    assert variables["TERM_PROGRAM"] == "orca-tui"
    assert variables["PWD"] == str(sandbox.project)
