"""How the UI ends."""

from __future__ import annotations

from orca_tui.base.errors import EngineMismatch, ServerUnavailable
from orca_tui.ui.farewell import detached, server_gone, server_stopped


def test_leaving_says_how_to_come_back() -> None:
    farewell = detached("detached", "default")

    assert farewell.exit_code == 0
    assert farewell.text == "detached; agents go on working, `orca-tui` comes back"


def test_another_server_is_named() -> None:
    assert "`orca-tui --server work`" in detached("detached", "work").text


def test_a_server_that_is_gone_is_a_failure() -> None:
    farewell = server_gone(ServerUnavailable("the server is gone"), "default")

    assert farewell.exit_code == 1
    assert farewell.text.startswith("the server is gone;")
    assert server_gone(EngineMismatch("another build"), "default").exit_code == 1


def test_a_server_that_was_stopped_is_none() -> None:
    assert server_stopped("the server stops").exit_code == 0
