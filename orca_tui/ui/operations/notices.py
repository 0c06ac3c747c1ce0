"""Actions on notices: leave one for an agent, see what waits, take it back or hurry it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from textual.content import Content

from orca_tui.base.errors import OrcaError
from orca_tui.commands.inbox import (
    INBOX_CANCEL,
    INBOX_LIST,
    INBOX_UPDATE,
    InboxCancelRequest,
    InboxListRequest,
    InboxUpdateRequest,
    NoticeInfo,
)
from orca_tui.commands.send import SEND, SendReply, SendRequest
from orca_tui.notices.notice import OPEN, Delivery, NoticeState, Reason
from orca_tui.ui.labels import pane_name
from orca_tui.ui.operations.host import Host
from orca_tui.ui.pieces import MUTED, STRONG
from orca_tui.ui.screens.compose import Compose
from orca_tui.ui.screens.live_picker import LivePicker
from orca_tui.ui.screens.picker import Choice, Item, Picker
from orca_tui.ui.texts import elapsed, fitted, one_line

TEXT_CELLS = 50
CLOSED_SHOWN = 10  # The last ones: enough to see what became of what was just sent.
CANCEL, STEER, QUEUE = "c", "s", "q"
WORDS = {
    Reason.BUSY: "it is busy",
    Reason.WAITING: "it waits for its user",
    Reason.DRAFT: "something is typed there",
    Reason.AGENT_MISMATCH: "its agent is another one",
    Reason.RESUME_FALSE: "it comes with the next prompt",
    Reason.REVERTED: "its session was rewound",
    Reason.UNKNOWN_STATUS: "nobody knows whether it is idle",
    Reason.NO_SESSION: "no agent is there yet",
}


class Notices:
    """Needs a focused pane; without one the actions are not offered."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def send(self) -> None:
        """Ask for words and a way, leave them, and say what became of them."""
        pane = self._host.world.focused
        if pane is None:
            return
        if pane.is_plain_shell:
            self._host.say(f"no agent is in {pane.pane}, and notices are for agents", "warning")
            return
        composed = await self._host.ask(Compose(f"Notice for {pane_name(pane)} ({pane.pane})"))
        if composed is None:
            return
        request = SendRequest(
            pane=pane.pane, text=composed.text, resume=composed.way.resume, delivery=composed.way.delivery
        )
        self._host.say(answered(await self._host.do(SEND, request)))

    async def show(self) -> None:
        """List the pane's notices; one that waits can be taken back or hurried."""
        pane = self._host.world.focused
        if pane is None:
            return
        shown = {one.id: one for one in await self._listed(pane.pane)}

        async def rows() -> Sequence[Item]:
            with suppress(
                OrcaError
            ):  # The rows stay as they were: that the server is gone is told elsewhere.
                found = await self._listed(pane.pane)
                shown.clear()
                shown.update((one.id, one) for one in found)
            return [self._item(one) for one in shown.values()]

        choice = await self._host.ask(
            LivePicker(
                f"Notices for {pane_name(pane)} ({pane.pane})",
                [self._item(one) for one in shown.values()],
                rows,
                empty="Nothing was left for it.",
                keys={CANCEL: "cancel", STEER: "at the next tool call"},
            )
        )
        if choice is not None:
            await self._act(pane.pane, shown[choice.id], choice)

    async def _listed(self, pane: str) -> Sequence[NoticeInfo]:
        """What is open, then the last that were closed, newest first."""
        request = InboxListRequest(pane=pane, closed=True)
        found = (await self._host.performer.call(INBOX_LIST, request)).notices
        waiting = [one for one in found if one.state in OPEN]
        closed = [one for one in found if one.state not in OPEN]
        return [*waiting, *sorted(closed, key=lambda one: -one.changed_at)[:CLOSED_SHOWN]]

    async def _act(self, pane: str, notice: NoticeInfo, choice: Choice) -> None:
        key = choice.key if choice.key in (CANCEL, STEER) else await self._asked(notice)
        if key == CANCEL:
            await self._host.do(INBOX_CANCEL, InboxCancelRequest(pane=pane, id=notice.id))
            self._host.say("the notice is taken back")
        elif key is not None:
            delivery = _delivery(key)
            await self._host.do(INBOX_UPDATE, InboxUpdateRequest(pane=pane, id=notice.id, delivery=delivery))
            self._host.say(f"the notice goes {way_of(delivery)}")

    async def _asked(self, notice: NoticeInfo) -> str | None:
        """What to do with it: the mouse's way to the keys."""
        if notice.state is not NoticeState.PENDING:
            self._host.say(became(notice))
            return None
        other = QUEUE if notice.delivery is Delivery.STEER else STEER
        items = [
            Item(id=CANCEL, text=Content("Take it back")),
            Item(id=other, text=Content(f"Hand it over {way_of(_delivery(other))}")),
        ]
        text = fitted(one_line(notice.text), TEXT_CELLS, self._host.scene.symbols.ellipsis)
        choice = await self._host.ask(Picker(text, items))
        return choice.id if choice is not None else None

    def _item(self, notice: NoticeInfo) -> Item:
        symbols = self._host.scene.symbols
        age = elapsed(self._host.clock.now() - notice.admitted_at)
        text = fitted(one_line(notice.text) or "(erased)", TEXT_CELLS, symbols.ellipsis)
        content = Content.assemble((f"{notice.state} ", STRONG), text, (f" {symbols.dot} {age}", MUTED))
        return Item(
            id=notice.id, text=Content("\n").join([content, Content.styled(f"  {became(notice)}", MUTED)])
        )


def answered(reply: SendReply) -> str:
    """What was answered to a notice, for a toast."""
    if reply.receipt is not None:
        return f"the agent has it: {reply.receipt.evidence}"
    if reply.state is NoticeState.FAILED:
        return f"the notice was not delivered: {reply.why}"
    if reply.woke:
        return "the agent is woken; its receipt is awaited"
    return f"the notice waits: {WORDS[reply.reason]}"


def became(notice: NoticeInfo) -> str:
    """What became of a notice, or is to become."""
    match notice.state:
        case NoticeState.DELIVERED:
            return notice.receipt.evidence if notice.receipt is not None else "it has it"
        case NoticeState.FAILED:
            return f"{notice.why}: it is not sent again"
        case NoticeState.CANCELLED:
            return "taken back"
        case NoticeState.DELIVERING:
            return "handed over; its receipt is awaited"
        case NoticeState.PENDING:
            return way_of(notice.delivery) if notice.wakes else "with its user's next prompt"


def way_of(delivery: Delivery) -> str:
    return "at the next tool call" if delivery is Delivery.STEER else "when its turn is over"


def _delivery(key: str) -> Delivery:
    return Delivery.STEER if key == STEER else Delivery.QUEUE
