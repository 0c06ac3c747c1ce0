"""Session files as Claude Code keeps them, of real processes."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from orca_tui.agents.claude import Claude
from orca_tui.process.table import SystemTable
from orca_tui.server.sight import Sight
from orca_tui.server.state_files import LOOKS_PER_CHECK, StateFile
from orca_tui.status.events import Event, Says, SessionChanged, StateSaid

NOBODY = 2**22 + 1
"""A pid above the kernel's highest: no process has it."""


class Agent:
    """A process that leads a group of its own, and its file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(["sleep", "1000"], process_group=0)
        self.file = StateFile(Claude(), folder, SystemTable())
        self.now = 100.0

    @property
    def path(self) -> Path:
        return self.folder / f"{self.process.pid}.json"

    def writes(self, status: str, *, session: str = "s1", started: float | None = None) -> None:
        at = time.time() if started is None else started
        state = {"sessionId": session, "startedAt": at * 1000, "status": status, "kind": "interactive"}
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(json.dumps(state))
        temporary.replace(self.path)

    def look(self, *, group: int | None = None) -> list[Event]:
        self.now += 1
        return self.file.look(Sight(group=group or self.process.pid, session_id=None), self.now)

    def says(self) -> list[str]:
        return [str(event.says) for event in self.look() if isinstance(event, StateSaid)]

    def ends(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    found = Agent(tmp_path)
    yield found
    found.ends()


def test_what_changes_is_told_once(agent: Agent) -> None:
    agent.writes("idle")
    level, _, session = agent.look()
    assert isinstance(session, SessionChanged)
    assert isinstance(level, StateSaid)
    assert (session.session_id, level.says, level.at) == ("s1", Says.ENDED, agent.now)

    assert agent.look() == []

    agent.writes("busy")
    (level,) = agent.look()
    assert isinstance(level, StateSaid)
    assert level.says is Says.WORKING


def test_another_session_is_told_when_the_file_names_it(agent: Agent) -> None:
    agent.writes("idle")
    agent.look()

    agent.writes("idle", session="s2")

    assert [event.session_id for event in agent.look() if isinstance(event, SessionChanged)] == ["s2"]


def test_files_of_other_terminals_are_none_of_ours(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / f"{os.getpid()}.json").write_text("{}")
    (tmp_path / f"{NOBODY}.json").write_text("{}")
    (tmp_path / "x.json").write_text("{}")

    assert agent.look() == []
    agent.writes("idle")
    assert agent.says() == ["ended"]


def test_an_agent_in_the_background_is_still_followed(agent: Agent) -> None:
    agent.writes("idle")
    agent.look()
    agent.writes("busy")

    assert len(agent.look(group=os.getpgrp())) == 1


@pytest.mark.parametrize("content", [b"", b'{"sessionId": "s1", "sta', b"\xff", b"[]"])
def test_the_last_word_holds_while_a_file_is_torn(agent: Agent, content: bytes) -> None:
    agent.writes("busy")
    agent.look()

    agent.path.write_bytes(content)
    assert agent.look() == []

    agent.writes("idle")
    assert agent.says() == ["ended"]


def test_a_file_that_is_gone_says_nothing_any_more_until_it_is_back(agent: Agent) -> None:
    agent.writes("busy")
    agent.look()

    agent.path.unlink()
    assert agent.says() == ["nothing"]
    assert agent.look() == []

    agent.writes("idle")
    assert agent.says() == ["ended"]


def test_a_killed_agents_file_says_nothing_any_more(agent: Agent) -> None:
    agent.writes("busy")
    agent.look()

    agent.ends()

    assert agent.says() == ["nothing"]
    assert agent.look() == []


def test_a_file_that_a_crash_left_to_the_next_process_of_that_number_is_not_believed(agent: Agent) -> None:
    agent.writes("busy", started=time.time() - 3600)

    assert agent.look() == []

    agent.writes("idle")
    assert agent.says() == ["ended"]


def test_a_process_that_took_over_the_number_is_another_one(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.writes("busy")
    agent.look()
    owner = agent.file._owner
    assert owner is not None
    object.__setattr__(owner, "started", owner.started - 60)

    said = [says for _ in range(LOOKS_PER_CHECK) for says in agent.says()]

    assert said[0] == "nothing"


def test_no_folder_no_file_and_a_pipe_in_its_place_hold_nobody_up(agent: Agent) -> None:
    os.mkfifo(agent.path)
    assert agent.look() == []

    agent.path.unlink()
    assert agent.look() == []
    assert (
        StateFile(Claude(), agent.folder / "none", SystemTable()).look(
            Sight(group=agent.process.pid, session_id=None), 1.0
        )
        == []
    )
    assert agent.file.look(Sight(group=None, session_id=None), 1.0) == []
