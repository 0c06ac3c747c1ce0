"""Panes and events as they are told to a caller who may know names and statuses alone. Pure."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from orca_tui.commands.events import (
    ClosedEvent,
    Event,
    HelloEvent,
    NoticeEvent,
    OpenedEvent,
    RingEvent,
    SeenEvent,
    StatusEvent,
    TitleEvent,
)
from orca_tui.wire import PaneInfo

NAMES_AND_STATUSES = (
    "pane",
    "name",
    "tab",
    "workspace",
    "size",
    "agent",
    "session_id",
    "status",
    "kind",
    "since",
    "resets_at",
    "turns",
    "turn_started_at",
    "unread",
    "interrupted",
    "subagents",
    "confirmed",
    "exit_code",
)
"""Of a record. The rest is what a program or its user has said, and where and how it runs."""


def reduced_pane(info: PaneInfo) -> PaneInfo:
    """A pane's record without anything that was said there."""
    return PaneInfo(**{name: getattr(info, name) for name in NAMES_AND_STATUSES})


def reduced_event(event: Event) -> Event | None:
    """An event without anything that was said there; None: nothing of it is left."""
    match event:
        case StatusEvent():
            return replace(event, message=None)
        case TitleEvent() | NoticeEvent():
            return None
        case HelloEvent() | RingEvent() | SeenEvent() | OpenedEvent() | ClosedEvent():
            return event
        case _:
            assert_never(event)
