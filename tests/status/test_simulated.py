"""An agent that is simulated with its user, and told of by its sources late, twice and in any order.

Within a second and the delay of its sources the pane shows what is true, and in the end it has rung once for every
turn and every ask that were not the user's own doing.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_tui.status.board import Board
from orca_tui.status.events import Event
from orca_tui.status.record import Kind, Status
from tests.status.conftest import Timeline
from tests.status.told import (
    FILE,
    PROFILES,
    asked,
    child,
    child_ended,
    end,
    esc,
    failed,
    file,
    program,
    resolved,
    said,
    screen,
    session,
    start,
    tool,
)

DELAY_S = 0.3  # Of hooks on a busy machine; looks at files and screens come as late.
STEP_S = 2.0  # A user and a model need as long.
DUE_S = 1.0 + DELAY_S

REST = (Status.IDLE, Status.DONE, Status.ERROR)


class Simulated:
    """What an agent and its user do, and what each of the agent's sources tells of it."""

    def __init__(self, seed: int, sources: frozenset[str]) -> None:
        self._choose = random.Random(seed)
        self._sources = sources
        self._turn = self._ask = self._session = 0
        self.status = Status.IDLE
        self.rings = 0
        self.now = 1.0
        self.told: list[tuple[float, Event]] = []
        self._tell("hooks", session(self._soon(), "s0"))
        self._see("idle", "ended", "at_rest", "idle")

    def step(self) -> None:
        """Something happens."""
        self.now += STEP_S
        self.told = []
        choices = {
            Status.WORKING: [self._asks, self._ends, self._ends, self._fails, self._stops, self._delegates],
            Status.WAITING: [self._allows, self._allows, self._stops, self._refuses],
        }
        self._choose.choice(choices.get(self.status, [self._begins, self._begins, self._clears_all]))()
        self.told.sort(key=lambda one: one[0])

    def _begins(self) -> None:
        self._turn += 1
        self.status = Status.WORKING
        self._tell("hooks", start(self._soon(), self._id, session_id=f"s{self._session}"))
        self._see("working", "working", "working", "working")

    def _asks(self) -> None:
        self._ask += 1
        self.status = Status.WAITING
        self.rings += 1
        self._tell("hooks", asked(self._soon(), f"a{self._ask}", turn=self._id))
        self._tell("hooks", tool(self._soon(), self._id))
        self._see("blocked", "waiting", "at_rest", "waiting")

    def _allows(self) -> None:
        self.status = Status.WORKING
        self._tell("hooks", resolved(self._soon(), f"a{self._ask}", turn=self._id))
        self._see("working", "working", "working", "working")

    def _ends(self) -> None:
        self.status = Status.DONE
        self.rings += 1
        self._tell("hooks", end(self._soon(), self._id))
        self._see("done", "ended", "at_rest", "idle")

    def _fails(self) -> None:
        self.status = Status.ERROR
        self.rings += 1
        self._tell("hooks", failed(self._soon(), self._id))
        self._see("error", "ended", "at_rest", "failed")

    def _stops(self) -> None:
        self.told.append((self.now, esc(self.now)))
        self._refuses()

    def _refuses(self) -> None:
        self.status = Status.IDLE
        self._see("idle", "ended", "at_rest", "idle")

    def _delegates(self) -> None:
        """A sub-agent that came and went within the turn."""
        self._tell("hooks", child(self._soon(), f"c{self.now}"))
        self._tell("hooks", child_ended(self._soon(), f"c{self.now}"))
        self._tell("hooks", tool(self._soon(), self._id))

    def _clears_all(self) -> None:
        self._session += 1
        self.status = Status.IDLE
        self._tell("hooks", session(self._soon(), f"s{self._session}"))
        if "files" in self._sources:
            self.told.append((at := self.now + 0.2, session(at, f"s{self._session}", FILE)))

    @property
    def _id(self) -> str:
        return f"t{self._turn}"

    def _soon(self) -> float:
        return self.now + self._choose.uniform(0.0, DELAY_S / 2)

    def _tell(self, source: str, event: Event) -> None:
        """It arrives later than it happened, and sometimes again."""
        if source not in self._sources:
            return
        for _ in range(self._choose.choice([1, 1, 1, 2])):
            self.told.append((event.at + self._choose.uniform(0.0, DELAY_S / 2), event))

    def _see(self, state: str, level: str, title: str, look: str) -> None:
        """The sources of levels, each at its moment."""
        kind = Kind.PERMISSION if look == "waiting" else None
        at = [self.now + self._choose.uniform(0.0, DELAY_S) for _ in range(4)]
        seen = {
            "osc": program(at[0], state, "claude", kind=kind),
            "files": file(at[1], level, kind=kind),
            "titles": said(at[2], title),
            "screens": screen(at[3], look, kind=kind),
        }
        self.told += [(event.at, event) for source, event in seen.items() if source in self._sources]


ENOUGH = [
    {"osc"},
    {"osc", "hooks"},
    {"hooks", "files"},
    {"hooks", "screens"},
    {"hooks", "files", "titles", "screens"},
    {"osc", "hooks", "files", "titles", "screens"},
]
"""Each set of sources can tell everything; `osc` alone but for another session, which it calls an interrupt."""


@pytest.mark.parametrize("sources", ENOUGH, ids=lambda sources: "+".join(sorted(sources)))
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 25))
def test_what_a_simulated_agent_does_is_shown_in_time(sources: set[str], seed: int, steps: int) -> None:
    agent = Simulated(seed, frozenset(sources))
    pane = Timeline("claude", board=Board(PROFILES))
    deliver(pane, agent)

    for _ in range(steps):
        agent.step()
        deliver(pane, agent)
        pane.run_until(agent.now + DUE_S)

        shown, true = pane.record.status, agent.status
        assert shown is true or (sources == {"osc"} and shown in REST and true is Status.IDLE)

    assert len(pane.rings) == agent.rings


def deliver(pane: Any, agent: Simulated) -> None:
    for arrives_at, event in sorted(agent.told, key=lambda one: one[0]):
        pane.run_until(arrives_at)
        pane.observe(event)


def test_every_ending_is_simulated() -> None:
    agent = Simulated(1, frozenset({"hooks"}))
    shown: set[Status] = set()

    for _ in range(200):
        agent.step()
        shown.add(agent.status)

    assert shown == {Status.WORKING, Status.WAITING, *REST}
