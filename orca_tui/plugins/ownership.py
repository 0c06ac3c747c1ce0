"""Whose a task is: whatever a plugin's code starts, by whatever means, is that plugin's until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol


class Owner(Protocol):
    """Who owns tasks."""

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """A task was started by its code."""
        ...


class Ownership:
    """Of one event loop. Contexts are inherited by tasks and callbacks, so nothing that a plugin starts escapes."""

    def __init__(self) -> None:
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
        assert asyncio.iscoroutine(work)  # No Python that we run on has tasks of generators.
        task = asyncio.Task(work, loop=loop, **options)
        context: Context | None = options.get("context")
        owner = self._owner.get() if context is None else context.get(self._owner)
        if owner is not None:
            owner.adopt(task)
        return task
