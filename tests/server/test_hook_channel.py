"""Notices by way of an agent's own hooks, on a clock that stands. Payloads have the shape of recorded ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from orca_tui.base.errors import InboxConflict, NotFound, StoreFailed, Unsupported
from orca_tui.commands.inbox import InboxCancelRequest
from orca_tui.commands.send import SendReply, SendRequest
from orca_tui.notices.events import Admission, Admitted
from orca_tui.notices.notice import Delivery, IfIdle, Notice, NoticeState, Origin, OriginKind, Reason
from orca_tui.server import hook_answers, hook_channel
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.notices import NoticeCommands
from orca_tui.server.panes import Pane
from orca_tui.server.retries import AGAIN_IN_S
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Event,
    ProgramReported,
    ProgramState,
    SessionChanged,
)
from orca_tui.status.record import Source, Status
from orca_tui.term.key_names import parse_key
from tests.notices.notices import notice
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

CALLER = Caller(door="wire", pid=None)
BELL = "<task-notification>\n<summary>A message by orca-tui</summary>\n</task-notification>"
TASK = "<task-notification>\n<task-id>x</task-id>"
TURN_ID = {"claude": "prompt_id", "codex": "turn_id"}


class Agent:
    """An agent with hooks, in a pane with one session."""

    def __init__(self, inside: Rooms, name: str, folder: Path, *, speaks: bool = True) -> None:
        """`speaks`: it says in its terminal what it does."""
        self.inside = inside
        self.name = name
        self.pane: Pane = inside.pane(name)
        self.transcript = folder / "transcript.jsonl"
        self.hooks = inside.session.notices.hooks
        self.commands = NoticeCommands(inside.session, inside.session.notices)
        self.pane.engine.feed(b"\x1b[?2004h")
        self.observes(
            SessionChanged(at=inside.clock.now(), source=Source.HOOK, session_id="ses_1", agent=name)
        )
        if speaks:
            self.is_now(ProgramState.IDLE)
        inside.jump(1.0)

    def observes(self, event: Event) -> None:
        self.inside.session.observe(self.pane.id, [event])

    def is_now(self, state: ProgramState) -> None:
        """What it says of itself in its terminal."""
        self.observes(ProgramReported(at=self.inside.clock.now(), state=state))

    @property
    def status(self) -> Status:
        return self.inside.session.board.record(self.pane.id).status

    def asks(self, event: str, turn: str | None = "t1", **fields: Any) -> Any:
        """What a hook of that event is answered; None: nothing."""
        payload = {"session_id": "ses_1", "transcript_path": str(self.transcript), **fields}
        if turn is not None and self.name in TURN_ID:
            payload[TURN_ID[self.name]] = turn
        answer = self.hooks.ask(self.pane.id, self.name, event, json.dumps(payload).encode())
        return json.loads(answer) if answer else None

    def reports(self, event: str, turn: str = "t1", **fields: Any) -> None:
        """What the hook beside it posts, which nobody waits for."""
        at = self.inside.clock.now()
        body = {"hook_event_name": event, "session_id": "ses_1", "prompt_id": turn, "at": at, **fields}
        self.inside.session.reports.reported(self.pane.id, self.name, json.dumps(body).encode())

    def submits(self, prompt: str = "go", turn: str | None = "t1") -> Any:
        """A prompt, and its turn begins."""
        self.is_now(ProgramState.WORKING)
        return self.asks("UserPromptSubmit", turn, prompt=prompt)

    def added(self, answer: Any) -> str:
        """The text that an answer adds."""
        return str(answer["hookSpecificOutput"]["additionalContext"]) if answer else ""

    def writes(self, text: str, kind: str = "hook_additional_context") -> None:
        """An entry of its transcript."""
        with self.transcript.open("a") as file:
            file.write(json.dumps({"attachment": {"type": kind, "content": [text], "stdout": text}}) + "\n")

    async def hangs_up_a_bell(self) -> asyncio.Task[str]:
        """Its doorbell waits."""
        bell = asyncio.ensure_future(self.hooks.bell(self.pane.id, self.name))
        await asyncio.sleep(0)
        return bell

    def leaves(self, text: str = "look", **facts: Any) -> Notice:
        """Admit a notice without waiting for anything."""
        notices = self.inside.session.notices
        at = self.inside.clock.now()
        one = notice(f"n-{text[:20]}", session="ses_1", text=text, admitted_at=at, changed_at=at, **facts)
        event = Admitted(at=at, notice=one, situation=notices.situation(self.pane))
        [answer] = [effect for effect in notices.advance("ses_1", event) if isinstance(effect, Admission)]
        return answer.notice

    async def send(self, text: str, **facts: Any) -> SendReply:
        return await self.commands.send(SendRequest(pane=self.pane.id, text=text, **facts), CALLER)

    def cancels(self, one: Notice) -> None:
        self.commands.cancel(InboxCancelRequest(pane=self.pane.id, id=one.id))

    def now(self, one: Notice) -> Notice:
        """A notice as it is stored."""
        found = self.inside.session.notices.store.get(one.id)
        assert found is not None
        return found

    def state(self, one: Notice) -> str:
        return self.now(one).state


@pytest.fixture
async def claude(inside: Rooms, tmp_path: Path) -> Agent:
    return Agent(inside, "claude", tmp_path)


@pytest.fixture
async def belled(claude: Agent) -> Agent:
    """A Claude Code at rest whose doorbell waits."""
    claude.bell = await claude.hangs_up_a_bell()  # type: ignore[attr-defined]
    return claude


@pytest.fixture
async def codex(inside: Rooms, tmp_path: Path) -> Agent:
    agent = Agent(inside, "codex", tmp_path)
    agent.submits(turn="t0")
    agent.asks("Stop", "t0")
    agent.is_now(ProgramState.DONE)
    inside.jump(1.0)
    return agent


def full(_: object) -> None:
    """The file of notices on a disk without space."""
    raise StoreFailed("the notices cannot be written: database or disk is full")


async def rung(agent: Agent) -> str:
    bell: asyncio.Task[str] = agent.bell  # type: ignore[attr-defined]
    return await asyncio.wait_for(bell, 5)


# The doorbell


async def test_an_idle_agent_is_rung_for_and_the_text_stays_until_it_asks(belled: Agent) -> None:
    one = belled.leaves("look")
    word = await rung(belled)
    before = belled.state(one)
    answer = belled.submits(BELL)

    assert "look" not in word
    assert (before, belled.state(one)) == ("pending", "delivering")
    assert belled.added(answer) == "Message from your user:\nlook"


async def test_an_answer_is_no_receipt_and_the_transcript_is_one(belled: Agent) -> None:
    one = belled.leaves("look")
    belled.submits(BELL)
    belled.inside.jump(1.0)
    before = belled.state(one)
    belled.writes("look", "hook_success")
    belled.inside.jump(1.0)
    mentioned = belled.state(one)
    belled.writes("UserPromptSubmit: look")
    belled.inside.jump(1.0)

    assert (before, mentioned) == ("delivering", "delivering")
    assert belled.now(one).receipt is not None
    assert belled.state(one) == "delivered"


async def test_a_later_hook_of_the_same_turn_is_a_receipt(belled: Agent) -> None:
    one = belled.leaves("look")
    belled.submits(BELL, "t1")
    belled.asks("UserPromptSubmit", "t1", prompt="a prompt that waits")
    waits = belled.state(one)
    belled.asks("Stop", "t1")

    assert (waits, belled.state(one)) == ("delivering", "delivered")


async def test_what_was_taken_back_after_the_ring_makes_no_request(belled: Agent) -> None:
    one = belled.leaves("look")
    await rung(belled)
    belled.cancels(one)
    answer = belled.submits(BELL)

    assert answer["decision"] == "block"
    assert answer["hookSpecificOutput"]["suppressOriginalPrompt"] is True
    assert belled.state(one) == "cancelled"


async def test_what_was_handed_over_cannot_be_taken_back(belled: Agent) -> None:
    one = belled.leaves("look")
    belled.submits(BELL)

    with pytest.raises(InboxConflict):
        belled.cancels(one)


async def test_the_users_draft_stays_and_keeps_only_a_condition_from_waking(belled: Agent) -> None:
    belled.pane.box.typed(parse_key("x"))
    conditional = await belled.send("only now", resume=IfIdle())
    one = belled.leaves("look")

    assert (conditional.woke, conditional.reason) == (False, Reason.DRAFT)
    assert await rung(belled)
    assert belled.state(one) == "pending"


async def test_a_condition_is_looked_at_again_when_the_agent_asks(belled: Agent) -> None:
    belled.inside.jump(1.0)
    one = belled.leaves("only now", resume=IfIdle())
    await rung(belled)
    belled.pane.box.typed(parse_key("x"))
    answer = belled.submits(BELL)

    assert answer["decision"] == "block"
    assert (belled.state(one), belled.now(one).wakes) == ("pending", False)
    belled.asks("Stop")
    assert belled.state(one) == "pending", "it starts no turn, and keeps none from its end"


async def test_a_bell_that_nobody_answers_is_rung_again(belled: Agent) -> None:
    one = belled.leaves("look")
    await rung(belled)
    again = await belled.hangs_up_a_bell()
    at_once = again.done()
    belled.inside.jump(hook_channel.ANSWERED_WITHIN_S)
    belled.inside.session.notices.look(belled.pane)

    assert not at_once
    assert await again
    assert belled.state(one) == "pending"


async def test_a_bell_that_joins_the_users_turn_is_taken_back_and_the_end_of_that_turn_takes_the_text(
    belled: Agent,
) -> None:
    one = belled.leaves("look")
    await rung(belled)
    belled.submits("the user was faster", "t1")
    joined = belled.asks("UserPromptSubmit", "t1", prompt=BELL)
    answer = belled.asks("Stop", "t1")

    assert joined["decision"] == "block"
    assert "look" in belled.added(answer)
    assert belled.state(one) == "delivering"


@pytest.mark.parametrize("joins", [True, False])
@pytest.mark.parametrize(("hook", "delivery"), [("Stop", Delivery.QUEUE), ("PostToolBatch", Delivery.STEER)])
async def test_what_a_hook_took_before_the_bell_is_given_once_and_keeps_its_receipt(
    belled: Agent, hook: str, delivery: Delivery, joins: bool
) -> None:
    one = belled.leaves("look", delivery=delivery)
    await rung(belled)
    belled.submits("the user was faster", "t1")
    belled.inside.jump(1.0)
    answer = belled.asks(hook, "t1")
    if joins:
        joined = belled.asks("UserPromptSubmit", "t1", prompt=BELL)
        assert joined["decision"] == "block"
    belled.inside.jump(hook_channel.ANSWERED_WITHIN_S)
    before = belled.now(one)
    belled.writes(belled.added(answer))
    belled.inside.jump(1.0)

    assert "look" in belled.added(answer)
    assert (before.state, before.tries) == ("delivering", 1)
    assert belled.state(one) == "delivered"
    assert belled.asks("Stop", "t1") is None


async def test_once_a_hook_took_what_was_rung_for_the_next_one_may_ring_at_once(belled: Agent) -> None:
    belled.leaves("look")
    await rung(belled)
    belled.submits("the user was faster", "t1")
    belled.asks("Stop", "t1")
    await belled.hangs_up_a_bell()

    assert belled.hooks.ways(belled.pane).wake


async def test_a_bell_of_another_session_keeps_nobody_from_ringing_again(belled: Agent) -> None:
    belled.leaves("look")
    await rung(belled)
    belled.observes(
        SessionChanged(at=belled.inside.clock.now(), source=Source.HOOK, session_id="ses_2", agent="claude")
    )
    answer = belled.asks("UserPromptSubmit", "t1", prompt=BELL, session_id="ses_2")
    back = Agent(belled.inside, "claude", belled.transcript.parent)
    bell = await back.hangs_up_a_bell()

    assert answer["decision"] == "block"
    assert await asyncio.wait_for(bell, 5)


async def test_a_pane_that_is_closed_while_its_bell_rings_leaves_the_notice_to_the_next_one(
    belled: Agent,
) -> None:
    one = belled.leaves("look")
    await rung(belled)
    belled.inside.session.remove(belled.pane)
    other = Agent(belled.inside, "claude", belled.transcript.parent)
    bell = await other.hangs_up_a_bell()

    assert await asyncio.wait_for(bell, 5)
    assert "look" in other.added(other.submits(BELL))
    assert belled.state(one) == "delivering"


async def test_a_bell_that_a_full_disk_kept_from_its_answer_rings_again(
    belled: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = belled.leaves("look")
    await rung(belled)
    with monkeypatch.context() as patch:
        patch.setattr(belled.inside.session.notices.store, "keep", full)
        with pytest.raises(StoreFailed):
            belled.asks("UserPromptSubmit", "t1", prompt=BELL)
        again = await belled.hangs_up_a_bell()
        belled.inside.jump(hook_channel.ANSWERED_WITHIN_S)
    belled.inside.jump(AGAIN_IN_S)
    belled.inside.session.notices.look(belled.pane)

    assert await asyncio.wait_for(again, 5)
    assert belled.state(one) == "pending"


async def test_what_became_of_a_notice_is_told_again_when_the_disk_was_full(
    belled: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = belled.leaves("look")
    answer = belled.submits(BELL)
    with monkeypatch.context() as patch:
        patch.setattr(belled.inside.session.notices.store, "keep", full)
        belled.writes(belled.added(answer))
        belled.inside.jump(1.0)
    lost = belled.state(one)
    belled.inside.jump(AGAIN_IN_S)

    assert (lost, belled.state(one)) == ("delivering", "delivered")


async def test_a_newer_doorbell_takes_the_place_of_an_older_one(belled: Agent) -> None:
    second = await belled.hangs_up_a_bell()

    assert await rung(belled) == ""
    belled.leaves("look")
    assert await second


async def test_a_doorbell_ends_with_its_pane(belled: Agent) -> None:
    belled.inside.session.remove(belled.pane)

    assert await rung(belled) == ""


async def test_a_doorbell_is_not_told_to_leave_by_a_server_that_stops(belled: Agent) -> None:
    belled.inside.session.notices.close()

    with pytest.raises(asyncio.CancelledError):
        await rung(belled)


async def test_without_a_doorbell_a_start_is_typed(claude: Agent) -> None:
    claude.asks("Stop", "t0")

    ways = claude.hooks.ways(claude.pane)
    assert (ways.types, ways.rings, ways.ride_in, ways.steer) == (ways.wake, False, True, True)


async def test_what_is_too_long_for_a_hook_is_not_rung_for(belled: Agent) -> None:
    one = belled.leaves("x" * 10_000)
    belled.inside.session.notices.look(belled.pane)

    assert belled.state(one) == "pending"
    assert not belled.bell.done()  # type: ignore[attr-defined]
    with pytest.raises(Unsupported):
        belled.leaves("y" * 10_000, resume=False)


# At the end of a turn


async def test_what_waits_for_the_end_of_a_turn_keeps_it_from_that_all_at_once(claude: Agent) -> None:
    claude.submits()
    first, second = claude.leaves("first"), claude.leaves("second")
    withdrawn = claude.leaves("withdrawn")
    claude.cancels(withdrawn)
    answer = claude.asks("Stop")

    assert claude.added(answer) == "Message from your user:\nfirst\n\nMessage from your user:\nsecond"
    assert claude.asks("Stop") is None
    assert (claude.state(first), claude.state(second)) == ("delivered", "delivered")


async def test_an_end_that_was_answered_is_no_end_of_a_claude_whose_status_only_hooks_tell(
    inside: Rooms, tmp_path: Path
) -> None:
    agent = Agent(inside, "claude", tmp_path, speaks=False)
    agent.reports("UserPromptSubmit", prompt="go")
    agent.asks("UserPromptSubmit", prompt="go")
    agent.leaves("look")
    agent.asks("Stop")
    agent.reports("Stop")
    inside.jump(1.0)
    after_first = agent.status
    agent.asks("Stop")
    agent.reports("Stop")
    inside.jump(1.0)

    assert (after_first, agent.status) == (Status.WORKING, Status.DONE)
    assert inside.session.board.record(agent.pane.id).turns == 1


async def test_the_ninth_end_in_a_row_is_one(claude: Agent) -> None:
    claude.submits()
    answers = []
    for number in range(10):
        claude.leaves(f"number {number}")
        answers.append(claude.asks("Stop") is not None)

    assert answers == [True] * 8 + [False] * 2


async def test_no_more_than_a_hook_can_carry_goes_at_once(claude: Agent) -> None:
    claude.submits()
    for number in range(3):
        claude.leaves(f"{number}" * 4_000)

    first, second = claude.added(claude.asks("Stop")), claude.added(claude.asks("Stop"))

    assert max(len(first), len(second)) <= 10_000
    assert ("1111" in first, "2222" in first, "2222" in second) == (True, False, True)


@pytest.mark.parametrize("text", ["x" * 96, "\N{OWL}" * 90, "End of the message\n" * 5])
async def test_frames_and_wide_letters_count_for_what_a_hook_can_carry(claude: Agent, text: str) -> None:
    claude.submits()
    for number in range(90):
        claude.leaves(f"{number:02} {text}", origin=Origin(kind=OriginKind.PANE, name="p7"))
    first, second = claude.added(claude.asks("Stop")), claude.added(claude.asks("Stop"))

    assert 9_000 < len(first.encode("utf-16-le")) // 2 <= 10_000
    assert ("00 " in first, "89 " in first, first in second) == (True, False, False)


async def test_what_must_not_wake_keeps_no_turn_from_its_end(claude: Agent) -> None:
    claude.submits()
    claude.leaves("with the next prompt", resume=False)

    assert claude.asks("Stop") is None


# With the user's prompt, and at a tool


async def test_what_must_not_wake_comes_in_with_the_users_next_prompt_only(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)
    by_task = claude.asks("UserPromptSubmit", "t1", prompt=TASK)
    answer = claude.submits("go", "t2")

    assert by_task is None
    assert claude.added(answer) == "Message from your user:\nby the way"
    claude.asks("Stop", "t2")
    assert claude.state(one) == "delivered"


async def test_a_prompt_that_waits_for_a_running_turn_takes_nothing_along(claude: Agent) -> None:
    claude.submits("go", "t1")
    one = claude.leaves("by the way", resume=False)

    assert claude.asks("UserPromptSubmit", "t1", prompt="and then") is None
    assert claude.state(one) == "pending"


async def test_a_turn_that_ran_before_the_server_did_takes_nothing_along_with_a_prompt(claude: Agent) -> None:
    claude.is_now(ProgramState.WORKING)
    claude.hooks._line(claude.pane, "claude").heard = True
    claude.inside.jump(hook_channel.FRESH_S + 1)
    claude.leaves("by the way", resume=False)

    assert claude.asks("UserPromptSubmit", "t1", prompt="and then") is None


async def test_a_steering_notice_comes_in_at_the_next_tool_call_of_the_agent_itself(claude: Agent) -> None:
    claude.submits()
    one = claude.leaves("stop", delivery=Delivery.STEER)
    of_child = claude.asks("PostToolBatch", agent_id="a1")
    answer = claude.asks("PostToolBatch")
    claude.asks("PostToolBatch")

    assert of_child is None
    assert claude.added(answer) == "Message from your user:\nstop"
    assert claude.state(one) == "delivered"


async def test_words_of_another_agent_are_not_said_to_be_the_users(claude: Agent) -> None:
    claude.submits()
    claude.leaves("do it", origin=Origin(kind=OriginKind.PANE, name="p7"))

    assert claude.added(claude.asks("Stop")).startswith("[Message from the agent in pane p7.")


# What is lost


async def test_escape_while_a_hook_runs_sends_it_once_more_and_no_third_time(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)
    claude.submits("go", "t1")
    claude.is_now(ProgramState.IDLE)
    claude.inside.jump(hook_answers.RESTED_S + 1)
    after_first = claude.state(one)
    again = claude.submits("go", "t2")
    claude.is_now(ProgramState.IDLE)
    claude.inside.jump(hook_answers.RESTED_S + 1)

    assert after_first == "pending"
    assert "by the way" in claude.added(again)
    assert (claude.state(one), claude.now(one).why) == ("failed", "unconfirmed")


async def test_the_prompt_after_a_lost_one_takes_it_along_at_once(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)
    claude.submits("go", "t1")
    again = claude.submits("go", "t2")
    claude.asks("Stop", "t2")

    assert "by the way" in claude.added(again)
    assert (claude.state(one), claude.now(one).tries) == ("delivered", 2)


async def test_an_interrupt_after_it_was_written_down_loses_nothing(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)
    claude.submits("go", "t1")
    claude.writes("by the way")
    claude.is_now(ProgramState.IDLE)
    again = claude.submits("go", "t2")

    assert again is None
    assert claude.state(one) == "delivered"


async def test_a_turn_that_went_on_without_it_is_no_receipt_where_the_transcript_tells(claude: Agent) -> None:
    claude.transcript.touch()
    claude.submits("go", "t1")
    one = claude.leaves("look")
    claude.asks("Stop", "t1")
    claude.asks("PostToolBatch", "t1")
    claude.asks("Stop", "t1")
    went_on = claude.state(one)
    claude.is_now(ProgramState.IDLE)
    bell = await claude.hangs_up_a_bell()
    claude.inside.jump(hook_answers.RESTED_S + 1)
    lost = claude.now(one)
    claude.inside.session.notices.look(claude.pane)

    assert went_on == "delivering"
    assert (lost.state, lost.tries, lost.receipt) == ("pending", 1, None)
    assert await asyncio.wait_for(bell, 5)


async def test_a_later_hook_finds_in_the_transcript_what_the_turn_went_on_with(claude: Agent) -> None:
    claude.submits("go", "t1")
    one = claude.leaves("look")
    claude.writes(claude.added(claude.asks("Stop", "t1")))
    claude.asks("Stop", "t1")

    receipt = claude.now(one).receipt
    assert receipt is not None
    assert receipt.evidence == hook_answers.SHOWN


async def test_blanks_around_a_notice_need_not_be_written_down(claude: Agent) -> None:
    claude.submits("go", "t1")
    one = claude.leaves("\n look\n")
    claude.asks("Stop", "t1")
    claude.writes("Message from your user:\nlook")
    claude.inside.jump(1.0)

    assert claude.state(one) == "delivered"


async def test_without_a_transcript_nobody_knows_and_nothing_is_sent_twice(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)
    claude.transcript.mkdir()
    claude.submits("go", "t1")
    claude.is_now(ProgramState.IDLE)
    claude.inside.jump(hook_answers.RESTED_S + 1)

    assert (claude.state(one), claude.now(one).why) == ("failed", "unconfirmed")
    assert claude.submits("go", "t2") is None


# Which panes


async def test_an_agent_without_hooks_is_not_said_to_take_anything_along(claude: Agent) -> None:
    assert not claude.hooks.reaches(claude.pane)
    with pytest.raises(Unsupported):
        claude.leaves("by the way", resume=False)


async def test_an_agent_started_with_hooks_is_taken_to_have_them_until_a_turn_has_ended_without(
    claude: Agent,
) -> None:
    claude.pane.facts.command = ("claude", "--plugin-dir", "/state/orca-tui/agents/claude")
    at_first = claude.hooks.reaches(claude.pane)
    claude.is_now(ProgramState.WORKING)
    claude.inside.jump(1.0)
    claude.is_now(ProgramState.DONE)
    claude.inside.jump(1.0)

    assert at_first
    assert not claude.hooks.reaches(claude.pane)


async def test_an_agent_in_the_place_of_another_one_is_not_taken_to_have_its_hooks(inside: Rooms) -> None:
    shell = inside.pane()
    hooks = inside.session.notices.hooks
    reached = []
    for name in ("claude", "codex"):
        at = inside.clock.now()
        inside.session.observe(shell.id, [AgentRecognised(at=at, source=Source.PROCESS, agent=name)])
        if name == "claude":
            hooks.ask(shell.id, name, "Stop", b'{"session_id": "ses_1"}')
        reached.append((inside.session.board.record(shell.id).agent, hooks.reaches(shell)))
        inside.session.observe(shell.id, [AgentGone(at=at)])

    assert reached == [("claude", True), ("codex", False)]


async def test_an_agent_that_runs_inside_another_one_takes_nothing(claude: Agent) -> None:
    claude.asks("Stop", "t0")
    claude.leaves("by the way", resume=False)
    body = json.dumps({"session_id": "ses_1", "turn_id": "t9", "prompt": "go"}).encode()

    assert claude.hooks.ask(claude.pane.id, "codex", "UserPromptSubmit", body) == b""


async def test_agents_without_such_hooks_are_not_found(claude: Agent) -> None:
    with pytest.raises(NotFound):
        claude.hooks.ask(claude.pane.id, "opencode", "Stop", b"{}")
    with pytest.raises(NotFound):
        await claude.hooks.bell(claude.pane.id, "skynet")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"session_id": "--x"}', b"[" * 100_000])
async def test_a_payload_that_is_none_takes_nothing(claude: Agent, body: bytes) -> None:
    claude.asks("Stop", "t0")
    one = claude.leaves("by the way", resume=False)

    assert claude.hooks.ask(claude.pane.id, "claude", "UserPromptSubmit", body) == b""
    assert claude.state(one) == "pending"


# Other agents


async def test_codex_goes_on_with_the_reason_of_a_block(codex: Agent) -> None:
    codex.submits("go", "t1")
    one = codex.leaves("look")
    answer = codex.asks("Stop", "t1")
    with codex.transcript.open("a") as file:
        content = [{"type": "input_text", "text": answer["reason"]}]
        file.write(json.dumps({"payload": {"role": "user", "content": content}}) + "\n")
    codex.inside.jump(1.0)

    assert answer == {"decision": "block", "reason": "Message from your user:\nlook"}
    assert codex.state(one) == "delivered"


async def test_codex_takes_steering_notices_at_a_tool_and_others_with_a_prompt(codex: Agent) -> None:
    rides = codex.leaves("by the way", resume=False)
    prompt = codex.submits("go", "t1")
    steer = codex.leaves("stop", delivery=Delivery.STEER)
    tool = codex.asks("PostToolUse", "t1")
    codex.asks("Stop", "t1")

    assert ("by the way" in codex.added(prompt), "stop" in codex.added(tool)) == (True, True)
    assert (codex.state(rides), codex.state(steer)) == ("delivered", "delivered")


@pytest.mark.parametrize(
    ("name", "prompt", "tool", "end", "nothing"),
    [
        ("gemini", "BeforeAgent", "AfterTool", "AfterAgent", {}),
        ("copilot", "userPromptSubmitted", "postToolUse", "agentStop", None),
    ],
)
async def test_agents_that_name_no_turns_are_believed_their_next_hook(
    inside: Rooms, tmp_path: Path, name: str, prompt: str, tool: str, end: str, nothing: Any
) -> None:
    agent = Agent(inside, name, tmp_path)
    assert agent.asks(end) == nothing
    rides = agent.leaves("by the way", resume=False)
    with_prompt = json.dumps(agent.asks(prompt, prompt="go"))
    steer = agent.leaves("stop", delivery=Delivery.STEER)
    at_tool = json.dumps(agent.asks(tool))
    between = (agent.state(rides), agent.state(steer))
    waits = agent.leaves("later")

    assert agent.asks(end) == nothing
    assert ("by the way" in with_prompt, "stop" in at_tool) == (True, True)
    assert between == ("delivered", "delivering")
    assert (agent.state(steer), agent.state(waits)) == ("delivered", NoticeState.PENDING)
