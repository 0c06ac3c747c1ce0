"""The notices on disk: one SQLite file, written before anything is done. Knows rows, no rules.

A file that cannot be used (damaged, or of a later version) is set aside under another name and never written
to; the caller is told. Commits survive the death of this process at any moment; only a failure of the machine
can take the last ones back, since an fsync for each would keep keys waiting.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from orca_tui.base.errors import StoreFailed
from orca_tui.notices.notice import OPEN, Notice, NoticeState, Origin, Receipt, Resume

SCHEMA_VERSION = 1
KEEP_TEXTS_S = 24 * 3600.0
"""How long the texts of closed notices are kept: long enough to look up what was sent."""
KEEP_ROWS_S = 30 * 24 * 3600.0
"""How long a closed notice's id stays taken, and its receipt is known."""
BUSY_TIMEOUT_S = 1.0  # Nobody else writes; a backup that reads may hold the file for a moment.

SCHEMA = """
CREATE TABLE notices (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    text TEXT NOT NULL,
    digest TEXT NOT NULL,
    admitted_at REAL NOT NULL,
    changed_at REAL NOT NULL,
    delivery TEXT NOT NULL,
    resume TEXT NOT NULL,
    wakes INTEGER NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT,
    tries INTEGER NOT NULL,
    receipt TEXT
) STRICT;
CREATE INDEX notices_by_session ON notices (session, position);
CREATE INDEX notices_by_state ON notices (state, changed_at);
"""
FIELDS = Notice.__struct_fields__
JSON_FIELDS = {"resume": Resume, "origin": Origin, "receipt": Receipt | None}
UPSERT = (
    f"INSERT INTO notices ({', '.join(FIELDS)}) VALUES ({', '.join(f':{name}' for name in FIELDS)}) "
    f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in FIELDS if name != 'id')}"
)
OPEN_STATES = ", ".join(f"'{state}'" for state in sorted(OPEN))


class NoticeStore:
    """An open file of notices. Every method that reads or writes raises `StoreFailed`."""

    def __init__(self, connection: sqlite3.Connection, trouble: str = "") -> None:
        self._connection = connection
        self.trouble = trouble
        """What was wrong with the file that was there, and where it is now; empty: nothing."""

    @classmethod
    def open(cls, path: Path) -> NoticeStore:
        """Open or make the file, readable by its owner only; raises `StoreFailed` when there can be none."""
        with _failures("opened"):
            try:
                return cls(_connected(path))
            except (sqlite3.DatabaseError, msgspec.MsgspecError, ValueError) as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise  # The disk, not the file.
                aside = _set_aside(path)
                return cls(
                    _connected(path), f"the notices in {path} cannot be read ({error}); now in {aside}"
                )

    def keep(self, notices: Iterable[Notice]) -> None:
        """Store notices as they are now, all or none."""
        with _failures("stored"), self._connection:
            self._connection.executemany(UPSERT, [_as_row(notice) for notice in notices])

    def get(self, notice_id: str) -> Notice | None:
        """A notice by id, closed ones too."""
        found = self._select("WHERE id = ?", notice_id)
        return found[0] if found else None

    def open_ones(self) -> list[Notice]:
        """Pending and delivering notices of all sessions, in the order of their admission."""
        return self._select(f"WHERE state IN ({OPEN_STATES})")

    def of_session(self, session: str) -> list[Notice]:
        """All that is known of one session, closed ones too, in the order of their admission."""
        return self._select("WHERE session = ?", session)

    def everything(self) -> list[Notice]:
        """All notices, in the order of their admission."""
        return self._select("")

    def knows(self, session: str) -> bool:
        """Whether any notice is or was of that session."""
        with _failures("read"):
            row = self._connection.execute(
                "SELECT 1 FROM notices WHERE session = ? LIMIT 1", (session,)
            ).fetchone()
        return row is not None

    def forget_old(self, now: float) -> None:
        """Erase the texts of notices that closed long ago, and those notices long after that."""
        with _failures("erased"), self._connection:
            self._connection.execute(
                f"UPDATE notices SET text = '' WHERE state NOT IN ({OPEN_STATES}) "
                "AND changed_at < ? AND text <> ''",
                (now - KEEP_TEXTS_S,),
            )
            self._connection.execute(
                f"DELETE FROM notices WHERE state NOT IN ({OPEN_STATES}) AND changed_at < ?",
                (now - KEEP_ROWS_S,),
            )

    def close(self) -> None:
        self._connection.close()

    def _select(self, condition: str, *values: object) -> list[Notice]:
        query = f"SELECT {', '.join(FIELDS)} FROM notices {condition} ORDER BY position"
        with _failures("read"):
            return [_of_row(row) for row in self._connection.execute(query, values)]


@contextmanager
def _failures(what: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, ValueError) as error:  # The last is of a row that makes no notice.
        raise StoreFailed(f"the notices cannot be {what}: {error}") from error


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file that is whole and of our version; raises `sqlite3.Error` or `ValueError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)  # SQLite gives its other files the mode of this one.
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # An erased text is gone from the file too.
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
    elif version != SCHEMA_VERSION:
        raise ValueError(f"they are of version {version}, not {SCHEMA_VERSION}")
    (health,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if health != "ok":
        raise ValueError(health)
    for row in connection.execute(f"SELECT {', '.join(FIELDS)} FROM notices WHERE state IN ({OPEN_STATES})"):
        _of_row(row)


def _set_aside(path: Path) -> Path:
    """Move the file with SQLite's files beside it; the new name is free."""
    number = next(number for number in range(1, 1 << 30) if not _aside(path, number).exists())
    for suffix in ("-wal", "-shm", ""):
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.rename(_aside(path, number).with_name(_aside(path, number).name + suffix))
    return _aside(path, number)


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.unusable-{number}")


def _as_row(notice: Notice) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(notice, name) for name in FIELDS}
    return row | {name: _json(row[name]) for name in JSON_FIELDS}


def _json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _of_row(row: tuple[object, ...]) -> Notice:
    fields = dict(zip(FIELDS, row, strict=True))
    for name, kind in JSON_FIELDS.items():
        text = fields[name]
        fields[name] = None if text is None else msgspec.json.decode(str(text), type=kind)
    fields["wakes"] = bool(fields["wakes"])
    fields["state"] = NoticeState(str(fields["state"]))
    return msgspec.convert(fields, Notice)
