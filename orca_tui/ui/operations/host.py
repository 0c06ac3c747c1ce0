"""What operations need of the app that runs them. A protocol only: tests and the app have one each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from textual.screen import Screen

from orca_tui.base.clock import Clock
from orca_tui.commands.spec import Command
from orca_tui.term.input_events import Key
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.scene import Mood, Scene
from orca_tui.ui.settings import Settings
from orca_tui.ui.world import World

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")


class Beside(Protocol):
    """Runs what may take its time, while input goes on."""

    def beside(self, operation: Coroutine[Any, Any, None]) -> None: ...

    async def call(self, command: Command[Q, R], request: Q) -> R: ...


class Host(Protocol):
    """The running UI."""

    clock: Clock
    cwd: str
    """Where the UI was started: the directory of panes that have no neighbour."""
    settings: Settings

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment of new panes."""
        ...

    @property
    def performer(self) -> Beside: ...

    @property
    def mood(self) -> Mood: ...

    @property
    def world(self) -> World: ...

    @property
    def scene(self) -> Scene: ...

    async def do(
        self, command: Command[Q, R], request: Q, *, until: Callable[[World, R], bool] | None = None
    ) -> R:
        """Run a command; returns when the layout that follows from it is here too (`until`)."""
        ...

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog and wait for its answer; what was typed ahead goes to it."""
        ...

    def say(self, text: str, severity: str = "information") -> None:
        """Show a toast."""
        ...

    def change_mood(self, **changes: Any) -> None:
        """Replace fields of `mood` and show what follows."""
        ...

    def perform(self, action: str) -> None:
        """Do an action of the table."""
        ...

    def send(self, event: Key) -> None:
        """Give the focused pane a key."""
        ...

    def focus_pane(self, pane: str) -> None:
        """Give the keyboard to a pane, wherever it is."""
        ...

    def model_of(self, pane: str) -> PaneModel: ...

    async def whole_model(self, pane: str) -> PaneModel:
        """The model of a pane on screen once its scrollback is here; without it when that takes too long."""
        ...

    def copy(self, text: str) -> None:
        """Put a text into the clipboard, and say which way it went."""
        ...

    def scroll(self, pane: str, rows: int) -> None:
        """Move a pane's view, up being positive."""
        ...

    def redraw(self) -> None:
        """Draw the whole screen again."""
        ...

    def leave(self, text: str) -> None:
        """End the UI; the server goes on."""
        ...
