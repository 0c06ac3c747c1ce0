"""The agents that can be opened, as rows."""

from __future__ import annotations

from orca_tui.commands.agents import AgentRow
from orca_tui.ui.agent_items import agent_items
from orca_tui.ui.screens.filter_picker import matching

CLAUDE = AgentRow(name="claude", title="Claude Code", path="/usr/bin/claude")
CODEX = AgentRow(name="codex", title="Codex", install="npm install -g @openai/codex")
OWN = AgentRow(name="mine", title="mine")


def test_what_is_installed_comes_first_then_the_shell_then_the_rest_with_how_to_have_it() -> None:
    items = agent_items([CODEX, CLAUDE, OWN], ["codex", "claude", "mine", "new", "shell"])

    assert [(item.id, item.enabled) for item in items] == [
        ("claude", True),
        ("shell", True),
        ("codex", False),
        ("mine", False),
        ("new", False),
    ]
    assert [item.text.plain for item in items] == [
        "claude  Claude Code",
        "shell   your shell",
        "codex   npm install -g @openai/codex",
        "mine    not installed",
        "new     new in the settings: `orca-tui server restart`",
    ]


def test_what_cannot_be_opened_says_how_it_can_be() -> None:
    items = agent_items([CODEX, CLAUDE, OWN], ["codex", "claude", "mine", "new", "shell"])

    assert [item.why_not for item in items if not item.enabled] == [
        "codex is not installed: npm install -g @openai/codex",
        "mine is not installed",
        "new is new in the settings: `orca-tui server restart`",
    ]


def test_typing_finds_an_agent_by_its_name_and_title_and_not_by_how_it_is_installed() -> None:
    items = agent_items([CODEX, CLAUDE, OWN], ["codex", "claude", "mine", "shell"])

    assert [item.id for item in matching(items, "npm")] == []
    assert [item.id for item in matching(items, "code")] == ["codex", "claude"]


def test_without_any_agent_the_shell_is_offered() -> None:
    assert [item.id for item in agent_items([], ["shell"])] == ["shell"]
