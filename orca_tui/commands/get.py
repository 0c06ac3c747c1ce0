"""`get`: one pane's record."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Reach, Route, Touches
from orca_tui.wire import PaneInfo


class GetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str


GET = Command(
    name="get",
    help="Print one pane's record.",
    request=GetRequest,
    reply=PaneInfo,
    touches=Touches(reach=Reach.NAMES),
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    routes=(Route(method="GET", path="/v1/panes/{pane}"),),
    examples=(
        "orca-tui get p3",
        "orca-tui get p3 --json | jq .evidence",
    ),
)
