"""The store over real files: what survives, who may read it, and what happens to a file that cannot be used."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from orca_tui.base.errors import StoreFailed
from orca_tui.notices.notice import Delivery, IfIdle, NoticeState, Origin, OriginKind, Receipt
from orca_tui.notices.store import KEEP_ROWS_S, KEEP_TEXTS_S, NoticeStore
from tests.notices.notices import notice


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "default.notices"


@pytest.fixture
def store(path: Path) -> Iterator[NoticeStore]:
    opened = NoticeStore.open(path)
    yield opened
    opened.close()


def test_notices_come_back_as_they_were_in_their_order(path: Path, store: NoticeStore) -> None:
    kept = [
        notice("n2", IfIdle(agent="plan"), Delivery.STEER, text="日本\n\0'"),
        notice("n1", False, origin=Origin(kind=OriginKind.PANE, name="p3"), wakes=False, tries=1),
    ]
    store.keep(kept)

    again = NoticeStore.open(path)

    assert again.open_ones() == kept
    assert again.get("n1") == kept[1]
    again.close()


def test_a_change_keeps_the_place(store: NoticeStore) -> None:
    store.keep([notice("n1"), notice("n2")])

    store.keep([notice("n1", state=NoticeState.DELIVERING)])

    assert [one.id for one in store.open_ones()] == ["n1", "n2"]


def test_closed_notices_are_found_but_not_open(store: NoticeStore) -> None:
    receipt = Receipt(at=3.0, evidence="seen")
    store.keep([notice("n1", state=NoticeState.DELIVERED, receipt=receipt), notice("n2")])

    assert [one.id for one in store.open_ones()] == ["n2"]
    assert [one.id for one in store.of_session("ses_1")] == ["n1", "n2"]
    assert store.get("n1") == notice("n1", state=NoticeState.DELIVERED, receipt=receipt)
    assert store.get("n9") is None
    assert (store.knows("ses_1"), store.knows("ses_9")) == (True, False)


def test_the_files_are_their_owners_alone(path: Path, store: NoticeStore) -> None:
    store.keep([notice()])

    files = list(path.parent.iterdir())
    assert {one.name for one in files} >= {path.name, f"{path.name}-wal"}
    assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}


def test_a_store_that_is_killed_loses_nothing_that_it_kept(path: Path) -> None:
    program = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from orca_tui.notices.store import NoticeStore\n"
        "from tests.notices.notices import notice\n"
        f"store = NoticeStore.open(Path({str(path)!r}))\n"
        "for number in range(20):\n"
        "    store.keep([notice(f'n{number}')])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent.parent.parent)
    assert killed.returncode == -9

    store = NoticeStore.open(path)

    assert [one.id for one in store.open_ones()] == [f"n{number}" for number in range(20)]
    store.close()


def test_texts_of_closed_notices_are_erased_after_a_day_and_the_rows_after_a_month(
    store: NoticeStore,
) -> None:
    store.keep([notice("open", text="still"), notice("closed", text="secret", state=NoticeState.CANCELLED)])

    store.forget_old(1.0 + KEEP_TEXTS_S)
    just_within = store.get("closed")
    store.forget_old(2.0 + KEEP_TEXTS_S)
    erased = store.get("closed")
    store.forget_old(2.0 + KEEP_ROWS_S)

    assert just_within is not None
    assert just_within.text == "secret"
    assert erased is not None
    assert (erased.text, erased.digest) == ("", just_within.digest)
    assert store.get("closed") is None
    assert [one.text for one in store.open_ones()] == ["still"]


def test_an_erased_text_is_gone_from_the_files(path: Path) -> None:
    store = NoticeStore.open(path)
    store.keep([notice(text="a secret that nobody keeps", state=NoticeState.DELIVERED)])
    store.forget_old(2.0 + KEEP_TEXTS_S)
    store.close()

    assert all(b"nobody keeps" not in one.read_bytes() for one in path.parent.iterdir())


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside_and_told(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    store = NoticeStore.open(path)

    assert "unusable-1" in store.trouble
    assert path.with_name("default.notices.unusable-1").read_bytes() == content
    store.keep([notice()])
    assert [one.id for one in store.open_ones()] == ["n1"]
    store.close()


def test_a_row_that_makes_no_notice_is_told_when_it_is_read(path: Path, store: NoticeStore) -> None:
    store.keep([notice()])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE notices SET state = 'lost'")

    with pytest.raises(StoreFailed, match="cannot be read"):
        store.everything()


def test_a_file_of_a_later_version_is_set_aside_whole(path: Path, store: NoticeStore) -> None:
    store.keep([notice()])
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()

    fresh = NoticeStore.open(path)

    assert "version 99" in fresh.trouble
    assert fresh.open_ones() == []
    aside = sqlite3.connect(path.with_name("default.notices.unusable-1"))
    assert aside.execute("SELECT id FROM notices").fetchall() == [("n1",)]
    aside.close()
    fresh.close()


def test_a_second_damaged_file_does_not_replace_the_first(path: Path) -> None:
    for content in (b"first" * 500, b"second" * 500):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        NoticeStore.open(path).close()

    assert path.with_name("default.notices.unusable-1").read_bytes().startswith(b"first")
    assert path.with_name("default.notices.unusable-2").read_bytes().startswith(b"second")


def test_a_full_disk_is_told_and_nothing_is_half_stored(store: NoticeStore) -> None:
    store.keep([notice("n1")])
    [pages] = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreFailed, match="full"):
        store.keep([notice("n2"), notice("n3", text="x" * 100_000)])

    assert [one.id for one in store.open_ones()] == ["n1"]


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")

    with pytest.raises(StoreFailed):
        NoticeStore.open(tmp_path / "state" / "default.notices")
