"""What was really pressed."""

from __future__ import annotations

import pytest
from textual import events

from orca_tui.term.input_events import Key, Modifiers
from orca_tui.ui.input_messages import OrcaKey
from orca_tui.ui.key_source import key_of


def test_the_drivers_word_counts() -> None:
    source = Key(key="c", modifiers=Modifiers.CTRL | Modifiers.NUM_LOCK, base="c")

    assert key_of(OrcaKey(source)) is source


@pytest.mark.parametrize(
    ("name", "character", "key"),
    [
        ("a", "a", Key(key="a", text="a")),
        ("A", "A", Key(key="a", modifiers=Modifiers.SHIFT, text="A")),
        ("ctrl+b", None, Key(key="b", modifiers=Modifiers.CTRL)),
        ("percent_sign", "%", Key(key="%", text="%")),
        ("shift+tab", None, Key(key="tab", modifiers=Modifiers.SHIFT)),
        ("no_such_key", "ß", Key(key="", text="ß")),
    ],
)
def test_other_drivers_keys_are_read_from_their_names(name: str, character: str | None, key: Key) -> None:
    assert key_of(events.Key(name, character)) == key
