"""Processes by their names."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.status.session_table import ProcessKey


@pytest.mark.parametrize("started", [0.0, 1700000000.123, 1767225599.5, 12.0])
def test_a_process_is_named_by_its_pid_and_start_and_found_by_that_name(started: float) -> None:
    key = ProcessKey(pid=4242, started=started)

    assert ProcessKey.parse(str(key)) == key


def test_a_start_in_whole_seconds_may_be_written_without_a_fraction() -> None:
    assert ProcessKey.parse("7-1700000000") == ProcessKey(pid=7, started=1700000000.0)


@pytest.mark.parametrize(
    "text", ["", "7", "7-", "-1.0", "x-1", "7-x", "0-1", "-7-1", "7--1", "7-nan", "7-inf"]
)
def test_what_names_no_process_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        ProcessKey.parse(text)
