"""What the server's doors (wire, HTTP, intake) need of the rooms behind them. Protocols only."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import msgspec

from orca_tui.base.ids import PaneId
from orca_tui.commands.spec import Command
from orca_tui.server.peer import Peer


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Who asks: `door` is `wire` or `http`, `pid` the kernel's word for the peer (None where it has none)."""

    door: str
    pid: int | None
    pane: PaneId | None = None
    """The pane that it belongs to (`callers.py`), which may be gone; None: it is outside of all panes."""
    plugin: str | None = None
    """The plugin that says it asks; a label for what it leaves, and no right."""


Whose: TypeAlias = Callable[[Peer, str | None], PaneId | None]
"""The pane that a peer belongs to, who may show a token."""


class Dispatcher(Protocol):
    """Runs commands; raises `OrcaError`s."""

    async def call(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> msgspec.Struct:
        """Run a command that is no stream and return its reply."""
        ...

    def stream(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> AsyncGenerator[msgspec.Struct, None]:
        """Run a streaming command; `aclose` ends it."""
        ...


class Guard(Protocol):
    """Stands before every command."""

    def check(self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller) -> None:
        """Return when the caller may do that; raises `Refused`."""
        ...


class ReportSink(Protocol):
    """Takes what agents report over the intake socket."""

    def pane_of(self, token: str) -> PaneId | None:
        """The living pane that a token was given to."""
        ...

    def reported(self, pane: PaneId, agent: str, body: bytes) -> bool:
        """Take one report; False asks for the full state again. Raises `Invalid` or `NotFound` (agent)."""
        ...

    async def work(self, pane: PaneId, process: str, takes: frozenset[str]) -> list[dict[str, Any]]:
        """Hold a reporter's poll until there is work of a kind that it `takes`, or its time is over (empty).

        Being polled is the reporter's heartbeat; cancelled when it hangs up.
        """
        ...

    def told(self, pane: PaneId, body: bytes) -> None:
        """Take what became of work. Raises `Invalid`."""
        ...

    def collect(self, pane: PaneId, body: bytes) -> list[dict[str, Any]]:
        """What may come in now, for a hook that asks. Raises `Invalid`."""
        ...

    def ask(self, pane: PaneId, agent: str, event: str, body: bytes) -> bytes:
        """The answer to a hook of that event, as the agent reads it; the body is what it was given, and may be
        cut off. Raises `NotFound` (agent)."""
        ...

    async def bell(self, pane: PaneId, agent: str) -> str:
        """Hold an agent's doorbell until it is to ring; empty when nobody needs to wait. Raises `NotFound`."""
        ...
