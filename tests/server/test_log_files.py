"""Logs that grow, as Copilot writes them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from orca_tui.agents.copilot import Copilot
from orca_tui.server import log_files
from orca_tui.server.log_files import LogFile
from orca_tui.server.sight import Sight
from orca_tui.status.events import Event, SessionChanged, StateSaid


class Log:
    """The log of a session, and who follows it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.follower = LogFile(Copilot(), {"COPILOT_HOME": str(root)})
        self.session: str | None = "s1"
        self.now = 0.0

    def path(self, session: str = "s1") -> Path:
        return self.root / "session-state" / session / "events.jsonl"

    def writes(self, *kinds: str, session: str = "s1", end: str = "\n") -> None:
        self.path(session).parent.mkdir(parents=True, exist_ok=True)
        with self.path(session).open("a") as file:
            for kind in kinds:
                file.write(json.dumps({"type": kind, "data": {"sessionId": session}}) + end)

    def look(self) -> list[Event]:
        self.now += 1
        return self.follower.look(Sight(group=None, session_id=self.session), self.now)

    def says(self) -> list[str]:
        return [str(event.says) for event in self.look() if isinstance(event, StateSaid)]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def test_a_log_is_told_as_it_grows(log: Log) -> None:
    assert log.says() == []

    log.writes("session.start", "user.message")
    assert log.says() == ["idle", "working"]
    assert log.says() == []
    log.writes("assistant.turn_end")
    assert log.says() == ["idle"]


def test_nothing_is_looked_at_before_the_session_is_known(log: Log) -> None:
    log.writes("session.start")
    log.session = None

    assert log.look() == []


def test_what_another_program_wrote_before_is_history(log: Log) -> None:
    log.writes("session.start", "user.message", "assistant.turn_end", "session.shutdown")
    log.writes("session.resume", "user.message")

    assert log.says() == ["idle", "working"]


def test_a_line_is_told_when_it_is_whole(log: Log) -> None:
    log.writes("session.start")
    log.look()

    log.writes("user.message", end="")
    assert log.look() == []
    log.writes(end="")
    with log.path().open("a") as file:
        file.write("\n")
    assert log.says() == ["working"]


def test_another_session_has_another_log(log: Log) -> None:
    log.writes("session.start", "user.message")
    log.look()

    log.writes("session.start", session="s2")
    log.session = "s2"

    assert [event.session_id for event in log.look() if isinstance(event, SessionChanged)] == ["s2"]


def test_a_log_that_is_gone_says_nothing_any_more_until_it_is_back(log: Log) -> None:
    log.writes("session.start", "user.message")
    log.look()

    log.path().unlink()
    assert log.says() == ["nothing"]
    assert log.look() == []

    log.writes("session.resume")
    assert log.says() == ["idle"]


def test_a_log_that_was_replaced_or_cut_is_read_from_its_start(log: Log) -> None:
    log.writes("session.start", "user.message")
    log.look()

    log.path().write_text("")
    assert log.look() == []
    log.writes("session.resume")
    assert log.says() == ["idle"]

    other = log.path("other")
    log.writes("session.resume", "user.message", session="other")
    other.replace(log.path())
    assert log.says() == ["idle", "working"]


def test_a_line_of_two_megabytes_is_read_and_one_beyond_all_limits_passed_over(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.writes("session.start")
    log.look()
    with log.path().open("a") as file:
        file.write(json.dumps({"type": "user.message", "data": {"content": "x" * (2 << 20)}}) + "\n")

    said = [says for _ in range(4) for says in log.says()]
    assert said == ["working"]

    monkeypatch.setattr(log_files, "MAX_LINE_BYTES", 3 << 20)
    with log.path().open("a") as file:
        file.write(json.dumps({"type": "user.message", "data": {"content": "x" * (5 << 20)}}) + "\n")
    log.writes("assistant.turn_end")
    said = [says for _ in range(8) for says in log.says()]
    assert said == ["idle"]
    assert log.follower._log is not None
    assert len(log.follower._log.partial) == 0


def test_a_long_history_is_read_over_several_looks_and_only_its_end_is_told(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_files, "CHUNK_BYTES", 100)
    log.writes("session.start", *["user.message", "assistant.turn_end"] * 20)
    log.writes("session.resume", "user.message")

    said = [log.says() for _ in range(60)]

    assert [words for words in said if words] == [["idle", "working"]]


def test_a_pipe_in_a_logs_place_and_lines_that_are_none_hold_nobody_up(log: Log) -> None:
    log.path().parent.mkdir(parents=True)
    os.mkfifo(log.path())
    assert log.look() == []

    log.path().unlink()
    log.path().write_bytes(b"\xff\n{\n[]\n\n" + b'{"type": "user.message"}\n')
    assert log.says() == ["working"]
