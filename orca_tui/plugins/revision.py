"""One set-up of one plugin: from its setup to its dispose. It owns whatever the plugin's code has started.

Rule 1: setup, dispose and commands have their time; what takes longer is cancelled, and that is its fault.
Rule 2: work of `ctx.start` begins when the revision goes live; when it throws, the plugin has failed.
Rule 3: at the end it may handle the events that it has, for a moment; dispose is awaited; then every task that is
left is cancelled. Whoever goes on all the same is stuck, and only the end of the process ends it.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import Context as Variables
from typing import Any

import msgspec

from orca_tui.base.errors import OrcaError
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.plugins import Fault
from orca_tui.plugins.context import Context
from orca_tui.plugins.faults import Doing, fault_of, too_slow
from orca_tui.plugins.happenings import Subscriptions
from orca_tui.plugins.loading import Loaded
from orca_tui.plugins.offers import Offers
from orca_tui.plugins.ownership import Ownership

CANCELLED_WITHIN_S = 1.0
"""A coroutine that is cancelled runs its `finally`; it has had its time before."""


HANDLED_WITHIN_S = 2.0
"""Of events that were there already: most are handled in a moment, and who waits for an agent waits for minutes."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long plugins may take."""

    setup_s: float
    """For setup, and for dispose."""
    command_s: float


class Quarters(msgspec.Struct, frozen=True, kw_only=True):
    """What the host has for every revision."""

    group: asyncio.TaskGroup
    ownership: Ownership
    plain: Variables
    """The context of the host itself: what is started in another one may be a plugin's."""
    limits: Limits
    connect: Callable[[str], Awaitable[AsyncClient]]
    """A connection of a plugin's own, by its id."""
    announce: Callable[[], Awaitable[None]]
    """Tells how everything stands, and returns when that is known."""


class Revision:
    """`failed` is told of what throws while it is live; `changed` when it offers other commands."""

    def __init__(
        self,
        loaded: Loaded,
        quarters: Quarters,
        *,
        failed: Callable[[Revision, Fault], None],
        changed: Callable[[], None],
    ) -> None:
        self.loaded = loaded
        self.file = str(loaded.module.__file__)
        self.subscriptions = Subscriptions()
        self.offers = Offers(changed)
        self.grown_bytes = 0
        self._quarters = quarters
        self._failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()
        self._waiting: list[Coroutine[Any, Any, object]] = []
        self._live = False
        self._ended = False
        self._dispose: object = None
        self._client: AsyncClient | None = None
        self._variables: Variables = quarters.ownership.context_of(self)

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """One of its tasks was started."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def grew(self, size_bytes: int) -> None:
        """One of its steps has taken memory."""
        self.grown_bytes += size_bytes

    async def set_up(self) -> Fault | None:
        """Run its setup; with a fault nothing of it is left but what is stuck."""
        try:
            client = self._client = await self._quarters.connect(self.loaded.id)
        except OrcaError as error:
            return fault_of("setup", error, self.file)
        context = Context(self.loaded.id, client, self.subscriptions, self.offers, self._start)
        returned, fault = await self._timed(
            "setup", self.loaded.setup(context), self._quarters.limits.setup_s
        )
        self._dispose = returned
        if fault is None and returned is not None and not callable(returned):
            fault = Fault(
                doing="setup", kind="TypeError", message="what setup returns is no function to dispose"
            )
        return fault

    def go_live(self) -> None:
        """From now on it is the plugin."""
        self._live = True
        self.subscriptions.go_live()
        waiting, self._waiting = self._waiting, []
        for work in waiting:
            self._start(work)
        asyncio.get_running_loop().call_soon(self.subscriptions.begun)  # Behind the first steps of all these.

    async def run(self, command: str, pane: str | None) -> Fault | None:
        """Run one of its commands."""
        runner = self.offers.runner(command)
        if runner is None:
            return Fault(doing="command", kind="NotFound", message=f"there is no command {command!r}")
        _, fault = await self._timed("command", _awaited(runner, pane), self._quarters.limits.command_s)
        return fault

    def silence(self) -> None:
        """It gets no more events and commands; what it is just doing goes on until `end`."""
        self._live = False
        self.subscriptions.end()

    async def end(self) -> tuple[Fault | None, bool]:
        """Rule 3; what dispose did wrong, and whether something is stuck. The second call does nothing."""
        if self._ended:
            return None, False
        self._ended = True
        self.silence()
        for work in self._waiting:
            work.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(HANDLED_WITHIN_S):
                await self.subscriptions.handled()
        fault = None
        if callable(self._dispose):
            _, fault = await self._timed("dispose", _awaited(self._dispose), self._quarters.limits.setup_s)
        stuck = not await self._cancel(set(self._tasks))
        if self._client is not None:
            self._client.close()
        self.loaded.unload()
        return fault, stuck

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        """Rule 2."""
        if self._ended:
            work.close()
        elif not self._live:
            self._waiting.append(work)
        else:
            self._task(self._background(work))

    async def _background(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except (Exception, SystemExit) as error:
            self._failed(self, fault_of("task", error, self.file))

    async def _timed(
        self, doing: Doing, work: Awaitable[object], limit_s: float
    ) -> tuple[object, Fault | None]:
        """Rule 1: what it returned, or its fault."""
        task = self._task(_outcome(work))
        done, _ = await asyncio.wait({task}, timeout=limit_s)
        if not done:
            await self._cancel({task})
            return None, too_slow(doing, limit_s)
        if task.cancelled():
            return None, Fault(doing=doing, kind="CancelledError", message="it was cancelled by its own code")
        returned, error = task.result()
        return returned, None if error is None else fault_of(doing, error, self.file)

    def _task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return self._quarters.group.create_task(
            work, name=f"plugin {self.loaded.id}", context=self._variables.copy()
        )

    async def _cancel(self, tasks: set[asyncio.Task[Any]]) -> bool:
        """Cancel tasks; False when one goes on."""
        tasks = {task for task in tasks if not task.done()}
        for task in tasks:
            task.cancel()
        if not tasks:
            return True
        _, left = await asyncio.wait(tasks, timeout=CANCELLED_WITHIN_S)
        return not left


async def _outcome(work: Awaitable[object]) -> tuple[object, BaseException | None]:
    """What it returned or threw; its owner's group must not hear of either."""
    try:
        return await work, None
    except (Exception, SystemExit) as error:
        return None, error


async def _awaited(function: Callable[..., object], *arguments: object) -> object:
    """Call a function of a plugin, which may be async or not."""
    returned = function(*arguments)
    return await returned if inspect.isawaitable(returned) else returned
