"""The user's own plugins as a table: how each stands, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orca_tui.cli.session import Session, write_line
from orca_tui.cli.tables import aligned, elapsed, plain

if TYPE_CHECKING:
    from orca_tui.commands.plugins import PluginRow

HEADING = ("PLUGIN", "STATE", "SINCE", "COMMANDS", "FILE")


def print_plugins(session: Session, plugins: Sequence[PluginRow], *, heading: bool = True) -> None:
    """A row each, and below the table a line for each that has a fault."""
    folder = session.paths.plugins_dir
    if not plugins:
        write_line(f"no plugins; `orca-tui plugins new NAME` writes one into {folder}")
        return
    now = session.outside.clock.now()
    rows = [HEADING] if heading else []
    rows += [
        (
            plain(row.id),
            row.state.value,
            elapsed(now - row.since),
            ", ".join(command.id for command in row.commands),
            plain(row.file.rpartition("/")[2]),
        )
        for row in plugins
    ]
    for line in aligned(rows, session.width()):
        write_line(line)
    for row in plugins:
        if row.fault is not None:
            write_line(plain(f"{row.id}: {row.fault.sentence()}"))
