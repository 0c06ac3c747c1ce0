"""The agents that can be opened, as rows of a picker: those that are installed first. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from orca_tui.commands.agents import AgentRow
from orca_tui.config import SHELL
from orca_tui.ui.pieces import MUTED
from orca_tui.ui.screens.picker import Item

UNKNOWN = "new in the settings: `orca-tui server restart`"


def agent_items(known: Sequence[AgentRow], names: Sequence[str]) -> list[Item]:
    """Installed agents and the shell, then the others with how to have them, which cannot be chosen.

    `known` are those of the server, `names` those of the settings, in their order.
    """
    rows = {row.name: row for row in known}
    order = dict.fromkeys([name for name in names if name != SHELL] + list(rows))
    cells = max(map(len, [*order, SHELL]))
    items = [_item(name, rows.get(name), cells) for name in order]
    ready = [item for item in items if item.enabled]
    shell = Item(id=SHELL, text=Content.assemble(SHELL.ljust(cells), ("  your shell", MUTED)))
    return [*ready, shell, *(item for item in items if not item.enabled)]


def _item(name: str, row: AgentRow | None, cells: int) -> Item:
    if row is not None and row.path is not None:
        title = row.title if row.title != name else ""
        return Item(id=name, text=Content.assemble(name.ljust(cells), (f"  {title}", MUTED)))
    lacking = UNKNOWN if row is None else row.install or "not installed"
    return Item(
        id=name,
        text=Content.styled(f"{name.ljust(cells)}  {lacking}", MUTED),
        enabled=False,
        why_not=_why_not(name, row),
        words=f"{name} {row.title if row is not None else ''}",
    )


def _why_not(name: str, row: AgentRow | None) -> str:
    if row is None:
        return f"{name} is {UNKNOWN}"
    return f"{name} is not installed" + (f": {row.install}" if row.install else "")
