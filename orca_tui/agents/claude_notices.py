"""How Claude Code takes notices along, and the hooks in our plugin that have it do so.

Rule 1: `asyncRewake` starts a turn without a key: a hook that ends with 2 wakes its session. Its text would be
        framed as no input of the user's and could not be taken back, so it only rings; `UserPromptSubmit`, which
        runs for the turn that it starts, takes the text.
Rule 2: a doorbell rings once. Every prompt hangs up a new one, also the prompt that it started.
Rule 3: a prompt that waits for the turn before it has the id of that turn. It may be taken back, and with it what
        was added to it.
Rule 4: of what a hook added, and of that alone, the transcript has an entry `hook_additional_context`.
"""

from __future__ import annotations

from typing import Any

from orca_tui.agents.notice_hooks import (
    ASK_TIMEOUT_S,
    BELL_TIMEOUT_S,
    Boundary,
    Json,
    NoticeHooks,
    ask_command,
    bell_command,
    claude_context,
)

AGENT = "claude"
SUMMARY = "A message by orca-tui"
MESSAGE = "The message stands in the context that orca-tui's hook adds to this notification."
WAKE = "<task-notification>"
"""What a prompt begins with by which something else than the user wakes the session."""
ASKING = {
    "UserPromptSubmit": Boundary.PROMPT,
    "PostToolBatch": Boundary.TOOL,
    "Stop": Boundary.END,
}
RINGING = ("SessionStart", "UserPromptSubmit", "Stop")
MOST_ENDS = 8
"""The ninth in a row is overridden, whoever asked for it."""
LONGEST = 10_000
"""What is longer is put into a file, of which the model sees the first 2 KB."""


def holds(entry: Json, text: str) -> bool:
    """Rule 4."""
    attachment = entry.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "hook_additional_context":
        return False
    content = attachment.get("content")
    return isinstance(content, list) and any(isinstance(one, str) and text in one for one in content)


NOTICE_HOOKS = NoticeHooks(
    agent=AGENT,
    boundaries=ASKING,
    takes=frozenset(Boundary),
    context=claude_context,
    mark="/agents/claude",
    turn_id="prompt_id",
    longest=LONGEST,
    withdrawn={
        "decision": "block",
        "reason": "The message was taken back.",
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": True},
    },
    rung=lambda prompt: prompt.startswith(WAKE) and SUMMARY in prompt,
    no_prompt=lambda prompt: prompt.startswith(WAKE),
    holds=holds,
    most_ends=MOST_ENDS,
)


def hooks(event: str) -> list[dict[str, Any]]:
    """What our plugin has for an event beside the hook that reports it."""
    found = [_asking(event)] if event in ASKING else []
    return [*found, _ringing()] if event in RINGING else found


def _asking(event: str) -> dict[str, Any]:
    return {"type": "command", "command": ask_command(AGENT, event), "timeout": ASK_TIMEOUT_S}


def _ringing() -> dict[str, Any]:
    return {
        "type": "command",
        "command": bell_command(AGENT, "${CLAUDE_PID:-$PPID}"),
        "timeout": BELL_TIMEOUT_S,
        "asyncRewake": True,
        "rewakeSummary": SUMMARY,
        "rewakeMessage": MESSAGE,
    }
