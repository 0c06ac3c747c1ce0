"""The log file: private, bounded, and closed again."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from orca_tui.server import logs


def test_the_file_is_private_and_says_which_pane_a_line_is_about(tmp_path: Path) -> None:
    path = tmp_path / "state" / "default.log"
    handler = logs.log_to(path)
    try:
        logging.getLogger("orca_tui.server.session").info("pane opened", extra={"pane": "p3"})
        logging.getLogger("orca_tui.server.session").debug("too much")
    finally:
        logs.stop(handler)
    logging.getLogger("orca_tui.server.session").info("after the end")

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    lines = path.read_text().splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("INFO orca_tui.server.session: pane opened (p3)")


def test_the_file_never_grows_beyond_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "default.log"
    handler = logs.log_to(path)
    try:
        for _ in range(2 * logs.MAX_BYTES // 1000 * (logs.OLD_FILES + 1)):
            logging.getLogger("orca_tui").info("%s", "x" * 1000)
    finally:
        logs.stop(handler)

    files = sorted(tmp_path.iterdir())
    assert len(files) == logs.OLD_FILES + 1
    assert all(file.stat().st_size <= logs.MAX_BYTES for file in files)
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_a_path_that_is_no_text_is_logged_all_the_same(tmp_path: Path) -> None:
    handler = logs.log_to(tmp_path / "default.log")
    try:
        # Not through the logger: pytest keeps what that is told, and cannot send it between its processes.
        handler.handle(logging.makeLogRecord({"msg": "%s is gone", "args": (os.fsdecode(b"/tmp/\xff"),)}))
    finally:
        logs.stop(handler)

    assert "/tmp/\\udcff is gone" in (tmp_path / "default.log").read_text()
