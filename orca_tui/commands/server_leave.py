"""`server leave`: the server goes, its panes stay. What `orca-tui server restart` begins with."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Empty, Route


class ServerLeaveReply(msgspec.Struct, frozen=True, kw_only=True):
    panes: int
    """Which the next server takes over."""


SERVER_LEAVE = Command(
    name="server leave",
    help="Make place for another server, which takes the panes.",
    request=Empty,
    reply=ServerLeaveReply,
    typed=False,
    routes=(Route(method="POST", path="/v1/server/leave"),),
)
