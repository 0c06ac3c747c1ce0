"""Input that programs had not read when their server left, for the server that takes them over. Knows no pane.

Rule 1: it is kept where the keeper's socket is, and goes with it: no other life's program is ever given it.
Rule 2: the file is gone before anything of it is typed: what may have been typed already is not typed again.
Rule 3: of more than `MOST_BYTES` of a pane the end is left out and counted.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

from orca_tui.server.persist_files import write_whole

MOST_BYTES = 4 << 20
"""Of one pane: more than anybody pastes."""

logger = logging.getLogger(__name__)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    keeper: str
    panes: dict[str, bytes]


class UnreadInput:
    """One server's file, private like everything that holds what people typed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, keeper: str, panes: Mapping[str, bytes]) -> dict[str, int]:
        """Leave it to the next server; how many bytes of which pane are lost."""
        waiting = {pane: data for pane, data in panes.items() if data}
        if not waiting:
            return {}
        kept = {pane: data[:MOST_BYTES] for pane, data in waiting.items()}
        try:
            write_whole(self._path, msgspec.msgpack.encode(_File(keeper=keeper, panes=kept)))
        except OSError as error:
            logger.error("input that was not read is lost: %s", error.strerror)
            return {pane: len(data) for pane, data in waiting.items()}
        return {pane: len(data) - MOST_BYTES for pane, data in waiting.items() if len(data) > MOST_BYTES}

    def take(self, keeper: str) -> dict[str, bytes]:
        """What the server before left for that keeper's programs; only once."""
        try:
            data = self._path.read_bytes()
            self._path.unlink()
            found = msgspec.msgpack.decode(data, type=_File)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            logger.error("input that was not read is lost: %s", type(error).__name__)
            return {}
        return found.panes if found.keeper == keeper != "" else {}
