"""What a fake model does, written into the prompt: `DO:[step, ...]`, with steps as JSON.

The step that is played is picked by how many tool calls the model has made since that prompt, so a script of two
steps is "call a tool, then answer". After the last step the last one is played again. Knows no API.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

MARK = "DO:"
EVERY_TIME = 10**9


class Say(msgspec.Struct, frozen=True, tag_field="do", tag="say", omit_defaults=True):
    """Stream a text so many times, with a rest after each."""

    text: str
    times: int = 1
    pause_s: float = 0.02


class Run(msgspec.Struct, frozen=True, tag_field="do", tag="run", omit_defaults=True):
    """Call the agent's shell tool, such that it asks for permission."""

    command: str
    background: bool = False


class Ask(msgspec.Struct, frozen=True, tag_field="do", tag="ask"):
    """Call the agent's tool that asks the user to choose."""

    question: str
    choices: tuple[str, ...]


class Delegate(msgspec.Struct, frozen=True, tag_field="do", tag="delegate"):
    """Start a sub-agent whose prompt is a script of its own."""

    task: str
    steps: tuple[Step, ...]


class Fail(msgspec.Struct, frozen=True, tag_field="do", tag="fail", omit_defaults=True):
    """Answer the first `times` tries with an HTTP error; the tries after them with a short text."""

    status: int
    times: int = EVERY_TIME
    message: str = ""
    retry_after_s: int | None = None


class Hang(msgspec.Struct, frozen=True, tag_field="do", tag="hang"):
    """Open the stream, send nothing for so long, then answer."""

    seconds: float


Step: TypeAlias = Say | Run | Ask | Delegate | Fail | Hang

RECOVERED = Say("recovered")
UNSCRIPTED = Say("ok (no script)")


@dataclass(frozen=True, slots=True)
class UserText:
    """Something that the user, or the agent in the user's name, said."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model called tools, one or several at once."""


Entry: TypeAlias = UserText | ToolCalled


def prompt_of(*steps: Step) -> str:
    """The prompt that makes a fake model play these steps."""
    return MARK + msgspec.json.encode(steps).decode()


def script_in(text: str) -> tuple[Step, ...] | None:
    """The steps of the last script in a text; None without one, or with one that is not whole."""
    for at in reversed(list(_marks(text))):
        try:
            value, _ = json.JSONDecoder().raw_decode(text[at + len(MARK) :])
            return msgspec.convert(value, tuple[Step, ...])
        except (json.JSONDecodeError, msgspec.ValidationError):
            continue
    return None


def _marks(text: str) -> Iterator[int]:
    at = text.find(MARK + "[")
    while at >= 0:
        yield at
        at = text.find(MARK + "[", at + 1)


def next_step(conversation: list[Entry]) -> tuple[Step, str]:
    """The step to play now, and the key under which its tries are counted.

    A later text that is not a script ends the script, unless it is markup: agents put reminders, contexts and
    notifications between a prompt and its answer in the user's name, all of them as `<tag>...`.
    """
    played = 0
    for entry in reversed(conversation):
        match entry:
            case ToolCalled():
                played += 1
            case UserText(text=text):
                if steps := script_in(text):
                    return steps[min(played, len(steps) - 1)], f"{played} {text}"
                if text.strip() and not text.lstrip().startswith("<"):
                    return UNSCRIPTED, text
    return UNSCRIPTED, ""


def texts_of(content: Any) -> list[str]:
    """The texts of a message's content: a string, or a list of parts of which some have text."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
