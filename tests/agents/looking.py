"""Looks at terminals with rules, and what they say in the words of TRUTH.toml."""

from __future__ import annotations

from typing import Any

from orca_tui.agents.rules import RuleSet, Told, told
from orca_tui.agents.rules_file import built_in_rules
from orca_tui.agents.rules_regions import Glance
from orca_tui.status.record import Source


def rules_of(agent: str) -> RuleSet:
    rules = built_in_rules(agent)
    assert rules is not None
    return rules


def words(found: Told | None) -> str:
    """`waiting permission: rm -rf x`, as TRUTH.toml has it."""
    if found is None:
        return "skip"
    if found.interrupted:
        return "interrupted"
    event = found.said
    head = f"{event.says} {event.kind}" if event.kind else str(event.says)
    return f"{head}: {event.text}" if event.text else head


def look(rules: RuleSet, source: Source, **shown: Any) -> Told | None:
    return told(rules.of(source), source, Glance(**shown), 3.0)


def screen(rules: RuleSet, *lines: str, cursor_row: int | None = None) -> Told | None:
    row = len(lines) - 1 if cursor_row is None else cursor_row
    return look(rules, Source.SCREEN, lines=lines, cursor_row=row)
