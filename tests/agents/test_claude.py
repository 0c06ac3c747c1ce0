"""Claude Code: what its title says, and how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents.claude import Claude
from orca_tui.agents.launching import LaunchContext
from orca_tui.base.errors import Invalid
from orca_tui.status.events import TurnStarted

CONTEXT = LaunchContext(version="2.1.332", session_id="NEW", folder="/f", hook="post")


@pytest.mark.parametrize(
    ("command", "launched", "session"),
    [
        ("claude", "claude --plugin-dir /f --session-id NEW", "NEW"),
        ("claude fix", "claude --plugin-dir /f --session-id NEW fix", "NEW"),
        (
            "npx @anthropic-ai/claude-code",
            "npx @anthropic-ai/claude-code --plugin-dir /f --session-id NEW",
            "NEW",
        ),
        ("claude --plugin-dir /mine", "claude --plugin-dir /f --session-id NEW --plugin-dir /mine", "NEW"),
        ("claude --session-id MINE", "claude --plugin-dir /f --session-id MINE", None),
        ("claude --resume", "claude --plugin-dir /f --resume", None),
        ("claude --resume=X", "claude --plugin-dir /f --resume=X", None),
        ("claude -c", "claude --plugin-dir /f -c", None),
        ("claude -p fix", "claude -p fix", None),
        ("claude --print", "claude --print", None),
        ("claude mcp list", "claude mcp list", None),
        ("claude update", "claude update", None),
        ("claude --version", "claude --version", None),
        ("claude --bg fix", "claude --bg fix", None),
        ("sh -c claude", "sh -c claude", None),
    ],
)
def test_an_interactive_start_gets_our_plugin_and_a_known_session(
    command: str, launched: str, session: str | None
) -> None:
    found = Claude().launch(command.split(), CONTEXT)

    assert (found.argv, found.session_id) == (tuple(launched.split()), session)


def test_a_version_that_may_not_know_the_options_gets_none() -> None:
    assert Claude().launch(["claude"], replace(CONTEXT, version="2.0.60")).argv == ("claude",)
    assert len(Claude().launch(["claude"], replace(CONTEXT, version=None)).argv) == 5


def test_without_its_files_there_is_no_plugin() -> None:
    assert Claude().launch(["claude"], replace(CONTEXT, folder="")).argv == ("claude", "--session-id", "NEW")


def test_a_session_is_resumed_by_its_id() -> None:
    assert Claude().resume("s1") == ("claude", "--resume", "s1")


def test_what_a_hook_posts_is_read_with_the_time_of_its_start() -> None:
    body = b'{"hook_event_name": "UserPromptSubmit", "at": 95.0, "prompt_id": "p"}'
    (event,) = Claude().report_posted(body, "p1", 100.0)

    assert isinstance(event, TurnStarted)
    assert (event.at, event.turn) == (95.0, "p")
    with pytest.raises(Invalid):
        Claude().report_posted(b"{}", "p1", 100.0)


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Claude().profile.first_rest_proves_nothing
