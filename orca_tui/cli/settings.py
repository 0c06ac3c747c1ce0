"""`config path`, `config check` and `config show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line
from orca_tui.config import load

ESCAPED_BY_TOML_ALONE = {0x7F: "\\u007f"}
"""JSON strings are TOML strings but for DEL, which TOML wants escaped."""


@click.pass_obj
def _path(session: Session, /) -> None:
    path = str(session.paths.config_file)
    if session.json:
        write_json({"path": path})
    else:
        write_line(path)


@click.pass_obj
def _check(session: Session, /) -> None:
    path = session.paths.config_file
    session.outside.check_settings()
    if session.json:
        write_json({"path": str(path), "exists": path.exists()})
    else:
        write_line(f"{path}: ok" if path.exists() else f"{path}: not there; the defaults hold")


@click.pass_obj
def _show(session: Session, /) -> None:
    settings = msgspec.to_builtins(load(session.paths.config_file))
    if session.json:
        write_json(settings)
    else:
        write_line("\n".join(toml_lines(settings)).lstrip("\n"))


def toml_lines(table: dict[str, Any], place: str = "") -> Iterator[str]:
    """Settings as TOML: a table's values first, then the tables in it."""
    for name, value in table.items():
        if value is not None and not isinstance(value, dict):  # TOML has no word for nothing.
            yield f"{_key(name)} = {_toml(value)}"
    for name, value in table.items():
        if isinstance(value, dict):
            inner = f"{place}{_key(name)}"
            yield ""
            yield f"[{inner}]"
            yield from toml_lines(value, f"{inner}.")


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _toml(name)


def _toml(value: Any) -> str:
    """A value of our settings. JSON writes texts, numbers and booleans as TOML does."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_toml(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode().translate(ESCAPED_BY_TOML_ALONE)


PATH = Described(
    name="path",
    callback=_path,
    help="Print where the settings file is.",
    examples=('$EDITOR "$(orca-tui config path)"',),
)
CHECK = Described(
    name="check",
    callback=_check,
    help="Check the settings file; tells line and reason.",
    examples=("orca-tui config check",),
)
SHOW = Described(
    name="show",
    callback=_show,
    help="Print all settings that hold, defaults included.",
    examples=("orca-tui config show", "orca-tui config show --json | jq .ui"),
)
