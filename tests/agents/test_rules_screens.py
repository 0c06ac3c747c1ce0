"""What the built-in rules say of real screens."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from orca_tui.agents.rules import told
from orca_tui.agents.rules_regions import Glance
from orca_tui.status.record import Source
from orca_tui.term.ghostty import GhosttyFactory
from tests.agents.looking import look, rules_of, words

CAPTURED = Path(__file__).parents[1] / "captured"
SCREENS = CAPTURED / "screens"
TRUTH = tomllib.loads((SCREENS / "TRUTH.toml").read_text())

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
