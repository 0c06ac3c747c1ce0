"""What the server tells: news of panes go to the desk, everything else is for the person. Decides no status."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol, assert_never

from orca_tui.config import Notifications
from orca_tui.ui.farewell import Farewell, detached, server_stopped
from orca_tui.ui.outer_writer import OuterWriter
from orca_tui.ui.world import WorldItem
from orca_tui.wire import (
    ClipboardOffered,
    ConsentAsked,
    DetachAsked,
    LayoutChanged,
    Leaving,
    PaneChanged,
    PaneGone,
    PaneRepictured,
    Rang,
    Synced,
    Told,
    UiItem,
)


class Asker(Protocol):
    """Asks questions of the server."""

    def ask_consent(self, asked: ConsentAsked) -> None: ...


class PictureKeeper(Protocol):
    """Knows the panes' pictures."""

    def void(self, pane: str, images: Collection[int]) -> None: ...

    def gone(self, pane: str) -> None: ...

    def all_void(self) -> None: ...


class Front(Protocol):
    """Who shows and says it."""

    @property
    def notifications(self) -> Notifications:
        """The settings that hold now."""
        ...

    @property
    def app_focus(self) -> bool:
        """Somebody looks at this terminal."""
        ...

    def say(self, text: str, severity: str = "information") -> None: ...

    def copy(self, text: str, *, by: str = "") -> None:
        """Put a text into the clipboard and say so; `by` is the pane whose program wants it."""
        ...

    @property
    def performer(self) -> Asker:
        """Who asks a person."""
        ...

    @property
    def pictures(self) -> PictureKeeper: ...

    def part(self, farewell: Farewell) -> None:
        """End the UI."""
        ...


class Reception:
    """Takes the items of `ui.attach`, one after the other."""

    def __init__(
        self, front: Front, *, world: Callable[[WorldItem], None], outer: OuterWriter, server: str
    ) -> None:
        self._front = front
        self._world = world
        self._outer = outer
        self._server = server

    def take(self, item: UiItem) -> None:
        match item:
            case Synced():
                self._front.pictures.all_void()
                self._world(item)
            case PaneGone(pane=pane):
                self._front.pictures.gone(pane)
                self._world(item)
            case LayoutChanged() | PaneChanged():
                self._world(item)
            case Rang(title=title, body=body):
                self._rang(title, body)
            case ClipboardOffered(pane=pane, text=text):
                self._copy(pane, text)
            case PaneRepictured(pane=pane, images=images):
                self._front.pictures.void(pane, images)
            case Told(text=text, severity=severity):
                self._front.say(text, severity)
            case ConsentAsked():
                self._front.performer.ask_consent(item)
            case Leaving():
                pass  # The attendance waits for the next server.
            case DetachAsked(reason=reason, stopping=stopping):
                self._front.part(server_stopped(reason) if stopping else detached(reason, self._server))
            case _:
                assert_never(item)

    def _rang(self, title: str, body: str) -> None:
        """A desktop notification, unless somebody looks at the UI anyway."""
        wishes = self._front.notifications
        if not self._front.app_focus:
            self._outer.notify(title, body, bell=wishes.bell, desktop=wishes.desktop)

    def _copy(self, pane: str, text: str) -> None:
        """A program may set the clipboard of a person who looks at it, and is named."""
        if self._front.app_focus:
            self._front.copy(text, by=pane)
