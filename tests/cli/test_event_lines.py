"""Events as lines for people."""

from __future__ import annotations

import pytest

from orca_tui.cli.event_lines import event_line
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
from orca_tui.notices.notice import NoticeState
from orca_tui.status.record import Kind, Status

ASKED = StatusEvent(
    pane="p1",
    agent="pi",
    from_=Status.WORKING,
    to=Status.WAITING,
    kind=Kind.PERMISSION,
    message="ls?",
    at=0.0,
)
INTERRUPTED = StatusEvent(pane="p1", from_=Status.WORKING, to=Status.IDLE, interrupted=True, at=0.0)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (HelloEvent(server="default", version="1", at=0.0), "following server default (1); Ctrl-C ends it"),
        (ASKED, "p1 pi: working -> waiting (permission): ls?"),
        (INTERRUPTED, "p1 working -> idle (interrupted)"),
        (RingEvent(pane="p1", status=Status.DONE, at=0.0), "p1 rang: done"),
        (SeenEvent(pane="p1", at=0.0), "p1 was seen"),
        (OpenedEvent(pane="p1", tab="t1", workspace="w1", agent="pi", at=0.0), "p1 pi: opened in t1"),
        (ClosedEvent(pane="p1", at=0.0), "p1 closed"),
        (TitleEvent(pane="p1", title="a b", at=0.0), "p1 is titled 'a b'"),
        (
            NoticeEvent(id="n1", session="s", pane=None, state=NoticeState.PENDING, at=0.0),
            "s notice n1: pending",
        ),
    ],
)
def test_every_event_has_a_line_that_begins_with_its_pane(event: Event, line: str) -> None:
    assert event_line(event) == line
