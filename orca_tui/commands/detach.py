"""`detach`: every UI leaves; panes go on."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Empty, Reach, Route, Touches


class DetachReply(msgspec.Struct, frozen=True, kw_only=True):
    detached: int
    """How many UIs were attached."""


DETACH = Command(
    name="detach",
    help="Detach all UIs; agents go on working.",
    request=Empty,
    reply=DetachReply,
    touches=Touches(reach=Reach.SERVER),
    routes=(Route(method="POST", path="/v1/detach"),),
    examples=("orca-tui detach",),
)
