"""How Codex takes notices along. Its hooks are trusted one by one: see `codex_hooks.py`.

Rule 1: a `Stop` that is blocked goes on with the reason as its user's words, and without a limit of Codex's own.
Rule 2: a prompt of the user's runs its hook when it is handed over, also one that joins a running turn.
Rule 3: of what a hook added the rollout has a message of the developer's; of a reason, one of the user's, which is
        written as XML.
"""

from __future__ import annotations

from html import unescape

from orca_tui.agents.notice_hooks import Boundary, Json, NoticeHooks, claude_context

AGENT = "codex"
ASKING = {
    "UserPromptSubmit": Boundary.PROMPT,
    "PostToolUse": Boundary.TOOL,
    "Stop": Boundary.END,
}
MOST_ENDS = 8
"""Codex would go on for ever; as many as Claude Code allows are enough."""
WRITERS = ("developer", "user")


def context(event: str, text: str) -> Json:
    """What `Stop` adds it refuses; the reason of a block it takes."""
    return {"decision": "block", "reason": text} if event == "Stop" else claude_context(event, text)


def holds(entry: Json, text: str) -> bool:
    """Rule 3."""
    payload = entry.get("payload")
    if not isinstance(payload, dict) or payload.get("role") not in WRITERS:
        return False
    content = payload.get("content")
    parts = content if isinstance(content, list) else []
    said = [str(part.get("text")) for part in parts if isinstance(part, dict)]
    return any(text in one or text in unescape(one) for one in said)


NOTICE_HOOKS = NoticeHooks(
    agent=AGENT,
    boundaries=ASKING,
    takes=frozenset({Boundary.PROMPT, Boundary.TOOL, Boundary.END}),
    context=context,
    mark="/v1/intake/codex/ask",
    turn_id="turn_id",
    holds=holds,
    most_ends=MOST_ENDS,
)
