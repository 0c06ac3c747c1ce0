"""TOML text as tables, and where in the text a field stands. Knows nothing of what the fields mean."""

from __future__ import annotations

import re
from typing import Any

from orca_tui.base.choices import choices
from orca_tui.base.errors import ConfigError

_PLACE = re.compile(r"`\$\.?([\w.\[\]-]*)[^`]*`")
_UNKNOWN_FIELD = re.compile(r"unknown field `([\w-]+)`")
_AT_PLACE = re.compile(r" - at `\$[^`]*`$")
_UNKNOWN_FIELD_OF = re.compile(r"^Object contains unknown field `([\w-]+)`")
_TYPES = re.compile(r"^Expected `([^`]+)`, got `([^`]+)`")
_LENGTH = re.compile(r"^Expected `(str|array)` of length (<=|>=) (\d+)")
_NO_CHOICE = re.compile(r"^Invalid enum value ('.*')(?= - at `)", re.DOTALL)
_UNITS = {"str": "character", "array": "item"}
_WORDS = {
    "bool": "true or false",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_STEP = re.compile(r"([\w-]+)(?:\[(\d+)\])?")


def parse_toml(text: str, path: str) -> dict[str, Any]:
    """The tables of a text; raises `ConfigError` with the line."""
    import tomllib  # Commands read no settings; it would cost each of them 3 ms.

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        # Otherwise it says `at end of document`.
        raise ConfigError(path, int(line[1]) if line else len(text.splitlines()), str(error)) from error


def for_people(reason: str) -> str:
    """A reason as people say it: the field first, then what is wrong, in words rather than types."""
    place = _PLACE.search(reason)
    what = _AT_PLACE.sub("", reason)
    what = _UNKNOWN_FIELD_OF.sub(r"there is no setting `\1`", what)
    what = _TYPES.sub(lambda found: f"expected {_in_words(found[1])}, not {_in_words(found[2])}", what)
    what = what.replace("a whole number, not a number", "a whole number, not one with a fraction")
    what = _LENGTH.sub(_length_in_words, what)
    return f"{place[1]}: {what}" if place and place[1] else what


def with_choices(reason: str, root: type) -> str:
    """The reason, which names a place in `root`, with the words that can stand there if the one that does cannot."""
    place = _PLACE.search(reason)
    words = choices(root, place[1]) if place else []
    return (
        _NO_CHOICE.sub(lambda found: f"{found[1]} is none of {', '.join(words)}", reason) if words else reason
    )


def _length_in_words(found: re.Match[str]) -> str:
    kind, bound, length = found.groups()
    unit = _UNITS[kind] if length == "1" else f"{_UNITS[kind]}s"
    return f"expected {'at most' if bound == '<=' else 'at least'} {length} {unit}"


def _in_words(types: str) -> str:
    return " or ".join(_WORDS.get(one, one) for one in types.split(" | "))


def line_of(text: str, reason: str) -> int | None:
    """The line of the field that a reason names (`... at `$.ui.theme``, `$.rule[2].says`, an unknown field)."""
    place = _PLACE.search(reason)
    steps = _STEP.findall(place[1]) if place else []
    if unknown := _UNKNOWN_FIELD.search(reason):
        steps.append((unknown[1], ""))
    lines, at = text.splitlines(), 0
    for name, index in steps:
        at = _line_of_step(lines, at, name, int(index) if index else None)
    return at + 1 if steps else None


def _line_of_step(lines: list[str], start: int, name: str, index: int | None) -> int:
    """Where a key or a table of that name stands behind `start`, which is the answer when there is none."""
    key = rf"[\"']?{re.escape(name)}[\"']?"
    path = r"(?:[\w\"'-]+\.)*"
    if index is not None:
        header = re.compile(rf"\s*\[\[\s*{path}{key}\s*\]\]")
        headers = [number for number in range(start, len(lines)) if header.match(lines[number])]
        if index < len(headers):
            return headers[index]
    wanted = re.compile(rf"\s*(?:\[\s*{path}{key}\s*\]|{path}{key}\s*=)")
    return next((number for number in range(start, len(lines)) if wanted.match(lines[number])), start)
