"""Messages to the UI used last, and to nobody else."""

from __future__ import annotations

import pytest

from orca_tui.commands.ui import ViewRequest
from orca_tui.server.notify import offer_clipboard, tell_notified, tell_rang
from orca_tui.server.uis import Ui, Uis
from orca_tui.status.record import Status
from orca_tui.wire import ClipboardOffered, PaneInfo, Rang

pytestmark = pytest.mark.anyio


def two_uis() -> tuple[Uis, Ui, Ui]:
    uis, first, last = Uis(), Ui(lambda *_: None, 80, 24), Ui(lambda *_: None, 80, 24)
    uis.add(first)
    uis.add(last)
    return uis, first, last


@pytest.mark.parametrize(
    ("info", "title", "body"),
    [
        (
            PaneInfo(pane="p1", agent="claude", status=Status.WAITING, message="run git push?"),
            "claude (p1) needs you",
            "run git push?",
        ),
        (
            PaneInfo(pane="p1", agent="codex", name="api", status=Status.DONE, prompt="fix it"),
            "api (p1) is done",
            "fix it",
        ),
        (
            PaneInfo(pane="p1", status=Status.ERROR, title="build", last_message="no"),
            "build (p1) failed",
            "no",
        ),
        (PaneInfo(pane="p1", status=Status.DONE), "pane (p1) is done", ""),
    ],
)
async def test_a_ring_says_who_and_what(info: PaneInfo, title: str, body: str) -> None:
    uis, first, last = two_uis()

    tell_rang(uis, info)

    assert await last.mailbox.take() == [Rang(pane="p1", title=title, body=body)]
    first.mailbox.end()
    assert await first.mailbox.take() == []


async def test_a_notification_without_a_title_names_its_pane() -> None:
    uis, _, last = two_uis()

    tell_notified(uis, PaneInfo(pane="p1", title="make"), "", "done")

    assert await last.mailbox.take() == [Rang(pane="p1", title="make", body="done")]


async def test_the_clipboard_is_offered_by_the_focused_pane_only() -> None:
    uis, _, last = two_uis()
    last.view = ViewRequest(panes=(), focused="p1")

    offer_clipboard(uis, "p2", "not mine")
    offer_clipboard(uis, "p1", "mine")

    assert await last.mailbox.take() == [ClipboardOffered(pane="p1", text="mine")]


async def test_without_uis_nobody_is_told() -> None:
    tell_rang(Uis(), PaneInfo(pane="p1"))
    offer_clipboard(Uis(), "p1", "text")
