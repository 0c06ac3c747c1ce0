"""`server start`, `server restart`, and `server run`, which is how the started process begins."""

from __future__ import annotations

import click

from orca_tui.cli.generated import Described
from orca_tui.cli.session import LEAVE_TIMEOUT_S, NotRunning, Session, write_json, write_line
from orca_tui.commands.server_leave import SERVER_LEAVE
from orca_tui.commands.spec import Empty


@click.pass_obj
def _start(session: Session, /) -> None:
    own_pid = None
    try:
        client = session.connect()
    except NotRunning:
        own_pid = session.start()
        client = session.connect()
    with client:
        pid = client.welcome.pid
    started = pid == own_pid
    if session.json:
        write_json({"server": session.server, "pid": pid, "started": started})
    else:
        write_line(f"server {session.server} {'started' if started else 'runs already'}, pid {pid}")


@click.pass_obj
def _restart(session: Session, /) -> None:
    panes = replace(session)
    with session.connect() as client:
        pid, version = client.welcome.pid, client.welcome.version
    if session.json:
        write_json({"server": session.server, "pid": pid, "version": version, "panes": panes})
    else:
        going = "1 pane goes on" if panes == 1 else f"{panes} panes go on"
        write_line(f"server {session.server} restarted: version {version}, pid {pid}; {going}")


def replace(session: Session) -> int:
    """Put another server in the place of the running one; the number of its panes. Raises `NotRunning`."""
    with session.connect() as client:
        panes = client.call(SERVER_LEAVE, Empty()).panes
        client.wait_closed(LEAVE_TIMEOUT_S)
        pid = client.welcome.pid
    session.wait_left(pid)
    session.start()
    return panes


@click.pass_context
def _run(context: click.Context, /, ready_fd: int | None) -> None:
    session = context.ensure_object(Session)
    context.exit(session.outside.run_server(session.server, ready_fd))


START = Described(
    name="start",
    callback=_start,
    help="Start the server unless it runs; returns when it answers.",
    examples=("orca-tui server start", "orca-tui server start --server work"),
)

RESTART = Described(
    name="restart",
    callback=_restart,
    help="Put another server in the place of the running one, such as a newer version; every pane goes on.",
    examples=("orca-tui server restart",),
)

RUN = Described(
    name="run",
    callback=_run,
    params=[click.Option(["--ready-fd"], type=int, help="Where to say that the sockets answer.")],
    help="Be the server, in the foreground.",
    hidden=True,
)
