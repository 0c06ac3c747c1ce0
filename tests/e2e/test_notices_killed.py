"""Notices that wait outlive a server that is killed. What was on its way then: `test_notices_opencode1`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.e2e.rebooting import kill_server
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.writer import Writer

AGENT = Path(__file__).parent.parent / "hosts" / "prompting_agent.py"
PANES, NOTICES = 4, 20
CONFLICT_EXIT = 3


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
