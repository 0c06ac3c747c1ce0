"""The gate: input passes, or waits in its order."""

from __future__ import annotations

from orca_tui.base.errors import Conflict
from orca_tui.server.input_gate import InputGate
from orca_tui.term.input_events import InputEvent, Text

ONE, TWO, THREE = (Text(data=data) for data in (b"1", b"2", b"3"))


def test_input_passes_while_nobody_holds_it() -> None:
    given: list[InputEvent] = []
    gate = InputGate(given.append)

    gate.take(ONE)

    assert given == [ONE]


def test_what_came_meanwhile_is_given_in_its_order_and_before_what_follows() -> None:
    given: list[InputEvent] = []
    gate = InputGate(given.append)

    gate.hold()
    gate.take(ONE)
    gate.hold()
    gate.take(TWO)
    held = list(given)
    gate.release()
    gate.take(THREE)

    assert held == []
    assert given == [ONE, TWO, THREE]
    assert not gate.held


def test_a_program_that_ended_meanwhile_is_no_mistake() -> None:
    tried: list[InputEvent] = []

    def refuse(event: InputEvent) -> None:
        tried.append(event)
        raise Conflict("no program")

    gate = InputGate(refuse)
    gate.hold()
    gate.take(ONE)
    gate.take(TWO)
    gate.release()

    assert tried == [ONE, TWO]


def test_a_gate_that_stays_open_gives_what_was_kept_and_keeps_nothing_more() -> None:
    given: list[InputEvent] = []
    gate = InputGate(given.append)
    gate.hold()
    gate.take(ONE)

    gate.stay_open()
    gate.hold()
    gate.take(TWO)

    assert given == [ONE, TWO]
    assert not gate.held


def test_a_release_without_a_hold_changes_nothing() -> None:
    given: list[InputEvent] = []
    gate = InputGate(given.append)

    gate.release()
    gate.take(ONE)

    assert given == [ONE]
