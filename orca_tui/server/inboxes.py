"""The inboxes as they are: in memory those with something open in them, in the file everything. No panes, no rules."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from orca_tui.notices.inbox import Inbox
from orca_tui.notices.notice import Notice
from orca_tui.notices.store import NoticeStore


class Inboxes:
    """Begins with what the file has open."""

    def __init__(self, store: NoticeStore) -> None:
        self._store = store
        self._open: dict[str, Inbox] = {}
        self._changed: dict[str, asyncio.Event] = {}
        """By notice, for those who wait for its end."""
        for notice in store.open_ones():
            before = self.of(notice.session)
            self._open[notice.session] = Inbox(session=notice.session, notices=(*before.notices, notice))

    def __contains__(self, session: str) -> bool:
        """Whether anything is open there, or remembered of a turn."""
        return session in self._open

    def names(self) -> tuple[str, ...]:
        """Of all that have something in them."""
        return tuple(self._open)

    def get(self, session: str | None) -> Inbox | None:
        """None for one that has nothing in it."""
        return self._open.get(session or "")

    def of(self, session: str) -> Inbox:
        """The same, empty where it has nothing in it."""
        return self._open.get(session) or Inbox(session=session)

    def knows(self, session: str) -> bool:
        """Whether it has, or ever had, a notice."""
        return session in self._open or self._store.knows(session)

    def open_ones(self, session: str | None) -> list[Notice]:
        """Pending and delivering notices, of one inbox or of all."""
        return self._store.open_ones() if session is None else list(self.of(session).notices)

    def newest(self, notice: Notice) -> Notice:
        """A notice as it is now; of closed ones the file knows."""
        here = (one for one in self.of(notice.session).notices if one.id == notice.id)
        return next(here, None) or self._store.get(notice.id) or notice

    async def closes(self, notice_id: str) -> Notice:
        """Wait until a notice is delivered, has failed or is cancelled."""
        while True:
            notice = self._store.get(notice_id)
            assert notice is not None
            if not notice.open:
                return notice
            await self._changed.setdefault(notice_id, asyncio.Event()).wait()

    def keep(self, inbox: Inbox, notices: Iterable[Notice], *, emptied: str | None = None) -> None:
        """An inbox is so from now on, with these notices in it changed; `emptied` is another, whose notices it took.

        Raises `StoreFailed`; then nothing has changed.
        """
        changed = list(notices)
        if changed:
            self._store.keep(changed)
        if emptied is not None:
            self._open.pop(emptied, None)
        if inbox == Inbox(session=inbox.session, turns=inbox.turns):
            self._open.pop(inbox.session, None)
        else:
            self._open[inbox.session] = inbox

    def tell(self, notice: Notice) -> None:
        """A notice has changed: whoever waits for its end looks again."""
        changed = self._changed.pop(notice.id, None)
        if changed is not None:
            changed.set()
