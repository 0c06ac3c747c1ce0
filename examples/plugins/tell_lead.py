"""Tells a leading agent that another one asks for something, and takes that back when it is answered elsewhere.

Install: copy this file into ~/.config/orca-tui/plugins/ (or link it there), and name the pane of the leading agent
`lead` (`orca-tui rename PANE lead`, or `ctrl+b .`).

When an agent in any other pane waits (a permission, a question), the lead gets a notice, which wakes it when its turn
is over. If you or somebody else answers first, the notice is stale: it is taken back, and costs the lead no turn.
"""

from orca_tui.plugins import ClosedEvent, Context, InboxConflict, Status, StatusEvent

id = "tell-lead"

LEAD = "lead"


async def setup(ctx: Context):
    told: dict[str, tuple[str, str]] = {}
    """By the pane that asks: whom we told, and the notice."""

    async def follow():
        async for event in ctx.event.subscribe():
            match event:
                case StatusEvent(pane=pane, to=Status.WAITING):
                    await tell(pane, event.message or "something")
                case StatusEvent(pane=pane) | ClosedEvent(pane=pane):
                    await take_back(pane)

    async def tell(pane: str, asked: str):
        await take_back(pane)
        lead = next((info for info in await ctx.session.list() if info.name == LEAD), None)
        if lead is None or lead.pane == pane:
            return
        text = f"The agent in pane {pane} asks: {asked}. Look at it with `orca-tui read {pane}`."
        reply = await ctx.session.synthetic(lead.pane, text)
        told[pane] = (lead.pane, reply.id)

    async def take_back(pane: str):
        if pane not in told:
            return
        lead, notice = told.pop(pane)
        try:
            await ctx.session.inbox.cancel(lead, notice)
        except InboxConflict:
            return  # The lead has it; it will see that nothing is asked any more.
        await ctx.ui.notify(f"{pane} was answered: {lead} need not look")

    async def dispose():
        """What was not handed over yet would be stale without us."""
        for pane in tuple(told):
            await take_back(pane)

    ctx.start(follow())
    return dispose
