"""The characters that our own chrome is drawn with, and an ASCII set for terminals that have no others."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from orca_tui.status.record import Status


class Symbols(msgspec.Struct, frozen=True, kw_only=True):
    """One set of characters; every one is a single cell wide."""

    statuses: Mapping[Status, str]
    shell: str = "›"
    unread: str = "◆"
    ellipsis: str = "…"
    crumb: str = "▸"
    dot: str = "·"
    bar: str = "▌"
    horizontal: str = "─"
    joints: tuple[str, str, str, str] = ("│", "┤", "├", "┼")
    """A vertical line where no title meets it, one on its left, one on its right, both."""
    first_joints: tuple[str, str, str, str] = ("│", "┐", "┌", "┬")
    """The same at its upper end."""
    thumb: str = "┃"
    """The part of a scrollbar that says where one is."""
    track: str = "│"
    outside: str = "·"
    """Fills what lies outside of a pane that is smaller than its place."""


UNICODE = Symbols(
    statuses={
        Status.WAITING: "▲",
        Status.ERROR: "✗",
        Status.WORKING: "●",
        Status.DONE: "✓",
        Status.IDLE: "○",
        Status.UNKNOWN: "?",
        Status.EXITED: "■",
    }
)
ASCII = Symbols(
    statuses={
        Status.WAITING: "!",
        Status.ERROR: "x",
        Status.WORKING: "*",
        Status.DONE: "+",
        Status.IDLE: "o",
        Status.UNKNOWN: "?",
        Status.EXITED: "#",
    },
    shell="$",
    unread="@",
    ellipsis="~",
    crumb=">",
    dot="-",
    bar="|",
    horizontal="-",
    joints=("|", "+", "+", "+"),
    first_joints=("|", "+", "+", "+"),
    thumb="#",
    track="|",
    outside=".",
)


def symbols_for(*, ascii_only: bool) -> Symbols:
    """The set that the settings ask for."""
    return ASCII if ascii_only else UNICODE
