"""One agent installed in a sandbox whose server runs, its fake model beside it."""

from __future__ import annotations

import json
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from tests.e2e.agents import RealAgent
from tests.e2e.hand import Hand
from tests.e2e.journey import Journey
from tests.e2e.sandbox import Sandbox
from tests.hosts.model_api import serving


class Ground:
    """What the panes of one agent share; a context manager."""

    def __init__(self, agent: RealAgent) -> None:
        self.agent = agent
        self._stack = ExitStack()
        self.sandbox = Sandbox()
        self._stack.callback(self.sandbox.close)
        self._log = self.sandbox.root / "model.jsonl"
        self.model = self._stack.enter_context(serving(agent.dialect(), log=self._log))
        agent.install(self.sandbox, self.model.url)
        self.events = self.sandbox.follow()
        self.hand = Hand(self.sandbox)
        self._stack.callback(self.hand.close)

    def requests(self) -> list[dict[str, Any]]:
        """What the model was asked, in order, titles and summaries included."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return [fact for fact in map(json.loads, lines) if "body" in fact]

    def start(self, *arguments: str) -> Journey:
        """Open a pane whose program is the agent, with arguments after its own."""
        return self.journey(self.hand.open(self.agent.name, *self.agent.command, *arguments))

    def start_shell(self) -> Journey:
        """Open a pane with a shell, in which the agent can be typed."""
        return self.journey(self.hand.open(None, "bash", "--norc", "--noprofile"))

    def journey(self, pane: str) -> Journey:
        return Journey(hand=self.hand, events=self.events, model=self.model, pane=pane)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
