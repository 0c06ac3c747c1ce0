"""`plugin status`, `plugin install` and `plugin remove`: the status plugin's files, wherever OpenCode reads them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import click

from orca_tui.base.errors import Conflict, Invalid, OrcaError
from orca_tui.cli.generated import Described
from orca_tui.cli.plugin_report import (
    GLOBAL,
    OVERLAY,
    REMOTE,
    Done,
    PluginFile,
    done,
    files_of_overlay,
    lines_of,
    overlay_done,
    removed,
)
from orca_tui.cli.session import Session, write_json, write_line
from status_plugin.generate import PluginFiles, plugin_files
from status_plugin.install import install_global, remove_global, status_global
from status_plugin.overlay import install_overlay
from status_plugin.overlays import known_overlays, remove_overlay, status_overlay
from status_plugin.remote import (
    CommandTransport,
    RemoteError,
    Transport,
    install_remote,
    remove_remote,
    status_remote,
)
from status_plugin.removal import forget_removal, is_removed, mark_removed

T = TypeVar("T")

VIA = click.Option(
    ["--via"],
    metavar="COMMAND",
    help="Another machine's files, by a command that runs a command line there, such as 'ssh HOST'.",
)


def plugin_file(session: Session) -> PluginFile:
    """How our files stand in OpenCode's folder: the first that is not as it should be, else the one for servers."""
    files = plugin_files()
    lines = list(_global_lines(session, files))
    return next((line for line in lines if line.advice), lines[0])


def _global_lines(session: Session, files: PluginFiles) -> Iterator[PluginFile]:
    paths = session.paths
    lines = lines_of(GLOBAL, files, status_global(paths.opencode_config_dir, files))
    return map(removed, lines) if is_removed(paths.state_dir) else lines


def _found(session: Session, via: str | None) -> Iterator[PluginFile]:
    files = plugin_files()
    if via is not None:
        there = _remote(via, lambda transport: status_remote(transport, files))
        yield from lines_of(REMOTE, files, there, source=via)
        return
    yield from _global_lines(session, files)
    for path in known_overlays(session.paths.state_dir):
        yield from files_of_overlay(files, status_overlay(path, files))


@click.pass_obj
def _status(session: Session, /, via: str | None) -> None:
    for line in _found(session, via):
        if session.json:
            write_json(line)
        else:
            write_line(line.sentence())


@click.pass_obj
def _install(session: Session, /, via: str | None) -> None:
    session.demand_all("plugin install")
    files = plugin_files()
    if via is not None:
        there = _remote(via, lambda transport: install_remote(transport, files))
        return _tell(session, [done(REMOTE, result) for result in there])
    paths = session.paths
    _remember(forget_removal, paths.state_dir)
    results = [done(GLOBAL, result) for result in install_global(paths.opencode_config_dir, files)]
    for path in known_overlays(paths.state_dir):
        source = status_overlay(path, files).source
        if source is not None:
            results += overlay_done(install_overlay(paths.state_dir, source, files))
    return _tell(session, results)


@click.pass_obj
def _remove(session: Session, /, via: str | None) -> None:
    session.demand_all("plugin remove")
    files = plugin_files()
    if via is not None:
        there = _remote(via, lambda transport: remove_remote(transport, files))
        return _tell(session, [done(REMOTE, result) for result in there])
    paths = session.paths
    _remember(mark_removed, paths.state_dir)  # First: a pane that is opened meanwhile must not bring it back.
    results = [done(GLOBAL, result) for result in remove_global(paths.opencode_config_dir, files)]
    for path in known_overlays(paths.state_dir):
        results += [done(OVERLAY, result) for result in remove_overlay(path, files)]
    return _tell(session, results)


def _remember(change: Callable[[Path], None], state_dir: Path) -> None:
    try:
        change(state_dir)
    except OSError as error:
        raise OrcaError(
            f"{state_dir} cannot be written, so nothing was changed: {error.strerror}", path=str(state_dir)
        ) from error


def _tell(session: Session, results: list[Done]) -> None:
    """Every file first, then the failure if there was one."""
    for result in results:
        if session.json:
            write_json(result)
        else:
            write_line(result.sentence())
    for error, outcome, words in ((OrcaError, "failed", "failed"), (Conflict, "refused", "left alone")):
        troubled = [result for result in results if result.outcome == outcome]
        if troubled:
            told = "; ".join(f"{result.path}: {result.reason}" for result in troubled)
            raise error(f"{words}: {told}", paths=[result.path for result in troubled])


def _remote(via: str, ask: Callable[[Transport], T]) -> T:
    try:
        argv = shlex.split(via)
    except ValueError as error:
        raise Invalid(f"--via {via!r} is no command: {error}") from error
    if not argv:
        raise Invalid("--via needs a command, such as 'ssh HOST'")
    try:
        return ask(CommandTransport(argv))
    except RemoteError as error:
        raise OrcaError(f"{via}: {error.reason}", via=via) from error


def _described(name: str, callback: Callable[..., None], text: str) -> Described:
    return Described(
        name=name,
        callback=callback,
        params=[VIA],
        help=text,
        examples=(f"orca-tui plugin {name}", f"orca-tui plugin {name} --via 'ssh build-box'"),
    )


STATUS = _described(
    "status", _status, "Tell where the plugin's files are, how each stands, and what to do about it."
)
INSTALL = _described(
    "install",
    _install,
    "Write the plugin's files where they are not up to date; opening an OpenCode pane does the same, "
    "unless you removed them.",
)
REMOVE = _described(
    "remove",
    _remove,
    "Remove the plugin's files and overlays; other files are left alone.\n\n"
    "They stay away until `orca-tui plugin install`, also when OpenCode panes are opened.",
)
