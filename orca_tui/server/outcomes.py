"""What a channel tells of one notice, brought to the coordinator. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_tui.notices.events import NotTaken, Rejected, TurnedDown, Unconfirmed
from orca_tui.notices.notice import Notice, Reason

if TYPE_CHECKING:
    from orca_tui.server.notices import Notices


class NoticeOutcome:
    """The `Outcome` of one notice that was handed over, or rung for, once."""

    def __init__(self, notices: Notices, notice: Notice) -> None:
        self._notices = notices
        self._id = notice.id
        self._tries = notice.tries

    def received(self, evidence: str) -> None:
        self._notices.received(self._id, evidence)

    def turned_down(self, reason: Reason) -> None:
        at = self._notices.now()
        self._notices.settle(self._id, TurnedDown(at=at, id=self._id, tries=self._tries, reason=reason))

    def not_taken(self) -> None:
        self._notices.settle(self._id, NotTaken(at=self._notices.now(), id=self._id))

    def rejected(self) -> None:
        self._notices.settle(self._id, Rejected(at=self._notices.now(), id=self._id))

    def unconfirmed(self) -> None:
        self._notices.settle(self._id, Unconfirmed(at=self._notices.now(), id=self._id))

    def decided_by_host(self) -> None:
        wake = self._notices.wakes.get(self._id)
        if wake is not None:
            wake.decided_by_host()
