"""`input`: text, a paste or keys into a pane, for HTTP."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Command, Empty, Reach, Route, Touches


class InputRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exactly one of the three is given."""

    pane: str
    text: str | None = None
    paste: str | None = None
    keys: tuple[str, ...] | None = None


INPUT = Command(
    name="input",
    help="Text, a paste or keys into a pane.",
    request=InputRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    typed=False,
    routes=(Route(method="POST", path="/v1/panes/{pane}/input"),),
)
