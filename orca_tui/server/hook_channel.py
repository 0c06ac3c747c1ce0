"""Notices by way of an agent's own hooks, which ask for them and wait for the answer. Knows what is on its way.

Rule 1: an answer is no receipt: what is lost with a hook that the user interrupts, or that has given up, tells
        nobody. Evidence is what the session's transcript shows; a later hook of the same turn only where there
        is no transcript.
Rule 2: what rest has followed, and of which the transcript shows nothing, was certainly not taken. Where there is
        no transcript to look at, nobody knows.
Rule 3: a doorbell says nothing. When nothing is left to be said, the prompt that it made is taken back. Once
        another hook has taken what it was rung for, the ring is over.
Rule 4: what hooks cannot do, such as a start without a doorbell, is typed.
Rule 5: a pane is taken to have hooks when it was started with them, until a turn has ended in which none was heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from orca_tui.agents import hook_post
from orca_tui.agents.notice_hooks import Boundary, HookCall, NoticeHooks
from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId, new_name
from orca_tui.base.timers import CallLater, Timer
from orca_tui.notices.events import How, Moment, Ways
from orca_tui.notices.notice import Reason
from orca_tui.notices.words import BETWEEN, framed
from orca_tui.server.hook_answers import Given
from orca_tui.server.hook_turns import HookTurn, asked, end_told, kept
from orca_tui.server.notice_channel import Handed
from orca_tui.server.panes import Pane
from orca_tui.server.paste_channel import PasteChannel
from orca_tui.server.transcripts import Transcript
from orca_tui.status.record import RUNNING

if TYPE_CHECKING:
    from orca_tui.server.session import Session

ANSWERED_WITHIN_S = 10.0
"""An agent asks for what it was rung for after 0.15 s; on a busy machine after seconds."""
FRESH_S = 3.0
"""A turn that has run for longer when its first hook is heard of had begun before the prompt that the hook is of."""
SPARE = 100
"""Characters that are kept free for what agents put before an answer, such as the hook's name."""
MOMENTS = {
    Boundary.PROMPT: Moment.PROMPT,
    Boundary.BELL: Moment.BELL,
    Boundary.TOOL: Moment.TOOL,
    Boundary.END: Moment.END,
}


@dataclass(eq=False, kw_only=True, slots=True)
class Ringing:
    """A doorbell that has rung and was not answered yet."""

    handed: Handed
    timer: Timer


@dataclass(eq=False, kw_only=True, slots=True)
class Line:
    """What is known of the hooks in one pane."""

    turns_before: int
    """Ended turns when it was first looked at."""
    heard: bool = False
    door: asyncio.Future[str] | None = None
    """Whoever waits for the doorbell."""
    ringing: Ringing | None = None
    turn: HookTurn = field(default_factory=HookTurn)
    given: list[Given] = field(default_factory=list)

    def follow(self, given: Given) -> None:
        """Keep it until it is known what became of it."""
        self.given.append(given)
        given.follow(lambda: self.given.remove(given))


