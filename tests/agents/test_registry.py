"""All agents together."""

from __future__ import annotations

import pytest

from orca_tui.agents import registry, shell
from orca_tui.status.events import Mark, PromptMarked


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


@pytest.mark.parametrize(("kind", "mark"), [("A", Mark.PROMPT), ("C", Mark.COMMAND), ("D", Mark.FINISHED)])
def test_marks_of_a_shell_are_read(kind: str, mark: Mark) -> None:
    assert shell.prompt_marked(kind, 3, 1.0) == [PromptMarked(at=1.0, mark=mark, exit_code=3)]


def test_other_marks_say_nothing() -> None:
    assert shell.prompt_marked("P", None, 1.0) == []
