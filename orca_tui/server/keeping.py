"""What a server keeps for the next one: the session and the screens. Inert until it is opened."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId
from orca_tui.server.memory import NoMemory, PaneMemory
from orca_tui.server.panes import Pane
from orca_tui.server.persist import ScreenStore
from orca_tui.server.persist_restore import RestoredScreen
from orca_tui.server.saved_session import SavedSession
from orca_tui.server.saving import Saver
from orca_tui.server.session_file import Loaded, SessionFile
from orca_tui.server.unread import UnreadInput
from orca_tui.term.engine import TerminalEngine
from orca_tui.wire import Told

if TYPE_CHECKING:
    from orca_tui.server.session import Session

logger = logging.getLogger(__name__)


class Keeping:
    """Of one session."""

    def __init__(self, session: Session) -> None:
        parts = session.parts
        self._session = session
        self._directory = parts.paths.session_dir(parts.name)
        self.file = SessionFile(self._directory)
        self._unread = UnreadInput(parts.paths.unread_file(parts.name))
        self.saver = Saver(session, self.file, lambda: parts.spawner.keeper_id)
        self.screens: ScreenStore | None = None
        """None: screens are not kept."""
        self.news: list[str] = []
        """What has happened to what the server before had left, for people."""

    def open(self) -> Loaded:
        """Take what the server before left; the caller holds the server's lock."""
        try:
            self.file.open()
            self.file.back_up()
        except OSError as error:
            self.tell(f"the session cannot be saved in {self._directory}: {error.strerror}")
        if self._session.parts.config.persistence.screens:
            self.screens = self._new_screens()
            self.screens.open()
        loaded = self.file.load()
        if loaded.note:
            self.tell(loaded.note)
        return loaded

    def close(self) -> None:
        """The server goes."""
        self.saver.freeze()
        if self.screens is not None:
            self.screens.close()

    def begun(self, pane: PaneId, cols: int, rows: int) -> PaneMemory:
        """A new pane's memory."""
        return NoMemory() if self.screens is None else self.screens.begin(pane, cols, rows)

    def screen(self, pane: PaneId, size: tuple[int, int]) -> tuple[TerminalEngine, PaneMemory, bool]:
        """What is on the disk of a pane: the engine, what remembers it, and whether its program should draw it anew."""
        parts = self._session.parts
        lines = parts.config.terminal.scrollback_lines
        if self.screens is None:
            return parts.engines.new(*size, scrollback_lines=lines), NoMemory(), True
        screen: RestoredScreen = self.screens.restore(pane, size, lines)
        if not screen.exact:
            self.tell(f"{pane}: {screen.why}")
        return screen.engine, self.screens.resume(pane, screen), not screen.exact

    def put_aside(self, saved: SavedSession) -> str:
        """Keep a session whose programs are gone, with the screens of what had ended before; its id.

        Raises `OSError`.
        """
        session_id = self.file.put_aside(saved)
        if self.screens is not None:
            ended = [pane.id for pane in saved.panes if pane.exit_code is not None]
            self.screens.put_aside(ended, self.file.screens_of(session_id))
        return session_id

    def last_screen(
        self, session_id: str, old: str, pane: PaneId, size: tuple[int, int]
    ) -> tuple[TerminalEngine, PaneMemory]:
        """The screen of what had ended in an earlier life, for the pane in which that comes back."""
        if self.screens is not None:
            self.screens.bring_back(self.file.screens_of(session_id), old, pane)
        engine, memory, _ = self.screen(pane, size)
        return engine, memory

    def keep_unread(self, panes: dict[str, bytes]) -> None:
        """Leave what programs have not read to the next server."""
        note = self._unread.keep(self._session.parts.spawner.keeper_id, panes)
        if note:
            self.tell(note)

    def take_unread(self) -> dict[str, bytes]:
        """What the server before left of that, by pane."""
        left = self._unread.take(self._session.parts.spawner.keeper_id)
        for note in left.notes:
            self.tell(note)
        return left.panes

    def retire(self, pane: Pane) -> None:
        """The session ends; what has ended in it keeps its screen."""
        if self.screens is not None and pane.exit_code is not None:
            self.screens.retire(pane.id, pane.engine)

    def forget(self, pane: PaneId) -> None:
        """A pane is gone."""
        if self.screens is not None:
            self.screens.forget(pane)

    def notes(self) -> tuple[str, ...]:
        """What is wrong now, and what went wrong at the start, for `server status`."""
        problems = (self.saver.problem, self.screens.problem if self.screens is not None else "")
        return tuple(dict.fromkeys((*self.news, *filter(None, problems))))

    def saved_panes(self) -> int:
        """How many panes the newest session has whose programs are gone."""
        ids = self.file.earlier_ids()
        try:
            return len(self.file.earlier(ids[-1]).panes) if ids else 0
        except NotFound:
            return 0

    def tell(self, news: str) -> None:
        """Something that people should know."""
        logger.warning("%s", news)
        self.news.append(news)
        self._session.uis.tell(Told(text=news, severity="warning"))

    def _new_screens(self) -> ScreenStore:
        session = self._session
        parts = session.parts
        screens = ScreenStore(
            self._directory / "screens",
            parts.paths.inflight_file(parts.name),
            parts.engines,
            parts.clock,
            session.tasks.start,
        )
        screens.told = lambda problem: session.uis.tell(Told(text=problem, severity="error"))
        return screens
