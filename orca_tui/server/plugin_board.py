"""How the user's plugins stand, as people are told: the rows, and a toast and a line in the log for each new fault.

The log has faults without their messages: those may quote what a plugin worked on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from orca_tui.base.errors import NotFound
from orca_tui.commands.plugins import Fault, PluginRow, PluginState
from orca_tui.plugins.folder import plugin_paths
from orca_tui.wire import Told

TRIED = (PluginState.RUNNING, PluginState.FAILED)

logger = logging.getLogger(__name__)


class PluginBoard:
    """`tell` shows a toast in every UI; `now` is Unix seconds."""

    def __init__(self, folder: Path, tell: Callable[[Told], None], now: Callable[[], float]) -> None:
        self._folder = folder
        self._tell = tell
        self._now = now
        self._rows: tuple[PluginRow, ...] = ()
        self._changed = asyncio.Event()

    def show(self, rows: tuple[PluginRow, ...]) -> None:
        """They stand so from now on; new faults are told."""
        before = {row.file: row.fault for row in self._rows}
        self.put(rows)
        for row in rows:
            if row.fault is not None and row.fault != before.get(row.file):
                self._tell_fault(row, row.fault)

    def put(self, rows: tuple[PluginRow, ...]) -> None:
        """The same, where people are told in another way."""
        self._rows = rows
        self._changed.set()

    def all(self) -> tuple[PluginRow, ...]:
        """Those that were told of, and those that were not yet."""
        return (*self._rows, *self.unknown())

    def unknown(self) -> tuple[PluginRow, ...]:
        """Plugins of which no host has told yet, by their files."""
        known = {row.file for row in self._rows}
        return tuple(
            PluginRow(id=path.stem, file=str(path), state=PluginState.STARTING, since=self._now())
            for path in plugin_paths(self._folder)
            if str(path) not in known
        )

    def find(self, id: str) -> PluginRow:
        """By what it calls itself, or else by its file; raises `NotFound`."""
        rows = self.all()
        named = [row for row in rows if row.id == id]
        found = named or [row for row in rows if file_name(row.file) == f"{id}.py"]
        if not found:
            raise NotFound(f"no plugin {id!r}; `orca-tui plugins` lists them", plugin=id)
        return next((row for row in found if row.commands), found[0])

    def changed_to(self, row: PluginRow, state: PluginState, fault: Fault | None) -> PluginRow:
        """A row for a plugin that does not run; what it offered is gone."""
        since = row.since if state is row.state else self._now()
        return msgspec.structs.replace(row, state=state, since=since, fault=fault, commands=())

    async def tried(self, file: str) -> PluginRow:
        """Wait until a plugin has been set up, well or not."""
        while (row := self.is_tried(file)) is None:
            self._changed.clear()
            await self._changed.wait()
        return row

    def is_tried(self, file: str) -> PluginRow | None:
        return next((row for row in self._rows if row.file == file and row.state in TRIED), None)

    def _tell_fault(self, row: PluginRow, fault: Fault) -> None:
        logger.warning("plugin %s: %s: %s at %s", row.id, fault.doing, fault.kind, fault.place or "no place")
        if fault.doing != "command":  # Whoever ran it is told.
            self._tell(Told(text=f"plugin {row.id}: {fault.sentence()}", severity="error"))


def file_name(path: str) -> str:
    """A plugin file's name, by which what was decided about it is kept."""
    return path.rpartition("/")[2]
