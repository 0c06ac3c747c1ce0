"""Errors of the system in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.base.reasons import reason_of


def test_an_error_of_the_system_is_its_words_alone(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone") as raised:
        (tmp_path / "gone").read_text()

    assert reason_of(raised.value) == "No such file or directory"
    assert reason_of(TimeoutError()) == "TimeoutError"


def test_bytes_that_are_no_text_are_called_so() -> None:
    with pytest.raises(UnicodeError) as raised:
        b"\xff".decode()

    assert reason_of(raised.value) == "it is not UTF-8"
