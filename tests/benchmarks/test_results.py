"""Figures, their bars, and the tables that are made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.results import Bar, Results, Row, Section, lines_of, put_into, summary_of

MACHINE = {"processor": "2 × fast"}
FAST = Row(name="cat", unit="s", figures={"orca-tui": 1.5, "tmux": 2.0}, bar=Bar(limit=1, times="tmux"))
SLOW = Row(name="echo", unit="ms", figures={"orca-tui": 9.0, "tmux": 0.5}, bar=Bar(limit=8))
ALONE = Row(name="shown", unit="MB/s", figures={"orca-tui": 3.0, "tmux": None})


def section(*rows: Row, name: str = "cat") -> Section:
    return Section(name=name, when="2026-01-02 03:04", load=(0.1, 0.25), rows=list(rows))


@pytest.mark.parametrize(
    ("bar", "figures", "met"),
    [
        (Bar(limit=8), {"orca-tui": 8.0}, True),
        (Bar(limit=8), {"orca-tui": 8.1}, False),
        (Bar(limit=2, times="tmux"), {"orca-tui": 3.0, "tmux": 1.5}, True),
        (Bar(limit=2, times="tmux", at_least=True), {"orca-tui": 2.9, "tmux": 1.5}, False),
        (Bar(limit=2, times="tmux"), {"orca-tui": 3.0, "tmux": None}, None),
        (Bar(limit=2, times="tmux"), {"orca-tui": 3.0}, None),
        (Bar(limit=8), {"orca-tui": None}, None),
    ],
)
def test_a_bar_is_met_missed_or_cannot_be_told(
    bar: Bar, figures: dict[str, float | None], met: bool | None
) -> None:
    assert bar.met(figures) is met


def test_a_table_has_figures_ratios_bars_and_the_load() -> None:
    assert lines_of(section(FAST, SLOW, ALONE)) == [
        "|             | orca-tui | tmux | ÷ tmux |        bar |            |",
        "|-------------|----------|------|--------|------------|------------|",
        "| cat, s      |     1.50 |    2 |   0.75 | ≤ 1 × tmux |        met |",
        "| echo, ms    |        9 | 0.50 |     18 |        ≤ 8 | **missed** |",
        "| shown, MB/s |        3 |    – |      – |            |            |",
        "",
        "Load 0.1 before, 0.2 after; 2026-01-02 03:04.",
    ]


def test_the_summary_has_the_rows_with_bars() -> None:
    lines = summary_of([section(FAST, ALONE), section(SLOW)])

    assert [line.split("|")[1].strip() for line in lines[2:]] == ["cat, s", "echo, ms"]


def test_a_part_that_is_measured_again_replaces_what_it_found_before(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    first = Results(MACHINE, [section(FAST), section(SLOW, name="echo")])
    first.write(file)

    second = Results.read(file, MACHINE)
    second.sections["echo"] = section(ALONE, name="echo")

    assert Results.read(file, MACHINE).sections == first.sections
    assert [row.name for row in first.missed()] == ["echo"]
    assert second.missed() == []


def test_figures_of_two_machines_are_not_mixed(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    Results(MACHINE, [section(FAST)]).write(file)

    assert Results.read(file, {"processor": "another"}).sections == {}
    assert Results.read(tmp_path / "none", MACHINE).sections == {}


def test_only_what_is_between_the_marks_is_replaced() -> None:
    text = "before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n"

    assert put_into(text, "bench", ["new"]) == "before\n<!-- bench -->\nnew\n<!-- /bench -->\nafter\n"
    with pytest.raises(ValueError, match="other"):
        put_into(text, "other", ["new"])
