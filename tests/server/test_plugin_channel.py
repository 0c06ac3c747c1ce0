"""Work for a status plugin: what polls take along, and what is made of what the plugin tells."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from orca_tui.base.errors import Invalid
from orca_tui.commands.send import SendReply, SendRequest
from orca_tui.notices.notice import Delivery, Guard, IfIdle, NoticeState, Reason
from orca_tui.server import plugin_channel
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.notices import NoticeCommands
from orca_tui.server.panes import Pane
from orca_tui.status.events import SessionChanged
from orca_tui.status.record import Source
from orca_tui.status.session_table import ProcessKey
from orca_tui.term.key_names import parse_key
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

CALLER = Caller(door="wire", pid=None)
PROCESS = ProcessKey(pid=1, started=1.0)
TAKES = frozenset({"wake", "ride_in", "steer", "interrupt"})


class Plugin:
    """A plugin of OpenCode, in a pane with one session."""

    def __init__(self, inside: Rooms, pane: Pane) -> None:
        self.inside = inside
        self.pane = pane
        self.channel = inside.session.notices.plugin
        self.commands = NoticeCommands(inside.session, inside.session.notices)
        self._seq = 0

    def posts(
        self, *, busy: bool = False, turn: int = 1, agent: str = "build", another: str | None = None
    ) -> None:
        """Its table, with the session at rest unless it is busy, and with another one that runs."""
        self._seq += 1
        row = {"id": "ses_1", "busy": busy, "turn": turn, "agent": agent, "end": None if busy else "ok"}
        others = [{"id": another, "busy": True, "turn": 1, "parent": None}] if another is not None else []
        body = {
            "pane": self.pane.id,
            "process": {"pid": PROCESS.pid, "started": PROCESS.started},
            "factory": 1,
            "generation": 1,
            "host": {"major": 1, "version": "1.18.33"},
            "seq": self._seq,
            "sessions": [{**row, "parent": None}, *others],
        }
        adapter = self.inside.session.parts.agents.reader("opencode")
        assert adapter is not None
        events = adapter.report_posted(msgspec.json.encode(body), self.pane.id, self.inside.clock.now())
        self.inside.session.observe(self.pane.id, events)

    async def polls(self, seconds: float = 0.0, takes: frozenset[str] = TAKES) -> list[dict[str, Any]]:
        return await self.channel.work(self.pane.id, PROCESS, takes, seconds)

    def tells(self, **facts: Any) -> None:
        self.channel.told(self.pane.id, msgspec.json.encode({"pane": self.pane.id, **facts}))

    def collects(self, moment: str) -> list[dict[str, Any]]:
        body = {"pane": self.pane.id, "session": "ses_1", "moment": moment}
        return self.channel.collect(self.pane.id, msgspec.json.encode(body))

    async def send(self, text: str = "look", **facts: Any) -> SendReply:
        return await self.commands.send(SendRequest(pane=self.pane.id, text=text, **facts), CALLER)

    def state(self, notice: str) -> str:
        found = self.inside.session.notices.store.get(notice)
        assert found is not None
        return found.state


@pytest.fixture
async def plugin(inside: Rooms) -> Plugin:
    """One whose session rests, and that has polled a moment ago."""
    made = Plugin(inside, inside.pane("opencode"))
    made.posts()
    await made.polls()
    return made


async def sent(plugin: Plugin, **facts: Any) -> tuple[asyncio.Task[SendReply], dict[str, Any]]:
    """A notice that wakes, and the item that the plugin gets for it."""
    task = asyncio.ensure_future(plugin.send(**facts))
    [item] = await plugin.polls(seconds=5.0)
    return task, item


async def test_a_wake_goes_out_with_the_next_poll_and_is_delivered_by_its_receipt(plugin: Plugin) -> None:
    task, item = await sent(plugin, resume=IfIdle(agent="build"))
    plugin.tells(item=item["item"], outcome="taken")
    plugin.tells(notice=item["notice"], outcome="received", evidence="the answer to it began")
    reply = await task

    assert (item["kind"], item["session"], item["text"]) == ("wake", "ses_1", "look")
    assert (item["if_idle"], item["mode"]) == (True, "build")
    assert (reply.state, reply.woke, reply.guard) == (NoticeState.DELIVERED, True, Guard.HELD)


async def test_a_host_that_decided_by_itself_is_said_to_have(plugin: Plugin) -> None:
    task, item = await sent(plugin, resume=IfIdle())
    plugin.tells(item=item["item"], outcome="taken", guard="host")
    plugin.tells(notice=item["notice"], outcome="received")

    assert (await task).guard is Guard.HOST


async def test_what_the_host_turns_down_did_not_wake_and_never_will(plugin: Plugin) -> None:
    task, item = await sent(plugin, resume=IfIdle(agent="build"))
    plugin.tells(item=item["item"], outcome="refused", reason="agent_mismatch")
    reply = await task

    assert (reply.woke, reply.reason) == (False, Reason.AGENT_MISMATCH)
    assert (reply.state, reply.guard) == (NoticeState.PENDING, None)
    [row] = plugin.inside.session.notices.inboxes.open_ones("ses_1")
    assert not row.wakes


async def test_input_is_held_for_a_conditional_wake_until_the_receipt(plugin: Plugin) -> None:
    task, item = await sent(plugin, resume=IfIdle())
    held = plugin.pane.gate.held
    plugin.tells(notice=item["notice"], outcome="received")
    await task

    assert held
    assert not plugin.pane.gate.held


async def test_keys_pass_while_an_unconditional_notice_goes_out(plugin: Plugin) -> None:
    task, item = await sent(plugin)
    held = plugin.pane.gate.held
    plugin.tells(notice=item["notice"], outcome="received")

    assert not held
    assert (await task).guard is None


async def test_an_item_is_offered_again_until_something_is_told(plugin: Plugin) -> None:
    task, item = await sent(plugin)
    at_once = await plugin.polls()
    plugin.inside.clock.jump(plugin_channel.OFFER_AGAIN_S)
    again = await plugin.polls()
    plugin.tells(item=item["item"], outcome="taken")
    plugin.inside.clock.jump(plugin_channel.OFFER_AGAIN_S)
    after = await plugin.polls()
    plugin.tells(notice=item["notice"], outcome="received")
    await task

    assert (at_once, again, after) == ([], [item], [])


async def test_a_held_poll_takes_an_item_along_again(plugin: Plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_channel, "OFFER_AGAIN_S", 0.02)
    task, item = await sent(plugin)  # This answer is lost.
    held = asyncio.ensure_future(plugin.polls(seconds=5.0))
    await asyncio.sleep(0)
    plugin.inside.clock.jump(1.0)

    again = await held

    plugin.tells(notice=item["notice"], outcome="received")
    await task
    assert again == [item]


async def test_what_was_given_up_is_offered_no_more(plugin: Plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_channel, "TOLD_WITHIN_S", 0.02)
    task, item = await sent(plugin)
    reply = await task
    plugin.inside.clock.jump(plugin_channel.OFFER_AGAIN_S)

    assert (reply.state, reply.why) == (NoticeState.FAILED, "unconfirmed")
    assert await plugin.polls() == []
    plugin.tells(notice=item["notice"], outcome="received")
    assert plugin.state(item["notice"]) == "delivered"


async def test_offering_an_item_again_awaits_it_no_longer(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin_channel, "TOLD_WITHIN_S", 0.02)
    task, item = await sent(plugin)
    monkeypatch.setattr(plugin_channel, "TOLD_WITHIN_S", 600.0)
    plugin.inside.clock.jump(plugin_channel.OFFER_AGAIN_S)
    again = await plugin.polls()

    async with asyncio.timeout(10.0):
        reply = await task

    assert (again, reply.why) == ([item], "unconfirmed")


async def test_a_host_error_fails_the_notice(plugin: Plugin) -> None:
    task, item = await sent(plugin)
    plugin.tells(item=item["item"], outcome="failed")

    reply = await task
    assert (reply.state, reply.why) == (NoticeState.FAILED, "rejected")


async def test_a_process_that_ends_before_it_fetched_has_not_had_it(plugin: Plugin) -> None:
    reply = asyncio.ensure_future(plugin.send())
    await asyncio.sleep(0)
    plugin.channel.gone(plugin.pane.id, PROCESS)

    assert (await reply).state is NoticeState.PENDING


async def test_of_what_an_ended_process_had_fetched_nobody_knows(plugin: Plugin) -> None:
    task, item = await sent(plugin)
    plugin.channel.gone(plugin.pane.id, PROCESS)

    assert (await task).why == "unconfirmed"
    plugin.tells(notice=item["notice"], outcome="received")
    assert plugin.state(item["notice"]) == "delivered", "evidence beats a guess"


async def test_a_prompt_takes_what_must_not_wake_and_its_receipt_delivers(plugin: Plugin) -> None:
    reply = await plugin.send(resume=False)
    items = plugin.collects("prompt")
    again = plugin.collects("prompt")
    plugin.tells(notice=reply.id, outcome="taken")
    before = plugin.state(reply.id)
    plugin.tells(notice=reply.id, outcome="received")

    assert (items, again) == ([{"notice": reply.id, "text": "look"}], [])
    assert (before, plugin.state(reply.id)) == ("delivering", "delivered")


async def test_what_a_hook_did_not_take_waits_on(plugin: Plugin) -> None:
    reply = await plugin.send(resume=False)
    plugin.collects("prompt")
    plugin.tells(notice=reply.id, outcome="not_taken")

    assert plugin.state(reply.id) == "pending"
    assert [item["notice"] for item in plugin.collects("prompt")] == [reply.id]


async def test_a_tool_boundary_takes_what_steers(plugin: Plugin) -> None:
    plugin.posts(busy=True, turn=2)
    queued, steers = await plugin.send("queued"), await plugin.send("steers", delivery=Delivery.STEER)

    assert [item["notice"] for item in plugin.collects("tool")] == [steers.id]
    assert (queued.delivery, steers.delivery) == ("queue", "steer")


async def test_the_end_of_the_turn_lets_the_next_one_go(plugin: Plugin) -> None:
    plugin.posts(busy=True, turn=2)
    reply = await plugin.send()
    none = await plugin.polls()

    plugin.posts(turn=2)
    [item] = await plugin.polls()

    assert (reply.reason, none, item["notice"]) == (Reason.BUSY, [], reply.id)


async def test_an_interrupt_is_an_item_too(plugin: Plugin) -> None:
    plugin.posts(busy=True, turn=2)
    plugin.inside.session.notices.interrupt("ses_1", plugin.pane)

    [item] = await plugin.polls()

    assert (item["kind"], item["session"]) == ("interrupt", "ses_1")


def keys_of(plugin: Plugin) -> list[bytes]:
    """What is written to the host's terminal from now on."""
    written: list[bytes] = []
    plugin.pane.write = written.append  # type: ignore[method-assign]
    return written


