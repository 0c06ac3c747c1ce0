"""The ways in which notices reach an agent. Protocols and values only; each channel has a file of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from orca_tui.notices.events import How, Ways
from orca_tui.notices.notice import IfIdle, Notice, Reason
from orca_tui.notices.words import words
from orca_tui.server.panes import Pane


class Outcome(Protocol):
    """Where a channel tells what became of a notice that it was handed. What is told too late is ignored."""

    def received(self, evidence: str) -> None:
        """There is evidence that the agent has it."""
        ...

    def turned_down(self, reason: Reason) -> None:
        """The agent's host looked once more and did not take it."""
        ...

    def not_taken(self) -> None:
        """A hook that asked for it did not use it."""
        ...

    def rejected(self) -> None:
        """The agent's host answered with an error."""
        ...

    def unconfirmed(self) -> None:
        """Nothing shows whether it arrived, and the time for that is over."""
        ...

    def decided_by_host(self) -> None:
        """The agent's own conditional form has looked and woken in one."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Handed:
    """One notice on its way."""

    notice: Notice
    how: How
    outcome: Outcome

    @property
    def text(self) -> str:
        """As the agent reads it: words that are not its user's are marked as such."""
        return words(self.notice)

    @property
    def condition(self) -> IfIdle | None:
        """What its host looks at once more."""
        resume = self.notice.resume
        return resume if isinstance(resume, IfIdle) and self.how is How.WAKE else None


class NoticeChannel(Protocol):
    """One way to agents."""

    def reaches(self, pane: Pane) -> bool:
        """The pane's agent is this channel's to talk to, now or when it is to be reached again."""
        ...

    def ways(self, pane: Pane) -> Ways:
        """What it can do for the pane's agent now."""
        ...

    def wake(self, pane: Pane, handed: Handed) -> None:
        """Start a turn with a notice; returns at once."""
        ...

    def interrupt(self, pane: Pane) -> None:
        """Stop the turn that runs."""
        ...
