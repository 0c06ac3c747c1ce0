"""Wakes an idle reviewer each time that a worker is done, and never while somebody uses it.

Install: copy this file into ~/.config/orca-tui/plugins/ (or link it there), and name your panes with
`orca-tui rename PANE NAME` or `ctrl+b .`: one `reviewer`, and those whose work it reviews `worker`, `worker api` ...

A reviewer that is busy, asks something, or has words of yours in its box is left alone, and has its turn later. The
palette has "Review now" for the focused pane.
"""

import asyncio
from contextlib import suppress

from orca_tui.plugins import Context, InboxConflict, PaneInfo, Status, StatusEvent

id = "wake-reviewer"

REVIEWER = "reviewer"
WORKER = "worker"
FREE = (Status.IDLE, Status.DONE)
TRY_AGAIN_S = 3.0


async def setup(ctx: Context):
    reviews = Reviews(ctx)
    ctx.command.register("now", "Review now", reviews.add, "Have the reviewer look at the focused pane.")
    ctx.start(reviews.follow())
    ctx.start(reviews.serve())


class Reviews:
    def __init__(self, ctx: Context):
        self.ctx = ctx
        self.due: dict[str, None] = {}
        """Panes whose work waits for the reviewer, in their order."""
        self.news = asyncio.Event()

    async def add(self, pane: str | None):
        if pane is not None:
            self.due[pane] = None
            self.news.set()

    async def follow(self):
        async for event in self.ctx.event.subscribe():
            if isinstance(event, StatusEvent) and event.to in FREE:
                if event.to is Status.DONE and (await self.name_of(event.pane)).startswith(WORKER):
                    await self.add(event.pane)
                self.news.set()  # It may have been the reviewer.

    async def serve(self):
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), TRY_AGAIN_S if self.due else None)
            self.news.clear()
            await self.wake()

    async def wake(self):
        """Hand over the first that is due, if the reviewer is idle at the very moment of the call."""
        panes = {info.pane: info for info in await self.ctx.session.list()}
        self.due = {pane: None for pane in self.due if pane in panes}
        reviewer = next((info for info in panes.values() if info.name == REVIEWER), None)
        if not self.due or reviewer is None or reviewer.status not in FREE:
            return
        pane = next(iter(self.due))
        del self.due[pane]  # Now: it may be due again before this is answered.
        reply = await self.ctx.session.synthetic(reviewer.pane, words(panes[pane]), resume={"if_idle": True})
        if reply.woke:
            return
        self.due = {pane: None, **self.due}
        with suppress(InboxConflict):  # It went along with its user's own prompt: it will look.
            await self.ctx.session.inbox.cancel(reviewer.pane, reply.id)

    async def name_of(self, pane: str) -> str:
        return next((info.name for info in await self.ctx.session.list() if info.pane == pane), "")


def words(worker: PaneInfo) -> str:
    return f"{worker.name} has finished a turn in {worker.cwd}. Please review what changed there."
