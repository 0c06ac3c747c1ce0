"""How Gemini CLI takes notices along, by our extension. It names no turns, and its transcript is not read.

`AfterAgent` could keep a turn from its end, but its screen shows that as an error, so that only tells here that what
was taken before has been answered.
"""

from __future__ import annotations

from orca_tui.agents.notice_hooks import Boundary, NoticeHooks, claude_context

AGENT = "gemini"
NOTHING = "{}"
"""Gemini CLI takes anything but JSON for a failure."""
NESTED = "GEMINI_CLI"
"""Set for what it runs as a tool, and not for its hooks."""
ASKING = {
    "BeforeAgent": Boundary.PROMPT,
    "AfterTool": Boundary.TOOL,
    "AfterAgent": Boundary.END,
}

NOTICE_HOOKS = NoticeHooks(
    agent=AGENT,
    boundaries=ASKING,
    takes=frozenset({Boundary.PROMPT, Boundary.TOOL}),
    context=claude_context,
    mark="",
    nothing=NOTHING.encode(),
)
