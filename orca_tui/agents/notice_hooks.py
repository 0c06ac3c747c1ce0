"""The hooks by which an agent takes notices along: the commands that ask for them, and what is known of each agent.

Unlike hooks that report, these hold their agent up until they are answered. So each is one line of `sh` and one
`curl`, which takes 10 ms and gives up after a second: a server that is gone or hangs harms nobody. The token goes
through a descriptor, since everybody can read a command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from orca_tui.agents.hooks import usable_session

LIMIT_S = 1
ASK_TIMEOUT_S = 3
"""After which agents end the hook themselves."""
BELL_TIMEOUT_S = 24 * 3600
RETRY_S = 5
"""A doorbell that has lost its server waits so long for the next one."""
REFUSED = 22
"""curl's exit code for an answer from 400 on: there is no such pane."""
MISSING = 127
"""The shell's exit code for a program that is not there."""
_BEARER = "3<<END\nAuthorization: Bearer $ORCA_TUI_TOKEN\nEND\n"
_CURL = "curl -q -sf --noproxy '*' --unix-socket \"$ORCA_TUI_INTAKE\" -H @/dev/fd/3"
_URL = "http://orca-tui/v1/intake"

Json: TypeAlias = dict[str, Any]


class Boundary(StrEnum):
    """Where in its work an agent runs a hook that can take something along."""

    PROMPT = "prompt"
    """The user submits a prompt."""
    BELL = "bell"
    """A doorbell of ours begins a turn, or joins one."""
    TOOL = "tool"
    """A tool call, or several at once, is over."""
    END = "end"
    """The turn is about to end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HookCall:
    """One hook that waits for an answer."""

    event: str
    boundary: Boundary
    session: str | None
    turn: str | None
    """The agent's id of the turn; None where it names none."""
    transcript: str | None
    """The file in which the session is written down."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeHooks:
    """One agent's."""

    agent: str
    boundaries: Mapping[str, Boundary]
    """By the event that it runs a hook for."""
    takes: frozenset[Boundary]
    """Where it takes something along; the others only show that it goes on."""
    context: Callable[[str, str], Json]
    """The answer to an event that adds a text."""
    mark: str
    """What stands in the command of an agent that was started with them."""
    turn_id: str | None = None
    """The field that names a turn."""
    longest: int = 30_000
    """Characters of one answer."""
    nothing: bytes = b""
    """The answer that changes nothing."""
    withdrawn: Json | None = None
    """The answer that takes a doorbell's prompt back; None for an agent without a doorbell."""
    rung: Callable[[str], bool] = lambda _: False
    """Whether a prompt is a doorbell's."""
    no_prompt: Callable[[str], bool] = lambda _: False
    """Whether a prompt is none of the user's."""
    holds: Callable[[Json, str], bool] | None = None
    """Whether an entry of the transcript shows that a text was taken; None: it cannot show that."""
    most_ends: int = 0
    """How often in a row a turn can be kept from its end."""

    def call(self, event: str, payload: Mapping[str, Any]) -> HookCall | None:
        """What a payload says, with names in snake case; None for what is of no use, such as a sub-agent's."""
        boundary = self.boundaries.get(event)
        if boundary is None or payload.get("agent_id"):
            return None
        prompt = payload.get("prompt")
        if boundary is Boundary.PROMPT and isinstance(prompt, str):
            if self.rung(prompt):
                boundary = Boundary.BELL
            elif self.no_prompt(prompt):
                return None
        return HookCall(
            event=event,
            boundary=boundary,
            session=usable_session(payload.get("session_id")),
            turn=_text(payload.get(self.turn_id)) if self.turn_id else None,
            transcript=_text(payload.get("transcript_path")),
        )


@runtime_checkable
class TakesNotices(Protocol):
    """An adapter whose agent's hooks take notices along."""

    @property
    def notice_hooks(self) -> NoticeHooks: ...


def ask_command(agent: str, event: str, *, nothing: str = "", unless: str = "") -> str:
    """The shell command that posts its standard input and prints the answer; `nothing` is printed without one.

    `unless` names a variable with which it does nothing. It reads all of its input, whatever happens.
    """
    apart = f' && [ -z "${unless}" ]' if unless else ""
    otherwise = f"printf %s '{nothing}'" if nothing else "true"
    return (
        f'if [ -n "$ORCA_TUI_INTAKE" ]{apart} && '
        f'{_CURL} --max-time {LIMIT_S} --data-binary @- "{_URL}/{agent}/ask?event={event}" {_BEARER}'
        f"then :; else cat >/dev/null; {otherwise}; fi"
    )


def bell_command(agent: str, parent: str) -> str:
    """The shell command that waits for a doorbell and then ends with 2; `parent` names the agent's process."""
    return (
        "cat >/dev/null\n"
        f'while [ -n "$ORCA_TUI_INTAKE" ] && kill -0 "{parent}" 2>/dev/null; do\n'
        f'rung=$({_CURL} "{_URL}/{agent}/bell" {_BEARER})\n'
        "case $? in\n"
        '0) [ -n "$rung" ] || exit 0; printf %s "$rung" >&2; exit 2;;\n'
        f"{REFUSED}|{MISSING}) exit 0;;\n"
        "esac\n"
        f"sleep {RETRY_S}\n"
        "done\n"
        "exit 0"
    )


def claude_context(event: str, text: str) -> Json:
    """The answer that Claude Code invented and others took over."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
