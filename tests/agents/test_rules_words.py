"""What the built-in rules say of wordings that no recording has, and of traps."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Source
from tests.agents.looking import look, rules_of, screen, words

LINE = "─" * 40


def claude(
    *above: str, box: tuple[str, ...] = ("❯ ",), below: tuple[str, ...] = ("  ? for shortcuts",)
) -> str:
    lines = (*above, "", LINE, *box, LINE, *below)
    return words(screen(rules_of("claude"), *lines, cursor_row=len(above) + 2))


@pytest.mark.parametrize(
    "last",
    [
        "● Perusing… (1m 38s · ↓ 187 tokens)",
        "✻ Reading and understanding… (1h 2m 3s · ↑ 1.2k tokens)",
        "✶ Seasoning…",
        "✻ Waiting for 1 background agent to finish",
        "✻ Cooked for 1m 2s · done 2:06 PM · 2 shells still running",
        "  ⎿  Request failed, retrying in 4s · attempt 3",
    ],
)
def test_claude_works_whatever_the_spinner_says(last: str) -> None:
    assert claude("❯ fix it", "", last) == "working"


def test_claude_works_by_its_footer_when_the_spinner_is_another() -> None:
    assert claude("❯ fix it", "", below=("  esc to interrupt",)) == "working"


@pytest.mark.parametrize(
    "message",
    [
        "● The footer says esc to interrupt, and running is a word.",
        "● Do you want to proceed?",
        "● Let me look at the files…",
        "● Would you like to run it? 1. Yes 2. No",
        "● I print: API Error",
        "✻ Cooked for 0s · done 2:06 PM",
    ],
)
def test_words_in_a_message_of_claude_keep_no_state_up(message: str) -> None:
    assert claude("❯ hi", "", message) == "idle"


def test_what_was_said_before_the_last_message_counts_no_more() -> None:
    assert claude("● API Error: 500 x", "", "❯ again", "", "● Done.") == "idle"
    assert claude("✶ Seasoning…", "", "● Done.") == "idle"


def test_a_status_line_of_any_height_below_the_prompt_hides_nothing() -> None:
    footer = tuple(f"  status line {number}" for number in range(9))

    assert claude("● Done.", below=footer) == "idle"
    assert claude("✶ Seasoning…", below=footer) == "working"
    assert claude("● Done.", below=(*footer, "  esc to interrupt")) == "working"


@pytest.mark.parametrize(
    ("message", "told_words"),
    [
        (
            "● You've hit your session limit · resets 7pm (Europe/Berlin)",
            "failed rate_limit: You've hit your session limit · resets 7pm (Europe/Berlin)",
        ),
        ("● API Error: 529 overloaded", "failed api: API Error: 529 overloaded"),
        ("● Invalid API key · Please run /login", "waiting auth: Invalid API key · Please run /login"),
    ],
)
def test_claude_tells_what_failed(message: str, told_words: str) -> None:
    assert claude("❯ hi", "", message) == told_words


@pytest.mark.parametrize("draft", [("❯ 1. first", "  2. second"), ("❯ - one",)])
def test_a_draft_that_looks_like_a_list_is_never_waiting(draft: tuple[str, ...]) -> None:
    assert claude("● Done.", box=draft) in ("idle", "at_rest")


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "qwen"])
def test_a_list_of_choices_in_unknown_words_is_never_idle(agent: str) -> None:
    marker = {"claude": " ❯", "codex": "›", "gemini": "│ ●", "qwen": " ●"}[agent]
    edge = "│  " if agent == "gemini" else "   "
    lines = (LINE, " Frobnicate the repository", f"{marker} 1. Yes", f"{edge}2. No", f"{edge}3. Maybe", LINE)

    assert words(screen(rules_of(agent), *lines)) == "at_rest"


@pytest.mark.parametrize(
    ("agent", "lines", "told_words"),
    [
        (
            "codex",
            (
                "> You are in /src",
                "",
                "  Do you trust the contents of this directory?",
                "",
                "› 1. Yes",
                "  2. No",
            ),
            "waiting permission: Do you trust the contents of this directory?",
        ),
        ("codex", ("  Hooks need review", "", "› 1. Trust all"), "waiting permission: Hooks need review"),
        (
            "codex",
            ("  Welcome", "", "› 1. Sign in with ChatGPT", "  2. Use an API key"),
            "waiting auth: Sign in with ChatGPT",
        ),
        ("pi", ("  Allow it?", "  enter select  escape/ctrl+c cancel"), "waiting"),
        ("pi", ("── ⠧ Working ──────", ""), "working"),
        ("pi", ("Retrying (2/3) in 4s",), "working"),
        ("amp", ("  Waiting for approval...",), "waiting permission"),
        ("amp", ("  Esc to cancel",), "working"),
        (
            "cursor",
            ("Run this command?", " → Run (once) (y) (enter)", "   Skip (esc or n)"),
            "waiting permission: Run this command?",
        ),
        ("cursor", ("  Generating", "  ctrl+c to stop"), "working"),
        ("droid", ("  Thinking… (Press ESC to stop)",), "working"),
        (
            "aider",
            ("Add hello.py to the chat? (Y)es/(N)o [Yes]: ",),
            "waiting question: Add hello.py to the chat?",
        ),
        ("aider", ("░█        Waiting for gpt-5",), "working"),
        ("aider", ("Tokens: 2k sent", "ask> "), "idle"),
        ("aider", ("Tokens: 2k sent", "> "), "idle"),
        ("aider", ("Tokens: 2k sent", "> fix the bug"), "nothing"),
    ],
)
def test_other_agents_say_what_is_known_of_them(agent: str, lines: tuple[str, ...], told_words: str) -> None:
    assert words(screen(rules_of(agent), *lines)) == told_words


@pytest.mark.parametrize(
    ("agent", "title", "told_words"),
    [
        ("claude", "⠋ Fix it", "working"),
        ("claude", "◐ Fix it", "working"),
        ("claude", "◑ Fix it", "working"),
        ("claude", "✳ Fix it", "at_rest"),
        ("claude", "Claude Code", "nothing"),
        ("claude", "notes about ◐ spinners", "nothing"),
        ("claude", "\u2800 it", "nothing"),
        ("codex", "⠙ api", "working"),
        ("codex", "[ ! ] Action Required | api", "waiting"),
        ("codex", "[ . ] Action Required | api", "waiting"),
        ("codex", "api", "idle"),
        ("codex", "Action Required for ~/codex", "idle"),
        ("codex", "\u2800 codex", "idle"),
        ("codex", "", "nothing"),
        ("gemini", "◇  Ready (api)", "idle"),
        ("gemini", "✦  Working… (api)", "working"),
        ("gemini", "⏲  Working… (api)", "working"),
        ("gemini", "✋  Action Required (api)", "waiting"),
        ("gemini", "Working in ~/gemini", "nothing"),
        ("qwen", "Qwen - api", "idle"),
        ("qwen", "◐\ufe0e Qwen - api", "working"),
        ("qwen", "✳\ufe0e Qwen - api", "waiting"),
        ("amp", "⠋ fix - amp - api", "working"),
        ("amp", "fix - amp - api", "at_rest"),
        ("amp", "Plugin confirmation needed", "waiting permission"),
    ],
)
def test_a_title_says_what_its_agent_means_by_it(agent: str, title: str, told_words: str) -> None:
    assert words(look(rules_of(agent), Source.TITLE, title=title)) == told_words


@pytest.mark.parametrize(
    ("agent", "progress", "told_words"),
    [
        ("copilot", "3", "working"),
        ("copilot", "1;40", "working"),
        ("copilot", "0", "idle"),
        ("claude", "3", "nothing"),
    ],
)
def test_progress_says_what_its_agent_means_by_it(agent: str, progress: str, told_words: str) -> None:
    assert words(look(rules_of(agent), Source.PROGRESS, progress=progress)) == told_words


@pytest.mark.parametrize(
    ("agent", "notification", "told_words"),
    [
        ("claude", "Claude Code\nClaude needs your permission", "waiting: Claude needs your permission"),
        ("codex", "Approval requested: rm -rf x", "waiting permission: rm -rf x"),
        ("codex", "Agent turn complete", "nothing"),
        (
            "gemini",
            "Gemini CLI needs your attention | Approval required | Shell",
            "waiting permission: Gemini CLI needs your attention | Approval required | Shell",
        ),
        ("gemini", "Gemini CLI session complete | Run finished", "nothing"),
    ],
)
def test_a_notification_says_what_its_agent_means_by_it(
    agent: str, notification: str, told_words: str
) -> None:
    assert words(look(rules_of(agent), Source.PROGRESS, notification=notification)) == told_words
