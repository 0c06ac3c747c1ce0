"""The plugin's files on another machine, through anything that runs a command line there: SSH, a container, a shell.

Nothing but a POSIX shell is needed on the far side; remote.sh has what is done there, by the rules of `file.py`.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from importlib.resources import files as resources
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, cast, get_args

from status_plugin.file import (
    TO_BE_WRITTEN,
    FileState,
    InstallOutcome,
    InstallResult,
    PluginFileStatus,
    RemoveOutcome,
    RemoveResult,
    left_alone,
)
from status_plugin.generate import PluginFile, PluginFiles, revision_of
from status_plugin.replacing import reason_of

_MARK: Final = b"orca-tui-plugin\0"
_FIELDS: Final = 5
_DEADLINE_S: Final = 60.0
"""For a connection that is made anew, a login, and five seconds of waiting for the folder."""
_TOLD_BYTES: Final = 300  # Of what the far side wrote to stderr: its last line or two.


class Completed(NamedTuple):
    """What a command line left behind."""

    code: int
    stdout: bytes
    stderr: bytes


class Transport(Protocol):
    """A way to the shell of another machine."""

    def run(self, command: str, stdin: bytes) -> Completed:
        """Run a command line in its shell. Raises `OSError` when it cannot be reached."""
        ...


class CommandTransport:
    """A command that takes a command line as its last argument: `ssh HOST`, `docker exec -i NAME sh -c`."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = tuple(argv)

    def run(self, command: str, stdin: bytes) -> Completed:
        argv = [*self._argv, command]
        try:
            done = subprocess.run(argv, input=stdin, capture_output=True, timeout=_DEADLINE_S, check=False)
        except subprocess.TimeoutExpired:
            raise TimeoutError(None, f"no answer within {_DEADLINE_S:g} s", self._argv[0]) from None
        return Completed(done.returncode, done.stdout, done.stderr)


class RemoteError(Exception):
    """The other machine could not be asked; nothing is known of its files."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def status_remote(transport: Transport, files: PluginFiles) -> tuple[PluginFileStatus, ...]:
    """Looks only. Raises `RemoteError`."""
    return tuple(_status(transport, file) for file in files)


def install_remote(transport: Transport, files: PluginFiles) -> tuple[InstallResult, ...]:
    """Installs the files; those that are up to date are not touched. Raises `RemoteError`."""
    return tuple(_install(transport, file) for file in files)


def remove_remote(transport: Transport, files: PluginFiles) -> tuple[RemoveResult, ...]:
    """Removes what is ours. Raises `RemoteError`."""
    return tuple(_remove(transport, file) for file in files)


class _Answer(NamedTuple):
    word: str
    revision: int | None
    path: Path
    target: Path
    reason: str


def _status(transport: Transport, file: PluginFile) -> PluginFileStatus:
    said = _ask(transport, "status", file, get_args(FileState))
    return PluginFileStatus(
        path=said.path,
        target=said.target,
        state=cast("FileState", said.word),
        revision=said.revision,
        reason=said.reason,
    )


def _install(transport: Transport, file: PluginFile) -> InstallResult:
    found = _status(transport, file)
    if found.state not in TO_BE_WRITTEN:
        return left_alone(found)
    said = _ask(transport, "install", file, get_args(InstallOutcome))
    outcome = cast("InstallOutcome", said.word)
    return InstallResult(path=said.path, target=said.target, outcome=outcome, reason=said.reason)


def _remove(transport: Transport, file: PluginFile) -> RemoveResult:
    said = _ask(transport, "remove", file, get_args(RemoveOutcome))
    return RemoveResult(path=said.path, outcome=cast("RemoveOutcome", said.word), reason=said.reason)


def _ask(
    transport: Transport, verb: Literal["status", "install", "remove"], file: PluginFile, words: Sequence[str]
) -> _Answer:
    script = (resources(__package__) / "remote.sh").read_text(encoding="utf-8")
    revision, size = str(revision_of(file.content) or 0), str(len(file.content))
    command = shlex.join(["sh", "-c", script, "orca-tui", verb, file.name, revision, size])
    try:
        done = transport.run(command, b"" if verb == "remove" else file.content)
    except OSError as error:
        raise RemoteError(reason_of(error)) from error
    return _read(done, words)


def _read(done: Completed, words: Sequence[str]) -> _Answer:
    """The answer follows whatever a login writes to its output."""
    fields = done.stdout.rpartition(_MARK)[2].split(b"\0")
    if _MARK not in done.stdout or len(fields) != _FIELDS + 1:
        told = done.stderr[-_TOLD_BYTES:].decode(errors="replace").strip()
        raise RemoteError(told or f"the command ended with {done.code} and said nothing")
    word, revision, path, target, reason = (field.decode(errors="surrogateescape") for field in fields[:-1])
    if word not in words:
        raise RemoteError(f"{word!r} is no answer to that")
    return _Answer(word, int(revision) if revision else None, Path(path), Path(target), reason)
