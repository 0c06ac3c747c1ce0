"""`list`: every pane, what it is and what its agent is doing."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Empty, Reach, Route, Touches
from orca_tui.wire import PaneInfo


class ListReply(msgspec.Struct, frozen=True, kw_only=True):
    panes: tuple[PaneInfo, ...]
    focused: str | None = None


LIST = Command(
    name="list",
    help="Print all panes with their status.",
    request=Empty,
    reply=ListReply,
    touches=Touches(reach=Reach.NAMES),
    prints="panes",
    routes=(Route(method="GET", path="/v1/panes"),),
    examples=(
        "orca-tui list",
        "orca-tui list --json | jq -r .status",
    ),
)
