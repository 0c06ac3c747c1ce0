"""The inbox of one session as a value, and how one of its notices becomes another. Knows no events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from msgspec.structs import replace as with_fields

from orca_tui.notices.notice import Notice, NoticeState


class Pause(Enum):
    """Rule 7: what is waited for since an interrupt."""

    END = "the interrupted turn to end"
    TURN = "another turn to start"


@dataclass(frozen=True, kw_only=True, slots=True)
class Woken:
    """A turn that a notice has started and that was not seen yet."""

    at: float
    turns: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Inbox:
    """All that is open of one session."""

    session: str
    notices: tuple[Notice, ...] = ()
    """Pending and delivering, in the order of their admission."""
    waking: str | None = None
    """The notice that is starting a turn."""
    woken: Woken | None = None
    turns: int = 0
    """Ended turns when last looked."""
    pause: Pause | None = None
    """Rule 7."""

    @property
    def pending(self) -> tuple[Notice, ...]:
        return tuple(one for one in self.notices if one.state is NoticeState.PENDING)

    def find(self, notice_id: str) -> Notice | None:
        """An open notice."""
        return next((one for one in self.notices if one.id == notice_id), None)

    def delivering(self, notice_id: str) -> Notice | None:
        """A notice that is on its way."""
        notice = self.find(notice_id)
        return notice if notice is not None and notice.state is NoticeState.DELIVERING else None

    def changed(self, notice: Notice) -> Inbox:
        """With a notice as it is now; it leaves when nothing more can become of it."""
        before = self.find(notice.id)
        notices = tuple(notice if one.id == notice.id else one for one in self.notices)
        still = notice.state is NoticeState.DELIVERING or (
            before is not None and before.state is notice.state
        )
        waking = None if self.waking == notice.id and not still else self.waking
        return replace(self, notices=tuple(one for one in notices if one.open), waking=waking)

    def hand_over(self, notices: Iterable[Notice], at: float) -> tuple[Inbox, tuple[Notice, ...]]:
        """With notices on their way, and these as they are now."""
        handed = tuple(
            with_fields(one, state=NoticeState.DELIVERING, tries=one.tries + 1, changed_at=at)
            for one in notices
        )
        inbox = self
        for one in handed:
            inbox = inbox.changed(one)
        return inbox, handed
