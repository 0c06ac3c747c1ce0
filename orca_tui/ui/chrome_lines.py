"""The lines around the panes: tabs, titles and hints, as pieces. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from orca_tui.layout import Tab
from orca_tui.status.record import Status, roll_up
from orca_tui.ui.actions import ACTIONS, ACTIONS_BY_ID, HINTS
from orca_tui.ui.keymap import AFTER_PREFIX, Keymap
from orca_tui.ui.labels import (
    activity,
    glyph,
    pane_name,
    status_word,
    tab_name,
    where,
    workspace_name,
)
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
from orca_tui.ui.world import World, counts
from orca_tui.wire import PaneInfo

BRAND = "orca-tui"
ACTIVE_TAB = "bold reverse"
NEW_TAB = "new"
"""What a click on the plus after the tabs means."""


def roll_up_line(world: World, symbols: Symbols) -> Line:
    """`▲1 ✗0 ●3 ✓2`: how many wait, failed, work, and are done and unread."""
    found = counts(world.panes.values())
    return tuple(
        Piece(
            text=f"{symbols.statuses[status]}{count}{'' if status is Status.DONE else ' '}",
            style=STATUS_STYLES[status] if count else LINE,
        )
        for status, count in found.items()
    )


def roll_up_text(world: World, symbols: Symbols) -> str:
    """The roll-up for the terminal's title: only what there is."""
    found = counts(world.panes.values())
    return " ".join(f"{symbols.statuses[status]}{count}" for status, count in found.items() if count)


def tabs_line(world: World, cols: int, symbols: Symbols) -> Line:
    """The first row: our name, the roll-up, the workspace and its tabs."""
    workspace = world.workspace
    head = (Piece(text=f" {BRAND}", style=STRONG), Piece(text="  "), *roll_up_line(world, symbols))
    if workspace is None:
        return spread(head, (), cols, ellipsis=symbols.ellipsis)
    name = Piece(text=f"   {workspace_name(workspace)} ", style=MUTED, target=workspace.id)
    crumb = Piece(text=f"{symbols.crumb} ", style=LINE)
    tabs = [
        _tab(world, tab, number, active=tab.id == workspace.active, symbols=symbols)
        for number, tab in enumerate(workspace.tabs)
    ]
    active = next((at for at, tab in enumerate(workspace.tabs) if tab.id == workspace.active), 0)
    plus = Piece(text=" + ", style=MUTED, target=NEW_TAB)
    room = cols - width_of((*head, name, crumb, plus))
    shown = _around_active(tabs, active, room, symbols.ellipsis)
    return spread((*head, name, crumb, *shown, plus), (), cols, ellipsis=symbols.ellipsis)


def _tab(world: World, tab: Tab, number: int, *, active: bool, symbols: Symbols) -> Line:
    panes = world.of_tab(tab)
    status = roll_up(list(panes))
    marked = status in (Status.WAITING, Status.ERROR, Status.WORKING, Status.DONE)
    mark = f" {symbols.statuses[status]}" if status is not None and marked else ""
    zoomed = " Z" if tab.zoomed else ""
    style = ACTIVE_TAB if active else ""
    mark_style = style if active or status is None else STATUS_STYLES[status]
    return (
        Piece(text=f" {number} {tab_name(world, tab)}", style=style, target=tab.id),
        Piece(text=f"{mark}{zoomed} ", style=mark_style, target=tab.id),
    )


def _around_active(tabs: Sequence[Line], active: int, room: int, ellipsis: str) -> Line:
    """The active tab, cut when it must be, and as many beside it as the room has; an ellipsis is the next one."""
    if not tabs:
        return ()
    mark = f" {ellipsis} "

    def marks(first: int, last: int) -> int:
        return cell_len(mark) * ((first > 0) + (last < len(tabs) - 1))

    def fits(first: int, last: int) -> bool:
        return sum(map(width_of, tabs[first : last + 1])) + marks(first, last) <= room

    first = last = active
    while True:
        if last < len(tabs) - 1 and fits(first, last + 1):
            last += 1
        elif first > 0 and fits(first - 1, last):
            first -= 1
        else:
            break
    before = [Piece(text=mark, style=MUTED, target=tabs[first - 1][0].target)] if first > 0 else []
    after = [Piece(text=mark, style=MUTED, target=tabs[last + 1][0].target)] if last < len(tabs) - 1 else []
    shown = tuple(piece for tab in tabs[first : last + 1] for piece in tab)
    return (*before, *cut(shown, max(0, room - marks(first, last)), ellipsis), *after)


