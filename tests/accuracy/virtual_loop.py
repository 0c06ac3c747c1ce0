"""An event loop whose time jumps: nothing is waited for that only time could bring. Threads run at once.

So a recording of four minutes is replayed in the time that its events take, by the server's own timers, and
always in the same order.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Stuck(RuntimeError):
    """Nothing is to happen any more, and somebody waits."""


class _Jumping(selectors.DefaultSelector):
    """Instead of waiting for descriptors, lets the time pass for which it was told to wait."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise Stuck
        if not ready and timeout:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its `time` starts at 0 s."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(  # type: ignore[override] # (typeshed's is generic in the arguments)
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """A thread's work takes no time here, and is done before anything else happens."""
        outcome: asyncio.Future[T] = self.create_future()
        try:
            outcome.set_result(func(*args))
        except Exception as error:
            outcome.set_exception(error)
        return outcome


class LoopClock:
    """The `Clock` of a virtual loop, whose beginning is at `epoch` (Unix seconds)."""

    def __init__(self, loop: VirtualLoop, epoch: float) -> None:
        self._loop = loop
        self._epoch = epoch

    def now(self) -> float:
        return self._epoch + self._loop.time()

    def monotonic(self) -> float:
        return self._loop.time()


def run(main: Callable[[VirtualLoop], Coroutine[Any, Any, T]]) -> T:
    """Run in a virtual loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        return runner.run(main(loop))
