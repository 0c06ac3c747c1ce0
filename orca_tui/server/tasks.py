"""Work that outlives the request which started it: owned by the server's task group, never by nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from orca_tui.base.errors import OrcaError
from orca_tui.server.mistakes import place_of

logger = logging.getLogger(__name__)
T = TypeVar("T")


class Tasks:
    """Starts tasks in a group; a failure of one is told to who awaits it, and never ends the group."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self._group = group
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Run on its own; a mistake in it is logged."""
        return self._create(_logged(work, name), name)

    async def finish(self, work: Coroutine[Any, Any, T], name: str) -> T:
        """Run to its end even when the caller is cancelled meanwhile; raises what it raises."""
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                result = await work
            except asyncio.CancelledError:
                outcome.cancel()
                raise
            except Exception as error:
                if not outcome.done():
                    outcome.set_exception(error)
            else:
                if not outcome.done():
                    outcome.set_result(result)

        self._create(run(), name)
        return await outcome

    def cancel(self) -> None:
        """The server stops: what still runs now is not waited for."""
        for task in tuple(self._running):
            task.cancel()

    def _create(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = self._group.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


async def _logged(work: Coroutine[Any, Any, None], name: str) -> None:
    try:
        await work
    except OrcaError as error:
        logger.warning("%s failed: %s", name, error.code)
    except Exception as error:
        logger.error("%s failed: %s", name, place_of(error))
