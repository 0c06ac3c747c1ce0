"""`wait`: until a pane has a status."""

from __future__ import annotations

from typing import Annotated

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Option, Reach, Route, Touches
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo


class WaitRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    status: Annotated[tuple[Status, ...], msgspec.Meta(min_length=1)]
    next: bool = False
    """Count only a change that comes after the request."""
    timeout: values.Seconds | None = None
    """Seconds; None waits for ever."""


WAIT = Command(
    name="wait",
    help="Wait until a pane has one of the statuses; prints its record.\n\n"
    "Returns at once when it already holds, unless --next is given. Exits 124 on timeout, and 1 when "
    "the pane's program ends or the pane is closed before it holds.",
    request=WaitRequest,
    reply=PaneInfo,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    options=(
        Option(
            field="status",
            flags=("--status",),
            metavar="STATUS[,STATUS...]",
            parse=values.statuses,
            required=True,
            help="Statuses to wait for: unknown, idle, working, waiting, done, error, exited.",
            completes="status",
        ),
        Option(field="next", flags=("--next",), flag=True, help="Only what happens from now on."),
        Option(
            field="timeout",
            flags=("--timeout",),
            metavar="SECONDS",
            parse=values.seconds,
            help="Give up after that.",
        ),
    ),
    routes=(Route(method="GET", path="/v1/panes/{pane}/wait"),),
    examples=("orca-tui wait p3 --status done,waiting,error --timeout 600",),
)
