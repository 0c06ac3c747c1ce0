"""What the session tells UIs, and what follows from what they show."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import PaneNotFound
from orca_tui.commands.ui import ViewRequest
from orca_tui.server.panes import Pane
from orca_tui.server.uis import Ui
from orca_tui.status.events import AgentRecognised
from orca_tui.status.record import Source
from orca_tui.wire import LayoutChanged, PaneChanged, PaneGone, PaneView, UiItem
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


def attached(inside: Rooms) -> Ui:
    ui = Ui(lambda *_: None, 80, 24)
    inside.session.uis.add(ui)
    return ui


async def told(ui: Ui) -> list[UiItem]:
    items = await ui.mailbox.take()
    assert items is not None
    return items


def shows(inside: Rooms, ui: Ui, pane: Pane, cols: int, rows: int, *, focused: bool = True) -> None:
    ui.view = ViewRequest(
        panes=(PaneView(pane=pane.id, channel=1, cols=cols, rows=rows),), focused=pane.id if focused else None
    )
    inside.session.uis_changed()


async def test_a_new_pane_is_told_before_the_layout_that_holds_it(inside: Rooms) -> None:
    ui = attached(inside)

    inside.pane()

    assert [type(item) for item in await told(ui)] == [PaneChanged, LayoutChanged]


async def test_a_closed_pane_is_told_after_the_layout_without_it(inside: Rooms) -> None:
    pane = inside.pane()
    ui = attached(inside)

    inside.session.remove(pane)
    inside.session.remove(pane)

    assert [type(item) for item in await told(ui)] == [LayoutChanged, PaneGone]
    with pytest.raises(PaneNotFound):
        inside.session.pane(pane.id)


async def test_an_equal_layout_is_told_to_nobody(inside: Rooms) -> None:
    inside.pane()
    ui = attached(inside)

    inside.session.change_layout(inside.session.layout)
    inside.session.tell_changed(inside.session.panes[next(iter(inside.session.panes))])

    assert [type(item) for item in await told(ui)] == [PaneChanged]


async def test_the_first_size_comes_at_once_and_the_next_once_it_has_settled(inside: Rooms) -> None:
    pane = inside.pane()
    ui = attached(inside)

    shows(inside, ui, pane, 100, 30)
    assert (pane.engine.cols, pane.engine.rows) == (100, 30)
    shows(inside, ui, pane, 90, 20)
    assert (pane.engine.cols, pane.engine.rows) == (100, 30)


async def test_watching_takes_the_mark_and_leaving_does_not_bring_it_back(inside: Rooms) -> None:
    pane = inside.pane("claude")
    for state in ("working", "done"):
        inside.writes(pane, f"\x1b]7501;state={state}\x07".encode())
        inside.jump(1.0)
    assert inside.session.board.record(pane.id).unread
    ui = attached(inside)

    shows(inside, ui, pane, 80, 24, focused=False)
    assert inside.session.board.record(pane.id).unread
    shows(inside, ui, pane, 80, 24)
    assert not inside.session.board.record(pane.id).unread
    inside.session.uis.remove(ui)
    inside.session.uis_changed()
    assert not inside.session.board.record(pane.id).unread


async def test_events_of_a_pane_that_is_gone_are_ignored(inside: Rooms) -> None:
    from orca_tui.status.events import ProcessExited

    pane = inside.pane()
    inside.session.remove(pane)

    inside.session.observe(pane.id, [ProcessExited(at=inside.clock.now(), exit_code=0)])


async def test_a_panes_record_tells_how_to_go_on_with_its_session(inside: Rooms) -> None:
    pane = inside.pane("claude")
    assert inside.session.info(pane).resume == ()

    named = AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="claude", session_id="s1")
    inside.session.observe(pane.id, [named])

    assert inside.session.info(pane).resume == ("claude", "--resume", "s1")


@pytest.mark.parametrize("session", ["--dangerous", "a b", "$(x)"])
async def test_a_session_id_that_no_command_line_should_hold_resumes_nothing(
    inside: Rooms, session: str
) -> None:
    pane = inside.pane("claude")
    named = AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="claude", session_id=session)
    inside.session.observe(pane.id, [named])

    assert inside.session.info(pane).resume == ()
