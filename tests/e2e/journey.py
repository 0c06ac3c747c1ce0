"""One running agent, driven from scenario to scenario; what its pane was said to do is compared exactly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.hand import Hand
from tests.e2e.sandbox import Follower
from tests.hosts.model_api import ModelServer
from tests.hosts.scripts import Step, prompt_of

LATE_S = 1.0
"""How long after its evidence a status may come."""

PATIENCE_S = 30.0
"""How long an agent may take for what it does, on a busy machine."""


class Journey:
    """A pane with an agent. `evidence_at` is when the driver last did or saw what a status follows from."""

    def __init__(self, *, hand: Hand, events: Follower, model: ModelServer, pane: str) -> None:
        self.hand = hand
        self.events = events
        self.model = model
        self.pane = pane
        self.evidence_at = time.time()
        self._prompts = 0
        self._changes_before = 0
        self._changes_awaited = 0
        self._rings_before = 0

    @contextmanager
    def scenario(self, *statuses: str, rings: int) -> Iterator[None]:
        """All that happens to the pane within, and since the last scenario: exactly these, in this order."""
        try:
            yield
            self.events.wait_for(
                lambda: len(self._new_changes()) >= len(statuses) and self._new_rings() >= rings, PATIENCE_S
            )
            assert [change["to"] for change in self._new_changes()] == list(statuses)
            assert self._new_rings() == rings
        except AssertionError as error:
            error.add_note(self.account())
            raise
        finally:
            self._changes_before += len(self._new_changes())
            self._changes_awaited = self._changes_before
            self._rings_before += self._new_rings()

    def prompt(self, *steps: Step) -> None:
        """Paste a scripted prompt and submit it; returns once the model was asked."""
        self._prompts += 1
        asked = self.model.asked
        mark = f"p{self._prompts}: "
        self.hand.paste(self.pane, mark + prompt_of(*steps))
        self.hand.shows(self.pane, mark)
        self.hand.keys(self.pane, "enter")
        assert self.model.wait_until_asked(asked + 1, PATIENCE_S), "the prompt did not reach the model"
        self.evidence_at = time.time()

    def keys(self, *names: str) -> None:
        self.hand.keys(self.pane, *names)
        self.evidence_at = time.time()

    def shows(self, text: str) -> None:
        self.hand.shows(self.pane, text, PATIENCE_S)
        self.evidence_at = time.time()

    def until(self, status: str) -> dict[str, Any]:
        """Wait for the next change to a status, which may not be late; its event."""

        def found() -> int | None:
            changes = self._changes()
            return next(
                (at for at in range(self._changes_awaited, len(changes)) if changes[at]["to"] == status), None
            )

        assert self.events.wait_for(lambda: found() is not None, PATIENCE_S), f"never {status}"
        at = found()
        assert at is not None
        self._changes_awaited = at + 1
        change = self._changes()[at]
        late = change["at"] - self.evidence_at
        assert late <= LATE_S, f"{status} came {late:.2f} s after its evidence"
        return change

    def until_rung(self) -> None:
        """Wait until the pane rang since the scenario began."""
        assert self.events.wait_for(lambda: self._new_rings() > 0, PATIENCE_S), "no ring"

    def account(self) -> str:
        """What is known when something is wrong."""
        said = self.hand.explain(self.pane)
        lines = [f"{o.at:.2f} {o.source} {o.what} [{o.why}] -> {o.status}" for o in said.observations[-15:]]
        since = [f"{change['from']}>{change['to']} {change.get('source')}" for change in self._new_changes()]
        return "\n".join(
            [f"since the last scenario: {since}", said.verdict, *lines, self.hand.screen(self.pane)]
        )

    def _changes(self) -> list[dict[str, Any]]:
        return [one for one in self.events.events if one["type"] == "status" and one["pane"] == self.pane]

    def _new_changes(self) -> list[dict[str, Any]]:
        return self._changes()[self._changes_before :]

    def _new_rings(self) -> int:
        rings = sum(one["type"] == "ring" and one["pane"] == self.pane for one in self.events.events)
        return rings - self._rings_before
