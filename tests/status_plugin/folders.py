"""For the tests of installations: folders that refuse, small disks, processes that install at the same time."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NOBODY = 65534

INSTALLER = """
import os, sys
from pathlib import Path
from status_plugin.generate import plugin_files
from status_plugin.install import install_global
from status_plugin.overlay import install_overlay

kind, target, source = sys.argv[1:]
config = Path(target)

def tell(event, arguments):
    if event == "fcntl.flock":
        print("asks for its turn", flush=True)
    if event == "os.rename" and kind == "global":
        print("renames among", *sorted(os.listdir(config / "plugins")), flush=True)

sys.addaudithook(tell)
print("ready", flush=True)
sys.stdin.readline()
if kind == "global":
    print(install_global(config, plugin_files()[:1])[0].outcome, flush=True)
else:
    done = install_overlay(config, Path(source), plugin_files())
    print(done.outcome, *(file.outcome for file in done.files), flush=True)
"""
"""A process that installs when told to, and tells what it does meanwhile."""


@contextlib.contextmanager
def no_right_to_write(*folders: Path) -> Iterator[None]:
    """The folders refuse writes; the administrator, whom nothing is refused, is somebody else meanwhile."""
    modes = [(folder, folder.stat().st_mode) for folder in folders]
    for folder in folders:
        folder.chmod(0o555)
    try:
        with not_as_root():
            yield
    finally:
        for folder, mode in modes:
            folder.chmod(mode)


@contextlib.contextmanager
def not_as_root() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """The folder is a disk of so many bytes; where none can be mounted, files of that size are as large as any get."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    is_mounted = (
        os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )
    if not is_mounted:
        with files_no_larger_than(size):
            yield
        return
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


NO_ROOM = ("No space left on device", "File too large")
"""What a write to a small disk says."""


@contextlib.contextmanager
def installers(
    count: int, target: Path, *, kind: str = "global", source: Path = Path("/")
) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are ready to install."""
    with contextlib.ExitStack() as stack:
        command = [sys.executable, "-c", INSTALLER, kind, str(target), str(source)]
        started = [stack.enter_context(piped(command)) for _ in range(count)]
        for process in started:
            assert line_of(process) == "ready"
        yield started


def piped(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def install_now(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


MEDDLER = """
import os, sys
from pathlib import Path
from status_plugin.file import write_if_changed

path, content, action = sys.argv[1:]
done = []

def meddle(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".tmp") and not done:
        done.append(event)
        exec(action)

sys.addaudithook(meddle)
result = write_if_changed(Path(path), Path(content).read_bytes())
print(result.outcome, result.reason, sep="\\n")
"""
"""A process that writes a file, and does something to it between its look and its writing."""


def write_while(action: str, path: Path, content: Path) -> list[str]:
    """The outcome and the reason of a writer while `action` (Python, with `path`) happens to its file."""
    command = [sys.executable, "-c", MEDDLER, str(path), str(content), action]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def identity(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def everything_below(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Inode, mtime and link target of all there is, links not followed."""
    found = {}
    for path in sorted([folder, *_walk(folder)]):
        stat = path.lstat()
        link = os.readlink(path) if path.is_symlink() else ""
        found[str(path)] = (stat.st_ino, stat.st_mtime_ns, link)
    return found


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
