"""`inbox list`, `inbox cancel`, `inbox update`: notices that wait, and taking them back."""

from __future__ import annotations

import msgspec

from orca_tui.commands.spec import Argument, Command, Option, Reach, Route, Touches
from orca_tui.notices.notice import Delivery, NoticeState, Origin, Receipt, Resume, Why

SESSION = Argument(field="pane", metavar="PANE|SESSION", help="Pane or session id.", completes="pane")
ID = Argument(field="id", metavar="ID", help="The notice's id.", completes="notice")


class NoticeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A notice as it is told. Times are Unix seconds."""

    id: str
    session: str
    """The agent's id of it, or `pane:...` for a pane whose agent has named none."""
    pane: str | None
    """Where the session is now."""
    state: NoticeState
    text: str
    """Empty a day after it was closed."""
    delivery: Delivery
    resume: Resume
    wakes: bool
    """It may still start a turn."""
    origin: Origin
    admitted_at: float
    changed_at: float
    why: Why | None = None
    receipt: Receipt | None = None


class InboxListRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str | None = None
    """Only this pane's or session's; None: all there are."""
    closed: bool = False
    """Delivered, failed and cancelled ones too, as far as they are remembered."""


class InboxListReply(msgspec.Struct, frozen=True, kw_only=True):
    notices: tuple[NoticeInfo, ...]
    """In the order of their admission."""


INBOX_LIST = Command(
    name="inbox list",
    help="Print the notices that wait or are on their way.",
    request=InboxListRequest,
    reply=InboxListReply,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    prints="notices",
    arguments=(
        Argument(
            field="pane",
            metavar="[PANE|SESSION]",
            required=False,
            help="Only this one's.",
            completes="pane",
        ),
    ),
    options=(
        Option(
            field="closed", flags=("--closed",), flag=True, help="Delivered, failed and cancelled ones too."
        ),
    ),
    routes=(
        Route(method="GET", path="/v1/panes/{pane}/notices"),
        Route(method="GET", path="/v1/notices"),
    ),
    examples=("orca-tui inbox list", "orca-tui inbox list p3 --closed --json"),
)


class InboxCancelRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    id: str


INBOX_CANCEL = Command(
    name="inbox cancel",
    help="Take a pending notice back.\n\n"
    "Succeeds only if a pending notice was removed; anything else is a conflict (exit 3), which says nothing "
    "about delivery unless there is a receipt.",
    request=InboxCancelRequest,
    reply=NoticeInfo,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(SESSION, ID),
    routes=(Route(method="DELETE", path="/v1/panes/{pane}/notices/{id}"),),
    examples=("orca-tui inbox cancel p3 n4f0c",),
)


class InboxUpdateRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    id: str
    delivery: Delivery


INBOX_UPDATE = Command(
    name="inbox update",
    help="Change how a pending notice is handed over.",
    request=InboxUpdateRequest,
    reply=NoticeInfo,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(SESSION, ID),
    options=(
        Option(
            field="delivery",
            flags=("--steer",),
            flag=True,
            sets="steer",
            required=True,
            help="At the next tool call of the running turn.",
        ),
        Option(
            field="delivery",
            flags=("--queue",),
            flag=True,
            sets="queue",
            required=True,
            help="When the turn is over.",
        ),
    ),
    routes=(Route(method="PATCH", path="/v1/panes/{pane}/notices/{id}"),),
    examples=("orca-tui inbox update p3 n4f0c --steer",),
)
