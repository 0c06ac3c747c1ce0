"""`plugin status`, `plugin install` and `plugin remove`: the status plugin's file in OpenCode's folder."""

from __future__ import annotations

import click
import msgspec

from orca_tui.base.errors import Conflict, OrcaError
from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line
from status_plugin.generate import plugin_bytes, plugin_revision
from status_plugin.install import FileState, install_global, remove_global, status_global

GLOBAL = "global"
"""The one place so far: OpenCode's configuration folder of this user."""


class PluginFile(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `plugin status --json`."""

    place: str
    path: str
    file: str
    """What the path leads to through symbolic links."""
    state: FileState
    revision: int | None
    """Of the file that is there."""
    newest: int
    """The revision that this orca-tui brings."""
    reason: str


def plugin_file(session: Session) -> PluginFile:
    """How the plugin's file stands; changes nothing."""
    found = status_global(session.paths.opencode_config_dir, plugin_bytes())
    return PluginFile(
        place=GLOBAL,
        path=str(found.path),
        file=str(found.target),
        state=found.state,
        revision=found.revision,
        newest=plugin_revision(),
        reason=found.reason,
    )


@click.pass_obj
def _status(session: Session, /) -> None:
    found = plugin_file(session)
    if session.json:
        write_json(found)
        return
    reason = f" ({found.reason})" if found.reason else ""
    write_line(f"{found.place}: {found.state.replace('_', ' ')}{reason}  {found.path}")


@click.pass_obj
def _install(session: Session, /) -> None:
    done = install_global(session.paths.opencode_config_dir, plugin_bytes())
    path = str(done.path)
    match done.outcome:
        case "refused":
            raise Conflict(f"{path} is left alone: {done.reason}", path=path)
        case "failed":
            raise OrcaError(f"{path} could not be written: {done.reason}", path=path)
        case _:
            _say(session, path, done.outcome, done.reason)


@click.pass_obj
def _remove(session: Session, /) -> None:
    done = remove_global(session.paths.opencode_config_dir)
    path = str(done.path)
    match done.outcome:
        case "refused":
            raise Conflict(f"{path} is left alone: {done.reason}", path=path)
        case "failed":
            raise OrcaError(f"{path} could not be removed: {done.reason}", path=path)
        case _:
            _say(session, path, done.outcome, done.reason)


def _say(session: Session, path: str, outcome: str, reason: str) -> None:
    if session.json:
        write_json({"place": GLOBAL, "path": path, "outcome": outcome, "reason": reason})
    else:
        write_line(f"{path}: {outcome}" + (f" ({reason})" if reason else ""))


STATUS = Described(
    name="status",
    callback=_status,
    help="Tell where the plugin's file is and whether it is up to date.",
    examples=("orca-tui plugin status",),
)
INSTALL = Described(
    name="install",
    callback=_install,
    help="Write the plugin's file, unless it is up to date; opening an OpenCode pane does the same.",
    examples=("orca-tui plugin install",),
)
REMOVE = Described(
    name="remove",
    callback=_remove,
    help="Remove the plugin's file; other files are left alone.",
    examples=("orca-tui plugin remove",),
)
