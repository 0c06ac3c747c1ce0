"""Whose a task is, and whose memory: what a plugin's code starts, by whatever means, is that plugin's until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol


class Owner(Protocol):
    """Who owns tasks."""

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """A task was started by its code."""
        ...

    def grew(self, size_bytes: int) -> None:
        """The process needed so much more memory than ever before while one of its tasks ran."""
        ...


class Weighed(Coroutine[Any, Any, Any]):
    """A coroutine whose every step is weighed: who leaks is mostly asleep when somebody looks."""

    def __init__(self, work: Coroutine[Any, Any, Any], owner: Owner, peak_bytes: Callable[[], int]) -> None:
        self._work = work
        self._owner = owner
        self._peak_bytes = peak_bytes

    def send(self, value: Any) -> Any:
        return self._weighed(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        return self._weighed(self._work.throw, *error)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._work.__await__()

    def _weighed(self, step: Callable[..., Any], *arguments: Any) -> Any:
        before = self._peak_bytes()
        try:
            return step(*arguments)
        finally:
            if (grown := self._peak_bytes() - before) > 0:
                self._owner.grew(grown)


class Ownership:
    """Of one event loop. Contexts are inherited by tasks and callbacks, so nothing that a plugin starts escapes."""

    def __init__(self, peak_bytes: Callable[[], int]) -> None:
        """`peak_bytes` tells the most memory that the process has ever had."""
        self._peak_bytes = peak_bytes
        self._owner: ContextVar[Owner | None] = ContextVar("plugin", default=None)

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Every task that the loop starts from now on finds its owner."""
        loop.set_task_factory(self._make)

    def context_of(self, owner: Owner) -> Context:
        """A context in which everything is that owner's."""
        context = copy_context()
        context.run(self._owner.set, owner)
        return context

    def _make(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
        **options: Any,
    ) -> asyncio.Task[Any]:
        assert isinstance(work, Coroutine)  # No Python that we run on has tasks of generators.
        context: Context | None = options.get("context")
        owner = self._owner.get() if context is None else context.get(self._owner)
        if owner is None:
            return asyncio.Task(work, loop=loop, **options)
        task = asyncio.Task(Weighed(work, owner, self._peak_bytes), loop=loop, **options)
        owner.adopt(task)
        return task
