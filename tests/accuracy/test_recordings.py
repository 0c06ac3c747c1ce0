"""Every recording of a real agent, replayed through the server, shows what was written down by hand."""

from __future__ import annotations

import pytest

from tests.accuracy.conftest import Verdicts
from tests.accuracy.corpus import cases, recordings
from tests.accuracy.explaining import faults_of
from tests.accuracy.figures import figures
from tests.accuracy.table import README, table, with_table


@pytest.mark.parametrize("name", cases())
def test_a_recording_shows_its_truth_however_it_comes(name: str, verdicts: Verdicts) -> None:
    wrong = [f"{result.passing}: {line}" for result in verdicts.of(name) for line in faults_of(result)]

    assert wrong == []


def test_every_recording_has_its_truth() -> None:
    assert recordings() == set(cases())


def test_the_readme_has_the_current_figures(verdicts: Verdicts) -> None:
    rows = figures(verdicts.all())

    assert README.read_text() == with_table(README.read_text(), table(rows))
    assert all(row.holds for row in rows)
