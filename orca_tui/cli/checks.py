"""The checks of `doctor`, one a function. They look and ask; they change nothing."""

from __future__ import annotations

import os
import platform
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias, assert_never, get_args

from orca_tui import __version__
from orca_tui.base.errors import ConfigError, EngineUnavailable, Invalid, OrcaError
from orca_tui.base.versions import is_newer
from orca_tui.cli.findings import Finding, note, ok, problem
from orca_tui.cli.outside import KnownAgent
from orca_tui.cli.plugin import plugin_file
from orca_tui.cli.session import NotRunning, Session
from orca_tui.commands.index import load as load_spec
from orca_tui.commands.server_status import ServerStatusReply
from orca_tui.commands.spec import Empty
from orca_tui.config import SocketKind

Check: TypeAlias = Callable[[Session], Iterator[Finding]]

SOCKET_KINDS: tuple[SocketKind, ...] = get_args(SocketKind)
OTHERS = 0o077
"""The mode bits of everybody but the owner."""
UTF8_NAMES = ("UTF-8", "UTF8")


def check_python(_: Session) -> Iterator[Finding]:
    where = f"{platform.system()} {platform.machine()}"
    yield ok("python", f"orca-tui {__version__} on Python {platform.python_version()}, {where}")


def check_terminal(session: Session) -> Iterator[Finding]:
    """What the UI would draw on; a missing terminal is no problem for scripts."""
    environment = session.outside.environment
    names = [environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    locale = next((name for name in names if name), "")
    if not locale.upper().endswith(UTF8_NAMES):
        yield note(
            "terminal", f"the locale is {locale or 'not set'}, not UTF-8", "set LANG, such as LANG=C.UTF-8"
        )
    term = environment.get("TERM")
    if term in (None, "dumb"):
        yield note(
            "terminal",
            f"TERM is {term or 'not set'}",
            "start the UI in a terminal; commands work as they are",
        )
    else:
        yield ok("terminal", f"TERM={term}, COLORTERM={environment.get('COLORTERM') or 'not set'}")
    if environment.get("TMUX"):
        yield note(
            "terminal",
            "this runs inside tmux, which merges keys such as shift+enter and enter",
            "`set -s extended-keys on` in tmux.conf, or start orca-tui outside of tmux",
        )


def check_engine(session: Session) -> Iterator[Finding]:
    try:
        engine = session.outside.engine()
    except EngineUnavailable as error:
        yield problem("engine", error.message, "see the README for the platforms that have an engine")
    else:
        yield ok("engine", f"libghostty-vt by pyghostty {engine.version}, build {engine.build}")


def check_directories(session: Session) -> Iterator[Finding]:
    """The runtime directory must be ours alone: whoever can write there can pose as the server."""
    paths = session.paths
    runtime = paths.runtime_dir
    with suppress(FileNotFoundError):
        try:
            facts = runtime.lstat()
        except NotADirectoryError:
            yield problem(
                "directories", f"{runtime} is below something that is no directory", "set XDG_RUNTIME_DIR"
            )
            return
        if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
            yield problem(
                "directories",
                f"{runtime} is not a directory of this user",
                "remove it, or set XDG_RUNTIME_DIR",
            )
        elif facts.st_mode & OTHERS:
            yield problem("directories", f"{runtime} is open to other users", f"chmod 700 {runtime}")
    for path in (runtime, paths.state_dir):
        if not os.access(_existing(path), os.W_OK | os.X_OK):
            yield problem(
                "directories", f"{path} cannot be written", f"make {_existing(path)} writable for you"
            )
        else:
            yield ok("directories", str(path))


def check_sockets(session: Session) -> Iterator[Finding]:
    """Their paths, and who answers on the one that we speak to."""
    try:
        for kind in SOCKET_KINDS:
            session.socket(kind)
    except Invalid as error:
        yield problem("sockets", error.message, "set XDG_RUNTIME_DIR to a short path of your own")
        return
    try:
        with session.connect() as client:
            status = client.call(load_spec("server status"), Empty())
    except NotRunning:
        yield ok("server", f"no server {session.server!r} runs; `orca-tui` starts one")
    except OrcaError as error:
        log = session.paths.log_file(session.server)
        yield problem("server", error.message, f"end its process; its log is {log}")
    else:
        yield from server_findings(status, session.paths.log_file(session.server))


def server_findings(status: ServerStatusReply, log: Path) -> Iterator[Finding]:
    """What a running server tells of itself and of its panes."""
    yield ok("server", f"{status.server!r} runs, pid {status.pid}, panes: {status.panes}, UIs: {status.uis}")
    for told in status.notes:
        if told in status.server_notes:
            yield problem("server", told, f"panes go on; its log is {log}")
        else:
            yield problem(
                "panes", told, "see to it, then open the pane again; until then its status is unknown"
            )
    for kind, path in sorted(status.sockets.items()):
        if Path(path).is_socket():
            yield ok("sockets", f"{kind}: {path}")
        else:
            yield problem(
                "sockets", f"the {kind} socket {path} is gone", "stop the server and start it again"
            )
    if status.version != __version__:
        yield note(
            "server",
            f"the server is version {status.version}, this is {__version__}",
            "stop the server and start it again when its agents are done",
        )


def check_config(session: Session) -> Iterator[Finding]:
    path = session.paths.config_file
    try:
        session.outside.check_settings()
    except ConfigError as error:
        yield problem("config", error.message, "until this is right, the defaults hold")
    else:
        yield ok("config", str(path) if path.exists() else f"{path} is not there; the defaults hold")


def check_agents(session: Session) -> Iterator[Finding]:
    """Which agents there are, and what their status rests on; the plugin, too, which only OpenCode has."""
    known = session.outside.agents()
    found = {agent: path for agent in known if (path := _program_of(session, agent))}
    if not found:
        names = ", ".join(agent.name for agent in known)
        yield note("agents", "no agent is on PATH", f"install one of {names}")
    programs = [(path, agent.packages) for agent, path in found.items()]
    versions = session.outside.program_versions(programs)
    for (agent, path), version in zip(found.items(), versions, strict=True):
        yield from _check_agent(agent, path, version)
    by_name = {agent.name: version for agent, version in zip(found, versions, strict=True)}
    yield from _check_plugin(session, by_name.get("opencode"), is_there="opencode" in by_name)


def _check_agent(agent: KnownAgent, path: Path, version: str | None) -> Iterator[Finding]:
    if version is None:
        yield note("agents", f"{agent.name} does not tell its version: {path}", f"try `{path} --version`")
        return
    told_by = f"; status by {', '.join(agent.sources)}" if agent.sources else ""
    consent = f"; its hooks are {agent.consent}" if agent.consent in ("allowed", "denied") else ""
    yield ok("agents", f"{agent.name} {version}: {path}{told_by}{consent}")
    if agent.consent == "not asked":
        yield note(
            "agents",
            f"{agent.name} could tell more by hooks, which need your consent",
            f"`orca-tui agents list` says what they do, `orca-tui agents allow {agent.name}` allows them",
        )
    if agent.verified is not None and is_newer(version, agent.verified):
        yield note(
            "agents",
            f"{agent.name} {version} is newer than {agent.verified}, which its rules were checked with",
            "should its status be unknown or wrong, `orca-tui explain PANE` tells what it rests on",
        )


def _check_plugin(session: Session, version: str | None, *, is_there: bool) -> Iterator[Finding]:
    file = plugin_file(session)
    match file.state:
        case "up_to_date" | "newer":
            yield ok("plugin", f"revision {file.revision}: {file.path}")
            if version is not None and version.startswith("1."):
                yield from _check_offline_start(session)
        case "foreign" | "blocked":
            yield problem(
                "plugin",
                f"{file.path} is not ours: {file.reason}",
                "move it away; until then the status of OpenCode panes is unknown",
            )
        case "missing" if not is_there:
            yield ok("plugin", "not needed: OpenCode is not installed")
        case "missing":
            yield note(
                "plugin",
                f"{file.path} {'was ' + file.reason if file.reason else 'is not there'}",
                file.advice,
            )
        case "stale" | "unreadable":
            reason = f": {file.reason}" if file.reason else ""
            yield problem("plugin", f"{file.path} is out of date{reason}", "`orca-tui plugin install`")
        case _:
            assert_never(file.state)


def _check_offline_start(session: Session) -> Iterator[Finding]:
    """OpenCode 1 fetches a package for the folder of any plugin, and waits for it before it starts."""
    lock = session.paths.opencode_config_dir / "package-lock.json"
    try:
        fetched = "@opencode-ai/plugin" in lock.read_text(encoding="utf-8", errors="replace")
    except OSError:
        fetched = False
    if not fetched:
        yield note(
            "plugin",
            "with any plugin, OpenCode 1 starts up to 80 s later as long as it has never had network here",
            "start OpenCode once with network; it then has what it fetches",
        )


def _program_of(session: Session, agent: KnownAgent) -> Path | None:
    """The first of an agent's programs that is on PATH."""
    path = session.outside.environment.get("PATH")
    places = (shutil.which(command, path=path) for command in agent.commands)
    return next((Path(place) for place in places if place), None)


def _existing(path: Path) -> Path:
    """The path itself, or the nearest directory above it that exists."""
    return next((place for place in (path, *path.parents) if place.exists()), Path(os.sep))


CHECKS: tuple[Check, ...] = (
    check_python,
    check_terminal,
    check_engine,
    check_directories,
    check_sockets,
    check_config,
    check_agents,
)
