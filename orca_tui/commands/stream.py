"""`stream`: everything that a pane shows, as it shows it, for HTTP."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from orca_tui.commands.spec import Command, Reach, Route, Touches


class StreamRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str


class ScreenFrame(msgspec.Struct, frozen=True, kw_only=True, tag="screen"):
    """Always the first, and again after the reader fell behind: what was sent before is void."""

    cols: int
    rows: int
    data: bytes
    """Draws scrollback and screen on a blank terminal of that size; base64 in JSON."""


class OutputFrame(msgspec.Struct, frozen=True, kw_only=True, tag="output"):
    """What the program wrote next; cut anywhere, also within a character."""

    data: bytes


class ResizedFrame(msgspec.Struct, frozen=True, kw_only=True, tag="resized"):
    cols: int
    rows: int


class ExitedFrame(msgspec.Struct, frozen=True, kw_only=True, tag="exited"):
    """The program ended; the screen stays until the pane is closed, which ends the stream."""

    exit_code: int
    """Negative for a signal."""


PaneFrame: TypeAlias = ScreenFrame | OutputFrame | ResizedFrame | ExitedFrame


class StreamItem(msgspec.Struct, frozen=True, kw_only=True):
    """One frame on the wire; sent over HTTP without this wrapper."""

    frame: PaneFrame


STREAM = Command(
    name="stream",
    help="Follow what a pane shows, as a terminal is sent it.",
    request=StreamRequest,
    reply=StreamItem,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    stream=True,
    prints="frame",
    typed=False,
    routes=(Route(method="GET", path="/v1/panes/{pane}/stream"),),
)
