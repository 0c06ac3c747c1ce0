"""Notices from the keyboard and the mouse: leaving one, seeing it, taking it back."""

from __future__ import annotations

import pytest

from orca_tui.commands.send import SendReply
from orca_tui.notices.notice import NoticeState, Reason
from orca_tui.ui.operations.notices import WORDS, answered
from tests.server.agents import Agent
from tests.server.running import Api, Server
from tests.ui.running import Screen, shell, ui

pytestmark = pytest.mark.anyio


async def write(screen: Screen, text: str) -> None:
    """Compose a notice."""
    await screen.press("ctrl+b", "m")
    await screen.shows("Notice for")
    await screen.type(text)


async def click(screen: Screen, text: str) -> None:
    await screen.click(*screen.find(text))


async def test_a_notice_is_written_sent_and_its_receipt_shown(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    async with ui(server) as screen:
        await write(screen, "go")
        await screen.press("enter")

        await screen.shows("the agent has it")
        assert agent.prompts() == ["go"]


async def test_a_shell_is_said_to_take_none_before_anything_is_written(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "m")

        await screen.shows("notices are for agents")


async def test_what_waits_is_listed_and_taken_back(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    async with ui(server) as screen:
        await write(screen, "stale")
        await screen.press("enter")
        await screen.shows("the notice waits: it is busy")
        await screen.press("ctrl+b", "M")
        await screen.shows("pending stale")

        await screen.press("c")

        await screen.shows("the notice is taken back")
        assert await agent.inbox() == ()
        assert agent.prompts() == ["work"]


async def test_the_mouse_takes_back_too(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    await agent.send("stale")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "M")
        await screen.shows("pending stale")
        await click(screen, "pending stale")
        await screen.shows("Take it back")

        await click(screen, "Take it back")

        await screen.shows("the notice is taken back")
        assert await agent.inbox() == ()


async def test_a_notice_can_be_hurried(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    await agent.send("soon")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "M")
        await screen.shows("pending soon")

        await screen.press("s")

        await screen.shows("the notice goes at the next tool call")
        [row] = await agent.inbox()
        assert row.delivery == "steer"


async def test_tab_and_a_click_change_when_it_goes(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    async with ui(server) as screen:
        await write(screen, "now or never")
        await screen.press("tab")
        await screen.shows("only if it is idle now")
        await screen.press("tab", "tab", "tab")
        await screen.shows("as soon as it is idle")
        await click(screen, "as soon as it is idle")
        await screen.shows("only if it is idle now")
        await screen.press("enter")
        await screen.shows("the notice waits: it is busy")

        [row] = await agent.inbox()
        assert not row.wakes


async def test_a_receipt_that_comes_later_is_told(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    async with ui(server) as screen:
        await write(screen, "later")
        await screen.press("enter")
        await screen.shows("the notice waits")

        await agent.ends()

        await screen.shows("has the notice")
        assert agent.prompts() == ["work", "later"]


async def test_the_list_follows_what_becomes_of_a_notice_while_it_is_open(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    await agent.send("later")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "M")
        await screen.shows("pending later")

        await agent.ends()

        await screen.shows("delivered later")


async def test_a_conflict_is_told_as_one(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    reply = await agent.send("stale")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "M")
        await screen.shows("pending stale")
        await agent.cancel(reply.id)
        await screen.shows("cancelled stale")

        await screen.press("c")

        await screen.shows("this cancellation removed nothing")


async def test_leaving_sends_nothing(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    async with ui(server) as screen:
        await write(screen, "go")
        await screen.press("escape")
        await screen.hides("Notice for")
        await write(screen, "")
        await screen.press("enter")
        await screen.hides("Notice for")

        assert await agent.inbox(closed=True) == ()


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.WOKE])
def test_every_reason_has_words(reason: Reason) -> None:
    reply = SendReply(id="n1", session="ses_1", state=NoticeState.PENDING, woke=False, reason=reason)

    assert answered(reply) == f"the notice waits: {WORDS[reason]}"
