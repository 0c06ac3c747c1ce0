"""`events`: what happens, as it happens."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from orca_tui.commands.spec import Command, Option, Reach, Route, Touches
from orca_tui.notices.notice import NoticeState, Receipt, Why
from orca_tui.status.record import Kind, Status


class EventsRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str | None = None
    """Only this pane's events."""


class HelloEvent(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """Always the first: from here on nothing is missed."""

    server: str
    version: str
    at: float


class StatusEvent(msgspec.Struct, frozen=True, kw_only=True, tag="status", rename={"from_": "from"}):
    pane: str
    from_: Status
    to: Status
    at: float
    agent: str | None = None
    session_id: str | None = None
    kind: Kind | None = None
    message: str | None = None
    interrupted: bool = False
    source: str | None = None
    """Where the evidence came from."""


class RingEvent(msgspec.Struct, frozen=True, kw_only=True, tag="ring"):
    """The unread bell rang for the pane."""

    pane: str
    status: Status
    at: float


class SeenEvent(msgspec.Struct, frozen=True, kw_only=True, tag="seen"):
    """The pane's unread mark is gone."""

    pane: str
    at: float


class OpenedEvent(msgspec.Struct, frozen=True, kw_only=True, tag="opened"):
    pane: str
    tab: str
    workspace: str
    agent: str | None
    at: float


class ClosedEvent(msgspec.Struct, frozen=True, kw_only=True, tag="closed"):
    pane: str
    at: float


class TitleEvent(msgspec.Struct, frozen=True, kw_only=True, tag="title"):
    pane: str
    title: str
    at: float


class NoticeEvent(msgspec.Struct, frozen=True, kw_only=True, tag="notice"):
    """A notice was admitted, or its state is another one; never its text."""

    id: str
    session: str
    pane: str | None
    state: NoticeState
    at: float
    why: Why | None = None
    receipt: Receipt | None = None


Event: TypeAlias = (
    HelloEvent | StatusEvent | RingEvent | SeenEvent | OpenedEvent | ClosedEvent | TitleEvent | NoticeEvent
)


class EventItem(msgspec.Struct, frozen=True, kw_only=True):
    """One event on the wire; printed and sent over HTTP without this wrapper."""

    event: Event


EVENTS = Command(
    name="events",
    help="Print changes as they happen: as text on a terminal, else one JSON object per line.",
    request=EventsRequest,
    reply=EventItem,
    touches=Touches(reach=Reach.NAMES),
    stream=True,
    prints="event",
    options=(
        Option(field="pane", flags=("--pane",), metavar="PANE", help="Only this pane.", completes="pane"),
    ),
    routes=(Route(method="GET", path="/v1/events"),),
    examples=("orca-tui events", "orca-tui events --pane p3"),
)
