"""`paste`: text into a pane, as a terminal pastes it."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Empty, Reach, Touches


class PasteRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    text: str


PASTE = Command(
    name="paste",
    help="Paste text into a pane; bracketed when its program asked for that.",
    request=PasteRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(
        Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),
        Argument(
            field="text",
            metavar="TEXT|-",
            help="What to paste; - or nothing reads standard input.",
            required=False,
        ),
    ),
    examples=("orca-tui paste p3 'explain this'", "git diff | orca-tui paste p3 -"),
)
