"""Agents of the user's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.agents.declared import DeclaredAgent
from orca_tui.agents.registry import Agents
from orca_tui.agents.resuming import resume_command
from orca_tui.agents.rules import told
from orca_tui.agents.rules_regions import Glance
from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.config import parse, placed
from orca_tui.status.record import Source

BOT = """
[agents.bot]
title = "My bot"
command = ["bot-cli", "--tui"]
match = ["bot-cli", "@me/bot"]
interrupt = ["ctrl+c"]
program_status = true
prompt = "argument"
prompt_flag = "-p"
resume = ["--resume", "{session}"]
keep = ["--yolo", "--model NAME"]

[[agents.bot.rules]]
id = "busy"
region = "title"
says = "working"
regex = '\\Abusy'
"""


def agents_of(text: str, folder: Path = Path("/nowhere")) -> Agents:
    config = parse(text, "config.toml")
    return Agents.configured(config.agents, lambda path: (folder / path).read_text(encoding="utf-8"))


def error_of(text: str, tmp_path: Path) -> ConfigError:
    """The mistake as `config check` tells it."""
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises((ConfigError, Invalid)) as raised:
        agents_of(text, tmp_path)
    return raised.value if isinstance(raised.value, ConfigError) else placed(path, raised.value)  # type: ignore[arg-type]


def test_an_agent_of_the_settings_is_one_like_the_others() -> None:
    agents = agents_of(BOT)
    bot = agents.by_name("bot")

    assert isinstance(bot, DeclaredAgent)
    assert agents.names()[-1] == "bot"
    assert bot.title == "My bot"
    assert bot.interrupt_keys == {"ctrl+c"}
    assert agents.profiles()["bot"].emits_program_status
    assert bot.resume("s1") == ("bot-cli", "--tui", "--resume", "s1")
    asked = ("bot-cli", "--tui", "--model", "big", "--yolo", "--once", "mend it")
    assert resume_command(bot, "s1", asked) == (*bot.resume("s1"), "--model", "big", "--yolo")
    assert bot.first_prompt("hi") == ("-p", "hi")
    assert agents.command("bot") == ("bot-cli", "--tui")


@pytest.mark.parametrize(
    "argv",
    [
        ["bot-cli"],
        ["/usr/bin/bot-cli", "--x"],
        ["npx", "@me/bot@latest"],
        ["node", "/lib/node_modules/@me/bot/cli.js"],
        ["sh", "-c", "exec bot-cli --tui"],
        ["python3", "/opt/bot-cli"],
    ],
)
def test_it_is_recognised_by_what_it_matches(argv: list[str]) -> None:
    bot = agents_of(BOT).recognise(argv)

    assert bot is not None
    assert bot.name == "bot"


def test_without_a_match_it_is_recognised_by_its_command() -> None:
    agents = agents_of('[agents.bot]\ncommand = ["/opt/bin/my-bot", "-x"]\n')

    bot = agents.recognise(["my-bot"])
    assert bot is not None
    assert bot.name == "bot"


def test_its_rules_read_its_state() -> None:
    rules = agents_of(BOT).rules("bot")

    found = told(rules.of(Source.TITLE), Source.TITLE, Glance(title="busy with it"), 1.0)
    assert found is not None
    assert found.said.says == "working"


def test_its_rules_may_be_a_file_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'verified = "2"\n[[rule]]\nid = "a"\nregion = "title"\nsays = "idle"\ncontains = "x"\n'
    )

    rules = agents_of('[agents.bot]\ncommand = ["bot"]\nrules = "bot.toml"\n', tmp_path).rules("bot")

    assert (rules.verified, [rule.id for rule in rules.rules]) == ("2", ["a"])


def test_a_built_in_agent_can_be_extended() -> None:
    agents = agents_of(
        '[agents.claude]\nextends = "claude"\nmatch = ["cc"]\n'
        '[[agents.claude.rules]]\nid = "mine"\nregion = "bottom"\nsays = "working"\npriority = 900\ncontains = "z"\n'
    )

    claude = agents.recognise(["cc"])
    assert claude is not None
    assert (claude.name, claude.title) == ("claude", "Claude Code")
    assert agents.recognise(["claude"]) is claude
    assert agents.reader("claude") is claude
    assert agents.names() == Agents().names()
    rules = agents.rules("claude")
    assert rules.rules[0].id == "mine"
    assert len(rules.rules) == len(Agents().rules("claude").rules) + 1
    assert rules.verified == Agents().rules("claude").verified


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[ui]\n[agents.Bot]\ncommand = ["b"]\n', 2, "no name of an agent"),
        ('[agents.bash]\ncommand = ["b"]\n', 1, "is a shell"),
        ('[agents.shell]\ncommand = ["b"]\n', 1, "is a shell"),
        ("[agents.bot]\n", 1, "needs a command"),
        ('[agents.bot]\ncommand = ["claude"]\n', 2, "program of claude already"),
        ('[agents.bot]\ncommand = ["b"]\nmatch = ["codex"]\n', 3, "program of codex already"),
        ('[agents.a]\ncommand = ["b"]\n[agents.c]\ncommand = ["b"]\n', 4, "program of a already"),
        ('[agents.bot]\ncommand = ["b"]\nresume = ["-r"]\n', 3, "{session}"),
        ('[agents.bot]\ncommand = ["b"]\nkeep = ["model"]\n', 3, '"model" is no option'),
        ('[agents.bot]\ncommand = ["b"]\nprompt_flag = "-p"\n', 3, "argument"),
        ('[agents.bot]\nextends = "claude"\ncommand = ["b"]\n', 2, "same name"),
        ('[agents.claude]\nmatch = ["b"]\n', 1, 'extends = "claude"'),
        ('[agents.claude]\nextends = "claude"\ntitle = "x"\n', 3, "match and rules"),
        ('[agents.claude]\nextends = "claude"\nmatch = ["codex"]\n', 3, "program of codex already"),
        ('[agents.bot]\ncommand = ["b"]\nrules = "none.toml"\n', 3, "none.toml"),
        (
            '[agents.bot]\ncommand = ["b"]\n[[agents.bot.rules]]\nid = "x"\n'
            'region = "title"\nsays = "wrong"\ncontains = "x"\n',
            6,
            "rule 'x'",
        ),
        ('[agents.bot]\ncomand = ["b"]\n', 2, "comand"),
        ('[ui]\n[agents.bot]\ncommand = "b"\n', 3, "agents.bot.command: expected a list, not a text"),
        ('[agents.bot]\ncommand = ["b"]\nprompt = "shout"\n', 3, "shout"),
        ("[agents]\nbot = 3\n", 2, "agents.bot: expected a table, not a whole number"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, line: int, words: str, tmp_path: Path) -> None:
    error = error_of(text, tmp_path)

    assert words in error.message
    assert error.facts["line"] == line


def test_a_mistake_in_a_rule_file_names_that_file_and_its_line(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('[[rule]]\nid = "a"\nregion = "title"\nsays = "no"\ncontains = "x"\n')

    error = error_of('[agents.bot]\ncommand = ["bot"]\nrules = "bot.toml"\n', tmp_path)

    assert error.message.startswith("bot.toml:4: rule 'a'")
