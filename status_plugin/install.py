"""Puts the plugin file where OpenCode loads it, and touches it only when its bytes differ.

OpenCode 2 reloads every plugin whose mtime changes, whatever its bytes are, so a file that is up to date must keep
its mtime and inode. Paths are passed in; nothing here reads the environment, and nothing here raises for what the
file system does: a pane opens with or without its plugin.

Rule 1: a link is followed, and stays a link: what is compared and replaced is the file that it leads to.
Rule 2: only a file whose first line is ours is replaced or removed, and never one of a higher revision.
Rule 3: a file is replaced as a whole, by a rename from a temporary one beside it.
Rule 4: writers of one folder wait for each other, and look again once it is their turn.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, assert_never

from status_plugin.generate import PLUGIN_FILE_NAME, revision_of

FileState = Literal["up_to_date", "absent", "stale", "newer", "foreign", "blocked"]
"""`blocked`: something stands there that cannot be a plugin file, like a folder."""

_NEW_FILE_MODE: Final = 0o644
_FIRST_LINE_LIMIT: Final = 128
_TURN_S: Final = 5.0
"""A writer needs milliseconds; who holds the folder for longer is stopped or stuck, and no pane waits for it."""
_TURN_STEP_S: Final = 0.01
_NO_LOCKS_HERE: Final = frozenset({errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS})
"""Some network file systems lock no folders; the rename still keeps the file whole there."""


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
    """`newer`: a newer orca-tui wrote the file, which stays. `refused`: what stands there is not ours to replace."""

    path: Path
    target: Path
    outcome: Literal["unchanged", "written", "newer", "refused", "failed"]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveResult:
    """`reason` also tells what was left in place, as the target of a removed link is."""

    path: Path
    outcome: Literal["removed", "absent", "refused", "failed"]
    reason: str = ""


def global_plugin_path(config_dir: Path) -> Path:
    """Where the plugin stands in OpenCode's global configuration folder, as `~/.config/opencode`."""
    return config_dir / "plugins" / PLUGIN_FILE_NAME


def install_global(config_dir: Path, content: bytes) -> InstallResult:
    """Installs the plugin for all agents that use this configuration folder; makes the folder if need be."""
    path = global_plugin_path(config_dir)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return InstallResult(path=path, target=path, outcome="failed", reason=_reason(error))
    return write_if_changed(path, content)


def status_global(config_dir: Path, content: bytes) -> PluginFileStatus:
    """Looks only; `content` is what an up-to-date file holds."""
    return inspect(global_plugin_path(config_dir), content)


def remove_global(config_dir: Path) -> RemoveResult:
    """Removes our file, or the link that leads to it; a link's target belongs to whoever made the link."""
    path = global_plugin_path(config_dir)
    found = inspect(path, b"")
    if found.state == "absent":
        return RemoveResult(path=path, outcome="absent")
    if found.revision is None:
        return RemoveResult(path=path, outcome="refused", reason=found.reason or "not written by orca-tui")
    left = f"{found.target} was left" if path.is_symlink() else ""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        return RemoveResult(path=path, outcome="failed", reason=_reason(error))
    return RemoveResult(path=path, outcome="removed", reason=left)


def write_if_changed(path: Path, content: bytes) -> InstallResult:
    """Brings the file at `path` to `content`, in a folder that exists; an up-to-date file is not touched."""
    found = inspect(path, content)
    if found.state not in ("absent", "stale"):
        return _left_alone(found)
    try:
        with _turn(path.parent):
            found = inspect(path, content)
            if found.state not in ("absent", "stale"):
                return _left_alone(found)
            _replace(found.target, content)
    except OSError as error:
        return InstallResult(path=path, target=found.target, outcome="failed", reason=_reason(error))
    return InstallResult(path=path, target=found.target, outcome="written")


def inspect(path: Path, content: bytes) -> PluginFileStatus:
    """Compares what `path` leads to with `content`."""
    target = Path(os.path.realpath(path))

    def status(state: FileState, reason: str = "", revision: int | None = None) -> PluginFileStatus:
        return PluginFileStatus(path=path, target=target, state=state, revision=revision, reason=reason)

    try:
        found = _read(target, len(content) + 1)
    except FileNotFoundError:
        is_dangling = path.is_symlink()
        return status("stale", f"link to {target}, which is missing") if is_dangling else status("absent")
    except PermissionError as error:
        return status("stale", _reason(error))
    except OSError as error:
        return status("blocked", _reason(error))
    if found is None:
        return status("blocked", f"{target} is not a file")
    revision = revision_of(found)
    if found == content:
        return status("up_to_date", revision=revision)
    if revision is None:
        # An empty file holds nothing to lose; a full disk leaves such files behind.
        return status("foreign", f"{target} was not written by orca-tui") if found else status("stale")
    if revision > (revision_of(content) or 0):
        return status("newer", f"{target} is of revision {revision}", revision)
    return status("stale", revision=revision)


def _left_alone(found: PluginFileStatus) -> InstallResult:
    match found.state:
        case "up_to_date":
            outcome: Literal["unchanged", "newer", "refused"] = "unchanged"
        case "newer":
            outcome = "newer"
        case "foreign" | "blocked":
            outcome = "refused"
        case "absent" | "stale":
            raise AssertionError(f"{found.path} is to be written")
        case _:
            assert_never(found.state)
    return InstallResult(path=found.path, target=found.target, outcome=outcome, reason=found.reason)


def _read(target: Path, limit: int) -> bytes | None:
    """At most `limit` bytes and at least the first line, or None for what is not a regular file."""
    # Without O_NONBLOCK a named pipe under our name would hold the pane for ever.
    descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(max(limit, _FIRST_LINE_LIMIT))


def _replace(target: Path, content: bytes) -> None:
    """The temporary name ends in neither .js nor .ts: OpenCode loads every such file of the folder."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, _NEW_FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            mode = _mode_to_keep(target)
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _mode_to_keep(target: Path) -> int | None:
    """The file's mode, unless it hides the file from its owner: that would be found stale again and again."""
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return None
    return mode if mode & stat.S_IRUSR else None


def _sync_folder(folder: Path) -> None:
    """Makes the rename last; where folders cannot be synced, it lasts when the system gets to it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Holds a lock on the folder itself: a lock file in it would be seen by OpenCode, which watches the folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _wait_for_lock(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, folder: Path) -> None:
    for _ in range(int(_TURN_S / _TURN_STEP_S)):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            threading.Event().wait(_TURN_STEP_S)
        except OSError as error:
            if error.errno not in _NO_LOCKS_HERE:
                raise
            return
        else:
            return
    raise OSError(errno.EAGAIN, "another process holds the folder", str(folder))


def _reason(error: OSError) -> str:
    place = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{place}"