@pytest.mark.parametrize("takes", [None, TAKES - {"interrupt"}])
async def test_a_host_whose_plugin_takes_no_interrupt_is_interrupted_by_keys(
    plugin: Plugin, takes: frozenset[str] | None
) -> None:
    plugin.posts(busy=True, turn=2)
    if takes is None:
        plugin.inside.clock.jump(plugin_channel.AWAY_AFTER_S + 0.1)
    else:
        await plugin.polls(takes=takes)
    written = keys_of(plugin)

    plugin.inside.session.notices.interrupt("ses_1", plugin.pane)

    assert written == [b"\x1b", b"\x1b"], "OpenCode asks for the key twice"
    assert await plugin.polls() == [], "it is not interrupted a second time later"


@pytest.mark.parametrize(("fetched", "ended"), [(False, False), (True, False), (False, True)])
async def test_keys_interrupt_what_the_plugin_did_not_fetch_in_time(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch, fetched: bool, ended: bool
) -> None:
    monkeypatch.setattr(plugin_channel, "FETCHED_WITHIN_S", 0.02)
    plugin.posts(busy=True, turn=2)
    written = keys_of(plugin)

    plugin.inside.session.notices.interrupt("ses_1", plugin.pane)
    if fetched:
        await plugin.polls()
    if ended:
        plugin.posts(turn=2)
        plugin.posts(busy=True, turn=3)
    await asyncio.sleep(plugin_channel.FETCHED_WITHIN_S)  # This timer is set after the channel's.

    assert len(written) == (0 if fetched or ended else 2)


