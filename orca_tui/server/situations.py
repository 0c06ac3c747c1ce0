"""What is known of a pane's session in this very moment, put together for the coordinator. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from orca_tui.notices.events import Situation, Ways
from orca_tui.server.notice_channel import NoticeChannel
from orca_tui.server.panes import Pane
from orca_tui.status.record import Status, StatusRecord

if TYPE_CHECKING:
    from orca_tui.server.session import Session

NOWHERE = Situation()


def situation_of(session: Session, pane: Pane | None, channels: Sequence[NoticeChannel]) -> Situation:
    """The look at a session; `pane` is where it runs."""
    if pane is None:
        return NOWHERE
    record = session.board.record(pane.id)
    if not has_agent(record):
        return NOWHERE
    channel = channel_of(pane, channels)
    hosting = session.board.hosting(pane.id)
    return Situation(
        status=record.status,
        mode=hosting.mode if hosting is not None else None,
        turns=record.turns,
        draft=pane.box.draft,
        typing=pane.box.typing,
        submitted=pane.box.submitted,
        ways=_ways(pane, channel, channels),
    )


def has_agent(record: StatusRecord) -> bool:
    """Whether there is an agent in a pane that could be told something."""
    return record.agent is not None and record.status is not Status.EXITED


def _ways(pane: Pane, channel: NoticeChannel | None, channels: Sequence[NoticeChannel]) -> Ways:
    """What the channel that reaches the agent can do; that something can come in later, any of them may say."""
    ways = channel.ways(pane) if channel is not None else Ways()
    return replace(ways, ride_in=any(one.ways(pane).ride_in for one in channels))


def channel_of(pane: Pane, channels: Sequence[NoticeChannel]) -> NoticeChannel | None:
    """The first channel that reaches the pane's agent."""
    return next((channel for channel in channels if channel.reaches(pane)), None)
