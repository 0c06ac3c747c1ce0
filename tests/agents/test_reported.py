"""What reports may name."""

from __future__ import annotations

import pytest

from orca_tui.agents.reported import agent_name, session_named
from orca_tui.status.events import AgentRecognised
from orca_tui.status.record import Source


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("claude", "claude"),
        ("Claude Code", "claude"),
        ("my-bot_2.0", "my-bot_2.0"),
        ("MyBot", "mybot"),
        ("x" * 40, "x" * 40),
        ("x" * 41, None),
        ("", None),
        (None, None),
        ("-rf", None),
        ("a/b", None),
        ("\u202eevil", "evil"),
        ("<b>", None),
    ],
)
def test_an_agent_is_named_as_we_name_it(text: str | None, name: str | None) -> None:
    assert agent_name(text) == name


def test_a_session_of_a_named_agent_is_told() -> None:
    assert session_named("a1-2", "bot", 1.0) == [
        AgentRecognised(at=1.0, source=Source.PROGRAM_STATUS, agent="bot", session_id="a1-2")
    ]


@pytest.mark.parametrize(
    ("session", "agent"),
    [(None, "bot"), ("a1", None), ("--yolo", "bot"), ("a b", "bot"), ("", "bot"), ("x" * 129, "bot")],
)
def test_a_session_that_could_be_anything_else_is_not(session: str | None, agent: str | None) -> None:
    assert session_named(session, agent, 1.0) == []
