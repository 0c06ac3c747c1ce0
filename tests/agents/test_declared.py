"""Agents that are known as data alone."""

from __future__ import annotations

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


def test_a_command_is_started_as_it_was_given() -> None:
    assert BOT.launch(("bot-cli", "-x"), CONTEXT).argv == ("bot-cli", "-x")


def test_of_which_little_is_said_little_is_known() -> None:
    plain = DeclaredAgent(name="bot", title="Bot", commands=frozenset({"bot"}))

    assert plain.resume("s1") == ()
    assert plain.first_prompt("fix it") == ()


def test_a_session_is_gone_on_with_by_its_own_words() -> None:
    assert BOT.resume("s1") == ("bot-cli", "--tui", "--session=s1", "--quiet")


def test_a_prompt_that_is_an_argument_stands_behind_its_option() -> None:
    assert BOT.first_prompt("fix it") == ("--prompt", "fix it")


def test_it_needs_no_files() -> None:
    assert BOT.files("hook") == {}
