"""A real Codex in a pane."""

from __future__ import annotations

from tests.e2e.agents import CODEX
from tests.e2e.scenarios import IDLE, WORKING, Apart, Resumed, Together, TogetherAtTheEnd, TogetherWithErrors

AGENT = CODEX


class TestTogether(Together):
    cancelled = (WORKING, IDLE)  # It goes back to work for the moment in which it stops the turn.


class TestErrors(TogetherWithErrors):
    kinds = dict.fromkeys((500, 429, 401), "other")  # It reports that it failed, not of what.


class TestEnd(TogetherAtTheEnd):
    pass


class TestResumed(Resumed):
    pass


class TestApart(Apart):
    pass
