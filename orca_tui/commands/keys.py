"""`keys`: key presses into a pane."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Empty, Reach, Touches


class KeysRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    keys: tuple[str, ...]


KEYS = Command(
    name="keys",
    help="Press keys in a pane: enter, ctrl+c, shift+tab, alt+enter, f5, a ...",
    request=KeysRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(
        Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),
        Argument(
            field="keys",
            metavar="KEY...",
            help="Key names, pressed in order.",
            variadic=True,
            completes="key",
        ),
    ),
    examples=("orca-tui keys p3 ctrl+c", "orca-tui keys p3 escape escape"),
)
