"""`interrupt`: stop the turn that runs in a pane."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Reach, Route, Touches


class InterruptRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str


class InterruptReply(msgspec.Struct, frozen=True, kw_only=True):
    interrupted: bool
    """False: nothing ran."""


INTERRUPT = Command(
    name="interrupt",
    help="Interrupt the turn that runs in a pane, as its user would.\n\n"
    "Notices that wait for its end wait on, until another turn has run or a newer notice comes.",
    request=InterruptRequest,
    reply=InterruptReply,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(Argument(field="pane", metavar="PANE|SESSION", help="Pane or session id.", completes="pane"),),
    routes=(Route(method="POST", path="/v1/panes/{pane}/interrupt"),),
    examples=("orca-tui interrupt p3",),
)
