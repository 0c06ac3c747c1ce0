"""Who is at the other end, by the kernel's word."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from orca_tui.base.errors import Refused
from orca_tui.server.peer import Peer, hung_up, own_peer, peer_of


def test_a_peer_is_told_by_user_and_process(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    script = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with subprocess.Popen([sys.executable, "-c", script, path]) as process:
            connection, _ = listener.accept()
            with connection:
                peer = peer_of(connection)

    assert peer == Peer(uid=os.geteuid(), pid=process.pid)


def test_our_own_user_is_let_in() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert own_peer(one).uid == os.geteuid()


def test_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: stranger + 1)  # The server is somebody else's.
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other, pytest.raises(Refused) as raised:
        own_peer(one)

    assert raised.value.facts == {"uid": stranger}


def test_a_connection_that_is_gone_is_refused() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    one.close()
    other.close()

    with pytest.raises(Refused):
        own_peer(one)


def test_a_peer_that_has_closed_has_hung_up_although_its_words_are_still_to_be_read() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"words")
        before = hung_up(ours)
        theirs.shutdown(socket.SHUT_WR)
        waits_for_an_answer = not hung_up(ours)
        theirs.close()
        after = hung_up(ours)

    assert (before, waits_for_an_answer, after) == (False, True, True)
    assert hung_up(ours), "so has one that is closed here"
