"""What an overlay mirrors, written down in it: only what is listed there, and still is our link, is ever taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from status_plugin.replacing import identity_of, replace

MANIFEST_NAME: Final = ".orca-tui-overlay.json"
VERSION: Final = 1
_SIZE_LIMIT: Final = 1 << 20  # A folder with so many entries is no configuration.


class NewerManifestError(Exception):
    """A newer orca-tui made the overlay, by rules of its own."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the overlay was made by a newer orca-tui (manifest version {version})")
        self.version = version


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`source` is the user's folder; `links` has the names mirrored in each folder of it, "" being itself."""

    source: str
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def listed(self, folder: str) -> tuple[str, ...]:
        return self.links.get(folder, ())


def read_manifest(overlay: int) -> Manifest | None:
    """Of an overlay held open; None where there is none that can be believed, so that nothing is taken back.

    Raises `NewerManifestError`.
    """
    try:
        descriptor = os.open(MANIFEST_NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=overlay)
        with os.fdopen(descriptor, "rb") as file:
            return _parsed(json.loads(file.read(_SIZE_LIMIT)))
    except (OSError, ValueError, RecursionError):
        return None


def write_manifest(overlay: int, manifest: Manifest) -> None:
    """Raises `OSError`."""
    links = {folder: list(names) for folder, names in sorted(manifest.links.items()) if names}
    text = json.dumps({"version": VERSION, "source": manifest.source, "links": links}, indent=1)
    replace(overlay, MANIFEST_NAME, f"{text}\n".encode(), identity_of(MANIFEST_NAME, overlay))


def _parsed(value: Any) -> Manifest | None:
    if not isinstance(value, dict) or not isinstance(value.get("version"), int):
        return None
    if value["version"] > VERSION:
        raise NewerManifestError(value["version"])
    source, links = value.get("source"), value.get("links")
    if not isinstance(source, str) or not isinstance(links, dict):
        return None
    return Manifest(
        source=source,
        links={
            folder: tuple(name for name in names if _is_name(name))
            for folder, names in links.items()
            if isinstance(names, list) and (folder == "" or _is_name(folder))
        },
    )


def _is_name(value: object) -> bool:
    """A name in a folder, and no way out of it."""
    return isinstance(value, str) and value not in ("", ".", "..") and "/" not in value and "\0" not in value
