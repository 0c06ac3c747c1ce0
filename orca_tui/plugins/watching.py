"""Tells when something happened where plugin files are. Whether bytes differ is for others to see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

from watchfiles import awatch

from orca_tui.plugins.folder import watched_places

QUIET_MS = 100
"""An editor that saves writes, renames and changes modes within some milliseconds: one change, not three."""
LONGEST_MS = 1600
"""Who writes for ever is looked at all the same."""
MISSING_LOOK_S = 1.0
"""There is nothing to watch while the folder itself is not there."""


async def changes(folder: Path, group: asyncio.TaskGroup) -> AsyncIterator[None]:
    """At once, and each time that something happened to the folder or to what its links lead to. Never ends.

    A watch begins before the yield that tells its first user to look, so that nothing falls in between.
    """
    while True:
        places = watched_places(folder)
        if not places:
            yield
            await asyncio.sleep(MISSING_LOOK_S)
            continue
        batches = _batches(places)
        pending = group.create_task(anext(batches), name="watch plugins")
        try:
            await asyncio.sleep(0)  # The task begins, and with it the watch.
            yield
            while watched_places(folder) == places:
                await pending
                pending = group.create_task(anext(batches), name="watch plugins")
                yield
        finally:
            pending.cancel()
            await asyncio.wait({pending})
            await batches.aclose()


async def _batches(places: tuple[Path, ...]) -> AsyncGenerator[None, None]:
    watch = awatch(*places, watch_filter=None, step=QUIET_MS, debounce=LONGEST_MS, recursive=False)
    async for _ in watch:
        yield
