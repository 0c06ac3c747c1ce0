"""Events as lines for people. Pure."""

from __future__ import annotations

from typing import assert_never

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


def event_line(event: Event) -> str:
    """One line, which begins with the pane where there is one."""
    match event:
        case HelloEvent():
            return f"following server {event.server} ({event.version}); Ctrl-C ends it"
        case StatusEvent():
            return f"{event.pane} {_of(event.agent)}{event.from_} -> {_status(event)}"
        case RingEvent():
            return f"{event.pane} rang: {event.status}"
        case SeenEvent():
            return f"{event.pane} was seen"
        case OpenedEvent():
            return f"{event.pane} {_of(event.agent)}opened in {event.tab}"
        case ClosedEvent():
            return f"{event.pane} closed"
        case TitleEvent():
            return f"{event.pane} is titled {event.title!r}"
        case NoticeEvent():
            why = f" ({event.why})" if event.why else ""
            return f"{event.pane or event.session} notice {event.id}: {event.state}{why}"
        case _:
            assert_never(event)


def _of(agent: str | None) -> str:
    return f"{agent}: " if agent else ""


def _status(event: StatusEvent) -> str:
    kind = f" ({event.kind})" if event.kind else " (interrupted)" if event.interrupted else ""
    return f"{event.to}{kind}" + (f": {event.message}" if event.message else "")
