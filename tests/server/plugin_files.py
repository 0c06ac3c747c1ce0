"""The plugins folder of a running server, and what the server says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from orca_tui.commands.plugins import PLUGINS, PluginRow
from orca_tui.commands.spec import Empty
from tests.server.running import Api, Server, until


class Plugins:
    """Files in, rows out."""

    def __init__(self, server: Server, api: Api) -> None:
        self.folder = server.parts.paths.plugins_dir
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log: Path = server.parts.paths.plugins_log_file("default")
        self._api = api

    def write(self, name: str, source: str) -> None:
        (self.folder / name).write_text(source)

    async def rows(self) -> dict[str, PluginRow]:
        return {row.id: row for row in (await self._api.call(PLUGINS, Empty())).plugins}

    async def until(self, holds: Callable[[dict[str, PluginRow]], bool], what: str) -> dict[str, PluginRow]:
        """Wait for how the plugins stand."""

        async def there() -> bool:
            return holds(await self.rows())

        await until(there, what)
        return await self.rows()

    async def becomes(self, id: str, state: str, kind: str | None = None) -> PluginRow:
        """Wait until a plugin has a state, by a fault of that kind."""

        def there(rows: dict[str, PluginRow]) -> bool:
            row = rows.get(id)
            return row is not None and row.state == state and (row.fault.kind if row.fault else None) == kind

        return (await self.until(there, f"{id} is {state} ({kind})"))[id]
