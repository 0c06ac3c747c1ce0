"""The commands that a plugin offers."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.plugins.offers import MOST_COMMANDS, Offers


async def run(pane: str | None) -> None:
    """A command that does nothing."""


def test_what_is_offered_can_be_found_and_is_told() -> None:
    told: list[None] = []
    offers = Offers(lambda: told.append(None))

    offers.add("hello", "Say hello", run, "To everybody.")

    assert [(one.id, one.title, one.description) for one in offers.all()] == [
        ("hello", "Say hello", "To everybody.")
    ]
    assert offers.runner("hello") is run
    assert offers.runner("other") is None
    assert len(told) == 1


@pytest.mark.parametrize(("id", "title"), [("", "x"), ("A", "x"), ("a b", "x"), ("ok", " "), ("taken", "x")])
def test_a_bad_command_is_refused(id: str, title: str) -> None:
    offers = Offers(lambda: None)
    offers.add("taken", "Taken", run)

    with pytest.raises(Invalid):
        offers.add(id, title, run)


def test_a_plugin_cannot_flood_the_palette() -> None:
    offers = Offers(lambda: None)
    for number in range(MOST_COMMANDS):
        offers.add(f"c{number}", "x", run)

    with pytest.raises(Invalid, match="more than"):
        offers.add("one-more", "x", run)
