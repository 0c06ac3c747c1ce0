"""How GitHub Copilot CLI takes notices along, by our plugin. It names no turns, and its answers are flat.

`agentStop` could keep a turn from its end, but its screen shows that as words of its user's, so that only tells here
that what was taken before has been answered.
"""

from __future__ import annotations

from orca_tui.agents.notice_hooks import Boundary, Json, NoticeHooks

AGENT = "copilot"
ASKING = {
    "userPromptSubmitted": Boundary.PROMPT,
    "postToolUse": Boundary.TOOL,
    "agentStop": Boundary.END,
}


def context(_event: str, text: str) -> Json:
    """The shape that others take it ignores."""
    return {"additionalContext": text}


NOTICE_HOOKS = NoticeHooks(
    agent=AGENT,
    boundaries=ASKING,
    takes=frozenset({Boundary.PROMPT, Boundary.TOOL}),
    context=context,
    mark="/agents/copilot",
    longest=10_000,
)
