"""Timers as parts are handed them: an event loop's, or a test's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None: ...


CallLater: TypeAlias = Callable[[float, Callable[[], None]], Timer]
"""An event loop's `call_later`: delay in seconds, what to call."""
