"""`server start`, `server restart`, and `server run`, which is how the started process begins."""

from __future__ import annotations

import click

from orca_tui.cli.generated import Described
from orca_tui.cli.session import NotRunning, Session, write_json, write_line
from orca_tui.commands.server_status import SERVER_STATUS
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
    replaced = replace(session)
    with session.connect() as client:
        now = client.call(SERVER_STATUS, Empty())
    if session.json:
        told = {"pid": now.pid, "version": now.version, "panes": now.panes, "replaced": replaced}
        write_json({"server": session.server} | told)
    else:
        done = "restarted" if replaced else "did not run and was started"
        going = "1 pane goes on" if now.panes == 1 else f"{now.panes} panes go on"
        write_line(f"server {session.server} {done}: version {now.version}, pid {now.pid}; {going}")


def replace(session: Session) -> bool:
    """Put another server in the place of the running one; False when there was none, such as after a crash."""
    try:
        session.make_place()
    except NotRunning:
        session.start()
        return False
    session.start()
    return True


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
    help="Put another server in the place of the running one, such as a newer version; every pane goes on. One that "
    "has crashed is started again.",
    examples=("orca-tui server restart",),
)

RUN = Described(
    name="run",
    callback=_run,
    params=[click.Option(["--ready-fd"], type=int, help="Where to say that the sockets answer.")],
    help="Be the server, in the foreground.",
    hidden=True,
)
