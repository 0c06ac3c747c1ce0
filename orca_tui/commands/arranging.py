"""Commands that change where panes stand and how large they are: move, resize, zoom, arrange."""

from __future__ import annotations

import msgspec

from orca_tui.base.errors import Invalid
from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Empty, Option, Reach, Route, Touches
from orca_tui.layout import Direction, Preset

DIRECTIONS = tuple(Direction)
PANE = Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane")


class MoveRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exactly one of `direction`, `tab` and `workspace` is given."""

    pane: str
    direction: Direction | None = None
    """Change places with the neighbour there."""
    tab: str | None = None
    """A tab id, or `new`."""
    workspace: str | None = None
    """A workspace id, or `new`."""


MOVE = Command(
    name="move",
    help="Move a pane within its tab, or to another tab or workspace.",
    request=MoveRequest,
    reply=Empty,
    touches=Touches(
        reach=Reach.HANDS,
        targets=(
            "pane",
            "tab",
        ),
    ),
    arguments=(
        PANE,
        Argument(
            field="direction",
            required=False,
            choices=DIRECTIONS,
            help="Change places with the neighbour there.",
        ),
    ),
    options=(
        Option(field="tab", flags=("--tab",), metavar="ID|new", help="Move it to that tab."),
        Option(
            field="workspace", flags=("--workspace",), metavar="ID|new", help="Move it to that workspace."
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/move"),),
    examples=("orca-tui move p3 left", "orca-tui move p3 --tab new"),
)


class ResizeRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`direction` moves a border; `size` sets the size and holds only while no UI shows the pane."""

    pane: str
    direction: Direction | None = None
    percent: values.Percent = 4
    """How far the border moves, in percent of its split."""
    size: tuple[values.Side, values.Side] | None = None


RESIZE = Command(
    name="resize",
    help="Move a pane's border, or set its size while no UI shows it.",
    request=ResizeRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(
        PANE,
        Argument(field="direction", required=False, choices=DIRECTIONS, help="Which way the border moves."),
    ),
    options=(
        Option(
            field="percent",
            flags=("--by",),
            metavar="PERCENT",
            parse=values.percent,
            help="How far (default 4).",
        ),
        Option(
            field="size", flags=("--size",), metavar="COLSxROWS", parse=values.size, help="The size itself."
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/resize"),),
    examples=("orca-tui resize p3 right --by 10", "orca-tui resize p3 --size 100x30"),
)


class ZoomRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    on: bool | None = None
    """None turns it over."""


def on_or_off(text: str) -> bool:
    if text not in ("on", "off"):
        raise Invalid(f"{text!r} is neither on nor off")
    return text == "on"


ZOOM = Command(
    name="zoom",
    help="Show a pane alone in its tab, or all panes again.",
    request=ZoomRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("pane",)),
    arguments=(PANE,),
    options=(
        Option(
            field="on", flags=("--to",), choices=("on", "off"), parse=on_or_off, help="Default: the other."
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/zoom"),),
    examples=(
        "orca-tui zoom p3",
        "orca-tui zoom p3 --to off",
    ),
)


class ArrangeRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tab: str
    preset: Preset


ARRANGE = Command(
    name="arrange",
    help="Arrange all panes of a tab anew.",
    request=ArrangeRequest,
    reply=Empty,
    touches=Touches(reach=Reach.HANDS, targets=("tab",)),
    arguments=(
        Argument(field="tab", metavar="TAB", help="Tab id.", completes="target"),
        Argument(field="preset", choices=tuple(Preset), help="How."),
    ),
    examples=("orca-tui arrange t1 tiled",),
    routes=(Route(method="POST", path="/v1/tabs/{tab}/arrange"),),
)


class SetRatioRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tab: str
    path: tuple[int, ...]
    """From the root: 0 = first part, 1 = second part."""
    ratio: values.Share


SET_RATIO = Command(
    name="ui.ratio",
    help="Set a split's ratio, as dragging its border does.",
    request=SetRatioRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)
