"""Claude Code's session file."""

from __future__ import annotations

import json

import pytest

from orca_tui.agents import claude_session
from orca_tui.status.events import AgentRecognised, Says, SessionChanged, StateSaid
from orca_tui.status.record import Kind, Source

FILE = {
    "pid": 1,
    "sessionId": "0b7b7a4c-1f55-4d3a-9c1c-7f4a1a2b3c4d",
    "cwd": "/x",
    "startedAt": 1_700_000_000_500,
    "version": "2.1.332",
    "kind": "interactive",
    "status": "idle",
    "statusUpdatedAt": 1_700_000_001_000,
}


def content(**fields: object) -> bytes:
    return json.dumps({**FILE, **fields}).encode()


@pytest.mark.parametrize(
    ("fields", "says", "kind"),
    [
        ({"status": "busy"}, Says.WORKING, None),
        ({"status": "idle"}, Says.ENDED, None),
        ({"status": "shell"}, Says.WORKING, None),
        ({"status": "waiting", "waitingFor": "permission prompt"}, Says.WAITING, Kind.PERMISSION),
        ({"status": "waiting", "waitingFor": "input needed"}, Says.WAITING, Kind.QUESTION),
        ({"status": "waiting"}, Says.WAITING, Kind.QUESTION),
        ({"status": "dreaming"}, Says.NOTHING, None),
    ],
)
def test_a_status_is_a_level(fields: dict[str, object], says: Says, kind: Kind | None) -> None:
    file = claude_session.read(content(**fields), 9.0)

    assert file is not None
    level = file.events[0]
    assert isinstance(level, StateSaid)
    assert (level.says, level.kind) == (says, kind)


def test_it_names_the_session_and_when_it_began() -> None:
    file = claude_session.read(content(status="busy"), 9.0)

    assert file is not None
    assert (file.session_id, file.began_at) == (FILE["sessionId"], 1_700_000_000.5)
    level, named, session = file.events
    assert isinstance(named, AgentRecognised)
    assert (named.agent, named.session_id) == ("claude", FILE["sessionId"])
    assert isinstance(session, SessionChanged)
    assert isinstance(level, StateSaid)
    assert (session.session_id, session.source) == (FILE["sessionId"], Source.SESSION_FILE)
    assert (level.says, level.source, level.at) == (Says.WORKING, Source.SESSION_FILE, 9.0)


@pytest.mark.parametrize(
    "torn",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        content()[:-1],
        content()[: len(content()) // 2],
        content(sessionId="--x"),
        content(sessionId=7),
        content(startedAt="soon"),
        content(kind="print"),
        b"[" * 100_000,
    ],
)
def test_a_torn_file_and_one_of_no_interactive_session_say_nothing(torn: bytes) -> None:
    assert claude_session.read(torn, 9.0) is None


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HOME": "/home/u"}, "/home/u/.claude/sessions"),
        ({"HOME": "/home/u", "CLAUDE_CONFIG_DIR": "/c"}, "/c/sessions"),
        ({"HOME": "/home/u", "CLAUDE_CONFIG_DIR": ""}, "/home/u/.claude/sessions"),
        ({}, None),
    ],
)
def test_the_folder_follows_the_programs_environment(environment: dict[str, str], folder: str | None) -> None:
    assert claude_session.folder(environment) == folder
