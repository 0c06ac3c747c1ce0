"""What the command line needs of parts that it may not import. `__main__` has the real one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from orca_tui.base.clock import Clock
from orca_tui.config import Environment


class Engine(NamedTuple):
    """The terminal engine that this installation would use."""

    version: str
    build: str


class KnownAgent(NamedTuple):
    """An agent that panes can run."""

    name: str
    title: str
    commands: tuple[str, ...]
    """Names of its programs."""
    packages: tuple[str, ...]
    sources: tuple[str, ...]
    """Where its state can be read from, strongest first."""
    verified: str | None
    """The newest version that its rules were checked with; None where nobody did."""
    consent: str | None
    """`allowed`, `denied` or `not asked`; None for one that needs none."""


class Outside(Protocol):
    """The rest of the program."""

    @property
    def clock(self) -> Clock: ...

    @property
    def environment(self) -> Environment: ...

    def start_server(self, server: str) -> int:
        """Start a server in the background and return its pid once it answers.

        Raises `ServerUnavailable`; its fact `exit_code` is that of a server that ended, 3 when one of that name
        lives already.
        """
        ...

    def is_locked(self, server: str) -> bool:
        """Whether a server of that name lives, be it that it is just starting or ending."""
        ...

    def holds_programs(self, server: str) -> bool:
        """Whether a keeper holds programs for a server of that name, which need not run itself."""
        ...

    def run_server(self, server: str, ready_fd: int | None) -> int:
        """Be the server until it is stopped; the exit code."""
        ...

    def run_plugin_host(self, server: str, stack_fd: int) -> int:
        """Be a server's plugin host until it is told to end; the exit code."""
        ...

    def run_ui(self, server: str) -> int:
        """Attach the UI to a running server until it leaves; the exit code."""
        ...

    def agreed(self, question: str, detail: str) -> bool:
        """Ask the person at this terminal, who answers by key or mouse."""
        ...

    def engine(self) -> Engine:
        """Load the terminal engine; raises `EngineUnavailable`."""
        ...

    def check_settings(self) -> None:
        """Read the settings as the server and the UI do; raises `ConfigError`."""
        ...

    def agents(self) -> list[KnownAgent]:
        """The built-in agents and those of the settings; the former alone when the settings cannot be used."""
        ...

    def program_versions(self, programs: Sequence[tuple[Path, Collection[str]]]) -> list[str | None]:
        """What each program or its package says, asked at the same time; None where it says nothing in time.

        With each stand the packages that it may be of.
        """
        ...
