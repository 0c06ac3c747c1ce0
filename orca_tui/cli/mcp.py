"""`mcp`: the control API for agents that speak MCP, on standard input and output. The tools: `mcp_server.py`."""

from __future__ import annotations

import sys

import click

from orca_tui.base.errors import Unsupported
from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session

SDK = ("mcp", "mcp_types")
INSTALL = f"{sys.executable} -m pip install 'mcp>=2.3,<3'"
"""Into the Python that runs this; the bounds are those of the extra `mcp` in pyproject.toml."""


@click.pass_obj
def _mcp(session: Session, /) -> None:
    try:
        from orca_tui.cli.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in SDK:
            raise
        message = f"`orca-tui mcp` needs the official MCP SDK, which is not installed: {INSTALL}"
        raise Unsupported(message, install=INSTALL) from error
    serve(session.socket("wire"), session.token)


MCP = Described(
    name="mcp",
    callback=_mcp,
    help="Be an MCP server on standard input and output: list, read, send, wait, cancel.\n\n"
    "The limits of the pane that it is started in hold. Needs the extra `mcp`: "
    "pip install 'orca-tui[mcp]', in a clone pip install '.[mcp]'.",
    examples=("claude mcp add orca-tui -- orca-tui mcp", "orca-tui mcp --server work"),
)
