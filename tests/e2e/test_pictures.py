"""Pictures in a pane, through server and UI, in an outer terminal that shows them and in one that does not."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator

import psutil
import pytest

from orca_tui.term.engine import Picture, PictureCell
from tests.e2e.sandbox import Sandbox
from tests.e2e.terminal import OuterTerminal

PIXELS = bytes(range(256)) * 30
"""40 x 64 in 24 bits: two chunks and a half of base64, 5 x 4 cells."""

UPLOADS = re.compile(rb"\x1b_Ga=t,[^;]*;")

PROGRAM = r"""
import base64, os, sys, termios, tty
def asks(question):
    sys.stdout.write(question + '\x1b[c'); sys.stdout.flush()
    told = b''
    while not told.endswith(b'c'):
        told += os.read(0, 100)
    return b'_Gi=31;OK' in told
before = termios.tcgetattr(0)
tty.setraw(0)
can = asks('\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\')
termios.tcsetattr(0, termios.TCSANOW, before)
print('can show' if can else 'cannot show', flush=True)
data = base64.b64encode(bytes(range(256)) * 30).decode()
first, last = data[:4096], data[4096:]
print(f'\x1b_Ga=T,f=24,s=40,v=64,i=7,q=2,m=1;{first}\x1b\\\x1b_Gm=0;{last}\x1b\\|', flush=True)
print('drawn', flush=True)
for line in sys.stdin:
    print('\x1b_Ga=d,d=A\x1b\\gone', flush=True)
"""


@pytest.fixture
def room() -> Iterator[Sandbox]:
    """A sandbox whose user wants pictures."""
    box = Sandbox()
    folder = box.root / "config" / "orca-tui"
    folder.mkdir()
    (folder / "config.toml").write_text('[terminal]\ngraphics = "kitty"\n')
    yield box
    box.close()


def shown(outer: OuterTerminal) -> dict[tuple[int, int], PictureCell]:
    """The cells of pictures that an outer terminal has an image for, by row and column of its screen."""
    return {
        (y, cell.x): cell
        for y, row in enumerate(outer.engine.all_rows())
        for picture in row.pictures
        for cell in picture.cells
        if outer.engine.picture(cell.image, cell.placement) is not None
    }


def picture(outer: OuterTerminal) -> Picture:
    """The only picture that is shown."""
    (ids,) = {(cell.image, cell.placement) for cell in shown(outer).values()}
    found = outer.engine.picture(*ids)
    assert found is not None
    return found


def drawn(room: Sandbox, *, pictures: bool) -> tuple[str, OuterTerminal]:
    """A pane that has drawn its picture, and the terminal that shows it."""
    room.run("server", "start")
    outer = room.terminal("attach", pictures=pictures)
    outer.shows("orca-tui")
    pane = room.open("--focus", "--", sys.executable, "-c", PROGRAM)
    outer.shows("drawn")
    return pane, outer


def test_a_picture_is_sent_to_the_outer_terminal_once_and_shown_in_its_cells(room: Sandbox) -> None:
    pane, outer = drawn(room, pictures=True)
    outer.until(lambda: len(shown(outer)) == 20, "20 cells show the picture")

    found = picture(outer)
    assert (found.cols, found.rows, found.width, found.height) == (5, 4, 40, 64)
    assert found.data == PIXELS
    cells = shown(outer)
    top, left = min(cells)
    assert {(y - top, x - left): (cell.row, cell.col) for (y, x), cell in cells.items()} == {
        (row, col): (row, col) for row in range(4) for col in range(5)
    }
    assert "can show" in outer.text()
    assert room.run("read", pane, "--source", "all").splitlines()[:6] == [
        "can show",
        "",
        "",
        "",
        "     |",
        "drawn",
    ]

    room.open("--focus", "--", "/bin/cat")
    outer.until(lambda: not shown(outer), "another tab is shown")
    room.run("focus", pane)
    outer.until(lambda: len(shown(outer)) == 20, "20 cells show the picture again")
    assert len(UPLOADS.findall(outer.received)) == 1

    outer.write("\r")
    outer.until(lambda: not shown(outer), "the program has taken it away")
    outer.until(lambda: outer.received.count(b"a=d,d=I") == 1, "and so has the UI")


def test_a_picture_is_taken_away_at_each_end_and_shown_again_at_each_begin(room: Sandbox) -> None:
    _, outer = drawn(room, pictures=True)
    outer.until(lambda: len(shown(outer)) == 20, "20 cells show the picture")
    (image,) = {cell.image for cell in shown(outer).values()}

    outer.signal(signal.SIGTSTP)
    outer.until(lambda: outer.engine.picture(image, 0) is None, "the UI has stopped without its picture")
    stopped = psutil.Process(outer.pid)
    outer.until(lambda: stopped.status() == psutil.STATUS_STOPPED, "the UI has stopped")
    outer.signal(signal.SIGCONT)
    outer.until(lambda: len(shown(outer)) == 20, "20 cells show the picture anew")
    (image,) = {cell.image for cell in shown(outer).values()}

    outer.write("\x02d")
    assert outer.ends() == 0
    assert outer.engine.picture(image, 0) is None
    again = room.terminal("attach", pictures=True)
    again.until(lambda: len(shown(again)) == 20, "20 cells show the picture again")
    assert picture(again).data == PIXELS

    again.signal(signal.SIGTERM)
    again.ends()
    assert re.search(rb"\x1b_Ga=d,d=I,i=\d+,q=2\x1b\\", again.received[again.received.rfind(b"a=p,U=1") :])


def test_an_outer_terminal_without_pictures_shows_blanks_and_programs_are_told_nothing(room: Sandbox) -> None:
    _, outer = drawn(room, pictures=False)

    assert "cannot show" in outer.text()
    assert "     |" in outer.text()
    assert "\U0010eeee".encode() not in outer.received
    assert not UPLOADS.search(outer.received)
