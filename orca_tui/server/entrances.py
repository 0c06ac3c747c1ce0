"""The server's sockets, as long as it lives: opened, and there again when something took their files away.

Runtime directories are cleaned by others (at log-out, by age). What is connected stays connected; but nobody new
could come in.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import TypeAlias

from orca_tui.base.errors import OrcaError
from orca_tui.server.sockets import listening, private_directory

LOOK_EVERY_S = 5.0

Serve: TypeAlias = Callable[[socket.socket], AbstractAsyncContextManager[None]]
"""Answers on a listening socket while the context is open."""

logger = logging.getLogger(__name__)


class Entrances:
    """All of one server's."""

    def __init__(self, stack: AsyncExitStack, *, look_every_s: float = LOOK_EVERY_S) -> None:
        """What is opened is shut with `stack`."""
        self._stack = stack
        self._look_every_s = look_every_s
        self._serve: dict[Path, Serve] = {}

    async def open(self, path: Path, listener: socket.socket, serve: Serve) -> None:
        """Answer on a socket that listens at a path already."""
        await self._stack.enter_async_context(serve(listener))
        self._serve[path] = serve

    async def look_after(self) -> None:
        """Open again what has lost its file; never returns."""
        while True:
            await asyncio.sleep(self._look_every_s)
            for path, serve in self._serve.items():
                if not path.exists():
                    await self._open_again(path, serve)

    async def _open_again(self, path: Path, serve: Serve) -> None:
        try:
            private_directory(path.parent)
            listener = self._stack.enter_context(listening(path))
        except (OrcaError, OSError) as error:
            logger.warning("%s is gone and cannot be made again: %s", path, type(error).__name__)
            return
        await self._stack.enter_async_context(serve(listener))
        logger.info("%s was gone and is there again", path)
