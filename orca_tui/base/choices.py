"""Which words may stand at a place of a structure, read from its type hints. Knows nothing of what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

UNIONS = (Union, UnionType)

_STEP = re.compile(r"[\w-]+|\[[^\]]*\]")


def choices(root: type, place: str) -> list[str]:
    """The words that `ui.sidebar_side` or `rule[0].says` can be in `root`; none where it is no choice of words."""
    kinds: list[Any] = [root]
    for step in _STEP.findall(place):
        kinds = [inner for kind in kinds for inner in _within(kind, step)]
    return [word for kind in kinds for plain in _plain(kind) for word in _words(plain)]


def _within(kind: object, step: str) -> Iterator[Any]:
    """The types of a field, or of what a table or a list holds."""
    for plain in _plain(kind):
        inner = get_args(plain)
        if get_origin(plain) is dict:
            yield inner[1]
        elif step.startswith("["):
            yield from inner[:1]
        elif isinstance(plain, type) and step in (hints := get_type_hints(plain)):
            yield hints[step]


def _plain(kind: Any) -> Iterator[Any]:
    """The alternatives of a union; any other type alone."""
    if hasattr(kind, "__metadata__"):
        yield from _plain(kind.__origin__)
    elif get_origin(kind) in UNIONS:
        for one in get_args(kind):
            yield from _plain(one)
    else:
        yield kind


def _words(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [word for word in get_args(kind) if isinstance(word, str)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return []
