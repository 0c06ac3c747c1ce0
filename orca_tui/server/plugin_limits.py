"""Whether the plugin host keeps to its limits, which plugin is to blame, and when to start it again. Pure.

Rule 1: a host that answers no ping for `blocked_after_s` is blocked. One that uses more memory than it may, or
most of a core for `CPU_WINDOW_S`, harms its machine.
Rule 2: to blame is the plugin whose file is on a stack: the event loop's thread for a blocked host, any for others.
Of memory, it is the plugin whose steps have taken most of what all plugins' have.
Rule 3: who is to blame is left out from then on, and the others start again at once.
Rule 4: when nobody is known to be to blame, or the host ends by itself, it starts again after a while that doubles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

CPU_WINDOW_S = 15.0
"""A start, or a plugin that sorts something, may take some seconds."""
CPU_SHARE = 0.5
FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 60.0
FORGOTTEN_AFTER_S = 300.0
"""A host that has run for so long has not crashed because of the same thing."""

BreachKind: TypeAlias = Literal["blocked", "memory", "cpu"]

FRAME = re.compile(r'File "(.*?)", line (\d+),? in (\S+)')
LOOP = "in run_forever"
"""The event loop's thread has it on its stack as long as it runs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Breach:
    """A limit was exceeded."""

    kind: BreachKind
    message: str
    """What somebody did, for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """The host at one moment."""

    at: float
    """Monotonic seconds."""
    silent_s: float
    """For how long a ping has not been answered; 0 when none is open."""
    cpu_s: float
    rss_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Blame:
    """A plugin's file, and where it is."""

    file: str
    place: str


def breach(looks: Sequence[Look], *, blocked_after_s: float, memory_bytes: int) -> Breach | None:
    """Rule 1, for the newest of the looks."""
    last = looks[-1]
    if last.silent_s >= blocked_after_s:
        return Breach(kind="blocked", message=f"held up all plugins for {last.silent_s:.0f} s")
    if last.rss_bytes > memory_bytes:
        megabytes, limit = last.rss_bytes >> 20, memory_bytes >> 20
        return Breach(kind="memory", message=f"brought the plugins to {megabytes} MB; {limit} MB are allowed")
    before = [look for look in looks if last.at - look.at >= CPU_WINDOW_S]
    if before and last.cpu_s - before[-1].cpu_s >= CPU_SHARE * (last.at - before[-1].at):
        return Breach(kind="cpu", message=f"kept a processor busy for {last.at - before[-1].at:.0f} s")
    return None


def blame(stacks: Iterable[str], files: Iterable[str], *, loop_only: bool) -> Blame | None:
    """Rule 2: the plugin that most of the dumps show. `files` are paths as they were compiled."""
    shown = {_dumped(file): file for file in files}
    found = [one for dump in stacks if (one := _blamed(dump, shown, loop_only)) is not None]
    if not found:
        return None
    [(file, _)] = Counter(one.file for one in found).most_common(1)
    return next(one for one in reversed(found) if one.file == file)


def leaking(grown_bytes: Mapping[str, int], files: Iterable[str]) -> Blame | None:
    """Rule 2, of memory: by the files' names, as the host weighs them."""
    largest = max(grown_bytes, key=lambda name: grown_bytes[name], default="")
    if not largest or grown_bytes[largest] * 2 < sum(grown_bytes.values()):
        return None
    return next((Blame(file=file, place="") for file in files if file.rpartition("/")[2] == largest), None)


def delay_s(crashes: int) -> float:
    """Rule 4: how long to wait after so many crashes that are not forgotten."""
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** (crashes - 1))


def _blamed(dump: str, shown: dict[str, str], loop_only: bool) -> Blame | None:
    threads = [thread for thread in re.split(r"\n\s*\n", dump) if thread.strip()]
    in_loop = [thread for thread in threads if LOOP in thread]
    # Without it, the loop's thread is so deep in calls that the dump does not reach down to it.
    for thread in in_loop if loop_only and in_loop else threads:
        for path, line, function in FRAME.findall(thread):
            if path in shown:
                name = shown[path].rpartition("/")[2]
                return Blame(file=shown[path], place=f"{name}:{line} in {function}")
    return None


def _dumped(path: str) -> str:
    """A path as faulthandler writes it."""
    return path.encode("ascii", "backslashreplace").decode()
