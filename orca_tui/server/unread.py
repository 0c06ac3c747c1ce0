"""Input that programs had not read when their server left, for the server that takes them over. Knows no pane.

Rule 1: it is kept where the keeper's socket is, and goes with it: no other life's program is ever given it.
Rule 2: the file is gone before anything of it is typed: what may have been typed already is not typed again.
Rule 3: of more than `MOST_BYTES` of a pane the end is left out, where it harms least (`term/input_cut.py`).
Rule 4: what is lost is said to people: by the next server, or by this one when it can leave it nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from orca_tui.server.persist_files import write_whole
from orca_tui.term.input_cut import beginning_of_input

MOST_BYTES = 4 << 20
"""Of one pane: more than anybody pastes."""


class Left(NamedTuple):
    """What the server before left, by pane; `notes` say, for people, what is lost."""

    panes: dict[str, bytes]
    notes: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, kw_only=True):
    keeper: str
    panes: dict[str, bytes]
    lost: dict[str, int] = {}
    """Bytes that were left out of a pane's."""


class UnreadInput:
    """One server's file, private like everything that holds what people typed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, keeper: str, panes: Mapping[str, bytes]) -> str:
        """Leave it to the next server; a note for people when all of it is lost."""
        waiting = {pane: data for pane, data in panes.items() if data}
        if not waiting:
            return ""
        kept = {pane: beginning_of_input(data, MOST_BYTES) for pane, data in waiting.items()}
        lost = {pane: size for pane, data in waiting.items() if (size := len(data) - len(kept[pane]))}
        try:
            write_whole(self._path, msgspec.msgpack.encode(_File(keeper=keeper, panes=kept, lost=lost)))
        except OSError as error:
            return f"{', '.join(waiting)}: input that was not read is lost: {error.strerror}"
        return ""

    def take(self, keeper: str) -> Left:
        """What the server before left for that keeper's programs; only once."""
        try:
            data = self._path.read_bytes()
            self._path.unlink()
            found = msgspec.msgpack.decode(data, type=_File)
        except FileNotFoundError:
            return Left({})
        except OSError as error:
            return Left({}, (f"input that was not read is lost: {error.strerror}",))
        except msgspec.DecodeError:
            return Left({}, ("input that was not read is lost: its file is damaged",))
        if not found.keeper == keeper != "":
            return Left({})
        notes = (f"{pane}: {size:,} bytes of unread input are lost" for pane, size in found.lost.items())
        return Left(found.panes, tuple(notes))
