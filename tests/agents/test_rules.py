"""Rules read states from terminals: how one is chosen, and what the built-in ones say of real screens."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from orca_tui.agents.rules import RuleSet, Told, told
from orca_tui.agents.rules_file import built_in_rules, parse_rules
from orca_tui.agents.rules_regions import Glance
from orca_tui.status.events import InterruptPressed, Says, StateSaid
from orca_tui.status.record import Kind, Source
from orca_tui.term.ghostty import GhosttyFactory

CAPTURED = Path(__file__).parents[1] / "captured"
SCREENS = CAPTURED / "screens"
TRUTH = tomllib.loads((SCREENS / "TRUTH.toml").read_text())
TEXT = """
[[rule]]
id = "low"
region = "screen"
says = "idle"
regex = '^> $'

[[rule]]
id = "high"
region = "screen"
says = "waiting"
kind = "permission"
priority = 10
all = [{ contains = "Allow?" }, { any = [{ regex = '^1\\. ' }, { regex = '^y/n' }] }]
not = [{ contains = "(answered)" }]
text = '^(.*Allow\\?)'

[[rule]]
id = "viewer"
region = "bottom"
count = 1
skip = true
priority = 20
contains = "viewer"

[[rule]]
id = "title"
region = "title"
says = "working"
regex = '\\Abusy'

