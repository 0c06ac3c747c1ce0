"""Somebody who works panes and leaves notices, over one connection."""

from __future__ import annotations

from typing import Any

import msgspec

from orca_tui.commands.active import ACTIVE
from orca_tui.commands.inbox import (
    INBOX_CANCEL,
    INBOX_LIST,
    InboxCancelRequest,
    InboxListRequest,
    NoticeInfo,
)
from orca_tui.commands.interrupt import INTERRUPT, InterruptRequest
from orca_tui.commands.send import SEND, SendReply, SendRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.wire import PaneInfo
from tests.e2e.hand import Hand
from tests.e2e.sandbox import within

TIMEOUT_S = 60.0


class Writer(Hand):
    """A hand that writes letters."""

    def send(self, pane: str, text: str, **fields: Any) -> SendReply:
        """`fields` as the HTTP API names them; whoever waits for an outcome waits for a minute at most."""
        request = msgspec.convert({"pane": pane, "text": text, "timeout": TIMEOUT_S, **fields}, SendRequest)
        return self._client.call(SEND, request)

    def cancel(self, pane: str, notice: str) -> NoticeInfo:
        return self._client.call(INBOX_CANCEL, InboxCancelRequest(pane=pane, id=notice))

    def inbox(self, pane: str, *, closed: bool = False) -> tuple[NoticeInfo, ...]:
        return self._client.call(INBOX_LIST, InboxListRequest(pane=pane, closed=closed)).notices

    def notice(self, pane: str, notice: str) -> NoticeInfo:
        """A notice as it is now."""
        [found] = [one for one in self.inbox(pane, closed=True) if one.id == notice]
        return found

    def becomes(self, pane: str, notice: str, state: str, timeout: float = TIMEOUT_S) -> NoticeInfo:
        """Wait until a notice has a state."""
        if not within(lambda: self.notice(pane, notice).state == state, timeout):
            raise AssertionError(f"not within {timeout} s {state}: {self.notice(pane, notice)}")
        return self.notice(pane, notice)

    def waits(self, pane: str, *statuses: str) -> PaneInfo:
        """Wait until a pane has one of the statuses; its record."""
        fields = {"pane": pane, "status": statuses, "timeout": TIMEOUT_S}
        return self._client.call(WAIT, msgspec.convert(fields, WaitRequest))

    def turns(self, pane: str, number: int) -> PaneInfo:
        """Wait until a pane rests after so many turns; its record."""

        def ended() -> bool:
            record = self.pane(pane)
            return record.turns >= number and record.status not in ("working", "waiting")

        if not within(ended, TIMEOUT_S):
            raise AssertionError(f"not within {TIMEOUT_S} s {number} turns: {self.pane(pane)}")
        return self.pane(pane)

    def interrupt(self, pane: str) -> None:
        self._client.call(INTERRUPT, InterruptRequest(pane=pane))

    def active(self) -> dict[str, Any]:
        return dict(self._client.call(ACTIVE, Empty()).sessions)
