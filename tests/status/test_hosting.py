"""Which process hosts a pane's session."""

from __future__ import annotations

from orca_tui.status.board import Board
from orca_tui.status.events import TablePosted
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable

PROCESS = ProcessKey(pid=7, started=1.0)


def posted(row: SessionRow, process: ProcessKey = PROCESS) -> TablePosted:
    table = SessionTable(
        pane="p1",
        process=process,
        factory=1,
        generation=1,
        seq=1,
        host_version="1.18.33",
        outlives_dispose=False,
        sessions=(row,),
    )
    return TablePosted(at=2.0, agent="opencode", table=table)


def test_the_process_that_knows_the_session_hosts_it_in_its_mode() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=1.0)
    assert board.hosting("p1") is None

    board.observe("p1", posted(SessionRow(id="ses_1", agent="plan", busy=True, turn=1)))

    hosting = board.hosting("p1")
    assert hosting is not None
    assert (hosting.process, hosting.mode) == (PROCESS, "plan")


def test_a_nested_process_with_other_sessions_does_not_host_it() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=1.0)
    board.observe("p1", posted(SessionRow(id="ses_1", agent="build", busy=True, turn=1)))

    board.observe("p1", posted(SessionRow(id="ses_2"), ProcessKey(pid=8, started=3.0)))

    hosting = board.hosting("p1")
    assert hosting is not None
    assert hosting.process == PROCESS
