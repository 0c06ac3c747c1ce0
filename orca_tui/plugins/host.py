"""All plugins of the host: the folder's files in, plugins set up and disposed, rows out. Knows no socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from orca_tui.base.clock import Clock
from orca_tui.commands.events import Event
from orca_tui.commands.plugin_host import ReportRequest, Stopped
from orca_tui.commands.plugins import Fault
from orca_tui.plugins.faults import fault_of
from orca_tui.plugins.folder import read_folder
from orca_tui.plugins.plugin import Plugin
from orca_tui.plugins.revision import Quarters


class Host:
    """`changed` is called each time that `report` would say something else."""

    def __init__(self, folder: Path, quarters: Quarters, clock: Clock, changed: Callable[[], None]) -> None:
        self._folder = folder
        self._quarters = quarters
        self._clock = clock
        self._tell = changed
        self._plugins: dict[str, Plugin] = {}
        self._stopped: dict[str, Stopped] = {}

    def begin(self, stopped: dict[str, Stopped]) -> None:
        """These files are not set up as long as their bytes are the same."""
        self._stopped = dict(stopped)

    def look(self) -> None:
        """Take the folder as it is now: what has other bytes is set up anew, what is gone is disposed."""
        found = read_folder(self._folder)
        for name in self._plugins.keys() - found.keys():
            self._plugins[name].want(None)
        for name, file in found.items():
            plugin = self._plugins.get(name)
            if plugin is None:
                plugin = self._plugins[name] = self._new(name)
                harmful = self._stopped.pop(name, None)
                if harmful is not None and harmful.digest == file.digest:
                    plugin.stopped(file, harmful)
                    continue
            plugin.want(file)

    def holder(self, id: str) -> Plugin | None:
        """The plugin that has an id."""
        return next((one for one in self._plugins.values() if one.holds(id)), None)

    def put(self, event: Event) -> None:
        """Something happened."""
        for plugin in self._plugins.values():
            if plugin.live is not None:
                plugin.live.subscriptions.put(event)

    async def reload(self, id: str) -> Fault | None:
        """Set a plugin up again, whatever its bytes are; how that went."""
        plugin = self._by_id(id)
        file = read_folder(self._folder).get(plugin.name) if plugin is not None else None
        if plugin is None or file is None:
            return Fault(doing="load", kind="NotFound", message=f"there is no plugin {id!r}")
        plugin.want(file, again=True)
        await plugin.settled.wait()
        return plugin.fault

    async def run(self, id: str, command: str, pane: str | None) -> Fault | None:
        """Run a command of a plugin."""
        plugin = self._by_id(id)
        if plugin is None:
            return Fault(doing="command", kind="NotFound", message=f"there is no plugin {id!r}")
        return await plugin.run(command, pane)

    async def close(self) -> None:
        """Dispose of everything."""
        plugins = tuple(self._plugins.values())
        for plugin in plugins:
            plugin.want(None)
        for plugin in plugins:
            await plugin.settled.wait()

    def uncaught(self, error: BaseException) -> None:
        """A callback or a task threw and nobody asked: it is the plugin's in whose file it was."""
        for name, plugin in self._plugins.items():
            fault = fault_of("task", error, str(self._folder / name))
            if fault.place:
                plugin.note(fault)

    def grown_bytes(self) -> dict[str, int]:
        """How much memory the steps of each live plugin have taken."""
        return {
            name: plugin.live.grown_bytes
            for name, plugin in self._plugins.items()
            if plugin.live is not None and plugin.live.grown_bytes
        }

    def report(self) -> ReportRequest:
        """How everything stands."""
        plugins = [self._plugins[name] for name in sorted(self._plugins)]
        return ReportRequest(
            plugins=tuple(plugin.row(str(self._folder / plugin.name)) for plugin in plugins),
            digests={plugin.name: plugin.digest for plugin in plugins},
            trying=tuple(plugin.name for plugin in plugins if plugin.trying),
            stuck=tuple(plugin.name for plugin in plugins if plugin.stuck),
        )

    def _by_id(self, id: str) -> Plugin | None:
        """By what it calls itself, or else by its file."""
        named = [one for one in self._plugins.values() if one.id == id]
        live = next((one for one in named if one.live is not None), named[0] if named else None)
        return live or self._plugins.get(f"{id}.py")

    def _new(self, name: str) -> Plugin:
        return Plugin(name, self._quarters, self._clock, self, self._changed)

    def _changed(self) -> None:
        for name, plugin in tuple(self._plugins.items()):
            if plugin.gone and not plugin.stuck:
                del self._plugins[name]
            elif plugin.refused_id and plugin.settled.is_set() and self.holder(plugin.refused_id) is None:
                plugin.try_again()
        self._tell()
