"""`api schema`: the control API as JSON Schema."""

from __future__ import annotations

import click
import msgspec

from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line


@click.pass_obj
def _schema(session: Session, /) -> None:
    from orca_tui.commands.schema import schema
    from orca_tui.commands.table import COMMANDS

    whole = schema(COMMANDS)
    if session.json:
        write_json(whole)
    else:
        write_line(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())


SCHEMA = Described(
    name="schema",
    callback=_schema,
    help="Print the JSON Schema of requests, replies and events.\n\n"
    "The same as GET /v1/schema on the server's HTTP socket.",
    examples=("orca-tui api schema > schema.json",),
)
