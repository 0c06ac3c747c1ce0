"""One report of OSC 7501, read."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.agents import program_status
from orca_tui.agents.program_status import FRAME_BYTES, MAX_REPORT_BYTES
from orca_tui.status.events import ProgramReported, ProgramState
from orca_tui.status.record import Kind


def encoded(text: str | bytes) -> str:
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()


def read(payload: str) -> ProgramReported | None:
    events = program_status.read(payload, 7.0)
    if not events:
        return None
    (event,) = events
    assert isinstance(event, ProgramReported)
    assert event.at == 7.0
    return event


def test_a_whole_report() -> None:
    report = read(
        f"state=blocked:app=pi:id=a/b.c:kind=permission:progress=40:title={encoded('T')}:msg={encoded('run ls')}"
    )

    assert report == ProgramReported(
        at=7.0,
        state=ProgramState.BLOCKED,
        path=("a", "b.c"),
        agent="pi",
        kind=Kind.PERMISSION,
        progress=40,
        title="T",
        message="run ls",
    )


@pytest.mark.parametrize("state", list(ProgramState))
def test_every_state_is_known(state: ProgramState) -> None:
    report = read(f"state={state}")

    assert report is not None
    assert (report.state, report.path) == (state, ())


@pytest.mark.parametrize(
    "payload", ["", "?", "app=x", "state=", "state=busy", "state=Working", "STATE=working"]
)
def test_a_report_without_a_known_state_is_none(payload: str) -> None:
    assert read(payload) is None


@pytest.mark.parametrize(
    "junk", ["nonsense", "=x", "9=x", "k y=x", "verylongkeyofmorethan16=x", "x=a b", "new=1"]
)
def test_malformed_pairs_are_skipped_and_unknown_keys_ignored(junk: str) -> None:
    assert read(f"{junk}:state=working") == read("state=working")


def test_the_last_of_two_holds() -> None:
    assert read("state=done:state=working") == read("state=working")


@pytest.mark.parametrize("state", ["idle", "working", "done", "error"])
def test_a_kind_belongs_to_blocked_alone(state: str) -> None:
    report = read(f"state={state}:kind=permission")

    assert report is not None
    assert report.kind is None


def test_an_unknown_kind_is_none() -> None:
    report = read("state=blocked:kind=mood")

    assert report is not None
    assert report.kind is None


def test_progress_belongs_to_working_and_blocked() -> None:
    told = [read(f"state={state}:progress=40") for state in ("done", "idle", "working", "blocked")]

    assert [report and report.progress for report in told] == [None, None, 40, 40]


@pytest.mark.parametrize(
    "payload",
    [
        "state=working:progress=101",
        "state=working:progress=x",
        "state=working:progress=4.5",
        "state=working:id=a//b",
        "state=working:id=/a",
        "state=working:id=a/b/c/d/e/f/g/h/i",
        "state=working:id=" + "a" * 33,
        "state=working:id=" + "/".join(["a" * 30] * 5),
        "state=working:id=a=b",
        "state=working:app=" + "a" * 33,
        "state=working:msg=----",
        "state=working:msg=A",
        f"state=working:msg={encoded('a' + chr(10) + 'b')}",
        f"state=working:msg={encoded(b'a' + bytes([0x1B]) + b'[2J')}",
        f"state=working:msg={encoded(chr(0x9B) + 'x')}",
        f"state=working:msg={encoded(bytes([0xFF, 0xFE]))}",
        f"state=working:msg={encoded('x' * 2049)}",
        f"state=working:title={encoded('x' * 193)}",
    ],
)
def test_what_is_over_a_limit_or_unsafe_drops_the_whole_report(payload: str) -> None:
    assert read(payload) is None


@pytest.mark.parametrize(
    "payload",
    [
        "state=working:progress=100",
        "state=working:id=a/b/c/d/e/f/g/h",
        "state=working:id=" + "a" * 32,
        "state=working:app=" + "a" * 32,
        f"state=working:msg={encoded('x' * 2048)}",
        f"state=working:title={encoded('x' * 192)}",
        f"state=working:msg={encoded('ab').rstrip('=')}",
    ],
)
def test_what_is_just_within_a_limit_is_taken(payload: str) -> None:
    assert read(payload) is not None


def test_a_report_of_more_than_4096_bytes_is_dropped() -> None:
    padding = "x=" + "y" * (MAX_REPORT_BYTES - FRAME_BYTES - len("state=idle:x="))

    assert read(f"state=idle:{padding}") is not None
    assert read(f"state=idle:{padding}y") is None


def test_hidden_characters_are_stripped_from_text() -> None:
    message = encoded("a\u202eb\u200bc\u2066")

    report = read(f"state=blocked:msg={message}")

    assert report is not None
    assert report.message == "abc"


def test_programs_are_called_by_our_names() -> None:
    report = read("state=idle:app=claude-code")

    assert report is not None
    assert report.agent == "claude"


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(payload: str) -> None:
    assert len(program_status.read(payload, 0.0)) <= 1


@given(st.text(alphabet="state=workingblockeddone:idmsgapp/ABC012+-=?", max_size=200))
def test_no_near_miss_breaks_the_reader(payload: str) -> None:
    assert len(program_status.read(f"state=blocked:{payload}", 0.0)) <= 1
