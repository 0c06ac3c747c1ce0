"""Notices for an agent that is typed to: what wakes it, what does not, and what is said of that."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from orca_tui.base.errors import (
    Conflict,
    InboxConflict,
    Invalid,
    NotFound,
    TimedOut,
    Undelivered,
    Unsupported,
)
from orca_tui.commands.active import ACTIVE
from orca_tui.commands.events import EVENTS, EventsRequest, NoticeEvent
from orca_tui.commands.inbox import INBOX_LIST, INBOX_UPDATE, InboxListRequest, InboxUpdateRequest
from orca_tui.commands.interrupt import INTERRUPT, InterruptRequest
from orca_tui.commands.send import SEND, SendRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.notices.notice import Delivery, Guard, IfIdle, NoticeState, Reason
from orca_tui.server.handlers.notices import clean
from orca_tui.status.record import Status
from tests.server.agents import Agent
from tests.server.running import Api, Server, until

pytestmark = pytest.mark.anyio
IF_IDLE = IfIdle()


@pytest.fixture
async def agent(api: Api) -> Agent:
    return await Agent.open(api)


# Waking


async def test_a_notice_wakes_an_idle_agent_and_is_delivered_by_evidence(agent: Agent) -> None:
    reply = await agent.send("look at the tests", wait="receipt")

    assert agent.prompts() == ["look at the tests"]
    assert (reply.state, reply.woke, reply.reason) == (NoticeState.DELIVERED, True, Reason.WOKE)
    assert reply.receipt is not None
    assert await agent.inbox() == ()


async def test_a_conditional_wake_says_that_input_was_held(agent: Agent) -> None:
    reply = await agent.send("go", resume=IF_IDLE)

    assert (reply.woke, reply.guard) == (True, Guard.HELD)


async def test_lines_stay_one_prompt_and_controls_are_left_out(agent: Agent) -> None:
    await agent.send("one\r\ntwo\x1b[201~\x03\tthree", wait="receipt")

    assert agent.prompts() == ["one\ntwo[201~\tthree"]


async def test_a_busy_agent_gets_it_when_its_turn_is_over(agent: Agent) -> None:
    await agent.works()

    reply = await agent.send("next")
    before = agent.prompts()
    await agent.ends()
    await agent.becomes(reply.id, "delivered")

    assert (reply.state, reply.reason) == (NoticeState.PENDING, Reason.BUSY)
    assert before == ["work"]
    assert agent.prompts() == ["work", "next"]


async def test_several_go_one_after_the_other_each_with_a_turn_of_its_own(agent: Agent) -> None:
    await agent.works()
    ids = [(await agent.send(f"n{number}")).id for number in range(3)]

    for id in ids:
        await agent.ends()
        await agent.becomes(id, "delivered")

    assert agent.prompts() == ["work", "n0", "n1", "n2"]


# Taking back


async def test_what_is_cancelled_before_it_is_handed_over_never_arrives(agent: Agent) -> None:
    await agent.works()
    stale, fresh = await agent.send("stale"), await agent.send("fresh")

    cancelled = await agent.cancel(stale.id)
    await agent.ends()
    await agent.becomes(fresh.id, "delivered")

    assert cancelled.state is NoticeState.CANCELLED
    assert agent.prompts() == ["work", "fresh"]


async def test_cancelling_what_was_handed_over_is_a_conflict(agent: Agent) -> None:
    reply = await agent.send("go", wait="receipt")

    with pytest.raises(InboxConflict) as conflict:
        await agent.cancel(reply.id)

    assert conflict.value.facts["receipt"] is not None, "there is evidence"


@pytest.mark.parametrize("which", ["again", "unknown"])
async def test_a_second_cancellation_and_an_unknown_id_are_the_same_conflict(
    agent: Agent, which: str
) -> None:
    await agent.works()
    reply = await agent.send("go")
    await agent.cancel(reply.id)

    with pytest.raises(InboxConflict, match="this cancellation removed nothing") as conflict:
        await agent.cancel(reply.id if which == "again" else "unknown")

    assert conflict.value.facts["receipt"] is None


async def test_a_storm_of_cancellations_removes_it_once(agent: Agent) -> None:
    await agent.works()
    reply = await agent.send("go")

    outcomes = await asyncio.gather(*(agent.cancel(reply.id) for _ in range(50)), return_exceptions=True)

    assert sum(not isinstance(one, InboxConflict) for one in outcomes) == 1


# Conditions


async def not_woken(agent: Agent, reason: Reason, **facts: Any) -> None:
    """Send conditionally, and see that nothing starts then or later."""
    before = len(agent.prompts())
    reply = await agent.send("conditional", **{"resume": IF_IDLE, **facts})
    assert (reply.woke, reply.reason, reply.state) == (False, reason, NoticeState.PENDING)
    assert reply.guard is None
    [row] = await agent.inbox()
    assert not row.wakes
    assert len(agent.prompts()) == before


async def test_a_busy_agent_is_not_woken_nor_later(agent: Agent) -> None:
    await agent.works()

    await not_woken(agent, Reason.BUSY)
    await agent.ends()
    await agent.waits(Status.DONE)
    later = await agent.send("unconditional", wait="receipt")

    assert later.state is NoticeState.DELIVERED
    assert agent.prompts() == ["work", "unconditional"]


async def test_an_agent_that_asks_is_not_woken(agent: Agent) -> None:
    await agent.works()
    await agent.keys("ctrl+a")
    await agent.waits(Status.WAITING)

    await not_woken(agent, Reason.WAITING)


async def test_nothing_is_typed_over_a_draft(agent: Agent) -> None:
    await agent.type("half a th")

    await not_woken(agent, Reason.DRAFT)
    waits = await agent.send("unconditional")
    assert waits.reason is Reason.DRAFT

    await agent.type("ought\r")
    await agent.waits(Status.WORKING)
    assert agent.prompts() == ["half a thought"]
    await agent.ends()
    await agent.becomes(waits.id, "delivered")
    assert agent.prompts() == ["half a thought", "unconditional"]


async def test_a_draft_that_is_taken_back_makes_way(agent: Agent) -> None:
    await agent.type("ab")
    waits = await agent.send("go")
    await agent.keys("backspace", "backspace")

    await agent.becomes(waits.id, "delivered")

    assert agent.prompts() == ["go"]


async def test_a_submit_that_started_nothing_keeps_it_waiting_only_for_a_while(agent: Agent) -> None:
    await agent.keys("enter")  # On an empty box.

    reply = await agent.send("go")
    await agent.becomes(reply.id, "delivered")

    assert reply.reason in (Reason.BUSY, Reason.DRAFT)
    assert agent.prompts() == ["go"]


async def test_another_mode_is_not_woken(agent: Agent) -> None:
    await not_woken(agent, Reason.AGENT_MISMATCH, resume=IfIdle(agent="plan"))


@pytest.mark.parametrize("resume", [True, False])
async def test_a_shell_takes_no_notice_and_is_told_what_reaches_it(api: Api, resume: bool) -> None:
    pane = await api.open()

    with pytest.raises(Unsupported, match=f"`orca-tui type {pane} TEXT`"):
        await api.call(SEND, SendRequest(pane=pane, text="go", resume=resume))

    assert (await api.call(INBOX_LIST, InboxListRequest(pane=pane, closed=True))).notices == ()


async def test_what_waits_for_an_agent_that_has_ended_is_for_its_next_session(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "exit 3", agent="codex")
    await api.exits(pane)

    reply = await api.call(SEND, SendRequest(pane=pane, text="go"))

    assert (reply.state, reply.reason) == (NoticeState.PENDING, Reason.NO_SESSION)


async def test_an_agent_that_is_typed_to_takes_nothing_without_a_turn(agent: Agent) -> None:
    with pytest.raises(Unsupported):
        await agent.send("go", resume=False)

    assert await agent.inbox(closed=True) == ()


async def test_steering_falls_back_to_the_queue_and_says_so(agent: Agent) -> None:
    await agent.works()

    reply = await agent.send("go", delivery=Delivery.STEER)

    assert reply.delivery is Delivery.QUEUE


# While it is handed over


async def test_keys_pressed_meanwhile_come_after_it_in_their_order(agent: Agent) -> None:
    sending = asyncio.ensure_future(agent.send("notice", wait="receipt"))
    await asyncio.sleep(0.02)
    for letter in "typed":
        await agent.type(letter)
    await agent.type("\r")

    await sending
    await until(lambda: _has(agent, 2), "both were submitted")
    assert agent.prompts() == ["notice", "typed"]


async def _has(agent: Agent, count: int) -> bool:
    return len(agent.prompts()) >= count


async def test_enter_is_pressed_once_more_when_nothing_happens(api: Api) -> None:
    agent = await Agent.open(api, "--deaf", "1")

    reply = await agent.send("go", wait="receipt", resume=IF_IDLE)

    assert agent.prompts() == ["go"]
    assert reply.guard is Guard.SNAPSHOT, "input was free again before the receipt came"


async def test_without_evidence_it_has_failed_and_is_never_sent_again(api: Api) -> None:
    agent = await Agent.open(api, "--deaf", "9")

    with pytest.raises(Undelivered) as failed:
        await agent.send("go", id="mine", wait="receipt")

    assert failed.value.facts == {"id": "mine", "state": "failed", "why": "unconfirmed"}
    later = await agent.send("next")
    assert later.reason is Reason.DRAFT, "what could not be submitted stands in the box"
    assert await agent.state("mine") == "failed"


async def test_a_turn_that_begins_late_after_all_is_a_receipt_still(api: Api) -> None:
    agent = await Agent.open(api, "--slow", "4.5")

    with pytest.raises(Undelivered):
        await agent.send("go", id="mine", wait="receipt")
    await agent.becomes("mine", "delivered")

    assert agent.prompts() == ["go"]


# Ids and bad input


async def test_the_same_id_with_the_same_content_is_one_notice(agent: Agent) -> None:
    await agent.works()

    first = await agent.send("go", id="mine")
    again = await agent.send("go", id="mine")

    assert (first.id, again.id, again.state) == ("mine", "mine", NoticeState.PENDING)
    assert len(await agent.inbox()) == 1
    with pytest.raises(Conflict):
        await agent.send("something else", id="mine")


async def test_an_id_of_another_session_is_a_conflict(api: Api, agent: Agent) -> None:
    await agent.works()
    await agent.send("go", id="mine")
    other = await Agent.open(api)

    with pytest.raises(Conflict):
        await other.send("go", id="mine")


@pytest.mark.parametrize("text", ["", " \n", "\x1b\x00"])
async def test_a_notice_that_says_nothing_is_refused(agent: Agent, text: str) -> None:
    with pytest.raises(Invalid):
        await agent.send(text)


async def test_a_notice_of_a_megabyte_is_refused(agent: Agent) -> None:
    with pytest.raises(Invalid):
        await agent.send("x" * (1 << 20))


async def test_unknown_panes_and_sessions_are_not_found(api: Api) -> None:
    for target in ("p9", "ses_unknown"):
        with pytest.raises(NotFound):
            await api.call(SEND, SendRequest(pane=target, text="go"))


def test_cleaning_keeps_lines_and_tabs() -> None:
    assert clean("a\r\nb\rc\td\x1b[0m\x9b") == "a\nb\nc\td[0m"


# The rest


async def test_waiting_for_the_turn_ends_with_the_turn(agent: Agent) -> None:
    sending = asyncio.ensure_future(agent.send("go", wait="done"))
    await agent.waits(Status.WORKING)
    assert not sending.done()

    await agent.ends()

    assert (await sending).state is NoticeState.DELIVERED


async def test_waiting_has_an_end(agent: Agent) -> None:
    await agent.works()

    with pytest.raises(TimedOut):
        await agent.send("go", wait="receipt", timeout=0.05)

    [row] = await agent.inbox()
    assert row.state is NoticeState.PENDING, "it waits on"


async def test_waiting_for_a_notice_that_is_cancelled_says_so(agent: Agent) -> None:
    await agent.works()
    sending = asyncio.ensure_future(agent.send("go", id="mine", wait="receipt"))
    await until(lambda: _waits(agent), "it is admitted")

    await agent.cancel("mine")

    with pytest.raises(Undelivered) as failed:
        await sending
    assert failed.value.facts["state"] == "cancelled"


async def _waits(agent: Agent) -> bool:
    return bool(await agent.inbox())


async def test_active_names_the_sessions_that_run(api: Api, agent: Agent) -> None:
    idle = await api.call(ACTIVE, Empty())
    await agent.works()
    busy = await api.call(ACTIVE, Empty())

    assert idle.sessions == {}
    assert [one.pane for one in busy.sessions.values()] == [agent.pane]


async def test_an_interrupt_stops_the_turn_and_takes_back_the_wakes(api: Api, agent: Agent) -> None:
    await agent.works()
    waits = await agent.send("go")

    interrupted = await api.call(INTERRUPT, InterruptRequest(pane=agent.pane))
    await agent.waits(Status.IDLE)
    again = await api.call(INTERRUPT, InterruptRequest(pane=agent.pane))

    assert (interrupted.interrupted, again.interrupted) == (True, False)
    assert await agent.state(waits.id) == "pending"
    newer = await agent.send("newer")
    await agent.becomes(waits.id, "delivered")
    assert not newer.woke
    assert agent.prompts() == ["work", "go"], "the older one goes first"


async def test_escape_takes_back_the_wakes_too(agent: Agent) -> None:
    await agent.works()
    waits = await agent.send("go")

    await agent.keys("escape")
    await agent.waits(Status.IDLE)

    assert await agent.state(waits.id) == "pending"
    assert agent.prompts() == ["work"]


async def test_an_update_changes_how_it_goes(api: Api, agent: Agent) -> None:
    await agent.works()
    reply = await agent.send("go")

    request = InboxUpdateRequest(pane=agent.pane, id=reply.id, delivery=Delivery.STEER)
    updated = await api.call(INBOX_UPDATE, request)

    assert updated.delivery is Delivery.STEER


async def test_a_closed_pane_leaves_its_notices_listed_and_cancellable(api: Api, agent: Agent) -> None:
    await agent.works()
    reply = await agent.send("go")

    await api.call(CLOSE, CloseRequest(target=agent.pane, force=True))

    [row] = (await api.call(INBOX_LIST, InboxListRequest())).notices
    assert (row.id, row.pane, row.state) == (reply.id, None, NoticeState.PENDING)
    gone = Agent(api, row.session, agent.log)
    assert (await gone.cancel(reply.id)).state is NoticeState.CANCELLED


async def test_events_and_records_tell_of_notices_and_never_their_text(
    server: Server, api: Api, agent: Agent
) -> None:
    events = (await server.client()).stream(EVENTS, EventsRequest(pane=agent.pane))
    await anext(events)
    await agent.works()

    reply = await agent.send("a secret")
    pending = (await api.info(agent.pane)).pending_notices
    await agent.cancel(reply.id)

    told = [item.event async for item in _until_cancelled(events)]
    assert pending == 1
    assert (await api.info(agent.pane)).pending_notices == 0
    assert [one.state for one in told if isinstance(one, NoticeEvent)] == ["pending", "cancelled"]
    assert "a secret" not in str(told)


async def _until_cancelled(events: Any) -> Any:
    async for item in events:
        yield item
        if getattr(item.event, "state", None) is NoticeState.CANCELLED:
            return
