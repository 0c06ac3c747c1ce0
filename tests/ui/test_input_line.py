"""Input between two servers: held, given in order, never twice, and never to another pane."""

from __future__ import annotations

from orca_tui.ui.input_line import MOST_EVENTS, InputLine

ONE, OTHER = 1, 2


class Wire:
    """What was sent, and how often somebody was told that input is lost."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, bytes]] = []
        self.dropped = 0
        self.line = InputLine(dropped=self._drop)

    def _drop(self) -> None:
        self.dropped += 1

    def send(self, channel: int, event: bytes) -> None:
        self.line.sent(channel, event)
        self.sent.append((channel, event))

    def flush(self, *ready: int, shown: tuple[int, ...] = ()) -> None:
        self.sent.clear()
        self.line.flush(ready, {*ready, *shown}, self.send)


def test_what_waits_is_given_in_order_when_its_pane_is_ready() -> None:
    wire = Wire()
    for event in (b"a", b"b", b"c"):
        wire.line.wait(ONE, event)

    wire.flush(ONE)

    assert wire.sent == [(ONE, b"a"), (ONE, b"b"), (ONE, b"c")]


def test_what_waits_for_another_pane_goes_on_waiting() -> None:
    wire = Wire()
    wire.line.wait(ONE, b"a")
    wire.line.wait(OTHER, b"b")

    wire.flush(OTHER, shown=(ONE,))
    assert wire.sent == [(OTHER, b"b")]
    wire.flush(ONE)
    assert wire.sent == [(ONE, b"a")]
    assert wire.dropped == 0


def test_the_next_server_gets_what_the_one_before_had_not_taken_and_nothing_twice() -> None:
    wire = Wire()
    for event in (b"a", b"b", b"c"):
        wire.send(ONE, event)
    wire.line.taken(ONE)
    wire.line.server_lost()
    wire.line.wait(ONE, b"d")

    wire.flush(ONE)
    assert wire.sent == [(ONE, b"b"), (ONE, b"c"), (ONE, b"d")]
    for _ in range(3):
        wire.line.taken(ONE)
    wire.line.server_lost()
    wire.flush(ONE)

    assert wire.sent == []


def test_panes_take_their_input_apart_from_each_other() -> None:
    wire = Wire()
    wire.send(ONE, b"a")
    wire.send(OTHER, b"b")
    wire.line.taken(OTHER)
    wire.line.server_lost()

    wire.flush(ONE, OTHER)

    assert wire.sent == [(ONE, b"a")]


def test_input_for_a_pane_that_is_gone_reaches_nobody_and_that_is_said_once() -> None:
    wire = Wire()
    wire.line.wait(ONE, b"a")
    wire.line.wait(ONE, b"b")

    wire.flush(OTHER)

    assert wire.sent == []
    assert wire.dropped == 1


def test_of_very_much_input_the_newest_is_dropped_and_that_is_said_once() -> None:
    wire = Wire()
    for number in range(MOST_EVENTS + 5):
        wire.line.wait(ONE, b"%d" % number)

    wire.flush(ONE)

    assert [event for _, event in wire.sent] == [b"%d" % number for number in range(MOST_EVENTS)]
    assert wire.dropped == 1
