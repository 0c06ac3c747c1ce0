"""`open`: a new pane with a program in it."""

from __future__ import annotations

from typing import Literal

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Option, Reach, Route, Touches


class OpenRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: str | None = None
    """The program *is* this agent; None: recognised from the command."""
    command: tuple[str, ...] = ()
    """Program and arguments; empty: the agent's own, else the user's shell."""
    cwd: str | None = None
    """Absolute; None: the caller's directory, else the home directory."""
    name: values.Name = ""
    split: Literal["right", "down"] | None = None
    """`right` or `down`: beside `beside`, else beside the focused pane of the current tab."""
    beside: str | None = None
    tab: Literal["new", "current"] | None = None
    """`new` or `current` (current: splits the focused pane to the right); None: new, unless something is split."""
    workspace: str | None = None
    """A workspace id, or `new`, for a new tab."""
    environment: dict[str, str] | None = None
    """The caller's whole environment, the base of the pane's; None: a minimal login environment."""
    set_environment: tuple[tuple[str, str], ...] = ()
    """Added on top."""
    size: tuple[values.Side, values.Side] = (120, 40)
    """Columns and rows until a UI shows the pane."""
    relaunch: bool = False
    """After a reboot it is run again without a key, when its session is restored."""
    focus: bool | None = None
    """The new pane becomes the focused one; None: only while no UI is attached, since somebody may be typing."""


class OpenReply(msgspec.Struct, frozen=True, kw_only=True):
    pane: str
    tab: str
    workspace: str


OPEN = Command(
    name="open",
    help="Open a pane without attaching; prints its id, with --json its tab and workspace too.\n\n"
    "With --agent the command's process is the agent; without it the agent is recognised from the command. "
    "A plain shell that exits with 0 takes its pane along; every other pane stays readable until it is closed.",
    request=OpenRequest,
    reply=OpenReply,
    touches=Touches(reach=Reach.HANDS, targets=("beside",), server_if=("focus",)),
    arguments=(
        Argument(
            field="command", metavar="[-- CMD...]", required=False, variadic=True, help="Program to run."
        ),
    ),
    options=(
        Option(
            field="agent", flags=("--agent",), metavar="NAME", help="Which agent it is.", completes="agent"
        ),
        Option(field="cwd", flags=("--cwd",), metavar="DIR", help="Working directory (default: this one)."),
        Option(field="name", flags=("--name",), metavar="TEXT", help="Name to show instead of the title."),
        Option(
            field="split",
            flags=("--split",),
            choices=("right", "down"),
            help="Split the focused pane of the current tab.",
        ),
        Option(
            field="beside",
            flags=("--beside",),
            metavar="PANE",
            help="With --split: the pane to split.",
            completes="pane",
        ),
        Option(
            field="tab",
            flags=("--tab",),
            choices=("current", "new"),
            help="Where the pane goes (default: new; with --split it is current).",
        ),
        Option(
            field="workspace", flags=("--workspace",), metavar="ID|new", help="Workspace for the new tab."
        ),
        Option(
            field="focus",
            flags=("--focus",),
            flag=True,
            help="Give it the keyboard of the attached UIs, where somebody may be typing.",
        ),
        Option(
            field="relaunch",
            flags=("--relaunch",),
            flag=True,
            help="Run the command again without asking when the session is restored after a reboot.",
        ),
        Option(
            field="set_environment",
            flags=("--env",),
            metavar="K=V",
            repeatable=True,
            parse=values.assignment,
            help="Set a variable in the pane's environment (may be repeated).",
        ),
        Option(
            field="size",
            flags=("--size",),
            metavar="COLSxROWS",
            parse=values.size,
            help="Size until a UI shows the pane (default 120x40).",
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes"),),
    examples=(
        "orca-tui open --agent opencode --cwd ~/src/api",
        "orca-tui open --split right -- htop",
    ),
)