def title_line(
    world: World, pane: PaneInfo, cols: int, symbols: Symbols, *, focused: bool, offset: int = 0
) -> Line:
    """A pane's title row: glyph, id, name, where it is, what it is doing; on the right what it may drive, and
    `offset`, the rows that it is scrolled back."""
    line = FOCUSED_LINE if focused else LINE
    fill = Piece(text=symbols.horizontal, style=line)
    left = (fill, Piece(text=" "), *_title_pieces(world, pane, symbols, focused=focused), Piece(text=" "))
    zoomed = world.tab is not None and world.tab.zoomed
    marks = [f"{offset} rows back"] if offset else []
    marks += ["zoomed"] if zoomed else []
    marks += [f"may drive {', '.join(pane.granted)}"] if pane.granted else []
    right = [Piece(text=f" {mark} ", style=MUTED) for mark in marks]
    return spread(left, (*right, fill) if right else (), cols, ellipsis=symbols.ellipsis, fill=fill)


def _title_pieces(world: World, pane: PaneInfo, symbols: Symbols, *, focused: bool) -> Line:
    dot = Piece(text=f" {symbols.dot} ", style=LINE)
    name = pane_name(pane)
    pieces = [Piece(text=f"{pane.pane} ", style=MUTED), Piece(text=name, style=STRONG if focused else "")]
    if pane.agent and pane.agent not in (name, "shell"):
        pieces += [dot, Piece(text=pane.agent, style=MUTED)]
    if place := where(world, pane):
        pieces += [dot, Piece(text=place, style=MUTED)]
    if pane.is_plain_shell:
        return tuple(pieces)
    style = STATUS_STYLES[pane.status]
    unread = [Piece(text=f"{symbols.unread} ", style=UNREAD)] if pane.unread else []
    pieces = [Piece(text=f"{glyph(pane, symbols)} ", style=style), *unread, *pieces]
    pieces += [dot, Piece(text=status_word(pane), style=style)]
    if pane.status in (Status.WAITING, Status.ERROR, Status.WORKING) and (text := activity(pane)):
        pieces += [dot, Piece(text=text, style=MUTED)]
    return tuple(pieces)


def hints_line(keymap: Keymap, cols: int, symbols: Symbols, *, prefixed: bool, message: str = "") -> Line:
    """The last row: what one may press, or what was just said."""
    prefix = keymap.shown(keymap.prefix)
    if prefixed:
        return spread(
            (Piece(text=f" {prefix} ", style=ACTIVE_TAB), Piece(text=" the next key is ours", style=MUTED)),
            (Piece(text="escape takes it back ", style=MUTED),),
            cols,
            ellipsis=symbols.ellipsis,
        )
    if message:
        return spread((Piece(text=f" {message}", style=MUTED),), (), cols, ellipsis=symbols.ellipsis)
    lead: Line = (Piece(text=f" {prefix}", style=STRONG), Piece(text=" then", style=MUTED))
    hints = _fitting_hints(keymap, cols - width_of(lead))
    return spread((*lead, *hints), (), cols, ellipsis=symbols.ellipsis)


def _fitting_hints(keymap: Keymap, room: int) -> Line:
    """The hints in the order of the table; what is needed most takes the room first."""
    kept: dict[str, Line] = {}
    for action_id in HINTS:
        if not (keys := keymap.keys_of(action_id)):
            continue
        key = keymap.shown(keys[0].removeprefix(AFTER_PREFIX))
        hint = (
            Piece(text=f"  {key}", style=STRONG, target=action_id),
            Piece(text=f" {ACTIONS_BY_ID[action_id].hint}", style=MUTED, target=action_id),
        )
        if width_of(hint) >= room:
            break
        room -= width_of(hint)
        kept[action_id] = hint
    return tuple(piece for action in ACTIONS for piece in kept.get(action.id, ()))
