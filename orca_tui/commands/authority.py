"""`grant`, `revoke`, `grants`, `whoami`: what programs in panes may have the server do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from orca_tui.base.errors import Refused
from orca_tui.commands.spec import Argument, Command, Empty, Reach, Route, Touches

PANE = Argument(field="pane", metavar="PANE", help="The pane whose programs are meant.", completes="pane")

Over = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
"""Ids of panes, `tab` or `all`."""


class Grants(msgspec.Struct, frozen=True, kw_only=True):
    """What was granted to a pane."""

    pane: str
    granted: tuple[str, ...]
    """Panes, `tab`, `all`."""


def ungranted(what: str, pane: str, beyond: Sequence[str], grant: Sequence[str]) -> Refused:
    """The refusal of something that a grant would allow: `beyond` are panes that it touches, if it is only panes."""
    touches = f"touches {' and '.join(beyond)}" if beyond else "touches more than panes"
    words = f"orca-tui grant {pane} {' '.join(grant)}"
    return Refused(
        f"{what} {touches}, and pane {pane} may not; its user can allow it with `{words}` in a terminal outside of "
        "all panes, or in the UI with the prefix and g",
        command=what,
        pane=pane,
        beyond=list(beyond),
        grant=words,
    )


class GrantRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    over: Over


GRANT = Command(
    name="grant",
    help="Let a pane's programs drive another pane, talk in their tab, or do everything.\n\n"
    "With a pane: everything that they may do with their own. `tab`: read the panes of their tab, wait for them and "
    "leave them notices. `all`: everything but granting. Holds until it is revoked or the pane is closed, also for "
    "the next server. Refused from inside of panes.",
    request=GrantRequest,
    reply=Grants,
    touches=Touches(reach=Reach.GRANTS),
    arguments=(
        PANE,
        Argument(
            field="over",
            metavar="PANE|tab|all...",
            variadic=True,
            help="What they may drive.",
            completes="pane",
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/grants"),),
    examples=("orca-tui grant p1 p2", "orca-tui grant p1 all"),
)


class RevokeRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    over: tuple[str, ...] = ()
    """None: everything that was granted."""


REVOKE = Command(
    name="revoke",
    help="Take back what was granted to a pane: all of it, or what is named.",
    request=RevokeRequest,
    reply=Grants,
    touches=Touches(reach=Reach.GRANTS),
    arguments=(
        PANE,
        Argument(
            field="over",
            metavar="[PANE|tab|all...]",
            required=False,
            variadic=True,
            help="What (default: all that was granted).",
            completes="pane",
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/revoke"),),
    examples=("orca-tui revoke p1", "orca-tui revoke p1 p2"),
)


class GrantsReply(msgspec.Struct, frozen=True, kw_only=True):
    grants: tuple[Grants, ...]


GRANTS = Command(
    name="grants",
    help="List what was granted to the programs of panes.",
    request=Empty,
    reply=GrantsReply,
    prints="grants",
    touches=Touches(reach=Reach.NAMES),
    routes=(Route(method="GET", path="/v1/grants"),),
    examples=("orca-tui grants", "orca-tui grants --json"),
)


class WhoamiReply(msgspec.Struct, frozen=True, kw_only=True):
    """Who the server takes the caller for."""

    pane: str | None
    """The pane that it is in, empty when that is gone; None: it is outside of all panes."""
    authority: Literal["own", "tab", "all"]
    drives: tuple[str, ...] = ()
    """Panes with which it may do everything."""
    reads: tuple[str, ...] = ()
    """Further panes that it may read, wait for and leave notices."""


WHOAMI = Command(
    name="whoami",
    help="Tell which pane the server takes you to be in, and what you may do.",
    request=Empty,
    reply=WhoamiReply,
    touches=Touches(reach=Reach.NAMES),
    routes=(Route(method="GET", path="/v1/whoami"),),
    examples=("orca-tui whoami", "orca-tui whoami --json"),
)
