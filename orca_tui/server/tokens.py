"""The secrets by which panes' programs name themselves to the intake."""

from __future__ import annotations

from hmac import compare_digest

from orca_tui.base.ids import PaneId, new_token


class Tokens:
    """One token per living pane."""

    def __init__(self) -> None:
        self._tokens: dict[PaneId, str] = {}

    def give(self, pane: PaneId) -> str:
        """A new token for a pane."""
        token = self._tokens[pane] = new_token()
        return token

    def restore(self, pane: PaneId, token: str) -> None:
        """The token that an earlier server gave; its programs still bear it."""
        self._tokens[pane] = token

    def of(self, pane: PaneId) -> str | None:
        """The token of a pane."""
        return self._tokens.get(pane)

    def forget(self, pane: PaneId) -> None:
        self._tokens.pop(pane, None)

    def pane_of(self, token: str) -> PaneId | None:
        """Whose token it is. Every token is compared, each in constant time, so that the time tells nothing."""
        wanted = token.encode()
        found = [pane for pane, known in self._tokens.items() if compare_digest(known.encode(), wanted)]
        return found[0] if found else None
