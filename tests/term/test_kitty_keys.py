"""Our kitty encoding against libghostty's own, over a whole keyboard."""

from __future__ import annotations

import pytest

from orca_tui.term.engine import InputModes
from orca_tui.term.input_encoder import encode
from orca_tui.term.input_events import KeyAction
from tests.term.ghostty_oracle import GhosttyKeys, keyboard

LETTER_KEYS = frozenset({"up", "down", "left", "right", "home", "end", "f1", "f2", "f4"})
"""Keys for which libghostty writes the default action out (`CSI 1;1:1A`) once releases are asked for."""


@pytest.mark.parametrize("flags", [1, 1 | 8, 1 | 16, 1 | 8 | 16, 1 | 2, 1 | 2 | 8, 1 | 2 | 8 | 16])
@pytest.mark.parametrize("action", list(KeyAction))
def test_kitty_keys_are_encoded_as_libghostty_encodes_them(flags: int, action: KeyAction) -> None:
    ghostty, modes = GhosttyKeys(flags), InputModes(kitty_flags=flags)
    spelled_out = LETTER_KEYS if action is KeyAction.PRESS and flags & 2 else frozenset()
    keys = [key for key in keyboard(action) if key.key not in spelled_out]

    differences = [
        (k, encode(k, modes), theirs) for k in keys if encode(k, modes) != (theirs := ghostty.encode(k))
    ]
    ghostty.close()

    assert differences == []
