"""Tables of one process, folded."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from orca_tui.status.record import Kind
from orca_tui.status.session_table import UNKNOWN_PARENT, ProcessKey, Retry, SessionRow, SessionTable
from orca_tui.status.sessions import (
    MAX_SESSIONS,
    Session,
    Sessions,
    release,
    root_of,
    take,
)
from orca_tui.status.turns import Ask, End, Ending

OK = End(how=Ending.OK)
ABORTED = End(how=Ending.INTERRUPTED)
PROCESS = ProcessKey(pid=7, started=1.0)


def table(
    seq: int, *rows: SessionRow, factory: int = 1, generation: int = 1, gone: bool = False
) -> SessionTable:
    return SessionTable(
        pane="p1",
        process=PROCESS,
        factory=factory,
        generation=generation,
        seq=seq,
        host_version="1",
        outlives_dispose=False,
        gone=gone,
        sessions=rows,
    )


def busy(
    turn: int = 1, id: str = "root", parent: str | None = None, *, asks: Sequence[str] = ()
) -> SessionRow:
    return SessionRow(id=id, parent=parent, busy=True, turn=turn, asks=tuple(map(permission, asks)))


def ended(
    turn: int = 1, end: End = OK, id: str = "root", parent: str | None = None, *, asks: Sequence[str] = ()
) -> SessionRow:
    return SessionRow(id=id, parent=parent, turn=turn, end=end, asks=tuple(map(permission, asks)))


def permission(id: str) -> Ask:
    return Ask(id=id, kind=Kind.PERMISSION)


def after(*tables: SessionTable) -> Sessions:
    sessions = Sessions()
    for order, one in enumerate(tables, start=1):
        sessions = take(sessions, one, order)
    return sessions


def asks(sessions: Sessions, id: str = "root") -> list[str]:
    return [open.ask.id for open in sessions.by_id[id].asks]


# Turns.


def test_the_end_of_a_root_counts() -> None:
    sessions = after(table(1, busy()), table(2, ended()))

    assert (sessions.ends, sessions.last_end, sessions.last_ended) == (1, OK, "root")
    assert not sessions.by_id["root"].busy


def test_a_row_that_names_no_end_claims_nothing() -> None:
    silent = SessionRow(id="root", turn=1)

    sessions = after(table(1, busy()), table(2, silent, factory=2, generation=2))

    assert sessions.by_id["root"].busy
    assert sessions.ends == 0


def test_an_end_without_a_turn_is_none() -> None:
    assert after(table(1, ended(turn=0))).ends == 0


def test_a_turn_that_began_and_ended_between_two_tables_counts() -> None:
    sessions = after(table(1), table(2, ended(turn=1)), table(3, ended(turn=2, end=ABORTED)))

    assert (sessions.ends, sessions.last_end) == (2, ABORTED)


def test_the_same_end_twice_is_one() -> None:
    assert after(table(1, busy()), table(2, ended()), table(3, ended())).ends == 1


def test_a_turn_that_has_ended_does_not_run_again() -> None:
    sessions = after(table(1, busy()), table(2, ended()), table(3, busy(), factory=2, generation=2))

    assert not sessions.by_id["root"].busy
    assert sessions.by_id["root"].end == OK


def test_the_hosts_own_word_corrects_an_end_that_was_guessed() -> None:
    sessions = after(table(1, busy()), table(2, ended()), table(3, ended(end=ABORTED)))

    assert (sessions.ends, sessions.last_end) == (1, ABORTED)


def test_a_table_that_was_replaced_changes_nothing() -> None:
    sessions = after(table(2, ended()))

    assert take(sessions, table(1, busy()), 9) is sessions


def test_a_late_table_of_an_older_factory_does_not_bring_a_turn_back() -> None:
    new = table(5, ended(turn=2), factory=2, generation=2)

    same = after(table(1, busy(turn=2)), new, table(3, busy(turn=2)))
    older = after(new, table(3, busy(turn=1)))

    assert not same.by_id["root"].busy
    assert (older.by_id["root"].busy, older.by_id["root"].turn) == (False, 2)


def test_a_late_table_does_not_bring_an_ask_back() -> None:
    new = table(5, busy(), factory=2, generation=2)

    sessions = after(new, table(3, busy(asks=["a"])))

    assert asks(sessions) == []


def test_a_reload_forgets_no_turn() -> None:
    sessions = after(
        table(1, busy(turn=3)),
        table(2, factory=2, generation=2),
        table(3, ended(turn=3), factory=2, generation=2),
    )

    assert sessions.ends == 1


def test_a_session_that_its_process_had_forgotten_counts_anew() -> None:
    sessions = after(table(1, ended(turn=7)), table(2, busy(turn=1)), table(3, ended(turn=1)))

    assert sessions.ends == 2


def test_a_new_turn_drops_the_words_of_the_one_before() -> None:
    told = SessionRow(id="root", busy=True, turn=1, prompt="one", last_message="yes")

    sessions = after(table(1, told), table(2, busy(turn=2)))

    assert (sessions.by_id["root"].prompt, sessions.by_id["root"].last_message) == (None, None)


def test_a_retry_belongs_to_the_running_turn() -> None:
    waits = SessionRow(id="root", busy=True, turn=1, retry=Retry(attempt=2))

    assert after(table(1, waits)).by_id["root"].retry == Retry(attempt=2)
    assert after(table(1, waits), table(2, ended())).by_id["root"].retry is None


# Asks.


def test_an_ask_is_closed_by_its_own_reply_alone() -> None:
    answered = SessionRow(id="root", busy=True, turn=1, asks=(permission("b"),), resolved=("a",))

    sessions = after(table(1, busy(asks=["a", "b"])), table(2, answered))

    assert asks(sessions) == ["b"]


def test_an_ask_that_was_answered_after_a_reload_is_closed_by_its_id() -> None:
    answered = SessionRow(id="root", busy=True, turn=1, resolved=("a",))

    sessions = after(table(1, busy(asks=["a"])), table(2, answered, factory=2, generation=2))

    assert asks(sessions) == []


def test_an_ask_stays_open_over_a_reload() -> None:
    sessions = after(table(1, busy(asks=["a"])), table(2, busy(), factory=2, generation=2))

    assert asks(sessions) == ["a"]


def test_an_ask_that_its_factory_lists_no_more_is_closed() -> None:
    assert asks(after(table(1, busy(asks=["a"])), table(2, busy()))) == []


def test_a_closed_ask_does_not_open_again() -> None:
    answered = SessionRow(id="root", busy=True, turn=1, resolved=("a",))

    sessions = after(table(1, busy(asks=["a"])), table(2, answered), table(3, busy(asks=["a"])))

    assert asks(sessions) == []


def test_the_end_of_its_session_closes_an_ask() -> None:
    ended_elsewhere = table(2, ended(end=ABORTED), factory=2, generation=2)

    assert asks(after(table(1, busy(asks=["a"])), ended_elsewhere)) == []


def test_an_ask_that_comes_with_an_end_is_a_later_one() -> None:
    assert asks(after(table(1, busy()), table(2, ended(asks=["b"])))) == ["b"]


def test_equal_ids_of_two_sessions_are_two_asks() -> None:
    both = [busy(asks=["a"]), busy(id="child", parent="root", asks=["a"])]
    answered = SessionRow(id="root", busy=True, turn=1, resolved=("a",))

    sessions = after(table(1, *both), table(2, answered, both[1]))

    assert (asks(sessions), asks(sessions, "child")) == ([], ["a"])


def test_the_end_of_the_root_closes_the_asks_of_its_descendants() -> None:
    child = busy(id="child", parent="root")
    grandchild = busy(id="grandchild", parent="child", asks=["a"])

    sessions = after(table(1, busy(), child, grandchild), table(2, ended(), child, grandchild))

    assert asks(sessions, "grandchild") == []


def test_a_root_that_is_busy_closes_no_ask_of_a_child() -> None:
    child = busy(id="child", parent="root", asks=["a"])

    sessions = after(table(1, ended(), child), table(2, busy(turn=2), child))

    assert asks(sessions, "child") == ["a"]


def test_a_missed_end_closes_the_asks_of_its_turn() -> None:
    sessions = after(table(1, busy(asks=["a"])), table(2, busy(turn=2), factory=2, generation=2))

    assert asks(sessions) == []


# Lineage.


def test_the_end_of_a_child_is_no_end_of_the_pane() -> None:
    assert after(table(1, busy(id="c", parent="root")), table(2, ended(id="c", parent="root"))).ends == 0


def test_an_end_counts_from_when_its_session_is_known_to_be_a_root() -> None:
    unknown = [busy(parent=UNKNOWN_PARENT), ended(parent=UNKNOWN_PARENT)]

    sessions = after(table(1, unknown[0]), table(2, unknown[1]))
    assert sessions.ends == 0
    assert take(sessions, table(3, ended()), 9).ends == 1


def test_a_lineage_that_was_known_stays_known() -> None:
    sessions = after(
        table(1, busy(id="c", parent="root")), table(2, busy(id="c", parent=UNKNOWN_PARENT), factory=2)
    )

    assert sessions.by_id["c"].parent == "root"


def test_the_root_is_found_through_its_children_and_a_circle_has_none() -> None:
    sessions = after(table(1, busy(), busy(id="c", parent="root"), busy(id="g", parent="c")))
    circle = after(table(1, busy(id="a", parent="b"), busy(id="b", parent="a")))
    orphan = after(table(1, busy(id="a", parent="missing")))

    assert root_of(sessions, sessions.by_id["g"]) is sessions.by_id["root"]
    assert root_of(circle, circle.by_id["a"]) is None
    assert root_of(orphan, orphan.by_id["a"]) is None


# Disposal.


def test_a_factory_that_is_gone_has_interrupted_what_it_told_of() -> None:
    sessions = after(table(1, busy(asks=["a"])), table(2, busy(asks=["a"]), gone=True))

    assert sessions.last_end is not None
    assert (sessions.last_end.how, sessions.ends) == (Ending.INTERRUPTED, 1)
    assert asks(sessions) == []
    assert sessions.factories == {}


def test_what_another_living_factory_tells_of_goes_on() -> None:
    sessions = after(
        table(1, busy(id="mine")),
        table(2, busy(id="other"), factory=2),
        table(3, busy(id="mine"), gone=True),
    )

    assert not sessions.by_id["mine"].busy
    assert sessions.by_id["other"].busy
    assert list(sessions.factories) == ["2.1"]


def test_the_late_idle_of_a_cancelled_turn_is_no_second_end() -> None:
    sessions = after(
        table(1, busy()), table(2, busy(), gone=True), table(3, ended(), factory=2, generation=2)
    )

    assert sessions.ends == 1


def test_released_sessions_claim_nothing_and_remember_their_turns() -> None:
    sessions = release(after(table(1, busy(turn=4, asks=["a"]))))

    assert (sessions.by_id["root"].busy, asks(sessions)) == (False, [])
    assert take(sessions, table(2, ended(turn=4)), 9).ends == 1


@pytest.mark.parametrize("kept", ["busy", "asking"])
def test_quiet_sessions_are_forgotten_before_others(kept: str) -> None:
    keeper = busy(id="keeper") if kept == "busy" else SessionRow(id="keeper", asks=(permission("a"),))
    tables = [table(1, keeper)]
    tables += [table(number + 2, ended(id=f"s{number}")) for number in range(MAX_SESSIONS + 5)]

    sessions = after(*tables)

    assert len(sessions.by_id) == MAX_SESSIONS
    assert isinstance(sessions.by_id["keeper"], Session)
    assert "s0" not in sessions.by_id
