"""`plugins list`, `plugins reload`, `plugins run`: the user's own plugins, and what is wrong with them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from orca_tui.commands.spec import Argument, Command, Empty, Option, Reach, Route, Touches


class PluginState(StrEnum):
    STARTING = "starting"
    RUNNING = "running"
    """It is set up; with a fault: what went wrong since, such as a changed file that could not be taken."""
    FAILED = "failed"
    """Its own code threw, or took too long; the fault says where. A changed file is tried again."""
    STOPPED = "stopped"
    """The server has ended it, or the host is not there; the fault says why."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong in a plugin."""

    doing: Literal["load", "setup", "dispose", "task", "command", "host"]
    kind: str
    """The exception's class, or what was exceeded: `timeout`, `blocked`, `cpu`, `memory`, `crash`."""
    message: str = ""
    """One line for people. It may quote what the plugin worked on, so it goes to no log."""
    place: str = ""
    """`FILE.py:12 in follow`; empty when nobody knows."""

    def sentence(self) -> str:
        """All of it for people, on one line."""
        what = ": ".join(filter(None, (self.kind, self.message)))
        return f"{self.doing}: {what}" + (f" ({self.place})" if self.place else "")


class PluginCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that a plugin offers."""

    id: str
    title: str
    description: str = ""


class PluginRow(msgspec.Struct, frozen=True, kw_only=True):
    """One plugin file."""

    id: str
    """As the plugin names itself; the file's name without `.py` where it does not say."""
    file: str
    state: PluginState
    since: float
    """When the state began; Unix seconds."""
    revision: int = 0
    """How often it was set up since the host began."""
    fault: Fault | None = None
    commands: tuple[PluginCommand, ...] = ()


class PluginsReply(msgspec.Struct, frozen=True, kw_only=True):
    plugins: tuple[PluginRow, ...]
    """By file name."""


class ReloadRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    plugin: str


class RunRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    plugin: str
    command: str
    pane: str | None = None
    """What the command is about; the palette gives the focused pane."""


class RunReply(msgspec.Struct, frozen=True, kw_only=True):
    plugin: str
    command: str


PLUGIN = Argument(field="plugin", metavar="ID", help="The plugin's id.", completes="own_plugin")

PLUGINS = Command(
    name="plugins list",
    help="List your own plugins with their state, and what went wrong.",
    request=Empty,
    reply=PluginsReply,
    touches=Touches(reach=Reach.SERVER),
    prints="plugins",
    routes=(Route(method="GET", path="/v1/plugins"),),
    examples=("orca-tui plugins list", "orca-tui plugins list --json | jq -r .state"),
)
RELOAD = Command(
    name="plugins reload",
    help="Set one of your own plugins up again, also one that was stopped; prints how it stands then.\n\n"
    "A changed file is taken by itself. When its setup fails, the revision before goes on (exit 1).",
    request=ReloadRequest,
    reply=PluginRow,
    touches=Touches(reach=Reach.SERVER),
    arguments=(PLUGIN,),
    routes=(Route(method="POST", path="/v1/plugins/{plugin}/reload"),),
    examples=("orca-tui plugins reload wake-reviewer",),
)
RUN = Command(
    name="plugins run",
    help="Run a command that one of your own plugins offers, as the palette does; returns when it is done.",
    request=RunRequest,
    reply=RunReply,
    touches=Touches(reach=Reach.SERVER),
    arguments=(PLUGIN, Argument(field="command", metavar="COMMAND", help="The command's id.")),
    options=(
        Option(
            field="pane",
            flags=("--pane",),
            metavar="PANE",
            help="The pane that it is about.",
            completes="pane",
        ),
    ),
    routes=(Route(method="POST", path="/v1/plugins/{plugin}/commands/{command}"),),
    examples=("orca-tui plugins run wake-reviewer now --pane p3",),
)
