"""`orca-tui`, `orca-tui -- CMD...` and `orca-tui attach`: the way into the UI."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from orca_tui import __version__
from orca_tui.base.errors import Conflict, EngineMismatch, ProtocolMismatch, Unsupported
from orca_tui.cli.actions import open_request
from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session
from orca_tui.client.blocking import Client
from orca_tui.commands.index import load

DUMB = "dumb"
"""What `TERM` says where lines are printed and nothing can be drawn."""


def open_and_attach(session: Session, command: tuple[str, ...]) -> int:
    """Start the server when none runs, open a pane for `command` if there is one, and be the UI."""
    _check_place(session)
    _be_understood(session, session.connect_or_start)
    if command:
        spec = load("open")
        with session.connect_or_start() as client:
            client.call(spec, open_request(session, spec, {"command": command, "focus": True}))
    return _be_ui(session)


@click.pass_context
def _attach(context: click.Context, /) -> None:
    session = context.ensure_object(Session)
    _check_place(session)
    _be_understood(session, session.connect)  # Says so when no server runs, before the terminal is touched.
    context.exit(_be_ui(session))


def _be_understood(session: Session, connect: Callable[[], Client]) -> None:
    """Offer to replace a server of another version, which an upgrade leaves running.

    One of another protocol must be replaced: raises what it refuses with when that is not wanted.
    """
    try:
        with connect() as client:
            version = client.welcome.version
    except ProtocolMismatch as error:
        version = str(error.facts.get("server_version", "another one"))
        if not _restart_if_wanted(session, f"{_versions(version)} They do not understand each other."):
            raise
    else:
        if version != __version__:
            _restart_if_wanted(session, _versions(version))


def _versions(server: str) -> str:
    return f"The server is version {server}, this orca-tui {__version__}."


def _be_ui(session: Session) -> int:
    try:
        return session.outside.run_ui(session.server)
    except EngineMismatch:
        if not _restart_if_wanted(session, "The server has another terminal engine than this orca-tui."):
            raise
    return session.outside.run_ui(session.server)


def _restart_if_wanted(session: Session, reason: str) -> bool:
    from orca_tui.cli.serving import replace

    if not session.outside.agreed("Restart the server? Every pane goes on.", reason):
        return False
    replace(session)
    return True


def _check_place(session: Session) -> None:
    """The UI needs a terminal, and none that shows this server already."""
    if not session.is_at_a_terminal():
        raise Unsupported(
            "the UI needs a terminal on standard input and output; "
            "`orca-tui list` and `orca-tui open` work without one"
        )
    if not sys.stderr.isatty():
        raise Unsupported("the UI draws on standard error, which leads elsewhere; leave out `2>`")
    environment = session.outside.environment
    if environment.get("TERM") == DUMB:
        raise Unsupported(
            f"TERM={DUMB} is a terminal that cannot move its cursor, as a log or an editor's shell has it; "
            "`orca-tui list` and `orca-tui open` work in it"
        )
    # The path rather than the server's name, so that a server of another runtime directory is another one.
    if environment.get("ORCA_TUI_INTAKE") == str(session.socket("intake")):
        pane = environment.get("ORCA_TUI_PANE") or "?"
        raise Conflict(
            f"this terminal is pane {pane} of server {session.server!r} and would show itself; "
            "`orca-tui open` opens another pane",
            pane=pane,
            server=session.server,
        )


ATTACH = Described(
    name="attach",
    callback=_attach,
    help="Attach the UI to the running server.",
    examples=("orca-tui attach", "orca-tui --server work attach"),
)
