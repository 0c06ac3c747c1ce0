"""Which pane each inbox is in. Knows panes by name only, and no notices.

Rule 1: every pane has an inbox of its own, which is no other pane's, whatever that pane's agent says.
Rule 2: a pane whose agent names a session shows that session's inbox. Programs in panes name what they like: while
        one living pane shows a session, another that names it too keeps its own inbox.
Rule 3: when that pane leaves the session or its agent has ended, the next pane that names it takes the inbox.
"""

from __future__ import annotations

from collections.abc import Callable

from orca_tui.base.ids import PaneId


class Homes:
    """The inboxes' panes. What a pane shows is in that pane and in no other."""

    def __init__(self, lives: Callable[[PaneId], bool]) -> None:
        """`lives`: whether the agent of a pane that named a session is still there."""
        self._lives = lives
        self._own: dict[PaneId, str] = {}
        self._named: dict[PaneId, str] = {}
        """The session that each pane's agent names, the longest named first."""
        self._homes: dict[str, PaneId] = {}
        """Of sessions."""

    def opened(self, pane: PaneId, own: str) -> None:
        """A new pane, of which no session is known."""
        self._own[pane] = own

    def named(self, pane: PaneId) -> str | None:
        """The session that a pane's agent names, whether or not it is shown there."""
        return self._named.get(pane)

    def names(self, pane: PaneId, session: str | None) -> list[PaneId]:
        """A pane's agent names a session, as before or another one, or names none.

        The answer are the panes that have come into a session's inbox by that.
        """
        if session in self._own.values():
            session = None  # Rule 1.
        before = self._named.get(pane)
        if session != before:
            self._named.pop(pane, None)
            if session is not None:
                self._named[pane] = session
        return [taker for one in dict.fromkeys((before, session)) for taker in self._settle(one)]

    def closed(self, pane: PaneId) -> list[PaneId]:
        """A pane is gone; the answer is that of `names`."""
        self._own.pop(pane, None)
        return self._settle(self._named.pop(pane, None))

    def is_guest(self, pane: PaneId) -> bool:
        """Whether the session that a pane's agent names is shown in another pane."""
        named = self._named.get(pane)
        return named is not None and self._homes.get(named) != pane

    def shown(self, pane: PaneId) -> str | None:
        """The inbox that is in a pane; None for a pane that is gone."""
        return self._own.get(pane) if self.is_guest(pane) else self._named.get(pane, self._own.get(pane))

    def home(self, inbox: str) -> PaneId | None:
        """The pane that an inbox is in."""
        owner = next((pane for pane, own in self._own.items() if own == inbox), None)
        if owner is None:
            return self._homes.get(inbox)
        return owner if self.shown(owner) == inbox else None

    def _settle(self, session: str | None) -> list[PaneId]:
        """Rules 2 and 3, for one session."""
        if session is None:
            return []
        naming = [pane for pane, named in self._named.items() if named == session]
        living = [pane for pane in naming if self._lives(pane)]
        before = self._homes.pop(session, None)
        if not naming:
            return []
        choice = living or naming
        now = self._homes[session] = before if before in choice else choice[0]
        return [now] if now != before else []
