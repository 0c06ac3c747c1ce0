"""What window titles say."""

from __future__ import annotations

import pytest

from orca_tui.agents import registry
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.record import Source


def says(agent: str, title: str) -> Says:
    adapter = registry.by_name(agent)
    assert adapter is not None
    (event,) = adapter.title_said(title, 3.0)
    assert isinstance(event, StateSaid)
    assert (event.at, event.source) == (3.0, Source.TITLE)
    assert title.strip() == "" or title not in event.detail
    return event.says


@pytest.mark.parametrize(
    ("agent", "title", "expected"),
    [
        ("claude", "◐ Fix the tests", Says.WORKING),
        ("claude", "◑ Fix the tests", Says.WORKING),
        ("claude", "⠂ Fix the tests", Says.WORKING),
        ("claude", "✳ Claude Code", Says.AT_REST),
        ("claude", "Claude Code", Says.NOTHING),
        ("claude", "notes about ◐ spinners", Says.NOTHING),
        ("claude", "", Says.NOTHING),
        ("codex", "⠋ codex", Says.WORKING),
        ("codex", "\u2800 codex", Says.IDLE),
        ("codex", "[ ! ] Action Required | codex", Says.WAITING),
        ("codex", "[ . ] Action Required | codex", Says.WAITING),
        ("codex", "codex", Says.IDLE),
        ("codex", "Action Required for ~/codex", Says.IDLE),
        ("codex", "", Says.NOTHING),
        ("gemini", "◇  Ready (gemini)            ", Says.IDLE),
        ("gemini", "✦  Working… (gemini)", Says.WORKING),
        ("gemini", "⏲  Working… (gemini)", Says.WORKING),
        ("gemini", "✋  Action Required (gemini)", Says.WAITING),
        ("gemini", "Working in ~/gemini", Says.NOTHING),
    ],
)
def test_titles_say_what_an_agent_does(agent: str, title: str, expected: Says) -> None:
    assert says(agent, title) is expected


@pytest.mark.parametrize("title", ["OpenCode", "⠋ OpenCode", "OC | Greeting"])
def test_opencodes_title_says_nothing_at_all(title: str) -> None:
    adapter = registry.by_name("opencode")

    assert adapter is not None
    assert adapter.title_said(title, 1.0) == []
