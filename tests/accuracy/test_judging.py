"""What counts as right, late, false and forbidden."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Kind, Status
from tests.accuracy.judging import Verdict, judge
from tests.accuracy.shown import Bell, Span
from tests.accuracy.truth import parse

TURN = ("1000 working", "5000 done ring")
END = 60_000.0


def shown(*told: str) -> list[Span]:
    """`1000 working`: spans that follow each other."""
    rows = [line.split() for line in told]
    ends = [*(float(row[0]) for row in rows[1:]), END]
    return [
        Span(
            at=float(at),
            until=until,
            status=Status(status),
            kind=next((Kind(mark) for mark in marks if mark in set(Kind)), None),
            interrupted="interrupted" in marks,
            code=next((int(mark) for mark in marks if mark.lstrip("-").isdigit()), None),
        )
        for (at, status, *marks), until in zip(rows, ends, strict=True)
    ]


def bells(*told: str) -> list[Bell]:
    rows = [line.split() for line in told]
    return [Bell(at=float(at), status=Status(status)) for at, status in rows]


def told(verdict: Verdict) -> list[str]:
    return [fault.what for fault in verdict.faults]


def forbidden(verdict: Verdict) -> list[str | None]:
    return [fault.forbidden for fault in verdict.faults]


def test_what_is_shown_in_time_and_rings_once_is_right() -> None:
    verdict = judge(parse(TURN), shown("1100 working", "5900 done"), bells("5900 done"))

    assert verdict.faults == ()
    assert verdict.delays_ms == (100.0, 900.0)
    assert (verdict.false_done, verdict.false_idle) == (0, 0)


def test_a_status_after_more_than_a_second_is_late() -> None:
    verdict = judge(parse(TURN), shown("1000 working", "6100 done"), bells("5900 done"))

    assert told(verdict) == ["done was shown 1100 ms late", "working stayed 1100 ms too long"]


def test_a_status_that_never_comes_was_not_shown() -> None:
    assert "done was not shown" in told(judge(parse(TURN), shown("1000 working"), []))


def test_done_while_it_works_is_false_and_forbidden() -> None:
    spans = shown("1000 working", "2000 done", "3000 working", "5000 done")

    verdict = judge(parse(TURN), spans, bells("5000 done"))

    assert verdict.false_done == 1
    assert "done while working" in forbidden(verdict)


def test_idle_before_anything_is_known_is_false_and_forbidden() -> None:
    verdict = judge(parse(["3000 waiting ring"]), shown("0 idle", "3000 waiting"), bells("3300 waiting"))

    assert verdict.false_idle == 1
    assert "idle or done for unknown" in forbidden(verdict)


def test_unknown_is_not_false_and_not_right_either() -> None:
    verdict = judge(parse(TURN), shown("0 unknown", "1000 working", "5000 unknown"), [])

    assert (verdict.false_done, verdict.false_idle) == (0, 0)
    assert "done was not shown" in told(verdict)


def test_what_cannot_be_known_may_be_unknown_and_is_counted() -> None:
    truth = parse(TURN, {"5000": "it hides that"})

    verdict = judge(truth, shown("1000 working", "5000 unknown"), [])

    assert verdict.faults == ()
    assert verdict.unknown == 1


def test_what_cannot_be_known_may_come_late() -> None:
    truth = parse(TURN, {"5000": "it hides that"})

    verdict = judge(truth, shown("1000 working", "5000 unknown", "7000 done"), bells("7000 done"))

    assert verdict.delays_ms == (0.0,)
    assert "late" not in " ".join(told(verdict))


def test_what_cannot_be_known_may_not_be_something_else() -> None:
    truth = parse(TURN, {"5000": "it hides that"})

    assert "idle was shown, and done was true" in told(judge(truth, shown("1000 working", "5000 idle"), []))


def test_of_what_was_not_recorded_nothing_is_asked() -> None:
    truth = parse(["1000 working", "5000 error unrecorded ring", "9000 working", "12000 done ring"])
    spans = shown("1000 working", "5500 done", "9000 working", "12000 done")

    verdict = judge(truth, spans, bells("5500 done", "12000 done"))

    assert verdict.faults == ()
    assert verdict.transitions == 3


def test_what_was_not_recorded_excuses_nothing_before_and_after() -> None:
    truth = parse(["1000 working", "5000 error unrecorded", "9000 working", "12000 done ring"])
    spans = shown("1000 working", "4000 done", "12000 done")

    assert told(judge(truth, spans, bells("4000 done", "12000 done"))) == [
        "done was shown, and working was true",
        "the bell rang for done",
        "working was not shown",
    ]


def test_what_was_true_for_an_instant_need_not_be_shown() -> None:
    truth = parse(["1000 working", "1200 done ring"])

    assert judge(truth, shown("0 unknown", "1300 done"), bells("1300 done")).faults == ()


def test_an_ask_that_was_not_shown_lowers_the_recall() -> None:
    truth = parse(["1000 working", "2000 waiting", "9000 working"])

    verdict = judge(truth, shown("1000 working"), [])

    assert (verdict.asks, verdict.asks_shown) == (1, 0)


def test_waiting_long_after_the_answer_is_forbidden() -> None:
    truth = parse(["1000 waiting", "3000 working"])

    verdict = judge(truth, shown("1000 waiting", "4500 working"), [])

    assert "waiting kept after the answer" in forbidden(verdict)


def test_anything_after_the_exit_is_forbidden() -> None:
    truth = parse(["1000 working", "3000 exited code -9"])

    verdict = judge(truth, shown("1000 working", "3000 exited -9", "5000 working"), [])

    assert "anything else after the exit" in forbidden(verdict)


@pytest.mark.parametrize(
    ("line", "shown_as", "wrong"),
    [
        ("2000 idle interrupted", "2000 idle", "idle without the interrupt"),
        ("2000 idle", "2000 idle interrupted", "idle as if interrupted"),
        ("2000 error kind=auth", "2000 error api", "error of kind api instead of auth"),
        ("2000 exited code 1", "2000 exited 0", "exit code 0 instead of 1"),
    ],
)
def test_a_wrong_mark_is_wrong(line: str, shown_as: str, wrong: str) -> None:
    truth = parse(["1000 working", line])

    assert told(judge(truth, shown("1000 working", shown_as), [])) == [wrong]


def test_an_end_that_one_may_see_either_way_is_right_either_way() -> None:
    truth = parse(["1000 working", "2000 idle interrupted?"])

    for one in ("2000 idle", "2000 idle interrupted"):
        assert judge(truth, shown("1000 working", one), []).faults == ()


def test_a_missing_bell_is_wrong() -> None:
    assert told(judge(parse(TURN), shown("1000 working", "5000 done"), [])) == ["no bell for done"]


@pytest.mark.parametrize(
    ("truth", "spans", "rang", "why"),
    [
        (
            ["1000 working", "2000 idle interrupted"],
            ["1000 working", "2000 idle interrupted"],
            ["2000 done"],
            "a ring for the user's own interrupt",
        ),
        (TURN, ["1000 working", "5000 done"], ["5000 done", "5500 done"], "two rings for one turn"),
        (TURN, ["1000 working", "5000 done"], ["2000 waiting", "5000 done"], "a ring for nothing"),
    ],
)
def test_a_needless_bell_is_forbidden(truth: list[str], spans: list[str], rang: list[str], why: str) -> None:
    assert forbidden(judge(parse(truth), shown(*spans), bells(*rang))) == [why]


@pytest.mark.parametrize(
    "spans",
    [
        ["1000 working", "2000 idle interrupted"],
        ["1000 working", "2010 done", "2400 idle interrupted"],
        ["1000 working", "2010 done", "2900 idle interrupted"],
    ],
)
def test_what_may_be_shown_may_be_left_out(spans: list[str]) -> None:
    truth = parse(["1000 working", "2000 done maybe", "2000 idle interrupted"])

    assert judge(truth, shown(*spans), []).faults == ()


def test_another_ask_rings_for_itself() -> None:
    truth = parse(["1000 waiting ring", "4000 asks 2 ring", "8000 working"])
    spans = shown("1000 waiting", "8000 working")

    assert judge(truth, spans, bells("1300 waiting", "4300 waiting")).faults == ()
    assert told(judge(truth, spans, bells("1300 waiting"))) == ["no bell for another ask"]
