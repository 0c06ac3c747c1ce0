"""The machine's processes as values: who is in a terminal's foreground, what runs in its session."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import psutil


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessFacts:
    """One process that runs; `argv` is empty when it cannot be read (another user's)."""

    pid: int
    argv: tuple[str, ...]
    started: float
    """Unix seconds; with the pid it names a process for ever."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What a process has used: CPU seconds since it started, resident bytes now."""

    cpu_s: float
    rss_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Kin:
    """A process as one of a line of parents."""

    pid: int
    session: int
    """The pid of its session's leader, who may be gone; -1 when it cannot be seen."""
    started: float
    """Unix seconds."""


class ProcessTable(Protocol):
    """Looks processes up; what cannot be seen is left out, nothing raises."""

    def foreground_group(self, master: int) -> int | None:
        """The process group that has the keyboard of a master descriptor's terminal; None when none has."""
        ...

    def group_of(self, pid: int) -> int | None:
        """The process group of a process; None when there is no such process."""
        ...

    def group_exists(self, group: int) -> bool:
        """Whether a process group has a process, be it one that has ended and was not reaped yet."""
        ...

    def members(self, group: int) -> tuple[ProcessFacts, ...]:
        """The processes of a group. Goes through all of the machine's: call it from a thread."""
        ...

    def process(self, pid: int) -> ProcessFacts | None:
        """One process, if it runs."""
        ...

    def lineage(self, pid: int) -> tuple[Kin, ...]:
        """A process and those that it descends from, as far as they live, nearest first; empty when it is gone."""
        ...

    def directory(self, pid: int) -> str | None:
        """A process's working directory."""
        ...

    def environment(self, pid: int) -> dict[str, str]:
        """The variables that a process was started with; empty when they cannot be seen."""
        ...

    def usage(self, sessions: Iterable[int]) -> dict[int, dict[int, Usage]]:
        """For each session (by its leader's pid), its processes by pid."""
        ...


class SystemTable:
    """The `ProcessTable` of this machine."""

    def foreground_group(self, master: int) -> int | None:
        try:
            group = os.tcgetpgrp(master)
        except OSError:
            return None
        return group if group > 0 else None

    def group_of(self, pid: int) -> int | None:
        group = _group_of(pid)
        return group if group > 0 else None

    def group_exists(self, group: int) -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True  # Another user's.
        return True

    def members(self, group: int) -> tuple[ProcessFacts, ...]:
        found = (_facts(pid) for pid in psutil.pids() if _group_of(pid) == group)
        return tuple(facts for facts in found if facts is not None)

    def process(self, pid: int) -> ProcessFacts | None:
        return _facts(pid)

    def lineage(self, pid: int) -> tuple[Kin, ...]:
        line: list[Kin] = []
        try:
            while pid > 0:
                process = psutil.Process(pid)
                line.append(Kin(pid=pid, session=_session_of(pid), started=process.create_time()))
                pid = process.ppid()
        except (psutil.Error, OSError):
            pass  # What is known of the line holds.
        return tuple(line)

    def directory(self, pid: int) -> str | None:
        try:
            return str(psutil.Process(pid).cwd()) or None
        except (psutil.Error, OSError):
            return None

    def environment(self, pid: int) -> dict[str, str]:
        try:
            return dict(psutil.Process(pid).environ())
        except (psutil.Error, OSError):
            return {}

    def usage(self, sessions: Iterable[int]) -> dict[int, dict[int, Usage]]:
        used: dict[int, dict[int, Usage]] = {session: {} for session in sessions}
        for pid in psutil.pids():
            processes = used.get(_session_of(pid))
            if processes is not None and (usage := usage_of(pid)) is not None:
                processes[pid] = usage
        return used


def group_lives(group: int) -> bool:
    """Somebody of a process group runs. Those that have ended and wait to be reaped do not count, though the
    kernel can still signal them: an orphan waits for init, which may take its time."""
    members = (pid for pid in psutil.pids() if _group_of(pid) == group)
    return any(_runs(pid) for pid in members)


def _runs(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except (psutil.Error, OSError):
        return False


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except (OSError, OverflowError):  # A number in a file's name may be larger than any process's.
        return -1


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except (OSError, OverflowError):
        return -1


def _facts(pid: int) -> ProcessFacts | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            started = process.create_time()
            argv = _argv(process)
    except (psutil.Error, OSError):
        return None
    return ProcessFacts(pid=pid, argv=argv, started=started)


def _argv(process: psutil.Process) -> tuple[str, ...]:
    try:
        return tuple(process.cmdline())
    except psutil.AccessDenied:
        return ()


def usage_of(pid: int) -> Usage | None:
    """What one process has used; None when it cannot be seen."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            times = process.cpu_times()
            return Usage(cpu_s=times.user + times.system, rss_bytes=process.memory_info().rss)
    except (psutil.Error, OSError):
        return None
