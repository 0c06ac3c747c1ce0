"""Who hears from a pane. A protocol only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from orca_tui.term.engine import Fact

if TYPE_CHECKING:
    from orca_tui.server.panes import Pane


class PaneListener(Protocol):
    """Who is told what happens in a pane."""

    def said(self, pane: Pane, facts: tuple[Fact, ...]) -> None:
        """The program told its terminal something."""
        ...

    def wrote(self, pane: Pane) -> None:
        """The program wrote something, which its screen shows by now."""
        ...

    def giving(self, pane: Pane) -> None:
        """The program is about to be given input, encoded by the modes that hold then."""
        ...

    def fell_silent(self, pane: Pane) -> None:
        """The program has written nothing for 2 s."""
        ...

    def resized(self, pane: Pane) -> None:
        """The terminal has another size."""
        ...

    def exited(self, pane: Pane, exit_code: int) -> None:
        """The program ended, or could not be started."""
        ...

    def broke(self, pane: Pane, reason: str) -> None:
        """The pane's engine failed; the pane cannot go on."""
        ...
