"""`read`: the text of a pane."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Option, Reach, Route, Touches

Source: TypeAlias = Literal["screen", "scrollback", "all"]
SOURCES: tuple[str, ...] = get_args(Source)


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    source: Source = "screen"
    lines: values.Count | None = None
    """Only the last so many lines."""
    ansi: bool = False
    """With colours, as SGR sequences."""
    unwrap: bool = False
    """Join lines that the terminal wrapped."""


class ReadReply(msgspec.Struct, frozen=True, kw_only=True):
    text: str


READ = Command(
    name="read",
    help="Print what a pane shows; wide characters stand without filler.",
    request=ReadRequest,
    reply=ReadReply,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(Argument(field="pane", metavar="PANE", help="Pane id.", completes="pane"),),
    options=(
        Option(field="source", flags=("--source",), choices=SOURCES, help="What to read (default: screen)."),
        Option(
            field="lines", flags=("--lines",), metavar="N", parse=values.count, help="Only the last N lines."
        ),
        Option(field="ansi", flags=("--ansi",), flag=True, help="Keep colours."),
        Option(field="unwrap", flags=("--unwrap",), flag=True, help="Join wrapped lines."),
    ),
    routes=(Route(method="GET", path="/v1/panes/{pane}/text"),),
    examples=("orca-tui read p3", "orca-tui read p3 --source all --lines 200 --unwrap"),
)
