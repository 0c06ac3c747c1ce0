"""The outer terminal's default colors."""

from __future__ import annotations

import pytest

from orca_tui.commands.ui import OuterColors
from orca_tui.term.replies import ColorReport, ColorScheme, Reply
from orca_tui.ui.outer_colors import ToldColors

PAPER, INK, BLUE = (250, 250, 240), (10, 10, 20), (0, 0, 255)


def told(slot: int, color: tuple[int, int, int], index: int | None = None) -> ColorReport:
    return ColorReport(slot=slot, index=index, red=color[0], green=color[1], blue=color[2])


def colors(*replies: Reply) -> ToldColors:
    known = ToldColors()
    for reply in replies:
        known.take(reply)
    return known


def test_colors_are_known_once_text_and_background_are() -> None:
    known = ToldColors()

    assert not known.take(told(11, PAPER))
    assert known.colors is None
    assert known.take(told(10, INK))
    assert known.colors == OuterColors(foreground=INK, background=PAPER, cursor=INK)
    assert known.take(told(12, BLUE))
    assert known.colors == OuterColors(foreground=INK, background=PAPER, cursor=BLUE)


def test_the_same_colors_again_are_no_news() -> None:
    known = colors(told(10, INK), told(11, PAPER))

    assert not known.take(told(11, PAPER))
    assert known.take(told(11, BLUE))


def test_a_color_of_the_palette_is_no_default() -> None:
    assert colors(told(4, PAPER, index=11), told(10, INK)).colors is None


@pytest.mark.parametrize(
    ("replies", "theme"),
    [
        ((), "textual-dark"),
        ((told(11, PAPER),), "textual-light"),
        ((told(11, INK),), "textual-dark"),
        ((told(10, INK), told(11, PAPER)), "textual-light"),
        ((told(10, PAPER), told(11, INK)), "textual-dark"),
    ],
)
def test_the_automatic_theme_suits_the_background(replies: tuple[Reply, ...], theme: str) -> None:
    assert colors(*replies).theme("auto") == theme


def test_a_theme_of_the_settings_stays_whatever_the_terminal_is() -> None:
    assert colors(told(10, INK), told(11, PAPER)).theme("nord") == "nord"


def test_only_a_scheme_that_does_not_fit_the_known_colors_has_them_asked_for_again() -> None:
    light = colors(told(10, INK), told(11, PAPER))

    assert light.contradicts(ColorScheme(dark=True))
    assert not light.contradicts(ColorScheme(dark=False))
    assert not ToldColors().contradicts(ColorScheme(dark=True))
