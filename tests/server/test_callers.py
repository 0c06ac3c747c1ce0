"""Whose program a peer is, with real programs that leave their panes in every way."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from orca_tui.base.ids import PaneId
from orca_tui.process.table import Kin, ProcessFacts
from orca_tui.server.callers import NOWHERE, Callers
from orca_tui.server.peer import Peer
from tests.server.insiders import WAYS, Insider
from tests.server.rooms import Rooms
from tests.server.running import Api, Server

pytestmark = pytest.mark.anyio

ME = os.geteuid()


class Machine:
    """A `ProcessTable` of what a test says: pid -> (parent, session, started)."""

    def __init__(self, processes: dict[int, tuple[int, int, float]]) -> None:
        self.processes = processes
        self.variables: dict[int, dict[str, str]] = {}

    def lineage(self, pid: int) -> tuple[Kin, ...]:
        line = []
        while pid in self.processes:
            parent, session, started = self.processes[pid]
            line.append(Kin(pid=pid, session=session, started=started))
            pid = parent
        return tuple(line)

    def process(self, pid: int) -> ProcessFacts | None:
        found = self.processes.get(pid)
        return ProcessFacts(pid=pid, argv=("sh",), started=found[2]) if found else None

    def environment(self, pid: int) -> dict[str, str]:
        return self.variables.get(pid, {})


class Child:
    """A pane's program that only has a number."""

    master = -1

    def __init__(self, pid: int) -> None:
        self.pid = pid


def knowing(inside: Rooms, machine: Machine, pid: int) -> tuple[Callers, str]:
    """What knows a pane whose program has that number, and the pane's token."""
    session = inside.session
    session.parts = replace(session.parts, processes=machine)  # type: ignore[arg-type]
    pane = inside.pane()
    pane._child = Child(pid)  # type: ignore[assignment]
    token = session.tokens.give(pane.id)
    callers = Callers(session)
    callers.started(pane)
    pane._child = None
    return callers, token


def peer(pid: int | None) -> Peer:
    return Peer(uid=ME, pid=pid)


@pytest.mark.parametrize(
    ("process", "whose"),
    [
        ((100, 100, 6.0), "p1"),  # A child.
        ((100, 120, 6.0), "p1"),  # With a session of its own.
        ((1, 100, 6.0), "p1"),  # An orphan of its session.
        ((1, 120, 6.0), None),  # Neither: nothing tells.
        ((1, 1, 6.0), None),
    ],
)
async def test_a_process_belongs_to_the_pane_that_it_comes_from(
    inside: Rooms, process: tuple[int, int, float], whose: str | None
) -> None:
    callers, _ = knowing(inside, Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0), 120: process}), 100)

    assert callers.pane_of(peer(120), None) == whose


async def test_an_orphan_of_a_pane_whose_program_has_ended_is_still_its(inside: Rooms) -> None:
    machine = Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0), 120: (1, 100, 6.0)})
    callers, _ = knowing(inside, machine, 100)
    del machine.processes[100]
    [pane] = inside.session.panes.values()
    inside.session.remove(pane)

    assert callers.pane_of(peer(120), None) == "p1"


async def test_another_process_of_the_same_number_is_not_the_panes(inside: Rooms) -> None:
    machine = Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0)})
    callers, _ = knowing(inside, machine, 100)
    machine.processes |= {100: (1, 100, 99.0), 120: (100, 100, 99.5)}

    assert callers.pane_of(peer(100), None) is None
    assert callers.pane_of(peer(120), None) is None


async def test_nobody_is_taken_for_a_program_that_ended_at_once_but_what_it_left_is_its(
    inside: Rooms,
) -> None:
    machine = Machine({1: (0, 1, 0.0), 120: (1, 100, 6.0)})
    callers, _ = knowing(inside, machine, 100)
    left = callers.pane_of(peer(120), None)

    machine.processes |= {100: (1, 100, 99.0)}

    assert left == "p1"
    assert callers.pane_of(peer(100), None) is None


async def test_a_program_that_calls_before_its_start_is_known_is_the_panes(inside: Rooms) -> None:
    machine = Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0)})
    session = inside.session
    session.parts = replace(session.parts, processes=machine)  # type: ignore[arg-type]
    pane = inside.pane()
    pane._child = Child(100)  # type: ignore[assignment]

    assert Callers(session).pane_of(peer(100), None) == pane.id
    pane._child = None


async def test_a_token_tells_where_the_kernel_knows_no_pane_and_never_against_it(inside: Rooms) -> None:
    machine = Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0), 120: (100, 100, 6.0), 130: (1, 130, 7.0)})
    callers, token = knowing(inside, machine, 100)
    other = inside.session.tokens.give(PaneId("p2"))

    assert callers.pane_of(peer(130), token) == "p1"
    assert callers.pane_of(peer(130), "no token of ours") is None
    assert callers.pane_of(peer(120), other) == "p1"
    assert callers.pane_of(peer(None), other) == "p2"
    assert callers.pane_of(peer(None), None) is None


async def test_the_token_that_a_process_was_started_with_counts_when_it_shows_none(inside: Rooms) -> None:
    machine = Machine({1: (0, 1, 0.0), 100: (1, 100, 5.0), 130: (1, 130, 7.0)})
    callers, token = knowing(inside, machine, 100)
    machine.variables[130] = {"ORCA_TUI_TOKEN": token}

    assert callers.pane_of(peer(130), None) == "p1"


async def test_who_has_connected_and_is_gone_belongs_nowhere(inside: Rooms) -> None:
    callers, token = knowing(inside, Machine({100: (1, 100, 5.0)}), 100)

    assert callers.pane_of(peer(555), token) == NOWHERE


async def test_the_oldest_of_very_many_programs_is_forgotten(inside: Rooms) -> None:
    machine = Machine({pid: (1, pid, 5.0) for pid in range(100, 1200)})
    callers, _ = knowing(inside, machine, 100)
    pane = inside.pane()
    for pid in range(101, 1200):
        pane._child = Child(pid)  # type: ignore[assignment]
        callers.started(pane)
    pane._child = None

    assert callers.pane_of(peer(100), None) is None
    assert callers.pane_of(peer(1199), None) == pane.id


async def test_real_programs_are_known_however_they_left_their_pane(server: Server, api: Api) -> None:
    insider = await Insider.open(server, api)
    token = insider.token

    with_token = {way: await insider.http("GET", "/v1/whoami", token=token, way=way) for way in WAYS}
    without = {way: await insider.http("GET", "/v1/whoami", way=way) for way in WAYS}

    assert {way: body["pane"] for way, (_, body) in with_token.items()} == dict.fromkeys(WAYS, insider.pane)
    known = {"child": insider.pane, "setsid": insider.pane, "orphan": insider.pane, "daemon": None}
    assert {way: body["pane"] for way, (_, body) in without.items()} == known
