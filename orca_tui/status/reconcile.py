"""Whether an agent is still in its shell, decided from looks at the process table. Pure; does no looking.

Rule 1: a look that could not be made proves nothing.
Rule 2: the agent is gone when two looks, at least `CONSISTENT_S` apart and without another kind of look
        between them, saw the shell in the foreground, no agent there, and the known agent process dead.
        Agents put helpers and shells of their own in the foreground for moments.
Rule 3: an agent that was stopped or sent to the background is not gone: its process lives.
Rule 4: an agent in the foreground is recognised at once. Another one than is known here takes the pane only when
        the known process is dead; else it is nested.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orca_tui.status.events import AgentGone, AgentRecognised
from orca_tui.status.record import Source

CONSISTENT_S = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """A process of the foreground group. `started` in Unix seconds; `agent` names what it is, None for others."""

    pid: int
    started: float
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """One look at a pane's terminal."""

    at: float
    shell_in_front: bool
    """The foreground group is that of the pane's shell."""
    members: tuple[Member, ...] | None
    """The processes of the foreground group; None when they could not be read."""
    agent_alive: bool
    """The process that `Watch.agent` names exists; False when there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Watch:
    """What earlier looks at a pane found."""

    agent: Member | None = None
    """The agent process that was recognised."""
    absent_since: float | None = None
    """When the first of an unbroken row of looks saw the shell alone."""


def looked(watch: Watch, look: Look) -> tuple[Watch, list[AgentRecognised | AgentGone]]:
    """Take a look; `look_again_in` tells when the next one can decide what this one leaves open."""
    if look.members is None:
        return watch, []  # Rule 1.
    for member in look.members:
        if member.agent is not None:
            return _in_front(watch, look, member, member.agent)
    if not look.shell_in_front or look.agent_alive:
        return replace(watch, absent_since=None), []
    if watch.absent_since is None:
        return replace(watch, absent_since=look.at), []
    if look.at < watch.absent_since + CONSISTENT_S:
        return watch, []
    return Watch(), [AgentGone(at=look.at)]


def look_again_in(watch: Watch, now: float) -> float | None:
    """Seconds until a second look can decide; None when there is nothing to decide."""
    if watch.absent_since is None:
        return None
    return max(0.0, watch.absent_since + CONSISTENT_S - now)


def _in_front(
    watch: Watch, look: Look, front: Member, agent: str
) -> tuple[Watch, list[AgentRecognised | AgentGone]]:
    known = watch.agent
    watch = replace(watch, absent_since=None)
    nested = known is not None and known.agent != agent and look.agent_alive
    if nested or known == front:
        return watch, []
    return replace(watch, agent=front), [AgentRecognised(at=look.at, source=Source.PROCESS, agent=agent)]
