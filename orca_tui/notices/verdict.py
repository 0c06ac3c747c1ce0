"""Whether a session may be woken now: rule 3 of the coordinator, for one look. Pure."""

from __future__ import annotations

from typing import assert_never

from orca_tui.notices.events import Situation
from orca_tui.notices.notice import IfIdle, Reason, Resume
from orca_tui.status.record import Status

RESTING = frozenset({Status.IDLE, Status.DONE, Status.ERROR})


def verdict(resume: Resume, situation: Situation, *, allow_race: bool = False) -> Reason:
    """`WOKE` when a notice with that `resume` may start a turn now, else why not."""
    if resume is False:
        return Reason.RESUME_FALSE
    return (
        _status_forbids(situation)
        or _user_forbids(resume, situation, allow_race)
        or _mode_forbids(resume, situation)
        or Reason.WOKE
    )


def _status_forbids(situation: Situation) -> Reason | None:
    match situation.status:
        case None | Status.EXITED:
            return Reason.NO_SESSION
        case Status.UNKNOWN:
            return Reason.UNKNOWN_STATUS
        case Status.WORKING:
            return Reason.BUSY
        case Status.WAITING:
            return Reason.WAITING
        case Status.IDLE | Status.DONE | Status.ERROR:
            return None if situation.ways.wake else Reason.UNKNOWN_STATUS
    assert_never(situation.status)


def _user_forbids(resume: Resume, situation: Situation, allow_race: bool) -> Reason | None:
    if situation.reverted:
        return Reason.REVERTED
    if situation.submitted and not allow_race:
        return Reason.BUSY
    if not situation.ways.types and not isinstance(resume, IfIdle):
        return None  # Whatever is typed stays as it is.
    typing = situation.typing and (situation.ways.types or not allow_race)
    return Reason.DRAFT if situation.draft or typing else None


def _mode_forbids(resume: Resume, situation: Situation) -> Reason | None:
    if isinstance(resume, IfIdle) and resume.agent not in (None, situation.mode):
        return Reason.AGENT_MISMATCH
    return None


def unreachable(situation: Situation) -> bool:
    """The session rests, but its channel cannot wake it now, such as an agent that is still starting."""
    return situation.status in RESTING and not situation.ways.wake
