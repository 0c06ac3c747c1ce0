"""What is taken of a hook's report."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from orca_tui.agents.hooks import MAX_BODY_BYTES, hook_command, moment, never_failing, poster, read_hook
from orca_tui.base.errors import Invalid, TooLarge

NOW = 1_700_000_000.0


def posted(**fields: object) -> bytes:
    return json.dumps({"hook_event_name": "Stop", "at": NOW, **fields}).encode()


def test_a_report_is_read_and_what_is_not_known_is_left_out() -> None:
    report = read_hook(posted(prompt_id="p", background={"shell": 2}, later="x"))

    assert (report.event, report.prompt_id, report.background) == ("Stop", "p", {"shell": 2})
    assert report.session is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        posted(at="now"),
        posted(hook_event_name=""),
        posted(hook_event_name="x" * 101),
        posted(prompt_id=7),
        posted(prompt="x" * 2001),
        posted(background={"shell": -1}),
        posted(background=["shell"]),
    ],
)
def test_a_body_that_is_no_report_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid):
        read_hook(body)


def test_a_body_that_no_poster_sends_is_refused_before_it_is_read() -> None:
    with pytest.raises(TooLarge):
        read_hook(posted(later="x" * MAX_BODY_BYTES))


@pytest.mark.parametrize(
    ("at", "moment_"),
    [(NOW - 1, NOW - 1), (NOW - 30, NOW - 30), (NOW - 31, NOW), (NOW + 0.1, NOW), (0, NOW), (1e300, NOW)],
)
def test_the_start_of_a_hook_is_believed_while_it_is_likely(at: float, moment_: float) -> None:
    assert moment(read_hook(posted(at=at)), NOW) == moment_


@pytest.mark.parametrize("session", ["--dangerous", "a b", "a\n", "a;b", "", "$(x)", "x" * 201, "é"])
def test_a_session_id_that_no_command_line_should_hold_is_none(session: str) -> None:
    assert read_hook(posted(session_id=session)).session is None


def test_texts_are_made_fit_for_one_line() -> None:
    report = read_hook(posted(tool_name="Ba\x1b[31msh", ask="Bash:\n rm\u202e -rf \x07x"))

    assert (report.tool, report.ask_text) == ("Ba[31msh", "Bash: rm -rf x")


def test_the_command_runs_the_poster_whatever_the_paths_are() -> None:
    command = hook_command("/a path/py'thon", "claude")

    assert shlex.split(command) == ["/a path/py'thon", "-I", "-S", str(poster()), "claude"]
    assert poster().is_file()
    assert shlex.split(hook_command(sys.executable, "x"))[0] == sys.executable


def test_a_script_that_is_gone_fails_nothing() -> None:
    command = never_failing(hook_command("/nowhere/python", "claude"))

    assert subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True).returncode == 0
