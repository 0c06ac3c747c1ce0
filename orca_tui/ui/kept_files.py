"""Pane histories in files of the user: only for their owner's eyes, since they hold what was on the screen."""

from __future__ import annotations

import errno
import os
from pathlib import Path

OWNER_ONLY, OWNER_ONLY_DIRECTORY = 0o600, 0o700
NAMES_TRIED = 1000


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; raises `OSError`, `FileExistsError` among them."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        with open(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)  # Half a history would be taken for all of it.
        raise


def write_for_editor(folder: Path, pane: str, text: str) -> Path:
    """Write a history where only its owner can read it, and forget the ones before it; raises `OSError`."""
    folder.mkdir(mode=OWNER_ONLY_DIRECTORY, parents=True, exist_ok=True)
    path = folder / f"{pane}.txt"
    path.unlink(missing_ok=True)
    write_new(path, text)
    return path


def named(directory: str, answer: str) -> Path:
    """The file that somebody means who is in that directory; raises `OSError` for what no file can be called."""
    if "\0" in answer:
        raise OSError(errno.EINVAL, "a name cannot have that character", answer)
    try:
        return Path(directory, Path(answer).expanduser())
    except RuntimeError as error:
        raise FileNotFoundError(errno.ENOENT, "no such user", answer) from error


def free_name(folder: Path, pane: str) -> Path:
    """`orca-tui-p3.txt`, or with a number where that is taken."""
    names = (f"orca-tui-{pane}{f'-{number}' if number else ''}.txt" for number in range(NAMES_TRIED))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{pane}.txt")
