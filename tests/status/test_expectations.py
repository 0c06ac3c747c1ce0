"""Sources that should speak and do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from orca_tui.status.board import Board
from orca_tui.status.events import AgentRecognised
from orca_tui.status.expectations import GRACE_S
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source
from tests.status.told import HOOK, end, post, program, said, start

MakePane = Callable[..., Any]

PROFILES = {
    "opencode": Profile(expects=(Source.PLUGIN,)),
    "claude": Profile(emits_program_status=True, expects=(Source.TITLE, Source.PROGRAM_STATUS, HOOK)),
}


def missing(pane: Any, at: float) -> list[Source]:
    pane.run_until(at)
    return [one.source for one in pane.board.missing("p1", at)]


def test_a_plugin_that_never_reported_is_missed(timeline: MakePane) -> None:
    pane = timeline("opencode", board=Board(PROFILES))

    assert missing(pane, GRACE_S - 1) == []
    assert missing(pane, 20) == [Source.PLUGIN]
    assert pane.board.missing("p1", 20)[0].why == (
        "the status plugin said nothing since the pane was opened 20 s ago"
    )


def test_a_plugin_that_fell_silent_is_missed_from_then_on(timeline: MakePane) -> None:
    pane = timeline("opencode", board=Board(PROFILES))
    pane.observe(post(2))

    assert missing(pane, 5) == []
    assert missing(pane, 60) == [Source.PLUGIN]
    assert pane.board.missing("p1", 60)[0].since == 2


def test_what_is_missed_counts_from_when_the_agent_was_found(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(PROFILES))
    pane.observe(AgentRecognised(at=100, source=Source.PROCESS, agent="opencode"))

    assert missing(pane, 105) == []
    assert "the agent was found 15 s ago" in pane.board.missing("p1", 115)[0].why


def test_hooks_are_missed_once_a_turn_should_have_told_of_them(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(program(1, "idle", "claude"))
    assert missing(pane, 100) == []

    pane.observe(program(101, "working", "claude"))

    assert missing(pane, 105) == []
    assert missing(pane, 120) == [HOOK]
    pane.observe(start(121, "t1"))
    assert missing(pane, 200) == []


def test_hooks_are_missed_after_a_turn_as_well(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))

    pane.observe(program(1, "working", "claude"), program(3, "done", "claude"))

    assert missing(pane, 20) == [HOOK]


def test_a_title_is_missed_only_where_nothing_stronger_speaks(timeline: MakePane) -> None:
    silent, hooked = timeline("claude", board=Board(PROFILES)), timeline("claude", board=Board(PROFILES))
    hooked.observe(start(1, "t1"), end(2, "t1"))

    assert missing(silent, 20) == [Source.PROGRAM_STATUS, Source.TITLE]
    assert missing(hooked, 20) == [Source.PROGRAM_STATUS]


def test_a_report_that_was_withdrawn_is_missed(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(said(1, "idle"), program(1, "idle", "claude"), program(30, "clear"))

    assert missing(pane, 40) == [Source.PROGRAM_STATUS]
    assert pane.board.missing("p1", 40)[0].why == "OSC 7501 withdrew its report 10 s ago"


def test_a_shell_misses_nothing(timeline: MakePane) -> None:
    assert missing(timeline(None, board=Board(PROFILES)), 100) == []


def test_an_agent_without_expectations_misses_nothing(timeline: MakePane) -> None:
    assert missing(timeline("aider", board=Board(PROFILES)), 100) == []
