"""What the plugin host and the server say to each other."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from orca_tui.commands.plugins import Fault, PluginRow
from orca_tui.commands.spec import Command, Empty, Reach, Touches


class Stopped(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that is not to be set up as long as its bytes are the same."""

    id: str
    digest: str
    fault: Fault


class Begin(msgspec.Struct, frozen=True, kw_only=True, tag="begin"):
    """The first order: set up what is there, but for these files."""

    stopped: dict[str, Stopped] = {}


class Ping(msgspec.Struct, frozen=True, kw_only=True, tag="ping"):
    """Answer, as a sign that the event loop runs."""

    number: int


class ReloadOrder(msgspec.Struct, frozen=True, kw_only=True, tag="reload"):
    number: int
    plugin: str


class RunOrder(msgspec.Struct, frozen=True, kw_only=True, tag="run"):
    number: int
    plugin: str
    command: str
    pane: str | None = None


class Finish(msgspec.Struct, frozen=True, kw_only=True, tag="finish"):
    """Dispose of everything and end."""


Order: TypeAlias = Begin | Ping | ReloadOrder | RunOrder | Finish


class OrderItem(msgspec.Struct, frozen=True, kw_only=True):
    order: Order


class AnswerRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What became of an order."""

    number: int
    fault: Fault | None = None
    grown_bytes: dict[str, int] = {}
    """To a ping: by file, how much memory its plugin's steps have taken."""


class ReportRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every plugin, each time that one is different."""

    plugins: tuple[PluginRow, ...]
    digests: dict[str, str]
    """Of the bytes that were read of each file."""
    trying: tuple[str, ...] = ()
    """Files that are just set up: told before their first line is run."""
    stuck: tuple[str, ...] = ()
    """Files of plugins that go on although they were ended: only the end of the host ends them."""


class NotifyRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    severity: Literal["information", "warning", "error"] = "information"


ORDERS = Command(
    name="host.orders",
    help="Follow what the plugin host is to do.",
    request=Empty,
    reply=OrderItem,
    touches=Touches(reach=Reach.SERVER),
    stream=True,
    internal=True,
)
ANSWER = Command(
    name="host.answer",
    help="Tell what became of an order.",
    request=AnswerRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)
REPORT = Command(
    name="host.report",
    help="Tell how the plugins stand.",
    request=ReportRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)
NOTIFY = Command(
    name="host.notify",
    help="Show a toast for a plugin.",
    request=NotifyRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)
