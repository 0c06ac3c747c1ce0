"""The server's log file: private, of bounded size. What is logged never holds contents, tokens or prompts."""

from __future__ import annotations

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

MAX_BYTES = 1 << 20
OLD_FILES = 2
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s%(where)s"


class PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotating file that only its owner can read."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        file = os.fdopen(descriptor, "ab")
        # A path may hold what is no UTF-8; its line is to be there all the same.
        return TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", write_through=True)


class WithPane(logging.Filter):
    """Shows which pane a line is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        pane = getattr(record, "pane", None)
        record.where = f" ({pane})" if pane else ""
        return True


def log_to(path: Path) -> logging.Handler:
    """Send what the package logs to a file, until the handler is closed by `stop`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = PrivateFile(path, maxBytes=MAX_BYTES, backupCount=OLD_FILES)
    handler.addFilter(WithPane())
    handler.setFormatter(logging.Formatter(FORMAT))
    logger = logging.getLogger("orca_tui")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return handler


def stop(handler: logging.Handler) -> None:
    """Undo `log_to`."""
    logging.getLogger("orca_tui").removeHandler(handler)
    handler.close()
