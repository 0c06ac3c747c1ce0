"""The version of an installed program. Asking it may take seconds, so what its package says beside it goes first."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from orca_tui.process.probe import VersionProbe

MANIFEST = "package.json"
MAX_MANIFEST_BYTES = 256 << 10
MAX_LEVELS = 4  # From `bin/cli.js` or `dist/bundle/cli.js` up to the package.


class _Manifest(msgspec.Struct, frozen=True):
    name: str
    version: str


class Versions:
    """Finds versions; the probe keeps what it was told."""

    def __init__(self, probe: VersionProbe) -> None:
        self._probe = probe

    async def of(self, command: str, packages: Collection[str], environment: Mapping[str, str]) -> str | None:
        """The version of the program that `command` names; `packages` are npm packages that it may be of."""
        found = shutil.which(command, path=environment.get("PATH"))
        if found is None:
            return None  # The pane will say that there is no such command.
        declared = await asyncio.to_thread(_declared, Path(found), packages)
        return declared or await self._probe.version(Path(found), environment)


def _declared(program: Path, packages: Collection[str]) -> str | None:
    """The version in the manifest of the package that a program's file is part of."""
    try:
        folder = program.resolve().parent
        for level in (folder, *folder.parents)[:MAX_LEVELS]:
            manifest = level / MANIFEST
            if manifest.is_file() and manifest.stat().st_size <= MAX_MANIFEST_BYTES:
                read = msgspec.json.decode(manifest.read_bytes(), type=_Manifest)
                return read.version if read.name in packages else None
    except (OSError, RuntimeError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # A link that loops, or a manifest that is none: the program itself has to say it.
    return None
