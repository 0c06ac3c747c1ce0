"""OSC 26, the proposed Terminal Agent Protocol."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.agents.reported_pairs import MAX_BYTES, read
from orca_tui.status.events import AgentRecognised, ProgramReported, ProgramState
from orca_tui.status.record import Kind


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def report(payload: str) -> ProgramReported:
    (event,) = read(payload, 1.0)
    assert isinstance(event, ProgramReported)
    return event


@pytest.mark.parametrize(
    ("status", "state", "kind"),
    [
        ("idle", ProgramState.IDLE, None),
        ("running", ProgramState.WORKING, None),
        ("awaiting-approval", ProgramState.BLOCKED, Kind.PERMISSION),
        ("awaiting-input", ProgramState.BLOCKED, Kind.QUESTION),
        ("error", ProgramState.ERROR, None),
        ("finished", ProgramState.DONE, None),
        ("Running", ProgramState.WORKING, None),
    ],
)
def test_a_status_is_told(status: str, state: ProgramState, kind: Kind | None) -> None:
    event = report(f"Status={status}")

    assert (event.state, event.kind, event.path) == (state, kind, ())


def test_all_that_a_status_has_a_place_for_is_told() -> None:
    event, session = read(
        f"CodeAgent=My Bot; SessionId=s1; SessionTitle={encoded('Fix: it')}; ProjectFolder=/src;"
        f" Status=awaiting-approval; Detail={encoded('rm -rf x; y')}; TaskProgress=1/4; Other=1",
        1.0,
    )

    assert event == ProgramReported(
        at=1.0,
        state=ProgramState.BLOCKED,
        agent="my-bot",
        kind=Kind.PERMISSION,
        progress=25,
        title="Fix: it",
        message="rm -rf x; y",
    )
    assert isinstance(session, AgentRecognised)
    assert (session.agent, session.session_id) == ("my-bot", "s1")


@pytest.mark.parametrize(
    "payload",
    ["", "Status", "Status=", "Status=fine", "CodeAgent=bot", "=idle", ";;;", "?", "Status=idle" * 2000],
)
def test_without_a_known_status_nothing_is_told(payload: str) -> None:
    assert read(payload, 1.0) == []


def test_the_last_of_two_holds_and_the_case_of_keys_does_not_count() -> None:
    assert report("Status=idle;STATUS=running").state is ProgramState.WORKING


@pytest.mark.parametrize("detail", ["%%%", "w6k=w", encoded("x")[:-3] + "é", "/w==", "\u202e"])
def test_free_text_that_is_not_encoded_counts_as_absent(detail: str) -> None:
    assert report(f"Status=awaiting-input;Detail={detail}").message is None


@pytest.mark.parametrize(
    ("progress", "percent"),
    [("1/4", 25), ("0/3", 0), ("3/3", 100), ("4/3", None), ("1/0", None), ("x", None), ("-1/2", None)],
)
def test_progress_is_a_part_of_a_whole(progress: str, percent: int | None) -> None:
    assert report(f"Status=running;TaskProgress={progress}").progress == percent


def test_progress_belongs_to_what_runs() -> None:
    assert report("Status=finished;TaskProgress=1/4").progress is None


def test_hostile_text_is_made_safe_and_an_oversized_report_dropped() -> None:
    text = encoded("a\u202eb\x1b[31mc\0")

    assert report(f"Status=error;Detail={text}").message == "ab[31mc"
    assert read(f"Status=idle;TaskList={'A' * MAX_BYTES}", 1.0) == []


def test_a_session_without_a_status_is_still_told() -> None:
    (event,) = read("CodeAgent=bot;SessionId=s1", 1.0)

    assert isinstance(event, AgentRecognised)


@given(st.text())
def test_no_payload_is_an_error(payload: str) -> None:
    read(payload, 1.0)
