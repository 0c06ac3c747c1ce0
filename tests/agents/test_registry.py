"""All agents together."""

from __future__ import annotations

from orca_tui.agents.registry import Agents
from orca_tui.agents.rules import NO_RULES
from orca_tui.config import BUILT_IN_AGENTS, parse
from orca_tui.status.record import Source
from orca_tui.term.key_names import key_name, parse_key

AGENTS = Agents()


def test_names_are_unique_and_found_and_those_that_the_settings_know() -> None:
    names = tuple(adapter.name for adapter in AGENTS.adapters())

    assert names == BUILT_IN_AGENTS
    assert len(names) == len(set(names))
    assert [AGENTS.by_name(name) for name in names] == list(AGENTS.adapters())
    assert AGENTS.by_name("vim") is None


def test_no_command_and_no_package_belongs_to_two_agents() -> None:
    commands = [command for adapter in AGENTS.adapters() for command in adapter.commands]
    packages = [package for adapter in AGENTS.adapters() for package in adapter.packages]

    assert len(commands) == len(set(commands))
    assert len(packages) == len(set(packages))


def test_every_agent_has_a_profile_and_keys_that_interrupt_it() -> None:
    assert set(AGENTS.profiles()) == {adapter.name for adapter in AGENTS.adapters()}
    assert all("ctrl+c" in adapter.interrupt_keys for adapter in AGENTS.adapters())


def test_every_agent_has_a_key_for_a_new_line() -> None:
    keys = {adapter.name: key_name(parse_key(adapter.newline_key)) for adapter in AGENTS.adapters()}

    assert keys.pop("aider") == "alt+enter"
    assert set(keys.values()) == {"ctrl+j"}


def test_every_agent_but_opencode_has_rules() -> None:
    without = [name for name in AGENTS.names() if AGENTS.rules(name) is NO_RULES]

    assert without == ["opencode"]
    assert AGENTS.rules("vim") is NO_RULES
    assert AGENTS.rules(None) is NO_RULES


def test_rules_are_read_once() -> None:
    assert AGENTS.rules("claude") is AGENTS.rules("claude")


def test_opencode_and_agents_with_hooks_post_reports_and_the_others_do_not() -> None:
    assert AGENTS.reader("opencode") is not None
    assert AGENTS.reader("amp") is None
    assert AGENTS.reader("vim") is None


def test_an_agent_is_started_by_its_name_unless_its_program_is_called_otherwise() -> None:
    assert AGENTS.command("claude") == ("claude",)
    assert AGENTS.command("cursor") == ("cursor-agent",)


def test_what_the_status_of_an_agent_can_rest_on_is_told_strongest_first() -> None:
    assert AGENTS.sources("opencode", allowed=False) == (Source.PLUGIN,)
    assert AGENTS.sources("amp", allowed=False) == (Source.TITLE, Source.SCREEN)
    assert AGENTS.sources("claude", allowed=False)[0] is Source.PROGRAM_STATUS
    assert AGENTS.sources("vim", allowed=True) == ()


def test_hooks_that_need_consent_are_no_source_without_it() -> None:
    assert Source.HOOK in AGENTS.sources("codex", allowed=True)
    assert Source.HOOK not in AGENTS.sources("codex", allowed=False)
    assert Source.HOOK in AGENTS.sources("claude", allowed=False)


def test_osc_9999_and_26_can_be_of_any_agent_but_ours_that_speak_osc_7501() -> None:
    custom = parse('[agents.bot]\ncommand = ["bot"]\nprogram_status = true\n', "config.toml").agents
    agents = Agents.configured(custom, lambda _: "")

    assert [name for name in agents.names() if not agents.takes_reports(name)] == ["claude", "codex", "pi"]
    assert agents.takes_reports("bot")
    assert agents.takes_reports("somebody")
    assert agents.takes_reports(None)
