"""A command with what runs it; the types of its request and reply are those of its spec."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from orca_tui.commands.spec import Command
from orca_tui.server.dispatch import Caller

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Call(Generic[Q, R]):
    """Looks or changes at once, or waits; a caller who hangs up ends it."""

    command: Command[Q, R]
    run: Callable[[Q, Caller], Awaitable[R]]


@dataclass(frozen=True, slots=True)
class Deed(Generic[Q, R]):
    """Does something in several steps, which must not stop half way: it goes on when its caller hangs up."""

    command: Command[Q, R]
    run: Callable[[Q, Caller], Coroutine[Any, Any, R]]


@dataclass(frozen=True, slots=True)
class Stream(Generic[Q, R]):
    """Yields items until it is closed."""

    command: Command[Q, R]
    run: Callable[[Q, Caller], AsyncGenerator[R, None]]


AnyHandler: TypeAlias = Call[Any, Any] | Deed[Any, Any] | Stream[Any, Any]


def at_once(command: Command[Q, R], run: Callable[[Q], R]) -> Call[Q, R]:
    """A handler that needs neither time nor its caller."""

    async def call(request: Q, _: Caller) -> R:
        return run(request)

    return Call(command, call)
