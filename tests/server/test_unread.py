"""Input that waits for the next server."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from orca_tui.server.unread import MOST_BYTES, UnreadInput


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "default.unread"


def test_it_is_given_once_and_to_the_same_keepers_programs(path: Path) -> None:
    unread = UnreadInput(path)

    assert unread.keep("k1", {"p1": b"typed", "p2": b""}) == {}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert unread.take("k1") == {"p1": b"typed"}
    assert unread.take("k1") == {}
    unread.keep("k1", {"p1": b"typed"})
    assert unread.take("k2") == {}
    assert not path.exists()


def test_nothing_leaves_no_file(path: Path) -> None:
    assert UnreadInput(path).keep("k1", {"p1": b""}) == {}
    assert not path.exists()


def test_of_too_much_the_end_is_lost_and_counted(path: Path) -> None:
    unread = UnreadInput(path)

    assert unread.keep("k1", {"p1": b"x" * MOST_BYTES + b"end"}) == {"p1": 3}
    assert unread.take("k1") == {"p1": b"x" * MOST_BYTES}


def test_what_cannot_be_kept_or_read_is_lost_without_harm(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert UnreadInput(path.parent / "none" / "file").keep("k1", {"p1": b"abc"}) == {"p1": 3}
    path.write_bytes(b"damaged")
    assert UnreadInput(path).take("k1") == {}
    assert "abc" not in caplog.text
