"""`active`: which sessions run something."""

from __future__ import annotations

from typing import Literal

import msgspec

from orca_tui.commands.spec import Command, Empty, Reach, Route, Touches


class Running(msgspec.Struct, frozen=True, kw_only=True):
    pane: str
    since: float
    """Unix seconds."""
    type: Literal["running"] = "running"


class ActiveReply(msgspec.Struct, frozen=True, kw_only=True):
    sessions: dict[str, Running]
    """By session id; `pane:...` for an agent that names none."""


ACTIVE = Command(
    name="active",
    help="Tell which sessions run a turn, the clean-up after an interrupt included.\n\n"
    "A snapshot: looking and then sending are two steps, between which somebody may be faster. "
    "`send --if-idle` looks and sends in one.",
    request=Empty,
    reply=ActiveReply,
    touches=Touches(reach=Reach.NAMES),
    routes=(Route(method="GET", path="/v1/active"),),
    examples=("orca-tui active",),
)
