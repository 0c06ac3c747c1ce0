"""Events in words."""

from __future__ import annotations

import pytest

from orca_tui.status import describing
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    EvidenceLost,
    EvidenceRegained,
    InterruptPressed,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgramState,
    ProgressShown,
    PromptMarked,
    ReporterDied,
    ReporterHeard,
    Resolved,
    Says,
    Seen,
    SessionChanged,
    StateSaid,
    TablePosted,
    TimePassed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.record import Kind, Source
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

PROCESS = ProcessKey(pid=7, started=1.0)
SECRET = "the-secret-word"
ASK = Ask(id="a", kind=Kind.QUESTION, text=SECRET)
HOOK = Source.HOOK


def table(*rows: SessionRow, gone: bool = False) -> TablePosted:
    return TablePosted(
        at=1,
        agent="opencode",
        table=SessionTable(
            pane="p1",
            process=PROCESS,
            factory=1,
            generation=1,
            seq=3,
            host_version="1",
            outlives_dispose=False,
            gone=gone,
            sessions=rows,
        ),
    )


EVERYTHING: dict[str, Event] = {
    "table: no sessions": table(),
    "table: gone; s busy, turn 2, asks 1; r at rest, turn 0": table(
        SessionRow(id="r"), SessionRow(id="s", busy=True, turn=2, asks=(ASK,), prompt=SECRET), gone=True
    ),
    "process 7 polls": ReporterHeard(at=1, process=PROCESS, polling=True),
    "process 7 has polled": ReporterHeard(at=1, process=PROCESS, polling=False),
    "process 7 is gone": ReporterDied(at=1, process=PROCESS),
    "turn t started": TurnStarted(at=1, source=HOOK, turn="t", prompt=SECRET),
    "turn ? ended: ok, 2 in background": TurnEnded(
        at=1, source=HOOK, end=End(how=Ending.OK), background=2, last_message=SECRET
    ),
    "tool bash used": ToolUsed(at=1, source=HOOK, tool="bash"),
    "sub-agent c started": ChildStarted(at=1, source=HOOK, child="c"),
    "sub-agent c ended": ChildEnded(at=1, source=HOOK, child="c"),
    "asked (question)": Asked(at=1, source=HOOK, ask=ASK),
    "asked (question) by sub-agent c": Asked(at=1, source=HOOK, ask=ASK, child="c"),
    "ask a resolved": Resolved(at=1, source=HOOK, ask_id="a"),
    "session s shown": SessionChanged(at=1, source=HOOK, session_id="s"),
    "state=blocked kind=auth id=a/b": ProgramReported(
        at=1, state=ProgramState.BLOCKED, kind=Kind.AUTH, path=("a", "b"), message=SECRET, title=SECRET
    ),
    "working: title starts with a spinner": StateSaid(
        at=1, source=Source.TITLE, says=Says.WORKING, detail="title starts with a spinner", text=SECRET
    ),
    "progress 4 %": ProgressShown(at=1, percent=4),
    "progress removed": ProgressShown(at=1, percent=None),
    "prompt mark D, exit code 1": PromptMarked(at=1, mark=Mark.FINISHED, exit_code=1),
    "prompt mark A": PromptMarked(at=1, mark=Mark.PROMPT),
    "interrupt key pressed": InterruptPressed(at=1),
    "claude found": AgentRecognised(at=1, source=Source.PROCESS, agent="claude"),
    "agent left, shell in the foreground": AgentGone(at=1),
    "exited with code 3": ProcessExited(at=1, exit_code=3),
    "killed by signal 9": ProcessExited(at=1, exit_code=-9),
    "cannot be seen: ssh": EvidenceLost(at=1, why="ssh"),
    "can be seen again": EvidenceRegained(at=1),
    "in front of the user": Watched(at=1, watched=True),
    "no longer in front of the user": Watched(at=1, watched=False),
    "seen": Seen(at=1),
    "time passed": TimePassed(at=1),
}


@pytest.mark.parametrize(("words", "event"), EVERYTHING.items(), ids=EVERYTHING)
def test_every_event_has_words_that_give_nothing_away(words: str, event: Event) -> None:
    assert describing.what(event) == words
    assert SECRET not in describing.what(event)


def test_a_long_table_tells_of_what_is_not_quiet_first() -> None:
    rows = [SessionRow(id=f"q{number}") for number in range(9)]

    words = describing.what(table(*rows, SessionRow(id="b", busy=True, turn=1)))

    assert words.startswith("table: b busy, turn 1; q0 at rest")
    assert words.endswith("; 6 more")


def test_every_event_has_a_source() -> None:
    assert describing.source_of(EVERYTHING["progress 4 %"]) == "progress"
    assert describing.source_of(EVERYTHING["seen"]) == "user"
    assert describing.source_of(EVERYTHING["time passed"]) == "clock"
