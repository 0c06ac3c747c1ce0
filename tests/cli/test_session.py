"""Starting a server for a command: what is tried again, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from orca_tui.base.errors import ServerUnavailable
from orca_tui.cli.outside import Outside
from orca_tui.cli.session import MOST_CRASHES, Session
from orca_tui.config import Environment

PID = 4711


class Starting:
    """The rest of a program whose servers end one after the other, until one stays."""

    def __init__(self, directory: Path, *exit_codes: int) -> None:
        self.environment = Environment({"HOME": str(directory), "XDG_RUNTIME_DIR": str(directory)})
        self.exit_codes = list(exit_codes)
        self.started = 0

    def start_server(self, _server: str) -> int:
        self.started += 1
        if self.exit_codes:
            raise ServerUnavailable("the server ended at once", exit_code=self.exit_codes.pop(0))
        return PID

    def is_locked(self, _server: str) -> bool:
        return False


def session(starting: Starting) -> Session:
    return Session(cast(Outside, starting))


def test_a_server_that_crashes_at_its_start_is_started_again(tmp_path: Path) -> None:
    starting = Starting(tmp_path, *[-11] * (MOST_CRASHES - 1))

    assert session(starting).start() == PID
    assert starting.started == MOST_CRASHES


def test_after_the_third_crash_it_is_something_else(tmp_path: Path) -> None:
    starting = Starting(tmp_path, *[-11] * (MOST_CRASHES + 1))

    with pytest.raises(ServerUnavailable, match="ended at once"):
        session(starting).start()
    assert starting.started == MOST_CRASHES


def test_a_server_that_refuses_to_run_is_not_started_again(tmp_path: Path) -> None:
    starting = Starting(tmp_path, 1, 1)

    with pytest.raises(ServerUnavailable):
        session(starting).start()
    assert starting.started == 1
