"""Drops old closed notices from the store, now and again. Knows no inboxes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from orca_tui.base.errors import StoreFailed
from orca_tui.notices.store import NoticeStore

FORGET_EVERY_S = 600.0

logger = logging.getLogger(__name__)


class Forgetting:
    """Begins at once; `close` ends it."""

    def __init__(self, store: NoticeStore, now: Callable[[], float]) -> None:
        """`now`: Unix seconds."""
        self._store = store
        self._now = now
        self._forget()

    def close(self) -> None:
        self._timer.cancel()

    def _forget(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(FORGET_EVERY_S, self._forget)
        try:
            self._store.forget_old(self._now())
        except StoreFailed as error:
            logger.error("%s", error.message)
