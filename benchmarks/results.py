"""Rows of figures with their bars, kept as JSON, printed as a table. Measures nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

OURS = "orca-tui"


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What our figure must be: a limit, or a limit times a peer's figure."""

    limit: float
    times: str = ""
    """The peer whose figure counts."""
    at_least: bool = False

    def text(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.limit:g}" + (f" × {self.times}" if self.times else "")

    def met(self, figures: Mapping[str, float | None]) -> bool | None:
        """None when there is nothing to compare."""
        ours, other = figures.get(OURS), figures.get(self.times) if self.times else 1.0
        if ours is None or other is None:
            return None
        limit = self.limit * other
        return ours >= limit if self.at_least else ours <= limit


@dataclass(frozen=True, kw_only=True)
class Row:
    """One thing that was measured, of everybody who could be; None for who could not."""

    name: str
    unit: str
    figures: Mapping[str, float | None]
    bar: Bar | None = None

    def ratio(self, peer: str) -> float | None:
        ours, theirs = self.figures.get(OURS), self.figures.get(peer)
        return ours / theirs if ours is not None and theirs else None


@dataclass(kw_only=True)
class Section:
    """What one part of the suite found, and how busy the machine was before and after."""

    name: str
    when: str
    load: tuple[float, float]
    rows: list[Row] = field(default_factory=list)


class Results:
    """Sections by name: a part that is measured again replaces what it found before."""

    def __init__(self, machine: Mapping[str, str], sections: Iterable[Section] = ()) -> None:
        self.machine = dict(machine)
        self.sections = {section.name: section for section in sections}

    @classmethod
    def read(cls, path: Path, machine: Mapping[str, str]) -> Results:
        """What the file has, when it is of this machine; else nothing yet."""
        if not path.exists():
            return cls(machine)
        stored: dict[str, Any] = json.loads(path.read_text())
        if stored["machine"] != dict(machine):
            return cls(machine)
        return cls(machine, (_section(one) for one in stored["sections"]))

    def write(self, path: Path) -> None:
        stored = {"machine": self.machine, "sections": [asdict(one) for one in self.sections.values()]}
        path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")

    def missed(self) -> list[Row]:
        """The rows that are outside of their bar."""
        return [
            row
            for one in self.sections.values()
            for row in one.rows
            if row.bar and row.bar.met(row.figures) is False
        ]


def _section(stored: dict[str, Any]) -> Section:
    rows = [Row(**(row | {"bar": Bar(**row["bar"]) if row["bar"] else None})) for row in stored["rows"]]
    return Section(**(stored | {"rows": rows, "load": tuple(stored["load"])}))


# As text


def lines_of(section: Section) -> list[str]:
    """A section as a Markdown table, with who was measured in the order of the first row."""
    who = list(dict.fromkeys(name for row in section.rows for name in row.figures))
    peers = [name for name in who if name != OURS]
    head = ["", *who, *(f"÷ {peer}" for peer in peers), "bar", ""]
    load = f"Load {section.load[0]:.1f} before, {section.load[1]:.1f} after; {section.when}."
    return [*_table(head, [_cells(row, who, peers) for row in section.rows]), "", load]


def summary_of(sections: Iterable[Section]) -> list[str]:
    """The rows that have a bar, with ours beside tmux."""
    rows = [row for section in sections for row in section.rows if row.bar is not None]
    return _table(["", OURS, "tmux", "bar", ""], [_cells(row, [OURS, "tmux"], []) for row in rows])


def _cells(row: Row, who: list[str], peers: list[str]) -> list[str]:
    figures = [_number(row.figures.get(name)) for name in who]
    ratios = [_number(row.ratio(peer)) for peer in peers]
    met = row.bar.met(row.figures) if row.bar else None
    verdict = "" if met is None else "met" if met else "**missed**"
    return [f"{row.name}, {row.unit}", *figures, *ratios, row.bar.text() if row.bar else "", verdict]


def _table(head: list[str], body: list[list[str]]) -> list[str]:
    widths = [max(len(cells[column]) for cells in (head, *body)) for column in range(len(head))]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [_line(head, widths), rule, *(_line(cells, widths) for cells in body)]


def _line(cells: list[str], widths: list[int]) -> str:
    aligned = [cells[0].ljust(widths[0])]
    aligned += [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "| " + " | ".join(aligned) + " |"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 1000 or value == int(value) else f"{value:.2f}"


def put_into(text: str, name: str, lines: Iterable[str]) -> str:
    """The text with the lines between `<!-- name -->` and `<!-- /name -->`."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"no place for {name}")
    return before + "\n".join([begin, *lines, end]) + after
