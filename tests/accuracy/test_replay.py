"""A recording goes through the real server: its output, keys, files, hooks, tables and exit."""

from __future__ import annotations

import json

import pytest

from orca_tui.status.record import Status
from tests.accuracy.corpus import Case
from tests.accuracy.explaining import explained
from tests.accuracy.judging import judge
from tests.accuracy.listing import listing
from tests.accuracy.recording import Line, Recording, output
from tests.accuracy.replay import replay
from tests.accuracy.running import Result
from tests.accuracy.truth import parse

SESSION = "0b5a1c9e-0000-4000-8000-000000000001"


def says(at: float, report: str) -> Line:
    return output(at, f"\x1b]7501;{report}:app=claude-code\x1b\\".encode())


def hook(at: float, event: str, **payload: object) -> Line:
    told = {"hook_event_name": event, "session_id": SESSION, **payload}
    return Line(at=at, kind="hook", what={"event": event, "payload": told})


def recording(*lines: Line, agent: str = "claude") -> Recording:
    return Recording(name="one", agent=agent, version="2.1.332", lines=lines)


TURN = recording(
    Line(at=0, kind="process", what={"pid": 4321, "started": 1_700_000_000.0}),
    says(500, "state=idle"),
    says(2000, "state=working"),
    says(4000, "state=blocked:kind=permission"),
    Line(at=6000, kind="key", what={"text": "1"}),
    says(6010, "state=working"),
    says(9000, "state=done"),
    Line(at=12_000, kind="process", what={"exit": 0}),
)
TRUTH = parse(
    [
        *("500 idle", "2000 working", "4000 waiting kind=permission ring", "6010 working"),
        *("9000 done ring", "12000 exited code 0"),
    ]
)


def wrong(replayed_of: Recording, *truth: str) -> list[str]:
    """What was shown of a recording that is not its truth."""
    replayed = replay(replayed_of)
    return [fault.what for fault in judge(parse(truth), replayed.spans, replayed.bells).faults]


def test_a_turn_is_shown_as_it_was_told_and_rings_twice() -> None:
    replayed = replay(TURN)

    assert judge(TRUTH, replayed.spans, replayed.bells).faults == ()
    assert [bell.status for bell in replayed.bells] == [Status.WAITING, Status.DONE]


def test_an_interrupt_key_makes_an_end_the_users_own() -> None:
    lines = (
        says(500, "state=idle"),
        says(2000, "state=working"),
        Line(at=4000, kind="key", what={"name": "escape"}),
        says(4100, "state=idle"),
    )

    replayed = replay(recording(*lines))

    assert replayed.spans[-1].status is Status.IDLE
    assert replayed.spans[-1].interrupted
    assert replayed.bells == ()


def test_hooks_are_posted_as_the_poster_would_and_only_those_that_we_ask_for() -> None:
    lines = (
        hook(500, "SessionStart", source="startup"),
        hook(1000, "UserPromptSubmit", prompt_id="one", prompt="hello"),
        hook(2000, "MessageDisplay", prompt_id="one"),
        hook(3000, "Stop", prompt_id="one", background_tasks=[]),
    )

    assert wrong(recording(*lines), "500 idle", "1000 working", "3000 done ring") == []


def test_a_session_file_is_where_the_agent_keeps_it() -> None:
    def file(at: float, status: str) -> Line:
        text = json.dumps(
            {"pid": 4321, "sessionId": SESSION, "startedAt": 1_700_000_000_000, "status": status}
        )
        return Line(at=at, kind="file", what={"path": "/home/user/.claude/sessions/4321.json", "text": text})

    lines = (
        Line(at=0, kind="process", what={"pid": 4321, "started": 1_700_000_000.0}),
        file(1000, "idle"),
        file(3000, "busy"),
    )

    assert wrong(recording(*lines), "1000 idle", "3000 working") == []


def test_the_end_of_the_program_is_the_end() -> None:
    lines = (says(500, "state=working"), Line(at=1000, kind="process", what={"exit": -9}))

    last = replay(recording(*lines)).spans[-1]

    assert (last.status, last.code) == (Status.EXITED, -9)


def test_a_program_of_which_nothing_is_known_stays_unknown() -> None:
    assert wrong(recording(output(100, b"hello"), agent="nobody")) == []


@pytest.fixture
def result() -> Result:
    replayed = replay(TURN)
    case = Case(name="one", truth=TRUTH, load=lambda _: TURN)
    verdict = judge(TRUTH, replayed.spans, replayed.bells)
    return Result(case=case, recording=TURN, passing="as recorded", replayed=replayed, verdict=verdict)


def test_what_was_true_stands_beside_what_was_shown(result: Result) -> None:
    lines = list(explained(result))

    assert result.verdict.faults == ()
    assert lines[0] == "one (claude 2.1.332), as recorded"
    assert any("waiting permission ring" in line for line in lines)
    assert any("bell for done" in line for line in lines)


def test_the_listing_shows_evidence_and_no_verdict() -> None:
    lines = [line.split(maxsplit=2) for line in listing(TURN)]

    assert [kind for _, kind, *_ in lines] == [
        *("process", "osc7501", "osc7501", "osc7501", "key", "osc7501", "osc7501", "process")
    ]
