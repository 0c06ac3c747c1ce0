"""One report of a hook in the words of the status core, for every agent whose hooks tell the same things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orca_tui.agents.hooks import HookReport
from orca_tui.agents.text import one_line, paragraphs
from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.record import Kind, Source
from orca_tui.status.turns import Ask, End

BATCH_S = 1.0
"""Tools that are called at once may start while one of them asks already; their hooks start within this time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HookEvents:
    """Makes the events of one report. An ask has no id of its own: it is the agent's, or sub-agent's, until then."""

    agent: str
    report: HookReport
    at: float
    turn: str | None
    """The agent's own id of the turn that the report is of."""

    def session_changed(self) -> list[Event]:
        """Nothing when the session has no id that can be used."""
        session = self.report.session
        if session is None:
            return []
        return [SessionChanged(at=self.at, source=Source.HOOK, session_id=session, agent=self.agent)]

    def started(self, prompt: str | None) -> TurnStarted:
        return TurnStarted(
            at=self.at,
            source=Source.HOOK,
            turn=self.turn,
            session_id=self.report.session,
            prompt=one_line(prompt),
            agent=self.agent,
        )

    def ended(self, end: End) -> TurnEnded:
        return TurnEnded(
            at=self.at,
            source=Source.HOOK,
            end=end,
            turn=self.turn,
            session_id=self.report.session,
            last_message=paragraphs(self.report.last_assistant_message),
            background=sum(self.report.background.values()),
            background_note=_note(self.report.background),
            agent=self.agent,
        )

    def asked(self, kind: Kind) -> Asked:
        return Asked(
            at=self.at,
            source=Source.HOOK,
            ask=Ask(id=f"{self.report.event} {self.report.at!r}", kind=kind, text=self.report.ask_text),
            turn=self._root_turn(),
            child=self.report.agent_id,
            agent=self.agent,
        )

    def answered(self, *, before_s: float = 0.0) -> Resolved:
        """What was asked until so many seconds ago has been answered."""
        return Resolved(
            at=self.at - before_s,
            source=Source.HOOK,
            turn=self._root_turn(),
            child=self.report.agent_id,
            agent=self.agent,
        )

    def tool_began(self) -> list[Event]:
        """Whoever calls another tool waits for no answer any more, unless it called both at once."""
        return [self.answered(before_s=BATCH_S), self._used(self.report.tool)]

    def tool_ended(self) -> list[Event]:
        return [self.answered(), self._used(None)]

    def child(self, kind: type[ChildStarted | ChildEnded]) -> list[Event]:
        """Nothing without the id of the sub-agent."""
        if not self.report.agent_id:
            return []
        return [kind(at=self.at, source=Source.HOOK, child=self.report.agent_id, agent=self.agent)]

    def _used(self, tool: str | None) -> ToolUsed:
        return ToolUsed(
            at=self.at,
            source=Source.HOOK,
            turn=self._root_turn(),
            tool=tool,
            child=self.report.agent_id,
            agent=self.agent,
        )

    def _root_turn(self) -> str | None:
        """A sub-agent may live longer than the turn that started it."""
        return None if self.report.agent_id else self.turn


def _note(background: Mapping[str, int]) -> str | None:
    """`1 shell, 2 subagents still running`"""
    named = [f"{count} {kind}{'s' * (count != 1)}" for kind, count in background.items()]
    return one_line(f"{', '.join(named)} still running") if named else None
