"""Names as they may be shown."""

from __future__ import annotations

import pytest

from orca_tui.server.names import one_line


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("api", "api"),
        ("  two\nlines\t", "two lines"),
        ("\x1b]0;title\x07red\x1b[31m", "]0;title red [31m"),
        ("\u202eright to left", "right to left"),
        ("端末 🐋", "端末 🐋"),
        ("\x00", ""),
    ],
)
def test_a_name_is_one_line_of_characters_that_can_be_shown(given: str, shown: str) -> None:
    assert one_line(given) == shown
