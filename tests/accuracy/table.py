"""The table of figures, as Markdown, and its place in the README."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.accuracy.figures import Figures

README = Path(__file__).parents[2] / "README.md"
BEGIN = "<!-- accuracy: written by `python -m tests.accuracy --write` -->"
END = "<!-- /accuracy -->"
TITLES = {
    "aider": "Aider",
    "amp": "Amp",
    "claude": "Claude Code",
    "codex": "Codex",
    "copilot": "Copilot CLI",
    "droid": "Droid",
    "gemini": "Gemini CLI",
    "opencode": "OpenCode",
    "pi": "Pi",
    "qwen": "Qwen Code",
}
HEADS = (
    *("agent", "version", "recordings", "transitions", "asks shown"),
    *("false done", "false idle", "unknown", "right after (median, longest)"),
)


def table(rows: Iterable[Figures]) -> str:
    """One row for each version of an agent, and one for all."""
    lines = [HEADS, ("---", "---", *("--:" for _ in HEADS[2:])), *(_row(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(row: Figures) -> Sequence[str]:
    return (
        TITLES.get(row.agent, row.agent),
        row.version,
        str(row.recordings),
        f"{row.transitions:,}",
        f"{row.asks_shown} of {row.asks}" if row.asks else "–",
        str(row.false_done),
        str(row.false_idle),
        str(row.unknown),
        f"{row.median_ms / 1000:.1f} s, {row.longest_ms / 1000:.1f} s",
    )


def with_table(document: str, text: str) -> str:
    """The document with the table between its markers; raises `ValueError` without them."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("the document has no place for the table")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"
