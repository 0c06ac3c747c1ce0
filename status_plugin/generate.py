"""Joins the modules of `src/` into the files that OpenCode loads: the same sources, the same bytes.

Owns the files' names, their revision and their exact bytes. Writes nothing by itself (see install.py).
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeAlias

PLUGIN_FILE_NAME: Final = "orca-tui-status.js"
"""Loaded by the servers of OpenCode 1 and 2."""
SCREEN_FILE_NAME: Final = "orca-tui-status/tui.js"
"""Loaded by the screens of OpenCode 2; its servers and OpenCode 1 pass over a folder without an index file."""

_REVISION: Final = 9
"""Raised with every change of the bytes: an installed file of a higher revision is never replaced."""

_FIRST_LINE: Final = "// orca-tui status plugin, revision {}"
_FIRST_LINE_PATTERN: Final = re.compile(rb"// orca-tui status plugin, revision (\d{1,9})\r?\n")

_REPORTING: Final = (
    "values",
    "asks",
    "faults",
    "identity",
    "shared",
    "transport",
    "outbox",
    "poller",
    "table",
    "lineage",
    "reporter",
    "reload",
)
_WORKING: Final = (
    "client",
    "ids",
    "receipts",
    "courier",
    "look",
    "prompts",
    "worker",
    "notices1",
    "notices2",
)
_MODULES: Final = {
    PLUGIN_FILE_NAME: (*_REPORTING, *_WORKING, "host1", "host2", "entry"),
    SCREEN_FILE_NAME: (*_REPORTING, "host2", "waiting", "screen", "tui"),
}
"""In the order of their use: a module stands after those whose classes and constants it uses."""

_IMPORT: Final = re.compile(r'^import .* from "(?P<source>[^"]+)"$')
_EXPORT: Final = re.compile(r"^export (?!default )")
_DECLARATION: Final = re.compile(r"^(?:const|let|class|(?:async )?function) (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginFile:
    """A file as it is to be installed; `name` is its path below a folder of plugins, with `/`."""

    name: str
    content: bytes


PluginFiles: TypeAlias = tuple[PluginFile, ...]


class BadSourceError(Exception):
    """A module of `src/` cannot become a part of one file."""

    def __init__(self, module: str, reason: str) -> None:
        super().__init__(f"{module}.js {reason}")
        self.module = module
        self.reason = reason


def plugin_revision() -> int:
    """The revision that `plugin_bytes` carries in its first line."""
    return _REVISION


def plugin_files() -> PluginFiles:
    """All files, the one for servers first."""
    return tuple(PluginFile(name=name, content=_joined(modules)) for name, modules in _MODULES.items())


def plugin_bytes() -> bytes:
    """The exact content of the file for servers, UTF-8, ending in one newline."""
    return _joined(_MODULES[PLUGIN_FILE_NAME])


def _joined(modules: tuple[str, ...]) -> bytes:
    built_ins: list[str] = []
    bodies: list[str] = []
    declared: set[str] = set()
    for module in modules:
        imports, body = _split(module, _read(module), modules)
        built_ins.extend(line for line in imports if line not in built_ins)
        _declare(module, body, declared)
        bodies.append(f"// ---- {module} ----\n\n{body.strip()}\n")
    head = f"{_FIRST_LINE.format(_REVISION)}\n// Written by orca-tui, which replaces it when it changes: do not edit.\n"
    return "\n".join([head, "\n".join(built_ins) + "\n", *bodies]).encode()


def revision_of(content: bytes) -> int | None:
    """The revision of a plugin file by its first line, or None for a file that is not ours."""
    match = _FIRST_LINE_PATTERN.match(content)
    return int(match[1]) if match else None


def _read(module: str) -> str:
    return (files(__package__) / "src" / f"{module}.js").read_text(encoding="utf-8")


def _split(module: str, source: str, modules: tuple[str, ...]) -> tuple[list[str], str]:
    """The module's imports of built-ins, and its text without imports and `export` words."""
    imports: list[str] = []
    lines: list[str] = []
    for line in source.splitlines():
        if not (match := _IMPORT.match(line)):
            lines.append(_EXPORT.sub("", line))
        elif match["source"].startswith("node:"):
            imports.append(line)
        elif match["source"].removeprefix("./").removesuffix(".js") not in modules:
            raise BadSourceError(module, f"imports {match['source']!r}, which is not part of the file")
    return imports, "\n".join(lines)


def _declare(module: str, body: str, declared: set[str]) -> None:
    """In one file all modules share one scope: a name stands for one thing."""
    for name in _DECLARATION.findall(body):
        if name in declared:
            raise BadSourceError(module, f"declares {name!r} again")
        declared.add(name)


def main(arguments: list[str]) -> int:
    """`python -m status_plugin.generate FILE [SCREEN-FILE]`: writes the bytes of the files there."""
    if not 1 <= len(arguments) <= len(_MODULES):
        print("usage: python -m status_plugin.generate FILE [SCREEN-FILE]", file=sys.stderr)
        return 2
    for target, file in zip(arguments, plugin_files(), strict=False):
        Path(target).write_bytes(file.content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
