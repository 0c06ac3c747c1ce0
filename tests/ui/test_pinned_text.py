"""Emoji stand in their cells whatever width the outer terminal gives them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.ui.pinned_text import painted, within_its_cells
from tests.term.widths import WIDTHS

CLUSTERS = {
    "arrow": "➡\ufe0f",
    "heart": "❤\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "flag": "🇧🇷",
    "skin tone": "👍🏽",
    "skin tone of a narrow hand": "☝🏽",
    "family": "👨\u200d👩\u200d👧",
    "astronaut": "👩🏽\u200d🚀",
    "rainbow flag": "🏳\ufe0f\u200d🌈",
}
CLUSTER_UNAWARE = b"\x1b[?2027l"
"""Makes a terminal add up the parts of emoji, as older ones do."""
COLS, ROWS = 60, 2
PARTS = [
    *"ab1#é端👍👩👧🚀❤☎➡✓™─│",
    "\u200d",
    "\ufe0f",
    "\u20e3",
    "\u0301",
    "🏽",
    "🇳",
    "🇴",
    "\x1b[31m",
    "\x1b[m",
]


def outer(factory: GhosttyFactory, start: bytes = b"") -> GhosttyEngine:
    engine = factory.new(COLS, ROWS, scrollback_lines=0)
    engine.feed(start)
    return engine


@pytest.fixture
def aware(engines: GhosttyFactory) -> Iterator[GhosttyEngine]:
    engine = outer(engines)
    yield engine
    engine.close()


@pytest.fixture
def unaware(engines: GhosttyFactory) -> Iterator[GhosttyEngine]:
    engine = outer(engines, CLUSTER_UNAWARE)
    yield engine
    engine.close()


def drawn(engine: GhosttyEngine, data: bytes) -> tuple[list[str], int]:
    """The rows and the cursor's column after something was drawn on a blank screen."""
    engine.feed(b"\x1b[m\x1b[2J\x1b[H" + data)
    return [row.ansi for row in engine.all_rows()], engine.cursor().x


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS)
def test_what_follows_an_emoji_stands_in_its_column_whatever_the_terminal_makes_of_it(
    aware: GhosttyEngine, unaware: GhosttyEngine, cluster: str
) -> None:
    text = f"before \x1b[44m{cluster}{cluster}\x1b[m after"
    _, column = drawn(aware, text.encode())
    plain, _ = drawn(unaware, text.encode())

    pinned, reached = drawn(unaware, painted(text))

    assert reached == column
    assert pinned != plain


@pytest.mark.parametrize(
    "text", [*CLUSTERS.values(), *(text for text, _ in WIDTHS.values())], ids=[*CLUSTERS, *WIDTHS]
)
def test_a_terminal_that_knows_emoji_shows_the_same_with_the_pins(aware: GhosttyEngine, text: str) -> None:
    line = f"|{text}|\x1b[31m{text * 3}|"

    assert drawn(aware, painted(line)) == drawn(aware, line.encode())


def test_parts_of_emoji_in_any_order_are_shown_as_without_pins(aware: GhosttyEngine) -> None:
    random_, wrong = random.Random(5), []
    for _ in range(1500):
        line = "".join(random_.choice(PARTS) for _ in range(random_.randrange(1, 9))) + "|"
        if drawn(aware, painted(line)) != drawn(aware, line.encode()):
            wrong.append(line)

    assert wrong == []


def test_what_has_no_emoji_of_several_parts_is_sent_as_it_is() -> None:
    for text in ("plain", "\x1b[1;31mé 端末 │ 👩 🏆\x1b[m", "\x1b]2;🇧🇷 👍🏽\x07", "lone \udc80"):
        assert painted(text) == text.encode("utf-8", "replace")


@pytest.mark.parametrize("behind", ["", " ", "x" * 5, " " * 20])
@pytest.mark.parametrize("cluster", [one for one in CLUSTERS.values() if "🇧" not in one])
def test_no_terminal_draws_a_row_beyond_its_edge(unaware: GhosttyEngine, cluster: str, behind: str) -> None:
    text = f"{cluster}x{cluster}{behind}"
    row = within_its_cells(f"\x1b[31m{cluster}\x1b[mx\x1b[32m{cluster}\x1b[m{behind}", text)
    room = " " * (30 - cell_len(text))

    (shown, _), _ = drawn(unaware, f"\x1b[1;31Hbeside\x1b[H{room}".encode() + painted(row))

    assert shown.endswith("beside" + " " * (COLS - 36))


def test_an_emoji_with_room_for_its_parts_stays_whole() -> None:
    family = "👨\u200d👩\u200d👧"

    assert within_its_cells(f"{family}x{family}    ", f"{family}x{family}    ") == f"{family}x{family}    "
    assert within_its_cells(f"{family}x{family}   ", f"{family}x{family}   ") == f"{family}x👨   "
    assert within_its_cells(f"{family}{family}", f"{family}{family}") == "👨👨"


def test_parts_with_styles_of_their_own_are_left_as_they_are() -> None:
    drawn = "x👍\x1b[31m🏽\x1b[m"

    assert within_its_cells(drawn, "x👍🏽") == drawn
