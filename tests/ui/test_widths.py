"""What programs and people call things does not push our own lines out of their columns, whatever is in it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from rich.cells import cell_len

from orca_tui.commands.targets import RENAME, RenameRequest
from orca_tui.layout import rename
from orca_tui.status.record import Status
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.chrome_lines import tabs_line, title_line
from orca_tui.ui.pieces import Line, width_of
from orca_tui.ui.sidebar_rows import sidebar_lines
from orca_tui.ui.symbols import UNICODE
from orca_tui.ui.texts import fitted, one_line
from tests.server.running import Api, Server
from tests.term.widths import WIDTHS
from tests.ui.examples import NOW, layout_of, pane, world_of
from tests.ui.running import SIZE, shell, ui

PARTS = [
    *"ab1#é端한ｱＡ😀👍👩👧❤☎✓●▲™©①αя─│ㅎกאع🫠⌚𓀀",
    *"\u200d\ufe0f\ufe0e\u0301\u20e3\u034f\u0e33\u1112\u1161🏽🇳🇴\u00ad\u3164\u2028",
]
"""Characters of all widths, and parts of clusters that may come without the rest."""


@pytest.fixture(scope="module")
def cells() -> Callable[[str], int]:
    """How many cells a terminal gives a text."""
    engine = GhosttyFactory().new(400, 2, scrollback_lines=0)

    def of(text: str) -> int:
        engine.feed(b"\x1b[2J\x1b[H" + text.encode())
        return engine.cursor().x

    return of


ALL_WIDTHS = "".join(text for text, _ in WIDTHS.values())
OVERLAY_KEYS = {
    "the palette": "colon",
    "the table of agents": "D",
    "the workspaces": "w",
    "a new name for a pane": "full_stop",
}
"""What can be opened over the panes, and by which key after the prefix."""


def text_of(line: Line) -> str:
    return "".join(piece.text for piece in line)


def named(name: str, cols: int) -> list[Line]:
    """Every line of ours that shows the name of a pane and of a tab, and what an agent is at."""
    one = pane("p1", Status.WAITING, name=name, message=name, title=name, prompt=name)
    world = world_of(rename(layout_of((("p1",),)), "t1", name), one)
    return [
        tabs_line(world, cols, UNICODE),
        title_line(world, one, cols, UNICODE, focused=True),
        *sidebar_lines(world, cols=cols, now=NOW, symbols=UNICODE),
    ]


@pytest.mark.parametrize(("text", "_width"), WIDTHS.values(), ids=WIDTHS)
def test_a_name_is_as_wide_as_the_terminal_makes_it(
    cells: Callable[[str], int], text: str, _width: int
) -> None:
    for name in (text, f"x{text}y", text * 9, f"{text} ➡\ufe0f {text}"):
        for cols in (24, 29, 30, 31, 60):
            for line in named(name, cols):
                assert cells(text_of(line)) == width_of(line) == cols


@pytest.mark.parametrize("text", ["👨\u200d👩\u200d👧", "🇧🇷", "👍🏽", "➡\ufe0f", "क्ष", "e\u0301", "한"])
def test_whole_clusters_stay_what_they_are(text: str) -> None:
    assert one_line(f"before {text} after") in (f"before {text} after", "before é after")


def test_parts_of_clusters_make_no_line_wider_than_was_counted(cells: Callable[[str], int]) -> None:
    random_, wrong = random.Random(11), []
    for _ in range(3000):
        text = one_line("".join(random_.choice(PARTS) for _ in range(random_.randrange(1, 5))))
        short = fitted(text, 3)
        wrong += [one for one in (text, short) if cells(one) != cell_len(one)]

    assert wrong == []


@pytest.mark.anyio
async def test_no_line_of_the_screen_is_pushed_out_of_its_columns_whatever_things_are_called(
    server: Server, api: Api, cells: Callable[[str], int]
) -> None:
    first = await shell(api, name=f"1{ALL_WIDTHS}")
    await shell(api, name=f"2{ALL_WIDTHS}", split="right", beside=first)
    for target in ("w1", "t1"):
        await api.call(RENAME, RenameRequest(target=target, name=f"{target}{ALL_WIDTHS}"))
    async with ui(server) as screen:
        await screen.shows("w1aé")
        screen.app.say(f"toast{ALL_WIDTHS}")
        await screen.shows("toastaé")
        wrong = {"the screen": [line for line in screen.lines() if cells(line) != SIZE[0]]}
        for overlay, key in OVERLAY_KEYS.items():
            await screen.press("ctrl+b", key)
            await screen.until(lambda: screen.app.screen is not screen.app.work, overlay)
            await screen.pilot.pause()
            wrong[overlay] = [line for line in screen.lines() if cells(line) != SIZE[0]]
            await screen.press("escape")
            await screen.until(lambda: screen.app.screen is screen.app.work, "the panes again")

        assert {where: lines for where, lines in wrong.items() if lines} == {}
