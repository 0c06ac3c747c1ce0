"""The file of the running session, its backups, and the sessions of earlier lives. Knows no server.

Rule 1: a file is never seen half: it is written beside its place and moved there.
Rule 2: three backups, the newest first, are made of files that could be read; one that cannot is replaced by the
newest of them that can, and it is said so.
Rule 3: a session whose programs are gone is put aside under an id, and stays until it is forgotten or five newer
ones came.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from orca_tui.base.errors import NotFound
from orca_tui.base.ids import next_number
from orca_tui.server.persist_files import write_whole
from orca_tui.server.persist_snapshot import Damaged
from orca_tui.server.saved_session import SavedSession, decoded, encoded

BACKUPS = 3
EARLIER = 5
PRIVATE_DIRECTORY = 0o700


class Loaded(NamedTuple):
    """What was found; `note` says, for people, that it is not the newest."""

    session: SavedSession | None
    note: str = ""


class SessionFile:
    """The directory of one server's sessions; the caller holds the server's lock."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._current = directory / "session.json"
        self._earlier = directory / "earlier"

    def open(self) -> None:
        """Make the directory, or check it; raises `OSError`."""
        for path in (self._directory, self._earlier):
            path.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
            os.chmod(path, PRIVATE_DIRECTORY)

    def load(self) -> Loaded:
        """The session that was saved last and can be read."""
        problem = ""
        for path in (self._current, *map(self._backup, range(1, BACKUPS + 1))):
            try:
                session = decoded(path.read_bytes())
            except FileNotFoundError:
                continue
            except (Damaged, OSError) as error:
                why = error.message if isinstance(error, Damaged) else error.strerror
                problem = problem or f"{path} cannot be used ({why})"
                continue
            return Loaded(session, f"{problem}; {path.name} was used instead" if problem else "")
        return Loaded(None, problem)

    def write(self, session: SavedSession) -> None:
        """Save; raises `OSError` and leaves what was there."""
        write_whole(self._current, encoded(session))

    def back_up(self) -> None:
        """Make a backup of what is there, if it can be read; raises `OSError`."""
        try:
            data = self._current.read_bytes()
            decoded(data)
        except (FileNotFoundError, Damaged):
            return
        for number in range(BACKUPS, 1, -1):
            with suppress(FileNotFoundError):
                os.replace(self._backup(number - 1), self._backup(number))
        write_whole(self._backup(1), data)

    # Earlier lives

    def put_aside(self, session: SavedSession) -> str:
        """Keep a session of an earlier life; its id. Raises `OSError`."""
        ids = self.earlier_ids()
        session_id = f"s{next_number(ids)}"
        write_whole(self._path(session_id), encoded(session))
        for old in ids[: max(0, len(ids) + 1 - EARLIER)]:
            self.forget(old)
        return session_id

    def screens_of(self, session_id: str) -> Path:
        """Where the last screens of what had ended in a session of an earlier life are."""
        return self._earlier / f"{session_id}.screens"

    def earlier_ids(self) -> list[str]:
        """Oldest first."""
        names = (path.stem for path in self._earlier.glob("s*.json"))
        return sorted((name for name in names if name[1:].isdecimal()), key=lambda name: int(name[1:]))

    def earlier(self, session_id: str) -> SavedSession:
        """A session of an earlier life; raises `NotFound`, also for one that cannot be read."""
        if session_id not in self.earlier_ids():
            raise NotFound(
                f"no saved session {session_id!r}; `orca-tui sessions list` shows them", session=session_id
            )
        try:
            return decoded(self._path(session_id).read_bytes())
        except (Damaged, OSError) as error:
            raise NotFound(f"the saved session {session_id!r} cannot be read", session=session_id) from error

    def forget(self, session_id: str) -> None:
        """Drop a session of an earlier life and its screens; raises `OSError`."""
        self._path(session_id).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.rmtree(self.screens_of(session_id))

    def _path(self, session_id: str) -> Path:
        return self._earlier / f"{session_id}.json"

    def _backup(self, number: int) -> Path:
        return self._directory / f"session.{number}.json"
