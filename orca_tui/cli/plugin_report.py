"""What the `plugin` commands print of a file: where it is, how it stands or what was done, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import msgspec

from status_plugin import generate
from status_plugin.file import FileState, InstallResult, PluginFileStatus, RemoveResult
from status_plugin.generate import PluginFiles, plugin_revision
from status_plugin.overlay import OverlayResult
from status_plugin.overlays import OverlayStatus

GLOBAL = "global"
"""OpenCode's configuration folder of this user."""
OVERLAY = "overlay"
"""A folder of ours that shows a folder which the user set with OPENCODE_CONFIG_DIR."""
REMOTE = "remote"

UNTIL_THEN = "until then the status of its OpenCode panes is unknown"


class PluginFile(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `plugin status --json`."""

    place: str
    source: str | None
    """The user's folder that an overlay shows, or the command that leads to another machine."""
    name: str
    path: str
    file: str
    """What the path leads to through symbolic links."""
    state: FileState
    revision: int | None
    """Of the file that is there."""
    newest: int
    """The revision that this orca-tui brings."""
    reason: str
    advice: str
    """What to do about it; empty when all is well."""

    def sentence(self) -> str:
        """The same for a person."""
        of = f" of {self.source}" if self.source else ""
        revision = f", revision {self.revision}" if self.revision is not None else ""
        reason = f" ({self.reason})" if self.reason else ""
        advice = f"\n  {self.advice}" if self.advice else ""
        return f"{self.place}{of}: {self.state.replace('_', ' ')}{revision}{reason}  {self.path}{advice}"


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `plugin install --json` and `plugin remove --json`."""

    place: str
    path: str
    outcome: str
    reason: str

    def sentence(self) -> str:
        """The same for a person."""
        return f"{self.path}: {self.outcome}" + (f" ({self.reason})" if self.reason else "")


def lines_of(
    place: str, files: PluginFiles, found: Sequence[PluginFileStatus], *, source: str | None = None
) -> Iterator[PluginFile]:
    """A line for each file."""
    for file, status in zip(files, found, strict=True):
        yield plugin_line(place, file, status, source=source)


def plugin_line(
    place: str, file: generate.PluginFile, found: PluginFileStatus, *, source: str | None = None
) -> PluginFile:
    """The line of one file."""
    return PluginFile(
        place=place,
        source=source,
        name=file.name,
        path=str(found.path),
        file=str(found.target),
        state=found.state,
        revision=found.revision,
        newest=plugin_revision(),
        reason=found.reason,
        advice=_advice(found.state),
    )


def removed(line: PluginFile) -> PluginFile:
    """The line of a file that the user removed, and that no pane will write."""
    if line.state != "missing":
        return line
    return msgspec.structs.replace(
        line, reason="removed", advice=f"`orca-tui plugin install` brings it back; {UNTIL_THEN}"
    )


def files_of_overlay(files: PluginFiles, overlay: OverlayStatus) -> Iterator[PluginFile]:
    """A line for each file; what the overlay does not show of the user's folder is told with the first."""
    source = str(overlay.source) if overlay.source else None
    first, *others = lines_of(OVERLAY, files, overlay.files, source=source)
    told = [first.reason, overlay.reason]
    if overlay.hidden:
        told.append(f"does not show {', '.join(overlay.hidden)}")
    if overlay.outdated:
        told.append(f"the user's folder has changed: {', '.join(overlay.outdated)}")
    reason = "; ".join(part for part in told if part)
    advice = first.advice or ("`orca-tui plugin install`" if overlay.outdated else "")
    yield msgspec.structs.replace(first, reason=reason, advice=advice)
    yield from others


def done(place: str, result: InstallResult | RemoveResult) -> Done:
    """The line of a result."""
    return Done(place=place, path=str(result.path), outcome=result.outcome, reason=result.reason)


def overlay_done(overlay: OverlayResult) -> list[Done]:
    """The lines of a renewed overlay. One whose folder cannot be shown any more is only left as it is."""
    if overlay.outcome == "ready":
        return [done(OVERLAY, result) for result in overlay.files]
    return [Done(place=OVERLAY, path=str(overlay.path), outcome="skipped", reason=overlay.reason)]


def _advice(state: FileState) -> str:
    match state:
        case "up_to_date":
            return ""
        case "missing" | "stale" | "unreadable":
            return "`orca-tui plugin install`, or open an OpenCode pane"
        case "newer":
            return "a newer orca-tui wrote it; update this one"
        case "foreign" | "blocked":
            return f"move it away; {UNTIL_THEN}"
        case _:
            assert_never(state)
