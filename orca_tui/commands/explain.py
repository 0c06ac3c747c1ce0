"""`explain`: why the status is what it is."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Reach, Route, Touches
from orca_tui.wire import PaneInfo


class ExplainRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """One observation and what became of it."""

    at: float
    source: str
    what: str
    taken: bool
    why: str
    """The rule that took it, or the reason why it was ignored."""
    status: str
    """The pane's status afterwards."""


class MissingSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source that the pane's agent should have, and has not."""

    source: str
    why: str
    since: float
    """Unix seconds."""
    fix: str = ""
    """What to do about it: a command in backquotes, or a sentence; empty where nothing is known."""


class ExplainReply(msgspec.Struct, frozen=True, kw_only=True):
    pane: PaneInfo
    verdict: str
    """One sentence for people."""
    source: str | None
    """The source that decided; None when none has."""
    rule: str | None
    """The rules by which it did."""
    missing: tuple[MissingSource, ...]
    """Strongest first."""
    observations: tuple[Observed, ...]
    """At most the last 50, oldest first."""


EXPLAIN = Command(
    name="explain",
    help="Tell why a pane's status is what it is.",
    request=ExplainRequest,
    reply=ExplainReply,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    routes=(Route(method="GET", path="/v1/panes/{pane}/explain"),),
    examples=("orca-tui explain p3",),
)
