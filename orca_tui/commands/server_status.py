"""`server status`: is it there, and what does it hold?"""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Empty, Reach, Route, Touches


class ServerStatusReply(msgspec.Struct, frozen=True, kw_only=True):
    server: str
    pid: int
    version: str
    started_at: float
    """Unix seconds."""
    panes: int
    uis: int
    """Attached UIs."""
    sockets: dict[str, str]
    """Paths by name: wire, http, intake."""
    notes: tuple[str, ...] = ()
    """What went wrong when panes opened, such as a status plugin that could not be installed, or with stored
    notices."""
    server_notes: tuple[str, ...] = ()
    """Those of `notes` that are about the server and what it keeps, and not about the agent of a pane."""


SERVER_STATUS = Command(
    name="server status",
    help="Tell whether the server runs, its version, panes and sockets.",
    request=Empty,
    reply=ServerStatusReply,
    touches=Touches(reach=Reach.NAMES),
    routes=(Route(method="GET", path="/v1/server"),),
    examples=(
        "orca-tui server status",
        "orca-tui server status --server work --json",
    ),
)
