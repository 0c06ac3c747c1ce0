"""`server stop`: end every pane and the server itself."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Option, Reach, Touches


class ServerStopRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    yes: bool = False
    """Stop although agents run; without it that is a conflict."""


class ServerStopReply(msgspec.Struct, frozen=True, kw_only=True):
    closed: tuple[str, ...]
    """The panes that were ended."""


SERVER_STOP = Command(
    name="server stop",
    help="End all panes and the server; asks first when agents run.",
    request=ServerStopRequest,
    reply=ServerStopReply,
    touches=Touches(reach=Reach.SERVER),
    options=(
        Option(field="yes", flags=("--yes", "-y"), flag=True, help="Do not ask, even when agents run."),
    ),
    examples=(
        "orca-tui server stop",
        "orca-tui server stop --yes",
    ),
)
