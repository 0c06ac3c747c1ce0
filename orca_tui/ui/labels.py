"""What panes, tabs and statuses are called on screen: names, asks and what an agent is at. Pure."""

from __future__ import annotations

from orca_tui.layout import Tab, Workspace
from orca_tui.status.record import Kind, Status
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.texts import one_line
from orca_tui.ui.world import World
from orca_tui.wire import PaneInfo

ASKS: dict[Kind, str] = {
    Kind.PERMISSION: "permission",
    Kind.QUESTION: "question",
    Kind.AUTH: "login",
    Kind.RATE_LIMIT: "rate limit",
    Kind.API: "API",
}
"""What a waiting agent waits for, or what an error was, as people say it."""


def pane_name(pane: PaneInfo) -> str:
    """The name a person gave, else the agent, else what the program calls itself, else its command."""
    if pane.name:
        return one_line(pane.name)
    if pane.agent:
        return pane.agent
    if pane.title:
        return one_line(pane.title)
    return one_line(pane.command[0].rsplit("/", 1)[-1]) if pane.command else "shell"


def status_word(pane: PaneInfo) -> str:
    """The status in a word, with what is waited for: `waiting: permission`, `error: rate limit`."""
    asked = ASKS.get(pane.kind) if pane.kind else None
    match pane.status:
        case Status.WAITING | Status.ERROR:
            return f"{pane.status.value}: {asked}" if asked else pane.status.value
        case Status.EXITED:
            return _end_word(pane.exit_code)
        case Status.IDLE if pane.interrupted:
            return "interrupted"
        case _:
            return pane.status.value if pane.confirmed else f"{pane.status.value}?"


def _end_word(exit_code: int | None) -> str:
    if exit_code is None:
        return "exited"
    return f"signal {-exit_code}" if exit_code < 0 else f"exited {exit_code}"


def activity(pane: PaneInfo) -> str:
    """One line of what it is about: the ask, the error, the tool, the result or the prompt."""
    match pane.status:
        case Status.WAITING | Status.ERROR:
            text = pane.message or pane.prompt
        case Status.WORKING:
            text = pane.tool or pane.prompt
        case Status.DONE:
            text = pane.last_message or pane.prompt
        case _:
            text = pane.prompt
    return one_line(text or "")


def glyph(pane: PaneInfo, symbols: Symbols) -> str:
    """The status glyph; a shell of which nothing is known is no riddle, so it has its own."""
    if pane.is_plain_shell:
        return symbols.shell
    return symbols.statuses[pane.status]


def tab_name(world: World, tab: Tab) -> str:
    """The name a person gave, else that of the focused pane."""
    if tab.name:
        return one_line(tab.name)
    pane = world.panes.get(tab.focused)
    return pane_name(pane) if pane else tab.id


def workspace_name(workspace: Workspace) -> str:
    return one_line(workspace.name) or workspace.id


def where(world: World, pane: PaneInfo) -> str:
    """The pane's workspace, when there are several to tell apart."""
    if len(world.layout.workspaces) < 2:
        return ""
    return one_line(world.workspace_name(pane.workspace))
