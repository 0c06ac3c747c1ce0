"""Going on with a conversation: which of the words that began it are said again."""

from __future__ import annotations

import shlex

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.agents.resuming import Kept, resume_command, written

KEPT = Kept(
    flags=frozenset({"--search"}),
    valued=frozenset({"-m", "--model"}),
    listed=frozenset({"--add-dir"}),
)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("--model opus", "--model opus"),
        ("--model=opus --search", "--model=opus --search"),
        ("-m opus", "-m opus"),
        ("-mopus", "-mopus"),
        ("--model", "--model"),
        ("--unknown value --search", "--search"),
        ("do this now", ""),
        ("--model opus 'do this now'", "--model opus"),
        ("--add-dir a b --search", "--add-dir a b --search"),
        ("--add-dir=a b", "--add-dir=a"),
        ("--search=yes", "--search=yes"),
        ("--search -- --model opus", "--search"),
        ("-c --resume x", ""),
    ],
)
def test_only_options_that_are_known_to_hold_are_kept(given: str, kept: str) -> None:
    assert KEPT.words(shlex.split(given)) == tuple(shlex.split(kept))


def test_options_are_understood_as_help_texts_write_them() -> None:
    assert written(["--search", "-m NAME", "--model NAME", "--add-dir DIR..."]) == KEPT


@pytest.mark.parametrize("text", ["model", "--model NAME OTHER", "-", "--", ""])
def test_anything_else_is_no_option(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        written([text])


@pytest.mark.parametrize(
    ("agent", "asked", "command"),
    [
        ("claude", "", "claude --resume ID"),
        ("claude", "claude --model opus 'mend it'", "claude --resume ID --model opus"),
        ("claude", "claude --resume OLD --fork-session", "claude --resume ID"),
        ("claude", "claude --continue --permission-mode plan", "claude --resume ID --permission-mode plan"),
        (
            "claude",
            "env A=b npx -y @anthropic-ai/claude-code --add-dir ../x ../y --verbose",
            "env A=b npx -y @anthropic-ai/claude-code --resume ID --add-dir ../x ../y --verbose",
        ),
        ("claude", "sh -c 'claude --model opus'", "claude --resume ID"),
        (
            "codex",
            "/opt/codex -c model_reasoning_effort=high -m gpt-5 mend",
            "/opt/codex resume ID -c model_reasoning_effort=high -m gpt-5",
        ),
        ("codex", "codex resume --last -C ../x", "codex resume ID -C ../x"),
        (
            "gemini",
            "gemini -m flash --yolo -i mend --session-id OLD",
            "gemini --resume ID -m flash --yolo",
        ),
        ("copilot", "copilot --allow-tool 'shell(git)' --continue", "copilot --resume ID --allow-tool 'shell(git)'"),
        ("opencode", "opencode --agent plan -m a/b --prompt mend", "opencode --session ID --agent plan -m a/b"),
        ("opencode", "opencode2 --continue", "opencode2 --session ID"),
        ("pi", "pi --model x -nt 'mend it' --continue -e a.ts", "pi --session ID --model x -nt -e a.ts"),
        ("pi", "pi --api-key SECRET --fork OLD --thinking high", "pi --session ID --thinking high"),
        (
            "qwen",
            "qwen -m plus --yolo --add-dir a b -i mend --openai-api-key SECRET",
            "qwen --resume ID -m plus --yolo --add-dir a b",
        ),
        ("aider", "aider --model x", ""),
    ],
)  # fmt: skip
def test_a_conversation_goes_on_the_way_it_was_begun(agent: str, asked: str, command: str) -> None:
    adapter = Agents().by_name(agent)
    assert adapter is not None

    assert resume_command(adapter, "ID", shlex.split(asked)) == tuple(shlex.split(command))
