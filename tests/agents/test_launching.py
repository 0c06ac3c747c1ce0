"""Where options may be put into an agent's command."""

from __future__ import annotations

import pytest

from orca_tui.agents.launching import CommandLine, LaunchContext, Words, is_older, unchanged

KNOWN = CommandLine(oldest=(2, 1), other_options=frozenset({"-p", "--print"}), subcommands=frozenset({"mcp"}))
CONTEXT = LaunchContext(session_id="NEW", folder="", hook="post")


def words(command: str) -> Words | None:
    return KNOWN.interactive(command.split(), CONTEXT)


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        ("claude", "claude +"),
        ("claude --model opus fix", "claude + --model opus fix"),
        ("/usr/bin/claude -c", "/usr/bin/claude + -c"),
        ("env A=1 claude fix", "env A=1 claude + fix"),
        ("npx -y @anthropic-ai/claude-code@latest fix", "npx -y @anthropic-ai/claude-code@latest + fix"),
        (
            "node /x/node_modules/@anthropic-ai/claude-code/cli.js",
            "node /x/node_modules/@anthropic-ai/claude-code/cli.js +",
        ),
        ("claude -- -p", "claude + -- -p"),
        ("claude -- mcp", "claude + -- mcp"),
    ],
)
def test_options_go_right_behind_the_program(command: str, changed: str) -> None:
    found = words(command)

    assert found is not None
    assert found.with_options(["+"]) == tuple(changed.split())


@pytest.mark.parametrize(
    "command",
    [
        "claude -p hi",
        "claude --print hi",
        "claude --print=hi",
        "claude -cp hi",  # Two letters in one word.
        "claude mcp list",
        "claude --model opus mcp list",
        "sh -c claude",
        "bash -lc claude",
        "node -e 1",
        "bash",
        "",
    ],
)
def test_what_is_no_interactive_start_is_left_alone(command: str) -> None:
    assert words(command) is None


def test_options_are_told_without_their_values_and_letters_one_by_one() -> None:
    found = words("claude --resume=x -cv --model -- --late")

    assert found is not None
    assert {"--resume", "-c", "-v", "--model"} <= found.options
    assert "--late" not in found.options


@pytest.mark.parametrize(
    ("version", "older"),
    [
        ("2.0.99", True),
        ("1", True),
        ("2.1", False),
        ("2.1.332 (Claude Code)", False),
        ("codex-cli 10.0.0", False),
        (None, False),
        ("preview", False),
    ],
)
def test_only_a_program_known_to_be_older_is(version: str | None, older: bool) -> None:
    assert is_older(version, (2, 1)) is older


def test_an_unchanged_command_begins_no_session_of_ours() -> None:
    launched = unchanged(["claude", "mcp"])

    assert (launched.argv, launched.session_id, launched.environment) == (("claude", "mcp"), None, {})


UUID = "3650002b-a101-456d-a5ae-818c0ea70503"


@pytest.mark.parametrize(
    ("command", "session"),
    [
        (f"gemini --resume {UUID}", UUID),
        (f"gemini --resume={UUID} -m pro", UUID),
        (f"gemini -r {UUID}", UUID),
        ("gemini --resume latest", None),
        ("gemini --resume", None),
        (f"pi --fork {UUID}", None),
        (f"gemini -- --resume {UUID}", None),
        (f"gemini {UUID}", None),
    ],
)
def test_a_session_is_known_where_the_command_names_it_by_its_id(command: str, session: str | None) -> None:
    words = CommandLine(other_options=frozenset()).interactive(command.split(), CONTEXT)

    assert words is not None
    assert words.named_session == session
