"""The sidebar's rows: every pane of every workspace, grouped by what it wants. Pure.

Rule 1: groups stand in the order needs you, error, working, done, idle, unknown, exited, shells.
Rule 2: who waits longest stands first; results that were not seen stand before those that were; all others
        stand as workspaces and tabs do, so that rows do not jump.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from orca_tui.status.record import Status
from orca_tui.ui.labels import activity, glyph, pane_name, where
from orca_tui.ui.pieces import (
    FOCUSED_LINE,
    LINE,
    MUTED,
    STATUS_STYLES,
    STRONG,
    UNREAD,
    Line,
    Piece,
    cut,
    spread,
    width_of,
)
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.texts import elapsed
from orca_tui.ui.world import World
from orca_tui.wire import PaneInfo

GROUPS: tuple[tuple[Status, str], ...] = (
    (Status.WAITING, "needs you"),
    (Status.ERROR, "error"),
    (Status.WORKING, "working"),
    (Status.DONE, "done"),
    (Status.IDLE, "idle"),
    (Status.UNKNOWN, "unknown"),
    (Status.EXITED, "exited"),
)
SHELLS = "shells"
INDENT = 3  # The detail stands below the name: bar, glyph, blank.


class Group(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    status: Status | None
    """None: shells."""
    panes: tuple[PaneInfo, ...]


def groups(world: World) -> list[Group]:
    """The groups that have panes, in order."""
    panes = world.in_order()
    agents = [pane for pane in panes if not pane.is_plain_shell]
    found = [
        Group(
            title=title,
            status=status,
            panes=tuple(_ordered(status, [pane for pane in agents if pane.status is status])),
        )
        for status, title in GROUPS
    ]
    shells = tuple(pane for pane in panes if pane.is_plain_shell)
    return [group for group in (*found, Group(title=SHELLS, status=None, panes=shells)) if group.panes]


def _ordered(status: Status, panes: list[PaneInfo]) -> list[PaneInfo]:
    match status:
        case Status.WAITING | Status.ERROR:
            return sorted(panes, key=lambda pane: pane.since)
        case Status.DONE:
            return sorted(panes, key=lambda pane: not pane.unread)
        case _:
            return panes


def sidebar_lines(world: World, *, cols: int, now: float, symbols: Symbols) -> list[Line]:
    """The rows as they are drawn, each `cols` cells wide; a click on a pane's rows means its id."""
    lines: list[Line] = []
    for group in groups(world):
        lines.append(_heading(group, cols, symbols))
        for pane in group.panes:
            lines.extend(_pane_lines(world, pane, cols, now, symbols))
    return lines or [(Piece(text=" nothing runs here".ljust(cols), style=MUTED),)]


def _heading(group: Group, cols: int, symbols: Symbols) -> Line:
    style = STATUS_STYLES[group.status] if group.status is Status.WAITING else MUTED
    title = Piece(text=f" {group.title} ", style=style)
    return spread(
        (title,), (), cols, ellipsis=symbols.ellipsis, fill=Piece(text=symbols.horizontal, style=LINE)
    )


def _pane_lines(world: World, pane: PaneInfo, cols: int, now: float, symbols: Symbols) -> Iterable[Line]:
    focused = world.focused is not None and world.focused.pane == pane.pane
    yield spread(
        _left(world, pane, symbols, focused=focused),
        _right(pane, now, symbols),
        cols,
        ellipsis=symbols.ellipsis,
        fill=Piece(text=" ", target=pane.pane),
    )
    if detail := activity(pane):
        line = cut(
            (Piece(text=f"{' ' * INDENT}{detail}", style=MUTED, target=pane.pane),),
            cols - 1,
            symbols.ellipsis,
        )
        yield (*line, Piece(text=" " * (cols - width_of(line)), target=pane.pane))


def _left(world: World, pane: PaneInfo, symbols: Symbols, *, focused: bool) -> Line:
    style = MUTED if pane.is_plain_shell else STATUS_STYLES[pane.status]
    place = where(world, pane)
    return (
        Piece(text=symbols.bar if focused else " ", style=FOCUSED_LINE, target=pane.pane),
        Piece(text=f"{glyph(pane, symbols)} ", style=style, target=pane.pane),
        Piece(text=pane_name(pane), style=STRONG if focused else "", target=pane.pane),
        Piece(text=f" {pane.pane}", style=MUTED, target=pane.pane),
        *([Piece(text=f" {symbols.dot} {place}", style=MUTED, target=pane.pane)] if place else []),
    )


def _right(pane: PaneInfo, now: float, symbols: Symbols) -> Line:
    unread = (Piece(text=f" {symbols.unread}", style=UNREAD, target=pane.pane),) if pane.unread else ()
    if pane.is_plain_shell or not pane.since:
        return (*unread, Piece(text=" ", target=pane.pane))
    return (*unread, Piece(text=f" {elapsed(now - pane.since)} ", style=MUTED, target=pane.pane))
