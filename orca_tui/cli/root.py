"""The words of the command line: which there are, how one is found, and `orca-tui` alone."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

from orca_tui import __version__
from orca_tui.cli.generated import common_options
from orca_tui.cli.session import Session
from orca_tui.commands.index import PLACES, load

LOCAL: dict[str, tuple[str, str]] = {
    "attach": ("attaching", "ATTACH"),
    "server start": ("serving", "START"),
    "server restart": ("serving", "RESTART"),
    "server run": ("serving", "RUN"),
    "plugin status": ("plugin", "STATUS"),
    "plugin install": ("plugin", "INSTALL"),
    "plugin remove": ("plugin", "REMOVE"),
    "plugins new": ("plugins", "NEW"),
    "plugins host": ("plugins", "HOST"),
    "doctor": ("doctor", "DOCTOR"),
    "config path": ("settings", "PATH"),
    "config check": ("settings", "CHECK"),
    "config show": ("settings", "SHOW"),
    "api schema": ("api", "SCHEMA"),
    "completions": ("completions", "COMPLETIONS"),
    "skill": ("skill", "SKILL"),
    "mcp": ("mcp", "MCP"),
}
"""Commands that no server is asked for: module of `cli/` and constant."""

HIDDEN = ("server run", "plugins host")
"""How processes of ours begin; nobody types them."""

GROUPS = {
    "agents": "The agents that are known, and what each may do with your consent.",
    "server": "Start and stop the server that holds the panes.",
    "inbox": "Notices that wait for agents.",
    "sessions": "What was there before a reboot, or before the server was stopped.",
    "plugin": "The status plugin that OpenCode loads, which is ours; your own are `plugins`.",
    "plugins": "Your own plugins, which follow and drive agents; OpenCode's is `plugin`.",
    "config": "The settings file.",
    "api": "The control API.",
}

ALONE = {
    "agents": "list",
    "server": "status",
    "inbox": "list",
    "sessions": "list",
    "plugin": "status",
    "plugins": "list",
    "config": "show",
    "api": "schema",
}
"""What a group's word means when nothing follows it: the one of its commands that only tells how things are."""

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Panes", ("open", "list", "get", "wait", "events", "read", "explain", "close")),
    ("Input", ("type", "paste", "keys")),
    ("Notices", ("send", "inbox", "active", "interrupt")),
    ("Agents driving agents", ("skill", "mcp", "whoami", "grants", "grant", "revoke")),
    ("Layout", ("focus", "seen", "rename", "move", "resize", "zoom", "arrange")),
    ("Server", ("attach", "detach", "server", "sessions")),
    ("Setup", ("agents", "plugins", "plugin", "doctor", "config", "api", "completions")),
)
"""How help groups the first words; one that is missing here stands under `More`."""

CLOSE_ENOUGH = 0.6  # difflib's own default: one or two letters of a short word may differ.


class Words(click.Group):
    """The commands below a prefix (`""` or `"server "`). A command's module is loaded when it is run."""

    def __init__(self, prefix: str = "", **settings: Any) -> None:
        super().__init__(params=common_options(), no_args_is_help=False, **settings)
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        found: dict[str, None] = {}
        for name in _public_names():
            if name.startswith(self._prefix):
                found[name.removeprefix(self._prefix).split(" ")[0]] = None
        return list(found)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        full = self._prefix + cmd_name
        if full in LOCAL:
            module, constant = LOCAL[full]
            command: click.Command = getattr(import_module(f"orca_tui.cli.{module}"), constant)
            return command
        if full in PLACES and _is_typed(full):
            return _generated(full, cmd_name)
        if full in GROUPS:
            return _group(full, cmd_name)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if not ctx.resilient_parsing and not word.startswith("-") and self.get_command(ctx, word) is None:
            self._fail_for(ctx, word)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        words = self.list_commands(ctx)
        sections = () if self._prefix else SECTIONS
        grouped = [(title, [word for word in names if word in words]) for title, names in sections]
        more = [word for word in words if not any(word in names for _, names in grouped)]
        for title, names in [*grouped, ("More" if len(words) > len(more) else "Commands", more)]:
            if names:
                with formatter.section(title):
                    formatter.write_dl([(word, self._about(ctx, word)) for word in names])

    def _about(self, ctx: click.Context, word: str) -> str:
        command = self.get_command(ctx, word)
        return command.get_short_help_str(limit=100) if command else ""

    def _fail_for(self, ctx: click.Context, word: str) -> None:
        from difflib import get_close_matches

        near = get_close_matches(word, self.list_commands(ctx), n=1, cutoff=CLOSE_ENOUGH)
        hint = f"did you mean {near[0]!r}?" if near else f"`{ctx.command_path} --help` lists them"
        ctx.fail(f"no command {self._prefix + word!r}; {hint}")


class Root(Words):
    """`orca-tui`: without a word it attaches, with `-- CMD...` it opens CMD in a new pane first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # A shell's completion of a line that is not finished.
            return super().parse_args(ctx, args)
        _, rest, _ = self.make_parser(ctx).parse_args(list(args))
        own = args[: len(args) - len(rest)]
        if own and own[-1] == "--":
            ctx.meta[COMMAND_KEY] = tuple(rest)
            args = own[:-1]
        return super().parse_args(ctx, args)


COMMAND_KEY = "orca_tui.command"
"""Where the root's context keeps the words after a leading `--`."""


def build() -> Root:
    """The root of all commands."""

    @click.pass_context
    def alone(context: click.Context, /) -> None:
        if context.invoked_subcommand is None:
            from orca_tui.cli.attaching import open_and_attach

            command: tuple[str, ...] = context.meta.get(COMMAND_KEY, ())
            context.exit(open_and_attach(context.ensure_object(Session), command))

    root = Root(
        name="orca-tui",
        callback=alone,
        invoke_without_command=True,
        help="A terminal multiplexer for coding agents.\n\n"
        "Without a command it attaches to the server, starting it when none runs. "
        "With -- CMD... it opens CMD in a new pane first.",
    )
    root.params.append(_version_option())
    return root


def _version_option() -> click.Option:
    def show(context: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            click.echo(f"orca-tui {__version__}")
            context.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Print the version.",
    )


def _group(full: str, word: str) -> Words:
    meant = ALONE[full]

    @click.pass_context
    def alone(context: click.Context, /) -> None:
        if context.invoked_subcommand is None:
            command = group.get_command(context, meant)
            assert command is not None, "the table of what is meant names commands"
            context.invoke(command)

    about = f"{GROUPS[full]}\n\nAlone it means `orca-tui {full} {meant}`."
    group = Words(f"{full} ", name=word, help=about, callback=alone, invoke_without_command=True)
    return group


def _generated(full: str, word: str) -> click.Command:
    from orca_tui.cli.actions import action_for
    from orca_tui.cli.generated import generated

    spec = load(full)
    return generated(spec, word, action_for(spec))


def _public_names() -> Iterator[str]:
    """Every command's whole name, in the order of the table."""
    yield from (name for name in LOCAL if name not in HIDDEN)
    yield from (name for name in PLACES if _is_typed(name))


def _is_typed(name: str) -> bool:
    spec = load(name)
    return spec.typed and not spec.internal
