"""What starts the programs of panes, as the server sees it. No implementation here.

Every spawner passes the same contract test (`tests/process/test_spawner.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

COMMAND_NOT_FOUND = 127  # The exit codes that shells give; POSIX 2.8.2.
COMMAND_NOT_RUNNABLE = 126
HUNG_UP = -1
"""The exit code of programs of whose end nothing but the fact is known: a hang-up (SIGHUP) is what ends them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """What to run in a terminal of which size; `environment` is the whole of it, nothing is inherited."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    directory: str
    """Absolute."""
    cols: int
    rows: int
    key: str = ""
    """What the next server knows it by; empty: nobody will ask."""


class Child(Protocol):
    """A running program with a terminal of its own; the leader of its session."""

    @property
    def pid(self) -> int: ...

    @property
    def master(self) -> int:
        """The terminal's master side, non-blocking; open until `close`."""
        ...

    def resize(self, cols: int, rows: int) -> None:
        """Set the terminal's size; the foreground programs get SIGWINCH when it changed."""
        ...

    def hang_up(self) -> None:
        """Tell the program and the terminal's foreground group that the terminal is going (SIGHUP)."""
        ...

    def kill(self) -> None:
        """End them without asking (SIGKILL): those of now and those that `hang_up` told."""
        ...

    def survivors(self) -> bool:
        """Somebody whom `hang_up` told is still there, the program itself or a group that it left behind."""
        ...

    def close(self) -> None:
        """Close the master side; whoever still uses the terminal is hung up on by the kernel."""
        ...


ExitListener = Callable[[int], None]
"""Called once with the exit code (negative: the signal), from the event loop, after `spawn` has returned."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A program that was started for an earlier server and is still there, or has ended meanwhile."""

    key: str
    child: Child
    missed: bytes
    """The newest of what it wrote while nobody read; what its terminal still holds comes after it."""
    lost: int
    """Bytes that it wrote before `missed` and that nobody has."""
    exit_code: int | None
    """None while it runs; else `listen` will tell it."""
    took: Callable[[], None]
    """To be called when `missed` is where the next server would find it."""
    listen: Callable[[ExitListener], None]
    """To be called once with who wants to know how it ends."""


class Spawner(Protocol):
    @property
    def keeper_id(self) -> str:
        """Names the life of what holds the programs; empty: they end with this server."""
        ...

    async def open(self, lost: Callable[[bool], None]) -> tuple[Kept, ...]:
        """Begin; what earlier servers left. Raises `ServerUnavailable`.

        `lost` is called when this server has lost its programs' keeper: with False it was killed and the
        programs are ended, with True it has given this server up and holds them for the next one.
        """
        ...

    async def close(self, *, end: bool) -> None:
        """The server goes; with `end` the programs go too, else they stay for the next server."""
        ...

    async def spawn(self, program: Program, exited: ExitListener) -> Child:
        """Start a program in a new terminal that controls it.

        Raises `SpawnFailed` with the reason in words and `facts["exit_code"]` as a shell would give it.
        """
        ...
