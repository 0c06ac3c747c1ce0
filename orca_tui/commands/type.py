"""`type`: raw text into a pane."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Empty, Reach, Touches


class TypeRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    text: str


TYPE = Command(
    name="type",
    help="Type text into a pane as it is.\n\n"
    "Control characters are yours to give, as with $'ls\\r' in a shell.",
    request=TypeRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(
        Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),
        Argument(field="text", metavar="TEXT", help="What to type."),
    ),
    examples=("orca-tui type p3 $'git status\\r'",),
)
