"""Reads rule files (`rules/AGENT.toml`, and the user's own). A mistake is told with file, line, rule and reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Literal

import msgspec

from orca_tui.agents.rules import Condition, Rule, RuleSet, ordered
from orca_tui.agents.rules_regions import DEFAULT_COUNTS, Region
from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.base.patterns import Pattern
from orca_tui.base.toml_text import line_of, parse_toml, with_choices
from orca_tui.status.events import Says
from orca_tui.status.record import Kind

MAX_COUNT = 100  # Lines or paragraphs: more than any screen has.

INTERRUPTED = "interrupted"
SaysWord = Literal["working", "waiting", "idle", "interrupted", "at_rest", "failed"]
_TELLING = ("waiting", "failed")
"""What has a kind and a text."""


class _Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    contains: str | tuple[str, ...] = ()
    regex: str | None = None
    any: tuple[_Condition, ...] = ()
    all: tuple[_Condition, ...] = ()
    not_: tuple[_Condition, ...] = msgspec.field(default=(), name="not")


class _Rule(_Condition, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    region: Region
    says: SaysWord | None = None
    skip: bool = False
    kind: Kind | None = None
    priority: int = 0
    count: int | None = None
    text: str | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verified: str | None = None
    rule: tuple[dict[str, Any], ...] = ()


def parse_rules(text: str, path: str) -> RuleSet:
    """The rules of a file's text; raises `ConfigError`."""
    table = parse_toml(text, path)
    try:
        file = msgspec.convert(table, _File)
        rules = rules_of(file.rule, "$.rule")
    except (msgspec.ValidationError, Invalid) as error:
        raise ConfigError(path, line_of(text, str(error)), str(error)) from error
    return RuleSet(rules=rules, verified=file.verified)


def rules_of(tables: Sequence[Mapping[str, Any]], place: str) -> tuple[Rule, ...]:
    """Rules from tables that stand at `place` of a file; raises `Invalid`, whose message names rule and field."""
    rules = [_rule(table, f"{place}[{number}]") for number, table in enumerate(tables)]
    seen: set[str] = set()
    for number, rule in enumerate(rules):
        if rule.id in seen:
            raise Invalid(f"rule {rule.id!r}: there is one of that id before it - at `{place}[{number}].id`")
        seen.add(rule.id)
    return ordered(rules)


def built_in_rules(name: str) -> RuleSet | None:
    """The rules that come with us for an agent; None when there are none."""
    file = resources.files("orca_tui.agents").joinpath("rules", f"{name}.toml")
    return parse_rules(file.read_text(encoding="utf-8"), str(file)) if file.is_file() else None


def _rule(table: Mapping[str, Any], place: str) -> Rule:
    named = f"rule {table.get('id', '?')!r}"
    try:
        raw = msgspec.convert(table, _Rule)
    except msgspec.ValidationError as error:
        raise Invalid(f"{named}: {_placed(with_choices(str(error), _Rule), place)}") from error
    try:
        return _checked(raw, place)
    except Invalid as error:
        raise Invalid(f"{named}: {error.message}") from error


def _placed(reason: str, place: str) -> str:
    """The reason with its place (`$.says`) below another."""
    return reason.replace("`$", f"`{place}") if "`$" in reason else f"{reason} - at `{place}`"


def _checked(raw: _Rule, place: str) -> Rule:
    if raw.skip == (raw.says is not None):
        raise Invalid(f"it needs either `says` or `skip = true` - at `{place}`")
    for field in ("kind", "text"):
        if getattr(raw, field) is not None and raw.says not in _TELLING:
            raise Invalid(f"only {' and '.join(_TELLING)} have a {field} - at `{place}.{field}`")
    if raw.count is not None and (raw.region not in DEFAULT_COUNTS or not 1 <= raw.count <= MAX_COUNT):
        of = " and ".join(DEFAULT_COUNTS)
        raise Invalid(f"a count is 1 to {MAX_COUNT}, and of {of} - at `{place}.count`")
    text = _pattern(raw.text, f"{place}.text") if raw.text is not None else None
    if text is not None and text.groups < 1:
        raise Invalid(f"it needs a group, which is the text that is told - at `{place}.text`")
    return Rule(
        id=raw.id,
        region=raw.region,
        count=raw.count or DEFAULT_COUNTS.get(raw.region, 0),
        condition=_condition(raw, place),
        says=_says(raw.says),
        interrupted=raw.says == INTERRUPTED,
        kind=raw.kind,
        priority=raw.priority,
        text=text,
    )


def _says(word: SaysWord | None) -> Says | None:
    if word is None:
        return None
    return Says.IDLE if word == INTERRUPTED else Says(word)


def _condition(raw: _Condition, place: str) -> Condition:
    def inner(name: str, conditions: tuple[_Condition, ...]) -> tuple[Condition, ...]:
        return tuple(_condition(one, f"{place}.{name}") for one in conditions)

    contains = (raw.contains,) if isinstance(raw.contains, str) else raw.contains
    if not all(contains):
        raise Invalid(f"an empty text is contained in everything - at `{place}.contains`")
    found = Condition(
        contains=contains,
        regex=_pattern(raw.regex, f"{place}.regex") if raw.regex is not None else None,
        any=inner("any", raw.any),
        all=inner("all", raw.all),
        none=inner("not", raw.not_),
    )
    if found == Condition():
        raise Invalid(f"it matches everything; give it contains, regex, any, all or not - at `{place}`")
    return found


def _pattern(text: str, place: str) -> Pattern:
    try:
        return Pattern(text=text, of_lines=True)
    except Invalid as error:
        raise Invalid(f"{error.message} - at `{place}`") from error
