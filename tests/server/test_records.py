"""A pane's whole record."""

from __future__ import annotations

import pytest

from orca_tui.process.metrics import Load
from orca_tui.server.records import pane_info, with_load
from orca_tui.status.record import Status, StatusRecord
from orca_tui.wire import PaneInfo
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


async def test_a_record_has_the_status_the_terminal_and_the_place(inside: Rooms) -> None:
    pane = inside.pane()
    pane.facts.name = "mine"
    record = StatusRecord(pane=pane.id, status=Status.WORKING, turns=3, prompt="fix it")

    info = pane_info(pane, record, inside.session.layout)

    assert all(getattr(info, field) == getattr(record, field) for field in StatusRecord.__struct_fields__)
    assert (info.name, info.size, info.tab, info.workspace) == ("mine", (80, 24), "t1", "w1")
    assert (info.pid, info.cpu_percent, info.rss_bytes) == (None, None, None)


def test_a_load_is_added_where_there_is_one() -> None:
    info = PaneInfo(pane="p1")

    assert with_load(info, None) is info
    assert with_load(info, Load(cpu_percent=12.5, rss_bytes=7)) == PaneInfo(
        pane="p1", cpu_percent=12.5, rss_bytes=7
    )