class HookChannel:
    """The `NoticeChannel` of agents whose hooks take notices along, and the server's side of these hooks."""

    def __init__(self, session: Session, typing: PasteChannel) -> None:
        self._session = session
        self._typing = typing
        self.call_later: CallLater = asyncio.get_running_loop().call_later
        """How timers are made; a test has its own."""
        self._lines: dict[tuple[PaneId, str], Line] = {}
        """By pane and agent: one may take another's place."""

    # For the coordinator

    def reaches(self, pane: Pane) -> bool:
        return self._hooks_of(pane) is not None

    def ways(self, pane: Pane) -> Ways:
        """Rules 4 and 5."""
        hooks = self._hooks_of(pane)
        if hooks is None:
            return Ways()
        typed = self._typing.ways(pane)
        line = self._line(pane, hooks.agent)
        ways = replace(
            typed,
            ride_in=Boundary.PROMPT in hooks.takes,
            steer=Boundary.TOOL in hooks.takes,
            typed=typed.wake,
            longest=hooks.longest - SPARE,
        )
        if line.ringing is not None:
            return replace(ways, wake=False, types=False, rings=True, typed=False)
        return replace(ways, wake=True, types=False, rings=True) if line.door is not None else ways

    def wake(self, pane: Pane, handed: Handed) -> None:
        if handed.how is How.RING:
            hooks = self._hooks_of(pane)
            assert hooks is not None, "the look found a doorbell"
            self._ring(self._line(pane, hooks.agent), handed)
        else:
            self._typing.wake(pane, handed)

    def interrupt(self, pane: Pane) -> None:
        self._typing.interrupt(pane)

    # For the hooks

    async def bell(self, pane_id: PaneId, agent: str) -> str:
        """Wait until the doorbell is to ring; empty when nobody needs to wait here any more. Raises `NotFound`."""
        self._known(agent)
        pane = self._session.pane(pane_id)
        line = self._line(pane, agent)
        self._hang_up(line)
        line.heard = True
        door: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        line.door = door
        self._session.notices.look(pane)
        try:
            return await door
        finally:
            if line.door is door:
                line.door = None

    def ask(self, pane_id: PaneId, agent: str, event: str, body: bytes) -> bytes:
        """The answer to a hook; raises `NotFound`."""
        hooks = self._known(agent)
        pane = self._session.pane(pane_id)
        call = hooks.call(event, hook_post.members(body.decode(errors="replace")))
        if call is None or self._session.board.record(pane.id).agent != agent:
            return hooks.nothing
        line = self._line(pane, agent)
        before = line.turn
        line.turn, may_take = asked(before, call, hooks.most_ends)
        line.heard = True
        self._went_on(line, call)
        if call.boundary is Boundary.BELL and not may_take:
            self._unheard(line, Reason.BUSY)  # The user was faster.
            return self._withdrawn(hooks)
        if not may_take or call.boundary not in hooks.takes or self._runs_already(pane, before, call):
            return hooks.nothing
        return self._answer(pane, line, hooks, call)

    def goes_on(self, pane_id: PaneId, agent: str, turn: str | None) -> bool:
        """Whether a turn whose end was reported goes on with a notice."""
        line = self._lines.get((pane_id, agent))
        if line is None:
            return False
        line.turn, goes_on = end_told(line.turn, turn)
        return goes_on

    def forget(self, pane_id: PaneId) -> None:
        """The pane is closed."""
        for key in [key for key in self._lines if key[0] == pane_id]:
            line = self._lines.pop(key)
            self._hang_up(line)
            self._unheard(line, Reason.NO_SESSION)
            for given in tuple(line.given):
                given.end()
                given.handed.outcome.unconfirmed()

    def close(self) -> None:
        """The server stops. Doorbells lose their connection, so that they come back to the next server."""
        for line in self._lines.values():
            if line.door is not None:
                line.door.cancel()
            if line.ringing is not None:
                line.ringing.timer.cancel()
            for given in tuple(line.given):
                given.end()

    # The doorbell

    def _ring(self, line: Line, handed: Handed) -> None:
        """Rule 3. What the agent hears tells one ring from another and nothing else."""
        timer = self.call_later(ANSWERED_WITHIN_S, lambda: self._unheard(line, Reason.UNKNOWN_STATUS))
        line.ringing = Ringing(handed=handed, timer=timer)
        if line.door is not None and not line.door.done():
            line.door.set_result(new_name())
        line.door = None

    def _unheard(self, line: Line, reason: Reason) -> None:
        """Nobody comes for what was rung for, if anybody was rung for."""
        ringing = self._over(line)
        if ringing is not None:
            ringing.handed.outcome.turned_down(reason)

    def _heard(self, line: Line, call: HookCall, handed: list[Handed]) -> None:
        """Rule 3. A bell that takes something else is of another session, or what it was for is gone."""
        ringing = line.ringing
        if ringing is not None and ringing.handed.notice.id in {one.notice.id for one in handed}:
            self._over(line)
        elif call.boundary is Boundary.BELL:
            self._unheard(line, Reason.NO_SESSION)

    def _over(self, line: Line) -> Ringing | None:
        ringing, line.ringing = line.ringing, None
        if ringing is not None:
            ringing.timer.cancel()
        return ringing

    def _hang_up(self, line: Line) -> None:
        if line.door is not None and not line.door.done():
            line.door.set_result("")
        line.door = None

    # Answers

    def _answer(self, pane: Pane, line: Line, hooks: NoticeHooks, call: HookCall) -> bytes:
        handed = self._handed(pane, hooks, call)
        self._heard(line, call, handed)
        if not handed:
            return self._withdrawn(hooks) if call.boundary is Boundary.BELL else hooks.nothing
        if call.boundary is Boundary.END:
            line.turn = kept(line.turn)
        transcript = Transcript(call.transcript if hooks.holds is not None else None)
        for one in handed:
            given = Given(
                handed=one,
                turn=call.turn,
                transcript=transcript,
                holds=hooks.holds,
                rests=self._rests(pane),
                clock=self._session.parts.clock,
                call_later=self.call_later,
            )
            line.follow(given)
        text = BETWEEN.join(framed(one.notice) for one in handed)
        return msgspec.json.encode(hooks.context(call.event, text))

    def _handed(self, pane: Pane, hooks: NoticeHooks, call: HookCall) -> list[Handed]:
        inbox = self._session.notices.inbox_for_hook(pane.id, call.session or "")
        if inbox is None:
            return []
        return self._session.notices.hook_asked(inbox, MOMENTS[call.boundary], hooks.longest - SPARE)

    def _withdrawn(self, hooks: NoticeHooks) -> bytes:
        return msgspec.json.encode(hooks.withdrawn) if hooks.withdrawn is not None else hooks.nothing

    def _went_on(self, line: Line, call: HookCall) -> None:
        """Rule 1. A prompt may be submitted whatever became of the turn before."""
        for given in tuple(line.given):
            if call.boundary in (Boundary.PROMPT, Boundary.BELL):
                if given.turn != call.turn or call.turn is None:
                    given.another_began()
            elif given.turn == call.turn:
                given.went_on()

    def _runs_already(self, pane: Pane, before: HookTurn, call: HookCall) -> bool:
        """A prompt of which nothing was heard before may join a turn that began before this server did."""
        record = self._session.board.record(pane.id)
        fresh = self._session.now() - (record.turn_started_at or record.since) < FRESH_S
        known = before.id is not None or call.turn is None
        return call.boundary is Boundary.PROMPT and not known and record.status in RUNNING and not fresh

    # Panes

    def _rests(self, pane: Pane) -> Callable[[], bool]:
        return lambda: pane.closed or self._session.board.record(pane.id).status not in RUNNING

    def _known(self, agent: str) -> NoticeHooks:
        hooks = self._session.parts.agents.notice_hooks(agent)
        if hooks is None:
            raise NotFound(f"no agent {agent!r} takes notices along", agent=agent)
        return hooks

    def _hooks_of(self, pane: Pane) -> NoticeHooks | None:
        """Rule 5."""
        record = self._session.board.record(pane.id)
        hooks = self._session.parts.agents.notice_hooks(record.agent)
        if hooks is None:
            return None
        line = self._line(pane, hooks.agent)
        started = bool(hooks.mark) and any(hooks.mark in word for word in pane.facts.command)
        return hooks if line.heard or (started and record.turns == line.turns_before) else None

    def _line(self, pane: Pane, agent: str) -> Line:
        line = self._lines.get((pane.id, agent))
        if line is None:
            turns = self._session.board.record(pane.id).turns
            line = self._lines[pane.id, agent] = Line(turns_before=turns)
        return line
