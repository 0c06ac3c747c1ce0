"""`plugins new`, which writes a plugin to begin with, and `plugins host`, which is how the host's process begins."""

from __future__ import annotations

import re

import click

from orca_tui.base.errors import Conflict, Invalid, OrcaError
from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")

TEMPLATE = '''"""What this plugin is for."""

from orca_tui.plugins import Context, Status, StatusEvent

id = "{name}"


async def setup(ctx: Context):
    """Called when the plugin is loaded, and again each time that this file changes."""
    ctx.command.register("hello", "Say hello", lambda pane: ctx.ui.notify(f"hello to {{pane or 'all'}}"))
    ctx.start(follow(ctx))

    async def dispose():
        """Called before the plugin goes; what ctx.start began is ended by itself."""

    return dispose


async def follow(ctx: Context):
    async for event in ctx.event.subscribe():
        match event:
            case StatusEvent(pane=pane, to=Status.DONE):
                await ctx.ui.notify(f"{{pane}} is done")
'''


@click.pass_obj
def _new(session: Session, /, name: str) -> None:
    if not NAME.fullmatch(name):
        raise Invalid(f"{name!r} is no name; use lower case letters, digits, '-' and '_', at most 64")
    path = session.paths.plugins_dir / f"{name}.py"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(name=name))
    except FileExistsError as error:
        raise Conflict(f"{path} is there already", path=str(path)) from error
    except OSError as error:
        raise OrcaError(f"{path} cannot be written: {error.strerror}", path=str(path)) from error
    if session.json:
        write_json({"path": str(path)})
    else:
        write_line(f"{path}: edit it; a running server takes it each time that you save")


@click.pass_context
def _host(context: click.Context, /, stack_fd: int) -> None:
    session = context.ensure_object(Session)
    context.exit(session.outside.run_plugin_host(session.server, stack_fd))


NEW = Described(
    name="new",
    callback=_new,
    params=[click.Argument(["name"], metavar="NAME")],
    arguments_help=(("NAME", "The plugin's id and its file's name."),),
    help="Write a plugin to begin with into the plugins folder, and print where it is.",
    examples=("orca-tui plugins new wake-reviewer",),
)

HOST = Described(
    name="host",
    callback=_host,
    params=[click.Option(["--stack-fd"], type=int, required=True, help="Where to write stacks.")],
    help="Be the plugin host of a server, which starts it.",
    hidden=True,
)
