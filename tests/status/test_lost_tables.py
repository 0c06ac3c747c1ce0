"""Tables of the status plugin that are lost, late or repeated."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from orca_tui.status.board import Board
from orca_tui.status.events import ReporterHeard, TablePosted
from orca_tui.status.record import Kind, StatusRecord
from orca_tui.status.session_table import SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending
from tests.status.strategies import PROCESSES, PROFILES


class Host:
    """A host with one root and a child, whose plugin posts a table after everything that happens.

    The root does not end while its child asks: whether an ask came before or after an end is told by the order
    of tables alone.
    """

    def __init__(self, seed: int) -> None:
        self._choose = random.Random(seed)
        self._rows = {
            "root": SessionRow(id="root"),
            "child": SessionRow(id="child", parent="root"),
        }
        self._asks = 0

    def tables(self, count: int) -> list[SessionTable]:
        found = []
        for seq in range(1, count + 1):
            self._happens()
            found.append(self._table(seq))
        return found

    def _happens(self) -> None:
        id = "child" if self._rows["child"].asks else self._choose.choice(["root", "root", "child"])
        row = self._rows[id]
        if not row.busy:
            self._rows[id] = replace(row, busy=True, turn=row.turn + 1, end=None)
        elif self._choose.random() < 0.3:
            self._asks += 1
            ask = Ask(id=f"a{self._asks}", kind=self._choose.choice([Kind.PERMISSION, Kind.QUESTION]))
            self._rows[id] = replace(row, asks=(*row.asks, ask))
        elif row.asks and self._choose.random() < 0.5:
            self._rows[id] = replace(row, asks=row.asks[1:], resolved=(*row.resolved, row.asks[0].id))
        else:
            self._end(id, row)

    def _end(self, id: str, row: SessionRow) -> None:
        end = End(how=self._choose.choice(list(Ending)))
        resolved = (*row.resolved, *(ask.id for ask in row.asks))
        self._rows[id] = replace(row, busy=False, end=end, asks=(), resolved=resolved)

    def _table(self, seq: int) -> SessionTable:
        return SessionTable(
            pane="p1",
            process=PROCESSES[0],
            factory=1,
            generation=1,
            seq=seq,
            host_version="1",
            outlives_dispose=False,
            sessions=tuple(self._rows.values()),
        )


def final(tables: list[SessionTable]) -> StatusRecord:
    board = Board(PROFILES)
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", ReporterHeard(at=0, process=PROCESSES[0], polling=True))
    for table in tables:
        board.observe("p1", TablePosted(at=1, agent="opencode", table=table))
    return board.record("p1")


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(), count=st.integers(1, 25), data=st.data())
def test_the_last_table_heals_whatever_was_lost_late_or_repeated(
    seed: int, count: int, data: st.DataObject
) -> None:
    everything = Host(seed).tables(count)
    delivered = data.draw(st.lists(st.sampled_from(everything), max_size=30))

    whole, patchy = final(everything), final([*delivered, everything[-1]])

    told = [(r.status, r.kind, r.message, r.session_id, r.subagents) for r in (whole, patchy)]
    assert told[0] == told[1]
