"""One plugin file over its revisions: which one lives, and what went wrong.

Rule 1: one thing at a time happens to it, and of several files that come meanwhile only the last is taken.
Rule 2: the next revision is set up while the one before still lives; only when that went well do they change
places, in one step, and the one before is disposed.
Rule 3: a revision that fails once it lives is disposed, and nothing takes its place until the file changes.
Rule 4: whose lines are about to run is told before, so that it is known if they never end.
Rule 5: an id belongs to one file, the first that has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.commands.plugin_host import Stopped
from orca_tui.commands.plugins import Fault, PluginRow, PluginState
from orca_tui.plugins.faults import fault_of
from orca_tui.plugins.folder import PluginFile
from orca_tui.plugins.loading import Loaded, load
from orca_tui.plugins.revision import Quarters, Revision


class Ids(Protocol):
    """Who has which id (Rule 5)."""

    def holder(self, id: str) -> Plugin | None: ...


class Plugin:
    """`changed` is called each time that its row is another."""

    def __init__(
        self, name: str, quarters: Quarters, clock: Clock, ids: Ids, changed: Callable[[], None]
    ) -> None:
        self.name = name
        self.live: Revision | None = None
        self.digest = ""
        """Of the bytes that were taken last, well or not."""
        self.stuck = False
        self.refused_id = ""
        """The id that its file has and another file had already."""
        self.trying = False
        """A revision is just set up."""
        self.settled = asyncio.Event()
        """Nothing is just happening to it."""
        self._quarters = quarters
        self._clock = clock
        self._ids = ids
        self._changed = changed
        self._wanted: PluginFile | None = None
        self._seen: PluginFile | None = None
        self._failed_revision: Revision | None = None
        self._loads = 0
        self._revision = 0
        self._state = PluginState.STARTING
        self._since = clock.now()
        self._fault: Fault | None = None
        self._noted: Fault | None = None
        """What went wrong beside the setup that is just under way."""
        self._said_id = name.removesuffix(".py")
        self._trying_id = ""
        self.settled.set()

    @property
    def id(self) -> str:
        return self.live.loaded.id if self.live is not None else self._said_id

    @property
    def fault(self) -> Fault | None:
        return self._fault

    @property
    def gone(self) -> bool:
        """Its file is, and so is all that it had."""
        return self._wanted is None and self.settled.is_set()

    def holds(self, id: str) -> bool:
        """The id is that of its live revision, or of the one that is just set up."""
        return id == self._trying_id or (self.live is not None and self.live.loaded.id == id)

    def row(self, path: str) -> PluginRow:
        live = self.live
        return PluginRow(
            id=self.id,
            file=path,
            state=self._state,
            since=self._since,
            revision=self._revision,
            fault=self._fault,
            commands=live.offers.all() if live is not None else (),
        )

    def stopped(self, file: PluginFile, harm: Stopped) -> None:
        """It must not be set up with these bytes: they have done harm."""
        self._wanted = self._seen = file
        self._said_id = harm.id
        self.digest = file.digest
        self._become(PluginState.STOPPED, harm.fault)

    def want(self, file: PluginFile | None, *, again: bool = False) -> None:
        """Be that file, or none; `again` also when it is that already."""
        same = file is not None and self._wanted is not None and file.digest == self._wanted.digest
        if same and not again:
            return
        self._wanted = file
        if again:
            self._seen = None
        self._work()

    async def run(self, command: str, pane: str | None) -> Fault | None:
        """Run a command of the live revision; its fault is shown, and the plugin goes on."""
        if self.live is None:
            return Fault(doing="command", kind="NotFound", message=f"the plugin {self.id!r} does not run")
        fault = await self.live.run(command, pane)
        if fault is not None:
            self.note(fault)
        return fault

    def note(self, fault: Fault) -> None:
        """Something went wrong, and it goes on."""
        self._noted = fault
        self._become(self._state, fault)

    def try_again(self) -> None:
        """The id that was taken is free."""
        self.want(self._wanted, again=True)

    # Rule 1

    def _work(self) -> None:
        if self.settled.is_set():
            self.settled.clear()
            self._quarters.group.create_task(
                self._settle(), name=f"settle {self.name}", context=self._quarters.plain.copy()
            )

    async def _settle(self) -> None:
        try:
            while self._seen is not self._wanted or self._failed_revision is not None:
                failed, self._failed_revision = self._failed_revision, None
                if failed is not None:
                    await self._end(failed)
                    continue
                self._seen = wanted = self._wanted
                if wanted is None:
                    await self._stop()
                else:
                    await self._take(wanted)
        finally:
            self.settled.set()
            self._changed()

    async def _take(self, file: PluginFile) -> None:
        self.digest, self.refused_id, self._noted = file.digest, "", None
        self._loads += 1
        if self.live is None:
            self._become(PluginState.STARTING, None)
        self.trying = True
        try:
            await self._quarters.announce()  # Rule 4.
            await self._replace(self._loaded(file))
        finally:
            self.trying, self._trying_id = False, ""

    async def _replace(self, loaded: Loaded | Fault) -> None:
        """Rule 2."""
        if isinstance(loaded, Fault):
            self._not_taken(loaded)
            return
        revision = Revision(loaded, self._quarters, failed=self._failed, changed=self._changed)
        fault = await revision.set_up()
        if fault is not None:
            await self._end(revision)
            self._not_taken(fault)
            return
        before, self.live = self.live, revision
        revision.go_live()
        self._revision += 1
        self._become(PluginState.RUNNING, self._noted)
        if before is not None:
            await self._end(before)  # Which silences it at once: no event comes in between.

    def _loaded(self, file: PluginFile) -> Loaded | Fault:
        if file.fault is not None:
            return file.fault
        try:
            loaded = load(file, self._loads)
        except (Exception, SystemExit) as error:
            return fault_of("load", error, str(file.path))
        holder = self._ids.holder(loaded.id)
        if holder is not None and holder is not self:
            self.refused_id = loaded.id
            loaded.unload()
            message = f"{holder.name} has the id {loaded.id!r} already"
            return Fault(doing="load", kind="no plugin", message=message)
        self._said_id = self._trying_id = loaded.id
        return loaded

    def _not_taken(self, fault: Fault) -> None:
        """What lived before lives on, with the fault beside it."""
        self._become(PluginState.RUNNING if self.live is not None else PluginState.FAILED, fault)

    def _failed(self, revision: Revision, fault: Fault) -> None:
        """Rule 3."""
        if revision is self.live:
            self.live = None
            revision.silence()
            self._failed_revision = revision
            self._become(PluginState.FAILED, fault)
            self._work()

    async def _stop(self) -> None:
        before, self.live = self.live, None
        if before is not None:
            await self._end(before)
        self._become(PluginState.STOPPED, self._fault)

    async def _end(self, revision: Revision) -> None:
        fault, stuck = await revision.end()
        self.stuck = self.stuck or stuck
        if fault is not None and self._fault is None:
            self._fault = fault
        self._changed()

    def _become(self, state: PluginState, fault: Fault | None) -> None:
        if state is not self._state:
            self._state, self._since = state, self._clock.now()
        self._fault = fault
        self._changed()
