"""Agents that are known as data alone."""

from __future__ import annotations

import pytest

from orca_tui.agents.declared import DeclaredAgent
from orca_tui.agents.launching import LaunchContext

CONTEXT = LaunchContext(session_id="s", folder="", hook="")
BOT = DeclaredAgent(
    name="bot",
    title="Bot",
    commands=frozenset({"bot-cli"}),
    command=("bot-cli", "--tui"),
    prompt_as=("--prompt",),
    resume_with=("--session={session}", "--quiet"),
)


@pytest.mark.parametrize(
    ("argv", "started"),
    [
        (("bot",), ("bot-cli", "--tui")),
        (("bot-cli", "-x"), ("bot-cli", "-x")),
        (("npx", "bot"), ("npx", "bot")),
    ],
)
def test_its_own_command_is_run_where_nobody_said_another(
    argv: tuple[str, ...], started: tuple[str, ...]
) -> None:
    assert BOT.launch(argv, CONTEXT).argv == started


def test_without_a_command_the_program_of_its_name_is_run() -> None:
    plain = DeclaredAgent(name="bot", title="Bot", commands=frozenset({"bot"}))

    assert plain.launch(("bot",), CONTEXT).argv == ("bot",)
    assert plain.resume("s1") == ()
    assert plain.first_prompt("fix it") == ()


def test_a_session_is_gone_on_with_by_its_own_words() -> None:
    assert BOT.resume("s1") == ("bot-cli", "--tui", "--session=s1", "--quiet")


def test_a_prompt_that_is_an_argument_stands_behind_its_option() -> None:
    assert BOT.first_prompt("fix it") == ("--prompt", "fix it")


def test_it_needs_no_files_and_its_title_says_nothing_without_rules() -> None:
    assert BOT.files("hook") == {}
