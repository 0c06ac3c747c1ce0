"""`sessions list`, `sessions restore`, `sessions forget`: what was there before a reboot, or before `server stop`."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Empty, Option, Reach, Route, Touches


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One session whose programs are gone."""

    session: str
    """`s1`, `s2` ...: higher is later."""
    saved_at: float
    """Unix seconds."""
    workspaces: int
    panes: int
    agents: tuple[str, ...] = ()
    """Those that can be resumed, one for each conversation."""


class SessionsReply(msgspec.Struct, frozen=True, kw_only=True):
    sessions: tuple[SessionRow, ...]
    """Newest first."""


class RestoreRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    session: str | None = None
    """None: the newest."""
    run: bool = False
    """Run other commands again at once; without it, those that are neither shells nor agents wait for a key. What had
    ended before waits in any case."""
    environment: dict[str, str] | None = None
    """The caller's whole environment, the base of the panes'; None: a minimal login environment."""


class RestoreReply(msgspec.Struct, frozen=True, kw_only=True):
    session: str
    panes: tuple[str, ...]
    """All that are back."""
    resumed: tuple[str, ...]
    """Of these, agents that go on with their conversation."""
    held: tuple[str, ...]
    """Of these, commands and what had ended, which wait for Enter."""


class ForgetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    session: str


SESSIONS = Command(
    name="sessions list",
    help="List the sessions that were saved and whose programs are gone, such as before a reboot.",
    request=Empty,
    reply=SessionsReply,
    touches=Touches(reach=Reach.NAMES),
    prints="sessions",
    routes=(Route(method="GET", path="/v1/sessions"),),
    examples=("orca-tui sessions list", "orca-tui sessions list --json"),
)
RESTORE = Command(
    name="sessions restore",
    help="Bring a saved session back: its places, its shells, its agents' conversations.\n\n"
    "Agents are resumed by their own options, shells open in their directories, and other commands wait for Enter "
    "in their panes, below its last screen what had ended before.",
    request=RestoreRequest,
    reply=RestoreReply,
    touches=Touches(reach=Reach.SERVER),
    arguments=(
        Argument(
            field="session", metavar="[SESSION]", required=False, help="Which one (default: the newest)."
        ),
    ),
    options=(Option(field="run", flags=("--run",), flag=True, help="Run other commands again at once."),),
    routes=(Route(method="POST", path="/v1/sessions/restore"),),
    examples=("orca-tui sessions restore", "orca-tui sessions restore s3 --run"),
)
FORGET = Command(
    name="sessions forget",
    help="Forget a saved session.",
    request=ForgetRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    arguments=(Argument(field="session", metavar="SESSION", help="Which one."),),
    routes=(Route(method="DELETE", path="/v1/sessions/{session}"),),
    examples=("orca-tui sessions forget s3",),
)
