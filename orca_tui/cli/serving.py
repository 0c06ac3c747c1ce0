"""`server start`, and `server run`, which is how the started process begins."""

from __future__ import annotations

import click

from orca_tui.cli.generated import Described
from orca_tui.cli.session import NotRunning, Session, write_json, write_line


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

RUN = Described(
    name="run",
    callback=_run,
    params=[click.Option(["--ready-fd"], type=int, help="Where to say that the sockets answer.")],
    help="Be the server, in the foreground.",
    hidden=True,
)
