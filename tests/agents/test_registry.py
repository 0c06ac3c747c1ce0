"""All agents together."""

from __future__ import annotations

from orca_tui.agents import registry


def test_names_are_unique_and_found() -> None:
    names = [adapter.name for adapter in registry.adapters()]

    assert names == ["opencode", "claude", "codex", "gemini"]
    assert [registry.by_name(name) for name in names] == list(registry.adapters())
    assert registry.by_name("vim") is None


def test_no_command_belongs_to_two_agents() -> None:
    commands = [command for adapter in registry.adapters() for command in adapter.commands]

    assert len(commands) == len(set(commands))


def test_every_agent_has_a_profile_and_keys_that_interrupt_it() -> None:
    assert set(registry.profiles()) == {adapter.name for adapter in registry.adapters()}
    assert all("escape" in adapter.interrupt_keys for adapter in registry.adapters())


def test_only_opencode_posts_reports() -> None:
    assert [adapter.name for adapter in registry.adapters() if registry.reader(adapter.name)] == ["opencode"]
