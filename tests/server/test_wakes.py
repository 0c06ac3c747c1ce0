"""Wakes that are under way: who holds a pane's input, and what may be claimed of that."""

from __future__ import annotations

import asyncio

import pytest

from orca_tui.notices.notice import Guard, IfIdle, Receipt
from orca_tui.server import wakes
from orca_tui.server.wakes import Wakes
from orca_tui.term.input_events import Text
from tests.notices.notices import notice
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

RECEIPT = Receipt(at=2.0, evidence="it says so")


async def test_the_late_end_of_one_wake_does_not_let_go_of_what_the_next_one_holds(
    inside: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakes, "HOLD_S", 0.0)
    pane, under_way = inside.pane("claude"), Wakes()
    late, next_one = notice("n1", resume=IfIdle()), notice("n2", resume=IfIdle())
    under_way.begin(late, pane, types=False)
    wake = under_way.get("n1")
    assert wake is not None
    await wake.over()
    monkeypatch.undo()

    under_way.begin(next_one, pane, types=False)
    under_way.closed(notice("n1", receipt=RECEIPT))
    pane.gate.take(Text(data=b"x"))

    assert pane.gate.held
    assert wake.guard is Guard.SNAPSHOT, "it did not hold the input until its receipt"
    under_way.closed(notice("n2"))
    assert not pane.gate.held


async def test_a_wake_whose_receipt_comes_while_it_holds_the_input_says_so(inside: Rooms) -> None:
    pane, under_way = inside.pane("claude"), Wakes()
    under_way.begin(notice("n1", resume=IfIdle()), pane, types=False)
    wake = under_way.get("n1")
    assert wake is not None

    under_way.closed(notice("n1", receipt=RECEIPT))
    async with asyncio.timeout(1):
        await wake.over()

    assert (wake.guard, pane.gate.held) == (Guard.HELD, False)
