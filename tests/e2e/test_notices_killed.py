"""Notices outlive a server that is killed: what waited waits on, and what was on its way is never sent twice."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.e2e.desk import Desk
from tests.e2e.opencode import OpenCode
from tests.e2e.rebooting import server_pid
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.writer import Writer

AGENT = Path(__file__).parent.parent / "hosts" / "prompting_agent.py"
PANES, NOTICES = 4, 20
ANSWER = {"text": "finished"}
CONFLICT_EXIT = 3


def kill_server(sandbox: Sandbox) -> None:
    server = psutil.Process(server_pid(sandbox))
    server.kill()
    server.wait(timeout=10)


class Crew:
    """Some agents that are typed to, each at work on a prompt."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.connect()
        self.logs = {self._open(sandbox.root / f"prompts-{number}"): number for number in range(PANES)}
        for pane in self.logs:
            self.writer.waits(pane, "idle")
            self.writer.paste(pane, "work")
            self.writer.keys(pane, "enter")
            self.writer.waits(pane, "working")

    def connect(self) -> None:
        self._sandbox.run("server", "start")
        self.writer = Writer(self._sandbox)

    def _open(self, log: Path) -> str:
        log.touch()
        return self.writer.open("claude", sys.executable, str(AGENT), str(log))

    def prompts(self, pane: str) -> list[str]:
        """All that was submitted to an agent."""
        lines = (self._sandbox.root / f"prompts-{self.logs[pane]}").read_text().splitlines()
        return [line.strip('"') for line in lines]

    def end_turns(self) -> None:
        for pane in self.logs:
            if self.writer.pane(pane).status == "working":
                self.writer.keys(pane, "ctrl+e")

    def waiting(self) -> list[str]:
        """The ids of notices that wait, in their order in each pane."""
        return [one.id for pane in self.logs for one in self.writer.inbox(pane) if one.state == "pending"]

    def close(self) -> None:
        self.writer.close()


def test_twenty_waiting_notices_outlive_the_server_and_each_arrives_once(sandbox: Sandbox) -> None:
    crew = Crew(sandbox)
    sent = {pane: [f"{pane}-{number}" for number in range(NOTICES // PANES)] for pane in crew.logs}
    for pane, ids in sent.items():
        for notice in ids:
            assert crew.writer.send(pane, f"notice {notice}", id=notice).reason == "busy"
    before = crew.waiting()

    crew.close()
    kill_server(sandbox)
    crew.connect()
    after = crew.waiting()
    withdrawn = next(iter(sent.values())).pop(1)
    pane = withdrawn.partition("-")[0]
    cancels = [sandbox.try_run("inbox", "cancel", pane, withdrawn).returncode for _ in range(2)]
    for pane in crew.logs:
        crew.writer.keys(pane, "ctrl+c")  # A new server takes the box to be full until then.

    def all_arrived() -> bool:
        crew.end_turns()
        return not any(crew.writer.inbox(pane) for pane in crew.logs)

    poll_until(all_arrived, "nothing waits")
    crew.close()

    assert len(before) == NOTICES
    assert after == before
    assert cancels == [0, CONFLICT_EXIT]
    for pane, ids in sent.items():
        assert crew.prompts(pane) == ["work", *(f"notice {notice}" for notice in ids)]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """OpenCode in a session with a turn behind it."""
    sandbox = Sandbox()
    opencode = OpenCode(sandbox)
    try:
        desk = Desk(sandbox, opencode)
        desk.turn(ANSWER)
        yield desk
        desk.writer.close()
    finally:
        opencode.close()
        sandbox.close()


def kill_server_on_the_way(desk: Desk, text: str) -> tuple[str, list[int]]:
    """OpenCode has been sent a notice that it has not looked at yet, when the server is killed; the notice, and the
    processes of OpenCode, which stand still."""
    program = psutil.Process(desk.writer.pane(desk.pane).pid or 0)
    pids = [process.pid for process in (program, *program.children(recursive=True))]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    reply = desk.send(text)
    assert (reply.woke, reply.state) == (True, "delivering")
    desk.writer.close()
    kill_server(desk.sandbox)
    desk.connect()
    return reply.id, pids


def test_evidence_of_what_was_on_its_way_counts_for_the_next_server(desk: Desk) -> None:
    notice, pids = kill_server_on_the_way(desk, "notice-proven")
    found = desk.writer.notice(desk.pane, notice)

    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    delivered = desk.writer.becomes(desk.pane, notice, "delivered")
    poll_until(lambda: desk.opencode.asked("notice-proven"), "the model is asked")
    word = desk.prompt(ANSWER)

    def answered() -> bool:
        record = desk.writer.pane(desk.pane)
        return word in (record.prompt or "") and record.status == "done"

    poll_until(answered, "the next prompt is answered")  # Both may have been one turn for the new server.

    assert (found.state, found.why) == ("failed", "interrupted")
    assert delivered.receipt is not None
    assert desk.arrived_once("notice-proven")


def test_what_was_on_its_way_and_left_no_evidence_has_failed_and_is_not_sent_again(desk: Desk) -> None:
    session = desk.writer.pane(desk.pane).session_id
    assert session is not None
    notice, pids = kill_server_on_the_way(desk, "notice-lost")

    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    desk.writer.waits(desk.pane, "exited")
    desk.pane = desk.writer.open("opencode", "opencode", "--session", session)
    desk.writer.shows(desk.pane, "finished", 60)
    desk.turn(ANSWER)
    desk.send("notice-next", wait="done")

    found = desk.writer.notice(session, notice)
    assert desk.writer.pane(desk.pane).session_id == session
    assert (found.state, found.why) == ("failed", "interrupted")
    assert desk.opencode.asked("notice-lost") == []
    assert desk.arrived_once("notice-next")
