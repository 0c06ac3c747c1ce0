"""All agents together."""

from __future__ import annotations

from orca_tui.agents.registry import Agents

AGENTS = Agents()


def test_names_are_unique_and_found() -> None:
    names = [adapter.name for adapter in AGENTS.adapters()]

    assert names == ["opencode", "claude", "codex", "gemini"]
    assert [AGENTS.by_name(name) for name in names] == list(AGENTS.adapters())
    assert AGENTS.by_name("vim") is None


def test_no_command_belongs_to_two_agents() -> None:
    commands = [command for adapter in AGENTS.adapters() for command in adapter.commands]

    assert len(commands) == len(set(commands))


def test_every_agent_has_a_profile_and_keys_that_interrupt_it() -> None:
    assert set(AGENTS.profiles()) == {adapter.name for adapter in AGENTS.adapters()}
    assert all("escape" in adapter.interrupt_keys for adapter in AGENTS.adapters())


def test_only_agents_with_a_plugin_or_hooks_post_reports() -> None:
    reporting = {adapter.name for adapter in AGENTS.adapters() if AGENTS.reader(adapter.name)}

    assert {"opencode", "claude"} <= reporting
    assert AGENTS.reader("vim") is None


def test_every_session_can_be_resumed_by_a_command_that_is_the_agents_own() -> None:
    for adapter in AGENTS.adapters():
        command = adapter.resume("s1")
        assert not command or (command[0] in adapter.commands and "s1" in command[-1])
