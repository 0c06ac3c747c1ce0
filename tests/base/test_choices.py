"""The words that can stand at a place of a structure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import pytest

from orca_tui.base.choices import choices


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Lamp:
    color: Color
    mode: Literal["on", "off"] | None
    watts: int


@dataclass
class House:
    lamps: tuple[Lamp, ...]
    rooms: dict[str, Lamp]
    by_name: dict[str, str | list[Color]]
    side: Annotated[Literal["left", "right"], "of the street"]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("side", ["left", "right"]),
        ("lamps[3].color", ["red", "blue"]),
        ("lamps[...].mode", ["on", "off"]),
        ("rooms.the-hall.color", ["red", "blue"]),
        ("rooms[...].mode", ["on", "off"]),
        ("by_name.x[0]", ["red", "blue"]),
        ("lamps[0].watts", []),
        ("nothing.here", []),
        ("", []),
    ],
)
def test_the_words_that_can_stand_at_a_place_are_found(place: str, words: list[str]) -> None:
    assert choices(House, place) == words
