"""The overlays that there are: how each stands, and taking one away without touching what is not ours."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from status_plugin.file import PluginFileStatus, RemoveResult, inspect, remove_if_ours
from status_plugin.generate import PluginFile, PluginFiles
from status_plugin.install import PLUGINS, plugin_path
from status_plugin.manifest import MANIFEST_NAME, Manifest, NewerManifestError, read_manifest
from status_plugin.mirror import PLUGIN_FOLDERS, link_target, wanted_links
from status_plugin.overlay import folders_of, overlays_folder
from status_plugin.replacing import held, reason_of
from status_plugin.turn import turn


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayStatus:
    """`source` is the user's folder, or None where the overlay does not say. `reason` tells what keeps it from
    showing that folder; it is renewed when the next pane opens."""

    path: Path
    source: Path | None
    files: tuple[PluginFileStatus, ...]
    hidden: tuple[str, ...] = ()
    """Entries of the user's that something else in the overlay stands in front of."""
    outdated: tuple[str, ...] = ()
    """Entries that came or went since the last pane opened."""
    reason: str = ""


def known_overlays(state_dir: Path) -> tuple[Path, ...]:
    """Every overlay below a state directory."""
    try:
        found = sorted(overlays_folder(state_dir).iterdir())
    except OSError:
        return ()
    return tuple(path for path in found if path.is_dir() and not path.is_symlink())


def status_overlay(path: Path, files: PluginFiles) -> OverlayStatus:
    """Looks only."""
    source: Path | None = None
    hidden: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    reason = ""
    try:
        with held(path) as overlay:
            manifest = read_manifest(overlay)
            if manifest is None:
                reason = "its list of links is missing or damaged"
            else:
                source = Path(manifest.source)
                hidden, outdated = _differences(overlay, path, manifest, files)
    except NewerManifestError as error:
        reason = str(error)
    except OSError as error:
        reason = reason_of(error)
    found = tuple(inspect(plugin_path(path, file), file.content, follow=False) for file in files)
    return OverlayStatus(
        path=path, source=source, files=found, hidden=hidden, outdated=outdated, reason=reason
    )


def remove_overlay(path: Path, files: PluginFiles) -> tuple[RemoveResult, ...]:
    """Takes away our files, our links and, if nothing else is in it, the overlay itself; the last result is that of
    the overlay. What its agents put there is left, and told."""
    try:
        with turn(path.parent), held(path) as overlay:
            manifest = read_manifest(overlay)
            removed = tuple(_remove(overlay, path, file) for file in files)
            if manifest is not None:
                _unlink_all(overlay, manifest)
            _remove_empty(overlay, files)
            return (*removed, _remove_itself(path, overlay))
    except NewerManifestError as error:
        return (RemoveResult(path=path, outcome="refused", reason=str(error)),)
    except FileNotFoundError:
        return (RemoveResult(path=path, outcome="missing"),)
    except OSError as error:
        return (RemoveResult(path=path, outcome="failed", reason=reason_of(error)),)


def _remove(overlay: int, path: Path, file: PluginFile) -> RemoveResult:
    """A link on the way to our file would lead to somebody else's."""
    place = plugin_path(path, file)
    try:
        with contextlib.ExitStack() as stack:
            for name in folders_of(file):
                overlay = stack.enter_context(held(name, overlay))
            return remove_if_ours(place, follow=False)
    except FileNotFoundError:
        return RemoveResult(path=place, outcome="missing")
    except OSError as error:
        return RemoveResult(path=place, outcome="refused", reason=reason_of(error))


def _differences(
    overlay: int, path: Path, manifest: Manifest, files: PluginFiles
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that are hidden, and names that are outdated."""
    hidden: list[str] = []
    outdated: list[str] = []
    wanted = wanted_links(Path(manifest.source), Path(os.path.realpath(path)), files)
    for folder in {**wanted, **manifest.links}:
        links = wanted.get(folder, {})
        prefix = f"{folder}/" if folder else ""
        for name, target in links.items():
            if link_target(overlay, prefix + name) == target:
                continue
            stands = os.path.lexists(path / folder / name)
            (hidden if stands else outdated).append(prefix + name)
        outdated += [prefix + name for name in manifest.listed(folder) if name not in links]
    return tuple(hidden), tuple(outdated)


def _unlink_all(overlay: int, manifest: Manifest) -> None:
    for folder in ("", *PLUGIN_FOLDERS):
        with contextlib.ExitStack() as stack:
            try:
                inner = stack.enter_context(held(folder or ".", overlay))
            except OSError:
                continue  # What stands there is no folder of ours, so neither is what is in it.
            for name in manifest.listed(folder):
                if link_target(inner, name) == str(Path(manifest.source) / folder / name):
                    os.unlink(name, dir_fd=inner)


def _remove_empty(overlay: int, files: PluginFiles) -> None:
    """Our folders, the innermost first."""
    for name in {file.name.partition("/")[0] for file in files if "/" in file.name}:
        with contextlib.suppress(OSError), held(PLUGINS, overlay) as plugins:
            os.rmdir(name, dir_fd=plugins)
    for folder in PLUGIN_FOLDERS:
        with contextlib.suppress(OSError):
            os.rmdir(folder, dir_fd=overlay)


def _remove_itself(path: Path, overlay: int) -> RemoveResult:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(MANIFEST_NAME, dir_fd=overlay)
    left = sorted(os.listdir(overlay))
    if left:
        return RemoveResult(path=path, outcome="removed", reason=f"left in it: {', '.join(left)}")
    path.rmdir()
    return RemoveResult(path=path, outcome="removed")
