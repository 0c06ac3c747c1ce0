"""What is told to a UI, and what a slow one is told instead."""

from __future__ import annotations

import pytest

from orca_tui.layout import Layout
from orca_tui.server.mailbox import MAX_ITEMS, Mailbox
from orca_tui.wire import LayoutChanged, PaneChanged, PaneInfo, Told

pytestmark = pytest.mark.anyio


def changed(pane: str, title: str) -> PaneChanged:
    return PaneChanged(pane=PaneInfo(pane=pane, title=title))


async def test_only_the_newest_state_of_a_pane_and_of_the_layout_is_told() -> None:
    mailbox = Mailbox()
    for number in range(3):
        mailbox.put(changed("p1", str(number)))
        mailbox.put(LayoutChanged(layout=Layout(next_pane=number)))
    mailbox.put(changed("p2", "other"))

    assert await mailbox.take() == [
        changed("p1", "2"),
        LayoutChanged(layout=Layout(next_pane=2)),
        changed("p2", "other"),
    ]


async def test_messages_are_all_told_in_their_order() -> None:
    mailbox = Mailbox()
    for number in range(3):
        mailbox.put(Told(text=str(number)))

    assert await mailbox.take() == [Told(text="0"), Told(text="1"), Told(text="2")]


async def test_a_ui_that_is_too_far_behind_gets_the_whole_state_once_and_then_goes_on() -> None:
    mailbox = Mailbox()
    for number in range(2 * MAX_ITEMS):
        mailbox.put(Told(text=str(number)))

    assert await mailbox.take() is None
    mailbox.put(Told(text="after"))
    assert await mailbox.take() == [Told(text="after")]


async def test_what_is_there_at_the_end_can_still_be_taken() -> None:
    mailbox = Mailbox()
    mailbox.put(Told(text="last"))
    mailbox.end()

    assert mailbox.ended
    assert await mailbox.take() == [Told(text="last")]
