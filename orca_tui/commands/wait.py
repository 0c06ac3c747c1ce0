"""`wait`: until a pane has a status."""

from __future__ import annotations

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Option, Route
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo


class WaitRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    status: tuple[Status, ...]
    next: bool = False
    """Count only a change that comes after the request."""
    timeout: float | None = None
    """Seconds; None waits for ever."""


WAIT = Command(
    name="wait",
    help="Wait until a pane has one of the statuses; prints its record.\n\n"
    "Returns at once when it already holds, unless --next is given. Exits 124 on timeout, and 1 when "
    "the pane's program ends or the pane is closed before it holds.",
    request=WaitRequest,
    reply=PaneInfo,
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    options=(
        Option(
            field="status",
            flags=("--status",),
            metavar="STATUS[,STATUS...]",
            parse=values.statuses,
            help="Statuses to wait for: unknown, idle, working, waiting, done, error, exited.",
            completes="status",
        ),
        Option(field="next", flags=("--next",), flag=True, help="Only what happens from now on."),
        Option(
            field="timeout", flags=("--timeout",), metavar="SECONDS", parse=float, help="Give up after that."
        ),
    ),
    routes=(Route(method="GET", path="/v1/panes/{pane}/wait"),),
)
