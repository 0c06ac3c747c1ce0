"""Commands on a pane, a tab or a workspace by id: focus, seen, rename, close."""

from __future__ import annotations

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Empty, Option, Reach, Route, Touches

TARGET = Argument(
    field="target", metavar="PANE|TAB|WORKSPACE", help="An id such as p3, t1 or w1.", completes="target"
)


class TargetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


FOCUS = Command(
    name="focus",
    help="Focus a pane, a tab or a workspace in the attached UIs.",
    request=TargetRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    arguments=(TARGET,),
    routes=(Route(method="POST", path="/v1/focus/{target}"),),
    examples=(
        "orca-tui focus p3",
        "orca-tui focus w1",
    ),
)


class SeenRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str


SEEN = Command(
    name="seen",
    help="Take away a pane's unread mark, as looking at it does.",
    request=SeenRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    routes=(Route(method="POST", path="/v1/panes/{pane}/seen"),),
    examples=("orca-tui seen p3",),
)


class RenameRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str
    name: values.Name


RENAME = Command(
    name="rename",
    help="Name a pane, a tab or a workspace; an empty name gives the title back.",
    request=RenameRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("target",)),
    arguments=(TARGET, Argument(field="name", metavar="NAME", help="The new name.")),
    routes=(Route(method="POST", path="/v1/rename/{target}"),),
    examples=(
        "orca-tui rename p3 'code review'",
        "orca-tui rename t1 ''",
    ),
)


class CloseRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str
    force: bool = False
    """Close although an agent works or waits there; without it that is a conflict."""


class CloseReply(msgspec.Struct, frozen=True, kw_only=True):
    closed: tuple[str, ...]
    """The panes that were closed."""


CLOSE = Command(
    name="close",
    help="Close a pane, or all panes of a tab or workspace; their programs get SIGHUP.\n\n"
    "An agent that works or waits is not closed without --force.",
    request=CloseRequest,
    reply=CloseReply,
    touches=Touches(reach=Reach.HANDS, targets=("target",)),
    arguments=(TARGET,),
    options=(
        Option(field="force", flags=("--force", "-f"), flag=True, help="Close although an agent works."),
    ),
    routes=(Route(method="DELETE", path="/v1/panes/{target}"),),
    examples=(
        "orca-tui close p3",
        "orca-tui close t2 --force",
    ),
)