async def test_a_session_in_no_pane_is_read_and_told_of_by_nobody_elses_plugin(plugin: Plugin) -> None:
    reply = await plugin.send(resume=False)
    other = Plugin(plugin.inside, plugin.inside.pane("opencode"))
    changed = SessionChanged(at=plugin.inside.clock.now(), source=Source.HOOK, session_id="ses_2")
    plugin.inside.session.observe(other.pane.id, [changed])
    handed = plugin.collects("prompt")
    plugin.inside.session.remove(plugin.pane)

    for outcome in ("received", "not_taken"):
        other.tells(notice=reply.id, outcome=outcome)

    assert [one["notice"] for one in handed] == [reply.id]
    assert plugin.state(reply.id) == "delivering"
    assert other.collects("prompt") == []


async def test_a_session_that_its_host_has_left_still_takes_what_was_left_for_it(plugin: Plugin) -> None:
    reply = await plugin.send(resume=False)

    plugin.posts(another="ses_2")

    assert plugin.inside.session.notices.home("ses_1") is None
    assert [one["notice"] for one in plugin.collects("prompt")] == [reply.id]


@pytest.mark.parametrize("moment", ["end", "bell"])
async def test_moments_that_a_plugin_has_not_are_refused(plugin: Plugin, moment: str) -> None:
    with pytest.raises(Invalid):
        plugin.collects(moment)


