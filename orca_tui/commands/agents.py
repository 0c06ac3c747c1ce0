"""`agents list`, `agents allow`, `agents deny`: the agents that are known, and what each may do with your consent."""

from __future__ import annotations

from typing import Literal

import msgspec

from orca_tui.commands.spec import Argument, Command, Reach, Route, Touches


class AgentsRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str | None = None
    """The PATH to look in; None: the server's own."""
    versions: bool = True
    """Ask each program for its version, which may take a second."""


class AgentRow(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of agent."""

    name: str
    title: str
    path: str | None = None
    """Its program; None: it is not installed."""
    version: str | None = None
    """None also where nobody asked for it."""
    install: str = ""
    """A command that installs it; empty where none is known."""
    evidence: tuple[str, ...] = ()
    """The sources that tell of its status when all is well, strongest first, by what is allowed now."""
    consent: Literal["allowed", "denied", "not asked", "not needed"] = "not needed"
    asks: str = ""
    """What consent is asked for; empty: nothing."""


class AgentsReply(msgspec.Struct, frozen=True, kw_only=True):
    agents: tuple[AgentRow, ...]


class ConsentRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: str


class ConsentReply(msgspec.Struct, frozen=True, kw_only=True):
    agent: str
    consent: str
    done: str
    """What follows from it, for people."""


_AGENT = (Argument(field="agent", metavar="AGENT", help="Its name.", completes="agent"),)

AGENTS = Command(
    name="agents list",
    help="List the agents that are known: where they are, what tells of their status, what you have allowed.",
    request=AgentsRequest,
    reply=AgentsReply,
    touches=Touches(reach=Reach.NAMES),
    prints="agents",
    routes=(Route(method="GET", path="/v1/agents"),),
    examples=("orca-tui agents list", "orca-tui agents list --json"),
)
ALLOW = Command(
    name="agents allow",
    help="Allow what `agents list` says that an agent needs your consent for.",
    request=ConsentRequest,
    reply=ConsentReply,
    touches=Touches(reach=Reach.SERVER),
    arguments=_AGENT,
    routes=(Route(method="POST", path="/v1/agents/{agent}/allow"),),
    examples=("orca-tui agents allow codex",),
)
DENY = Command(
    name="agents deny",
    help="Deny it, and take back what was done with your consent.",
    request=ConsentRequest,
    reply=ConsentReply,
    touches=Touches(reach=Reach.SERVER),
    arguments=_AGENT,
    routes=(Route(method="POST", path="/v1/agents/{agent}/deny"),),
    examples=("orca-tui agents deny codex",),
)
