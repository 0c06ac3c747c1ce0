"""A folder that shows a user's OPENCODE_CONFIG_DIR and holds our plugin beside it, for nothing is written in theirs.

OpenCode 2 reads such a folder instead of its global one, so whatever is missing here is missing for the agent.

Rule 1: entries are mirrored as links. `plugins` and `plugin` are folders whose entries are links, since our files
        stand among them.
Rule 2: where the user's folder cannot be shown whole, or has a file of another under our name, there is no
        overlay; the folder itself is then to be used.
Rule 3: the manifest names a link before it is made and until it is gone, so that a crash leaves none behind.
Rule 4: makers of overlays wait for each other.
Rule 5: an overlay that is asked for in place of a folder stands for the folder that it shows.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from status_plugin.file import InstallResult, inspect, write_if_changed
from status_plugin.generate import PluginFile, PluginFiles
from status_plugin.install import PLUGINS, plugin_path
from status_plugin.manifest import MANIFEST_NAME, Manifest, NewerManifestError, read_manifest, write_manifest
from status_plugin.mirror import PLUGIN_FOLDERS, Links, bring, real_folder, wanted_links
from status_plugin.replacing import held, reason_of, sweep
from status_plugin.turn import turn

OVERLAYS: Final = "opencode-overlays"
"""Below the state directory."""
_NAME_LENGTH: Final = 32
_PRIVATE: Final = 0o700


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayResult:
    """`ready`: the overlay at `path` shows `source`, and `files` tells of our plugin in it. `hidden` are entries of
    the user's that something else in the overlay stands in front of."""

    path: Path
    source: Path
    outcome: Literal["ready", "refused", "failed"]
    reason: str = ""
    files: tuple[InstallResult, ...] = ()
    hidden: tuple[str, ...] = ()


class _RefusedError(Exception):
    """There can be no overlay of that folder."""


def overlays_folder(state_dir: Path) -> Path:
    """Where all overlays are."""
    return state_dir / OVERLAYS


def overlay_path(state_dir: Path, source: Path) -> Path:
    """The overlay of a folder: always the same one."""
    digest = hashlib.sha256(os.fsencode(source)).hexdigest()
    return overlays_folder(state_dir) / digest[:_NAME_LENGTH]


def folders_of(file: PluginFile) -> tuple[str, ...]:
    """The folders on the way to a file of ours, each in the one before."""
    return (PLUGINS, *file.name.split("/")[:-1])


def install_overlay(state_dir: Path, source: Path, files: PluginFiles) -> OverlayResult:
    """Makes or renews the overlay of a folder; one that is up to date is not touched."""

    def none(outcome: Literal["refused", "failed"], reason: str) -> OverlayResult:
        path = overlay_path(state_dir, source)
        return OverlayResult(path=path, source=source, outcome=outcome, reason=reason)

    try:
        source = _shown(state_dir, source)
        return _made(overlay_path(state_dir, source), source, files)
    except NewerManifestError as error:
        return _kept(overlay_path(state_dir, source), source, files, str(error))
    except _RefusedError as error:
        return none("refused", str(error))
    except OSError as error:
        return none("failed", reason_of(error))


def _made(path: Path, source: Path, files: PluginFiles) -> OverlayResult:
    _refuse_foreign(source, files)
    wanted_links(source, path, files)  # What cannot be shown gets no overlay, not even an empty one.
    root = path.parent
    root.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    with turn(root), held(root) as root_fd:
        with contextlib.suppress(FileExistsError):
            os.mkdir(path.name, _PRIVATE, dir_fd=root_fd)
        with held(path.name, root_fd) as overlay:
            hidden = _mirror(overlay, path, source, files)
            done = tuple(_write(overlay, path, file) for file in files)
    return OverlayResult(path=path, source=source, outcome="ready", files=done, hidden=tuple(hidden))


def _shown(state_dir: Path, source: Path) -> Path:
    """Rule 5, and that the source can be the name of one folder."""
    if not source.is_absolute():
        raise _RefusedError(f"{source} is no absolute path, so it means another folder for each pane")
    root = Path(os.path.realpath(overlays_folder(state_dir)))
    real = Path(os.path.realpath(source))
    if not real.is_relative_to(root):
        return source
    if real.parent == root:
        with held(real) as overlay:
            manifest = read_manifest(overlay)
        if manifest is not None and overlay_path(state_dir, Path(manifest.source)).name == real.name:
            return Path(manifest.source)
    raise _RefusedError(f"{source} is among the overlays, and not one that is known")


def _refuse_foreign(source: Path, files: PluginFiles) -> None:
    """Rule 2. A file of ours there is not mirrored: the overlay has its own."""
    for folder in PLUGIN_FOLDERS:
        for file in files:
            found = inspect(source / folder / file.name, file.content)
            if found.state in ("foreign", "blocked") and (source / folder).is_dir():
                raise _RefusedError(f"{found.path} is in the plugin's place: {found.reason}")


def _mirror(overlay: int, path: Path, source: Path, files: PluginFiles) -> list[str]:
    wanted = wanted_links(source, Path(os.path.realpath(path)), files)
    sweep(overlay, MANIFEST_NAME)
    written = read_manifest(overlay)
    known = written or Manifest(source=str(source))
    names = {folder: tuple(links) for folder, links in wanted.items() if links}
    final = Manifest(source=str(source), links=names)
    before = Manifest(source=str(source), links=_union(known.links, names))
    if written != before:
        write_manifest(overlay, before)  # Rule 3.
    hidden = _bring_all(overlay, source, wanted, known)
    if before != final:
        write_manifest(overlay, final)
    return hidden


def _union(
    one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """All names of both; those of `other` in their order, so that equal ones stay equal."""
    folders = (*other, *(folder for folder in one if folder not in other))
    return {
        folder: (
            *other.get(folder, ()),
            *(name for name in one.get(folder, ()) if name not in other.get(folder, ())),
        )
        for folder in folders
    }


def _bring_all(overlay: int, source: Path, wanted: Links, known: Manifest) -> list[str]:
    hidden = bring(overlay, wanted[""], known.listed(""), source)
    for folder in PLUGIN_FOLDERS:
        if folder in wanted or folder == PLUGINS or folder in known.links:
            real_folder(overlay, folder)
            with held(folder, overlay) as inner:
                names = bring(inner, wanted.get(folder, {}), known.listed(folder), source / folder)
            hidden += [f"{folder}/{name}" for name in names]
        if folder not in wanted and folder != PLUGINS:
            with contextlib.suppress(OSError):
                os.rmdir(folder, dir_fd=overlay)
    return hidden


def _write(overlay: int, path: Path, file: PluginFile) -> InstallResult:
    """Our file is a regular one; a link in its place mirrors an entry of the user's."""
    place = plugin_path(path, file)
    try:
        with contextlib.ExitStack() as stack:
            parent = overlay
            for name in folders_of(file):
                real_folder(parent, name)
                parent = stack.enter_context(held(name, parent))
            return write_if_changed(place, file.content, follow=False)
    except OSError as error:
        return InstallResult(path=place, target=place, outcome="failed", reason=reason_of(error))


def _kept(path: Path, source: Path, files: PluginFiles, reason: str) -> OverlayResult:
    def kept(place: Path) -> InstallResult:
        outcome: Literal["newer", "failed"] = "newer" if place.is_file() else "failed"
        return InstallResult(path=place, target=place, outcome=outcome, reason=reason)

    done = tuple(kept(plugin_path(path, file)) for file in files)
    return OverlayResult(path=path, source=source, outcome="ready", reason=reason, files=done)
