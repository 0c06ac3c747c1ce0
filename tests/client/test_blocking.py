"""The blocking client: what it says, and what it makes of what it is told."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from orca_tui import __version__
from orca_tui.base.errors import (
    Conflict,
    Invalid,
    OrcaError,
    PaneNotFound,
    ServerUnavailable,
    TimedOut,
    TooLarge,
    Unsupported,
)
from orca_tui.client.blocking import Client, ask_to_leave
from orca_tui.commands.events import EVENTS, EventItem, EventsRequest, HelloEvent, TitleEvent
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.read import READ, ReadReply, ReadRequest
from orca_tui.wire import HEADER, MAX_FRAME_BYTES, PROTOCOL, ErrorBody, FrameKind, PaneInfo
from tests.client.scripted import WELCOME, Peer, scripted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "w"


def test_hellos_are_exchanged_first(path: Path) -> None:
    hellos = []

    with (
        scripted(path, lambda peer: hellos.append(peer.welcome())),
        Client(path, role="cli", token="t") as client,
    ):
        assert client.welcome == WELCOME

    own = {"protocol": PROTOCOL, "version": __version__, "role": "cli", "engine_build": None, "token": "t"}
    assert hellos == [own]


def test_a_call_sends_its_request_and_returns_the_reply(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        assert peer.request() == (1, "get", {"pane": "p1"})
        peer.send(FrameKind.REPLY, 1, PaneInfo(pane="p1", title="hello"))

    with scripted(path, script), Client(path) as client:
        assert client.call(GET, GetRequest(pane="p1")).title == "hello"


def test_one_connection_serves_several_calls(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        for expected in (1, 2, 3):
            number, _, _ = peer.request()
            assert number == expected
            peer.send(FrameKind.REPLY, number, ReadReply(text=str(number)))

    with scripted(path, script), Client(path) as client:
        texts = [client.call(READ, ReadRequest(pane="p1")).text for _ in range(3)]

    assert texts == ["1", "2", "3"]


def test_an_error_is_raised_as_what_it_was(path: Path) -> None:
    sent = PaneNotFound("p9")

    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        peer.send(FrameKind.ERROR, number, ErrorBody(code=sent.code, message=sent.message, facts=sent.facts))

    with scripted(path, script), Client(path) as client, pytest.raises(OrcaError) as raised:
        client.call(GET, GetRequest(pane="p9"))

    assert (raised.value.exit_code, raised.value.facts) == (4, {"pane": "p9"})


def test_a_stream_yields_its_items_until_its_end(path: Path) -> None:
    items = [
        EventItem(event=HelloEvent(server="default", version="1", at=1.0)),
        EventItem(event=TitleEvent(pane="p1", title="a", at=2.0)),
    ]

    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        for item in items:
            peer.send(FrameKind.ITEM, number, item)
        peer.send(FrameKind.END, number)

    with scripted(path, script), Client(path) as client:
        assert list(client.stream(EVENTS, EventsRequest())) == items


def test_a_stream_that_is_closed_early_is_cancelled_and_the_connection_goes_on(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        for at in (1.0, 2.0):
            peer.send(FrameKind.ITEM, number, EventItem(event=HelloEvent(server="d", version="1", at=at)))
        assert peer.receive() == (FrameKind.CANCEL, number, None)
        number, _, _ = peer.request()
        peer.send(FrameKind.REPLY, number, ReadReply(text="after"))

    with scripted(path, script), Client(path) as client:
        events = client.stream(EVENTS, EventsRequest())
        next(events)
        events.close()
        assert client.call(READ, ReadRequest(pane="p1")).text == "after"


def test_a_stream_that_fails_raises_after_its_items(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        peer.send(FrameKind.ITEM, number, EventItem(event=HelloEvent(server="d", version="1", at=1.0)))
        peer.send(FrameKind.ERROR, number, ErrorBody(code="conflict", message="stopping"))

    with scripted(path, script), Client(path) as client:
        events = client.stream(EVENTS, EventsRequest())
        next(events)
        with pytest.raises(Conflict, match="stopping"):
            next(events)


def test_without_a_socket_no_server_answers(path: Path) -> None:
    with pytest.raises(ServerUnavailable) as raised:
        Client(path)

    assert isinstance(raised.value.__cause__, FileNotFoundError)


def test_a_socket_that_a_dead_server_left_is_no_server(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    with pytest.raises(ServerUnavailable) as raised:
        Client(path)

    assert isinstance(raised.value.__cause__, ConnectionRefusedError)


def test_a_refused_hello_is_raised_with_its_reason(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.receive()
        peer.send(FrameKind.ERROR, 0, ErrorBody(code="invalid", message="protocol 9 is spoken here"))

    with scripted(path, script), pytest.raises(Invalid, match="protocol 9"):
        Client(path)


def test_what_a_server_says_before_it_hangs_up_is_the_reason_of_the_call(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()
        peer.send(FrameKind.ERROR, 0, ErrorBody(code="invalid", message="that was no frame"))

    with scripted(path, script), Client(path) as client, pytest.raises(Invalid, match="no frame"):
        client.call(GET, GetRequest(pane="p1"))


def test_a_server_that_dies_during_a_call_is_gone(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()

    with scripted(path, script), Client(path) as client, pytest.raises(ServerUnavailable, match="gone"):
        client.call(GET, GetRequest(pane="p1"))


def test_a_server_that_is_gone_already_is_told_by_the_call(path: Path) -> None:
    with scripted(path, lambda peer: peer.welcome() and None):
        client = Client(path)
    with client, pytest.raises(ServerUnavailable, match="gone"):
        client.call(GET, GetRequest(pane="p1"))


def test_a_frame_beyond_the_limit_is_refused(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()
        peer.send_bytes(HEADER.pack(MAX_FRAME_BYTES + 1, FrameKind.REPLY, 1))

    with scripted(path, script), Client(path) as client, pytest.raises(TooLarge):
        client.call(GET, GetRequest(pane="p1"))


def test_a_reply_of_another_shape_is_refused(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        peer.send(FrameKind.REPLY, number, {"unexpected": 1})

    with scripted(path, script), Client(path) as client, pytest.raises(Invalid, match="PaneInfo"):
        client.call(GET, GetRequest(pane="p1"))


def test_the_end_of_the_connection_can_be_waited_for(path: Path) -> None:
    with scripted(path, lambda peer: peer.welcome() and None), Client(path) as client:
        client.wait_closed(5.0)


def test_a_server_that_stays_is_not_waited_for_beyond_the_time(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        with pytest.raises(EOFError):
            peer.receive()

    with scripted(path, script), Client(path) as client, pytest.raises(TimedOut):
        client.wait_closed(0.05)


def test_a_server_is_asked_to_leave_without_a_hello(path: Path) -> None:
    asked = []

    with scripted(path, lambda peer: asked.append(peer.receive())):
        ask_to_leave(path, 5.0)

    assert asked == [(FrameKind.LEAVE, 0, None)]


def test_a_server_that_does_not_leave_says_why(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.receive()
        peer.send(FrameKind.ERROR, 0, ErrorBody(code="unsupported", message="the panes end with it"))

    with scripted(path, script), pytest.raises(Unsupported, match="end with it"):
        ask_to_leave(path, 5.0)


def test_where_no_server_is_nobody_leaves(path: Path) -> None:
    with pytest.raises(ServerUnavailable):
        ask_to_leave(path, 5.0)
