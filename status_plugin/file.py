"""One plugin file at its place: what stands there, and bringing it up to date or removing it.

Paths are passed in; nothing here reads the environment, and nothing here raises for what the file system does: a
pane opens with or without its plugin.

Rule 1: where links are followed, a link stays a link: what is compared and replaced is the file that it leads
        to. Where they are not, a link is replaced by a file, and what it leads to is never touched.
Rule 2: only a file whose first line is ours is replaced or removed, and never one of a higher revision. What
        cannot be read is taken for an old file of ours.
Rule 3: a file is replaced as a whole, by a rename, and only if it is still the one that was looked at.
Rule 4: writers of one folder wait for each other, and look again once it is their turn.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, assert_never

from status_plugin.generate import revision_of
from status_plugin.replacing import (
    ChangedMeanwhileError,
    Identity,
    held,
    identity_of,
    mode_to_keep,
    reason_of,
    replace,
    sweep,
)
from status_plugin.turn import turn

FileState = Literal["up_to_date", "missing", "stale", "unreadable", "newer", "foreign", "blocked"]
"""`blocked`: something stands there that cannot be a plugin file, like a folder."""
InstallOutcome = Literal["unchanged", "written", "newer", "refused", "failed"]
"""`newer`: a newer orca-tui wrote the file, which stays. `refused`: what stands there is not ours to replace."""
RemoveOutcome = Literal["removed", "missing", "refused", "failed"]

TO_BE_WRITTEN: Final = frozenset({"missing", "stale", "unreadable"})

_FIRST_LINE_LIMIT: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginFileStatus:
    """What stands at `path`. `target` is the file that it leads to; `revision` is None where no plugin of ours is."""

    path: Path
    target: Path
    state: FileState
    revision: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallResult:
    """What was done about the file at `path`."""

    path: Path
    target: Path
    outcome: InstallOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveResult:
    """`reason` also tells what was left in place, as the target of a removed link is."""

    path: Path
    outcome: RemoveOutcome
    reason: str = ""


def inspect(path: Path, content: bytes, *, follow: bool = True) -> PluginFileStatus:
    """Compares what stands at `path` with `content`; `follow` tells whether a link may lead to it."""
    return _look(path, content, follow)[0]


def write_if_changed(path: Path, content: bytes, *, follow: bool = True) -> InstallResult:
    """Brings the file at `path` to `content`, in a folder that exists; an up-to-date file is not touched."""
    found, _ = _look(path, content, follow)
    if found.state not in TO_BE_WRITTEN:
        return left_alone(found)
    try:
        with turn(path.parent):
            found, seen = _look(path, content, follow)
            if found.state not in TO_BE_WRITTEN:
                return left_alone(found)
            _write(found, content, seen)
    except ChangedMeanwhileError as error:
        return InstallResult(path=path, target=found.target, outcome="refused", reason=reason_of(error))
    except OSError as error:
        return InstallResult(path=path, target=found.target, outcome="failed", reason=reason_of(error))
    return InstallResult(path=path, target=found.target, outcome="written")


def remove_if_ours(path: Path, *, follow: bool = True) -> RemoveResult:
    """Removes our file, or the link that leads to it; a link's target belongs to whoever made the link."""
    found, _ = _look(path, b"", follow)
    if found.state == "missing":
        return RemoveResult(path=path, outcome="missing")
    if found.revision is None:
        return RemoveResult(path=path, outcome="refused", reason=found.reason or "not written by orca-tui")
    left = f"{found.target} was left" if path.is_symlink() else ""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        return RemoveResult(path=path, outcome="failed", reason=reason_of(error))
    return RemoveResult(path=path, outcome="removed", reason=left)


def left_alone(found: PluginFileStatus) -> InstallResult:
    """The result for a file that is not to be written."""
    match found.state:
        case "up_to_date":
            outcome: InstallOutcome = "unchanged"
        case "newer":
            outcome = "newer"
        case "foreign" | "blocked":
            outcome = "refused"
        case "missing" | "stale" | "unreadable":
            raise AssertionError(f"{found.path} is to be written")
        case _:
            assert_never(found.state)
    return InstallResult(path=found.path, target=found.target, outcome=outcome, reason=found.reason)


def _look(path: Path, content: bytes, follow: bool) -> tuple[PluginFileStatus, Identity | None]:
    """The status, and the identity of what was looked at."""
    target = Path(os.path.realpath(path)) if follow else path
    seen = None
    try:
        seen = identity_of(target)
        if not follow and path.is_symlink():
            state: FileState = "stale"
            revision, reason = None, f"{path} is a link, where a file of its own should be"
        else:
            state, revision, reason = _compared(path, target, content)
    except PermissionError as error:
        state, revision, reason = "unreadable", None, reason_of(error)
    except OSError as error:
        state, revision, reason = "blocked", None, reason_of(error)
    return (
        PluginFileStatus(path=path, target=target, state=state, revision=revision, reason=reason),
        seen,
    )


def _compared(path: Path, target: Path, content: bytes) -> tuple[FileState, int | None, str]:
    try:
        found = _read(target, len(content) + 1)
    except FileNotFoundError:
        if path.is_symlink():
            return "stale", None, f"link to {target}, which is missing"
        return "missing", None, ""
    if found is None:
        return "blocked", None, f"{target} is not a file"
    revision = revision_of(found)
    if found == content:
        return "up_to_date", revision, ""
    if revision is None:
        # An empty file holds nothing to lose; a full disk leaves such files behind.
        return ("foreign", None, f"{target} was not written by orca-tui") if found else ("stale", None, "")
    if revision > (revision_of(content) or 0):
        return "newer", revision, f"{target} is of revision {revision}"
    return "stale", revision, ""


def _read(target: Path, limit: int) -> bytes | None:
    """At most `limit` bytes and at least the first line, or None for what is not a regular file."""
    # Without O_NONBLOCK a named pipe under our name would hold the pane for ever.
    descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(max(limit, _FIRST_LINE_LIMIT))


def _write(found: PluginFileStatus, content: bytes, seen: Identity | None) -> None:
    target = found.target
    with held(target.parent) as folder:
        if (
            target.parent == found.path.parent
        ):  # Otherwise it is another folder's turn to say who writes there.
            sweep(folder, target.name)
        replace(folder, target.name, content, seen, mode_to_keep(folder, target.name))