async def test_a_second_pane_in_the_session_is_woken_in_that_session(plugin: Plugin) -> None:
    other = Plugin(plugin.inside, plugin.inside.pane("opencode"))
    other.posts()
    await other.polls()

    task, item = await sent(other)
    other.tells(notice=item["notice"], outcome="received")

    assert (await task).state is NoticeState.DELIVERED
    assert item["session"] == "ses_1"


async def test_a_plugin_that_takes_no_work_is_given_none(inside: Rooms) -> None:
    plugin = Plugin(inside, inside.pane("opencode"))
    plugin.posts()
    await plugin.polls(takes=frozenset())

    assert not plugin.channel.ways(plugin.pane).wake


async def test_what_is_to_come_in_may_be_left_before_there_is_a_session(inside: Rooms) -> None:
    plugin = Plugin(inside, inside.pane("opencode"))
    await plugin.polls()

    reply = await plugin.send(resume=False)
    plugin.posts(busy=True)

    assert reply.session.startswith("pane:")
    assert [item["notice"] for item in plugin.collects("prompt")] == [reply.id]


async def test_the_first_session_is_not_woken_before_the_prompt_that_it_is_there_for(inside: Rooms) -> None:
    plugin = Plugin(inside, inside.pane("opencode"))
    await plugin.polls()
    early = await plugin.send()
    plugin.pane.box.typed(parse_key("enter"))

    plugin.posts(turn=0)
    inside.clock.jump(0.5)
    inside.session.notices.look(plugin.pane)
    before = await plugin.polls()
    plugin.posts(busy=True)
    plugin.posts()
    after = await plugin.polls(seconds=5.0)

    assert (early.session[:5], before) == ("pane:", [])
    assert [item["notice"] for item in after] == [early.id]


async def test_a_silent_plugin_takes_what_is_to_come_in_later(plugin: Plugin) -> None:
    plugin.inside.clock.jump(plugin_channel.AWAY_AFTER_S + 0.1)

    reply = await plugin.send(resume=False)

    assert (reply.state, reply.reason) == (NoticeState.PENDING, Reason.RESUME_FALSE)


async def test_a_plugin_that_has_stopped_polling_is_not_waited_for(plugin: Plugin) -> None:
    assert plugin.channel.ways(plugin.pane).wake

    plugin.inside.clock.jump(plugin_channel.AWAY_AFTER_S + 0.1)

    assert not plugin.channel.ways(plugin.pane).wake


async def test_what_waits_for_a_plugin_goes_when_it_is_back(plugin: Plugin) -> None:
    plugin.inside.clock.jump(plugin_channel.AWAY_AFTER_S + 0.1)
    reply = await plugin.send()

    [item] = await plugin.polls()

    assert reply.reason is Reason.UNKNOWN_STATUS
    assert item["notice"] == reply.id


async def test_a_pane_speaks_of_its_own_notices_only(plugin: Plugin) -> None:
    task, item = await sent(plugin)
    other = Plugin(plugin.inside, plugin.inside.pane("opencode"))

    other.tells(item=item["item"], outcome="failed")
    other.tells(notice=item["notice"], outcome="received")

    assert plugin.state(item["notice"]) == "delivering"
    plugin.tells(notice=item["notice"], outcome="received")
    await task


@pytest.mark.parametrize("body", [b"[]", b'{"outcome": "lost"}', b'{"item": 7, "outcome": "taken"}', b"\xff"])
async def test_words_that_are_none_are_refused(plugin: Plugin, body: bytes) -> None:
    with pytest.raises(Invalid):
        plugin.channel.told(plugin.pane.id, body)
