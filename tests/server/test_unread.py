"""Input that waits for the next server."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from orca_tui.server.uis import Ui
from orca_tui.server.unread import MOST_BYTES, Left, UnreadInput
from orca_tui.term.paste_buffer import PASTE_END, PASTE_START
from orca_tui.wire import Told
from tests.server.rooms import Rooms


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "default.unread"


@pytest.fixture
def damaged(path: Path) -> UnreadInput:
    path.write_bytes(b"damaged")
    return UnreadInput(path)


def test_it_is_given_once_and_to_the_same_keepers_programs(path: Path) -> None:
    unread = UnreadInput(path)

    assert unread.keep("k1", {"p1": b"typed", "p2": b""}) == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert unread.take("k1") == Left({"p1": b"typed"})
    assert unread.take("k1") == Left({})
    unread.keep("k1", {"p1": b"typed"})
    assert unread.take("k2") == Left({})
    assert not path.exists()


def test_nothing_leaves_no_file(path: Path) -> None:
    assert UnreadInput(path).keep("k1", {"p1": b""}) == ""
    assert not path.exists()


def test_of_too_much_the_end_is_lost_counted_and_told_by_the_next_server(path: Path) -> None:
    unread = UnreadInput(path)
    unread.keep("k1", {"p1": PASTE_START + b"x" * (MOST_BYTES + 1000) + PASTE_END, "p2": b"all"})
    left = unread.take("k1")

    assert left.panes["p1"] == PASTE_START + b"x" * (MOST_BYTES - 12) + PASTE_END
    assert left.panes["p2"] == b"all"
    assert left.notes == ("p1: 1,012 bytes of unread input are lost",)


def test_another_keepers_programs_have_lost_nothing(path: Path) -> None:
    UnreadInput(path).keep("k1", {"p1": b"x" * (MOST_BYTES + 1)})

    assert UnreadInput(path).take("k2") == Left({})


def test_what_cannot_be_kept_or_read_is_lost_without_harm_and_told(path: Path) -> None:
    nowhere = UnreadInput(path.parent / "none" / "file")
    assert (
        nowhere.keep("k1", {"p1": b"abc"}) == "p1: input that was not read is lost: No such file or directory"
    )

    path.mkdir()
    assert UnreadInput(path).take("k1") == Left({}, ("input that was not read is lost: Is a directory",))


def test_a_damaged_file_is_told(damaged: UnreadInput) -> None:
    assert damaged.take("k1") == Left({}, ("input that was not read is lost: its file is damaged",))
    assert damaged.take("k1") == Left({})


@pytest.mark.anyio
async def test_a_loss_is_told_to_uis_and_stays_in_the_servers_notes(
    inside: Rooms, damaged: UnreadInput, path: Path
) -> None:
    keeping = inside.session.keeping
    ui = Ui(lambda *_: None, 80, 24)
    inside.session.uis.add(ui)

    keeping._unread = damaged
    assert keeping.take_unread() == {}
    keeping._unread = UnreadInput(path / "none")
    keeping.keep_unread({"p1": b"abc"})

    told = [item.text for item in await ui.mailbox.take() or () if isinstance(item, Told)]
    assert told == list(keeping.notes())
    assert told == [
        "input that was not read is lost: its file is damaged",
        "p1: input that was not read is lost: No such file or directory",
    ]