[[rule]]
id = "failed"
region = "screen"
says = "failed"
priority = 5
regex = '^ERROR '
text = '^ERROR (.*)'
"""


def rules_of(agent: str) -> RuleSet:
    rules = built_in_rules(agent)
    assert rules is not None
    return rules


def words(found: Told | None) -> str:
    """`waiting permission: rm -rf x`, as TRUTH.toml has it."""
    if found is None:
        return "skip"
    if found.interrupted:
        return "interrupted"
    event = found.said
    head = f"{event.says} {event.kind}" if event.kind else str(event.says)
    return f"{head}: {event.text}" if event.text else head


def look(rules: RuleSet, source: Source, **shown: Any) -> Told | None:
    return told(rules.of(source), source, Glance(**shown), 3.0)


def screen(rules: RuleSet, *lines: str, cursor_row: int | None = None) -> Told | None:
    row = len(lines) - 1 if cursor_row is None else cursor_row
    return look(rules, Source.SCREEN, lines=lines, cursor_row=row)


RULES = parse_rules(TEXT, "test.toml")


# Choosing


def test_the_rule_of_the_highest_priority_tells() -> None:
    found = screen(RULES, "Allow?", "1. Yes", "> ")

    assert found is not None
    assert found.events() == [
        StateSaid(
            at=3.0,
            source=Source.SCREEN,
            says=Says.WAITING,
            detail="rule high",
            kind=Kind.PERMISSION,
            text="Allow?",
        )
    ]


def test_an_interrupt_that_the_agent_shows_is_as_good_as_the_key() -> None:
    found = screen(rules_of("codex"), "■ Conversation interrupted - use /feedback", "", "› ")

    assert found is not None
    pressed, said = found.events()
    assert pressed == InterruptPressed(at=3.0)
    assert isinstance(said, StateSaid)
    assert (said.says, said.source) == (Says.IDLE, Source.SCREEN)


@pytest.mark.parametrize(
    ("lines", "told_words"),
    [
        (("Allow?", "y/n"), "waiting permission: Allow?"),
        (("Allow?", "> "), "idle"),
        (("Allow? (answered)", "1. Yes", "> "), "idle"),
        (("Allow?", "1. Yes", "viewer"), "skip"),
        (("viewer", "> "), "idle"),
        (("nothing known",), "nothing"),
        ((), "nothing"),
    ],
)
def test_every_part_of_a_condition_counts(lines: tuple[str, ...], told_words: str) -> None:
    assert words(screen(RULES, *lines)) == told_words


def test_a_failure_is_told_with_its_kind_and_the_time_that_its_text_gives() -> None:
    found = screen(RULES, "ERROR 429, try again in 60 seconds")

    assert found is not None
    event = found.said
    assert (event.says, event.kind, event.resets_at) == (Says.FAILED, Kind.RATE_LIMIT, 63.0)


def test_sources_do_not_see_each_others_regions() -> None:
    assert words(look(RULES, Source.TITLE, title="busy", lines=("> ",))) == "working"
    assert words(look(RULES, Source.SCREEN, title="busy", lines=("> ",))) == "idle"
    assert words(look(RULES, Source.TITLE, title="not busy")) == "nothing"


def test_what_is_told_of_a_rule_is_its_name_and_never_the_screen() -> None:
    found = screen(RULES, "> ", "a secret")

    assert found is not None
    event = found.said
    assert event.detail == "rule low"


def test_text_of_a_screen_is_made_safe() -> None:
    found = screen(RULES, "ERROR \u202ered\u2066 \x1b[31m")

    assert found is not None
    event = found.said
    assert event.text == "red [31m"


# Real screens

CASES = [
    (agent, file.name, shown["label"], shown)
    for agent in TRUTH
    for file in sorted(SCREENS.glob(f"{agent}-*.json"))
    for shown in json.loads(file.read_text())
]


@pytest.mark.parametrize(("agent", "file", "label", "shown"), CASES, ids=[f"{c[0]}: {c[2]}" for c in CASES])
def test_a_real_screen_says_what_it_shows(agent: str, file: str, label: str, shown: dict[str, Any]) -> None:
    lines = tuple(shown["lines"])

    assert file.endswith(f"-{rules_of(agent).verified}.json")
    event = look(rules_of(agent), Source.SCREEN, lines=lines, cursor_row=shown["cursor_row"])
    assert words(event) == TRUTH[agent]["screens"][label]


def test_every_screen_has_its_truth() -> None:
    for agent, truth in TRUTH.items():
        assert {case[2] for case in CASES if case[0] == agent} == set(truth["screens"])


def played(name: str, until_s: float) -> Glance:
    """What a recorded terminal shows at a moment."""
    meta = json.loads((CAPTURED / "pty" / f"{name}.json").read_text())
    data = (CAPTURED / "pty" / f"{name}.bin").read_bytes()
    end = max((off + length for at, off, length in meta["chunks_t_off_len"] if at <= until_s), default=0)
    engine = GhosttyFactory().new(meta["cols"], meta["rows"], scrollback_lines=100)
    facts = engine.feed(data[:end]).facts
    titles = [fact.title for fact in facts if hasattr(fact, "title") and not hasattr(fact, "body")]
    glance = Glance(
        title=titles[-1] if titles else "",
        lines=tuple(engine.screen_text(unwrap=False).split("\n")),
        cursor_row=engine.cursor().y,
    )
    engine.close()
    return glance


@pytest.mark.parametrize(
    ("name", "at_s", "on_screen", "by_title"),
    [
        # What the driver typed and saw is in the recording's own marks.
        ("claude_main", 1.8, "idle", "at_rest"),
        ("claude_main", 13.4, "waiting permission: sleep 5 && echo hello-from-tool > /dev/stderr", "at_rest"),
        ("claude_main", 26.0, "interrupted", "at_rest"),
        ("claude_main", 35.5, "working", "working"),
        ("claude_main", 42.8, "working", "working"),
        ("claude_main", 53.6, "idle", "at_rest"),
        ("claude_main", 60.8, "waiting permission: Do you want to create new.txt?", "at_rest"),
        (
            "claude_main",
            88.4,
            "failed rate_limit: API Error: Request rejected (429) · fake 429",
            "at_rest",
        ),
        ("claude_main", 97.8, "waiting question: Which color?", "at_rest"),
        ("claude_main", 108.6, "interrupted", "at_rest"),
        ("claude_trust", 5.0, "waiting permission: Is this a project you created or one you trust?", None),
        ("claude_trust", 99.0, "nothing", None),
        ("claude_apikey_dialog", 99.0, "waiting permission: Do you want to use this API key?", None),
        ("codex_main", 8.5, "waiting permission: sleep 5 && echo hello-from-tool", "waiting"),
        ("codex_main", 15.9, "idle", "idle"),
        ("codex_main", 21.4, "interrupted", "idle"),
        ("codex_main", 25.8, "nothing", "working"),
        ("codex_main", 31.7, "working", "working"),
        (
            "codex_main",
            60.7,
            "failed rate_limit: exceeded retry limit, last status: 429 Too Many Requests",
            "idle",
        ),
        (
            "codex_main",
            67.1,
            "failed api: stream disconnected before completion: fake failure",
            "idle",
        ),
        ("codex_main", 119.7, "waiting question: Where should the new conversation run?", "idle"),
        ("gemini_onboarding", 7.0, "waiting permission: Do you trust the files in this folder?", "idle"),
        ("gemini_onboarding", 99.0, "at_rest", None),
        ("gemini_main", 3.1, "idle", "idle"),
        ("gemini_main", 10.4, "waiting permission: sleep 5 && echo hello-from-tool", "waiting"),
        ("gemini_short", 7.0, "working", "working"),
        ("gemini_short", 11.0, "idle", "idle"),
        ("copilot_onboarding", 6.9, "waiting permission: Do you trust the files in this folder?", None),
        ("qwen_main", 7.0, "idle", "idle"),
        ("qwen_main", 8.2, "working", "working"),
        ("qwen_main", 16.2, "idle", "idle"),
        ("droid_start", 99.0, "waiting auth: Please login with your Factory account", None),
        ("amp_start", 99.0, "nothing", None),
    ],
)
def test_a_recorded_terminal_says_what_it_shows(
    name: str, at_s: float, on_screen: str, by_title: str | None
) -> None:
    rules, glance = rules_of(name.partition("_")[0]), played(name, at_s)

    assert words(told(rules.of(Source.SCREEN), Source.SCREEN, glance, at_s)) == on_screen
    if by_title is not None:
        assert words(told(rules.of(Source.TITLE), Source.TITLE, glance, at_s)) == by_title


# Wordings and traps that are not in the recordings

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
