"""Leaves the results of CI for an agent, without waking it: they come in with your next prompt.

Install: copy this file into ~/.config/orca-tui/plugins/ (or link it there), name the pane of the agent that should know
`ci` (`orca-tui rename PANE ci`, or `ctrl+b .`), and have your CI write its last lines into ~/.ci-results.txt:

    gh run watch --exit-status; gh run view --log-failed | tail -50 > ~/.ci-results.txt

A newer result takes the place of one that was not read yet. Agents that cannot be given words without being woken are
told of in the UI instead (`orca-tui send --no-resume` says so as well).
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from watchfiles import awatch

from orca_tui.plugins import Context, InboxConflict, OrcaError

id = "ci-results"

RESULTS = Path.home() / ".ci-results.txt"
PANE = "ci"
MOST_CHARACTERS = 8000


async def setup(ctx: Context):
    last: list[tuple[str, str]] = []
    """The pane and the notice that may still wait."""

    async def follow():
        # Every two seconds as well, for the case that the pane gets its name later.
        async for _ in awatch(RESULTS.parent, recursive=False, rust_timeout=2000, yield_on_timeout=True):
            await post()

    async def post():
        text = RESULTS.read_text(errors="replace")[-MOST_CHARACTERS:].strip() if RESULTS.is_file() else ""
        pane = next((info.pane for info in await ctx.session.list() if info.name == PANE), None)
        # By its content: the same result, seen again after a reload, is the same notice.
        notice = f"ci-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        if not text or pane is None or (pane, notice) in last:
            return
        await take_back()
        try:
            await ctx.session.synthetic(pane, f"Results of CI:\n{text}", resume=False, id=notice)
        except OrcaError as error:
            await ctx.ui.notify(f"CI has results, but {pane} cannot be told: {error.message}", "warning")
        else:
            last.append((pane, notice))

    async def take_back():
        while last:
            with suppress(InboxConflict):  # It was read.
                await ctx.session.inbox.cancel(*last.pop())

    ctx.start(follow())
