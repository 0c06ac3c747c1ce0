"""What a caller hears of panes that it may not read."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from orca_tui.commands.events import Event, StatusEvent, TitleEvent
from orca_tui.notices.notice import NoticeState
from orca_tui.server.reduced import NAMES_AND_STATUSES, reduced_event, reduced_pane
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo

WITHHELD = {
    "message",
    "prompt",
    "last_message",
    "tool",
    "progress",
    "evidence",
    "title",
    "cwd",
    "pid",
    "command",
    "cpu_percent",
    "rss_bytes",
    "pending_notices",
    "granted",
    "resume",
}
FILL: dict[Any, Any] = {
    "status": Status.WORKING,
    "from_": Status.IDLE,
    "to": Status.DONE,
    "at": 1.0,
    "state": NoticeState.PENDING,
}


def test_every_field_of_a_record_is_told_or_withheld() -> None:
    assert set(PaneInfo.__struct_fields__) == WITHHELD | set(NAMES_AND_STATUSES)
    assert not WITHHELD & set(NAMES_AND_STATUSES)


def test_a_record_keeps_names_and_statuses_and_nothing_that_was_said() -> None:
    whole = PaneInfo(
        pane="p2",
        name="api",
        status=Status.WAITING,
        message="rm -rf x?",
        prompt="deploy",
        title="vim secrets",
    )

    assert reduced_pane(whole) == PaneInfo(pane="p2", name="api", status=Status.WAITING)


def test_a_status_is_told_without_its_message_and_a_title_not_at_all() -> None:
    status = StatusEvent(pane="p2", from_=Status.WORKING, to=Status.WAITING, at=1.0, message="rm -rf x?")

    assert reduced_event(status) == msgspec.structs.replace(status, message=None)
    assert reduced_event(TitleEvent(pane="p2", title="vim secrets", at=1.0)) is None


@pytest.mark.parametrize("kind", get_args(Event))
def test_no_event_tells_a_text(kind: Any) -> None:
    fields = {field.name: FILL.get(field.name, f"<{field.name}>") for field in msgspec.structs.fields(kind)}

    told = reduced_event(kind(**fields))

    told_fields = {} if told is None else msgspec.to_builtins(told)
    assert not {"<message>", "<title>", "<text>", "<why>"} & set(map(str, told_fields.values()))
