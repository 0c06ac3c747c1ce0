"""Text of agents, made fit to be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.agents.text import MAX_PROMPT, one_line, paragraphs


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (None, None),
        ("", None),
        (" \n\t ", None),
        ("one\n  two\tthree ", "one two three"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("a\u202eb", "ab"),
    ],
)
def test_one_line(text: str | None, line: str | None) -> None:
    assert one_line(text) == line


def test_paragraphs_keep_their_line_breaks() -> None:
    assert paragraphs("\n one \r\n\n two\x00\n") == "one\n\n two"
    assert paragraphs(None) is None


@given(st.text(max_size=3000))
def test_a_line_is_short_and_has_nothing_hidden(text: str) -> None:
    line = one_line(text)

    assert line is None or 0 < len(line) <= MAX_PROMPT
    assert line is None or not set(line) & set("\n\r\t\x1b\x07")
