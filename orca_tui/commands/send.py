"""`send`: a notice for the agent in a pane."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Argument, Command, Option, Reach, Route, Touches
from orca_tui.notices.notice import Delivery, Guard, NoticeState, Reason, Receipt, Resume, Why

LARGEST_TEXT = 256 << 10
"""Characters. What is longer is a file that should be named by its path; agents cut far shorter ones."""

NoticeId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
NoticeText = Annotated[str, msgspec.Meta(min_length=1, max_length=LARGEST_TEXT)]


class SendRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    """A pane id, which stands for its current session, or a session's id."""
    text: NoticeText
    resume: Resume = True
    """True: it may start a turn. False: it comes in with the user's next prompt. An object: it may start one
    only now, if nothing runs, asks or is being typed."""
    delivery: Delivery = Delivery.QUEUE
    id: NoticeId | None = None
    """The caller's own; sent again with the same content it is the same notice. None: one is made."""
    allow_race: bool = False
    """A conditional notice may also wake when somebody has just typed or submitted something."""
    wait: Literal["receipt", "done"] | None = None
    """Answer when it is delivered, or when the turn that took it is over too."""
    timeout: values.Seconds | None = None
    """Of waiting; None waits for ever."""


class SendReply(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    session: str
    state: NoticeState
    woke: bool
    """It has started a turn, or is about to."""
    reason: Reason
    """Why it did, or did not."""
    guard: Guard | None = None
    """How sure it is that nothing came between the look and the wake; None where nothing was woken, or no
    condition was to hold."""
    delivery: Delivery = Delivery.QUEUE
    """As this agent can: `steer` falls back to `queue`."""
    why: Why | None = None
    receipt: Receipt | None = None


def in_mode(name: str) -> dict[str, Any]:
    """`--agent-mode NAME` as `resume`."""
    return {"if_idle": True, "agent": name}


SEND = Command(
    name="send",
    help="Leave a notice for the agent in a pane; it can be taken back until it is handed over.\n\n"
    "An idle agent starts a turn with it; a busy one when its turn is over. What was answered is shown: the "
    "id, the state, whether it woke the agent and why (not). A notice is `delivered` only with evidence.",
    request=SendRequest,
    reply=SendReply,
    touches=Touches(reach=Reach.WORDS, targets=("pane",)),
    arguments=(
        Argument(field="pane", metavar="PANE|SESSION", help="Pane or session id.", completes="pane"),
        Argument(field="text", metavar="TEXT", help="What to say; - reads it from standard input."),
    ),
    options=(
        Option(
            field="resume",
            flags=("--if-idle",),
            flag=True,
            sets={"if_idle": True},
            help="Wake only an idle agent over no draft, and never later.",
        ),
        Option(
            field="resume",
            flags=("--agent-mode",),
            metavar="NAME",
            parse=in_mode,
            help="Like --if-idle, and only while the session's agent (mode) is NAME.",
        ),
        Option(
            field="resume",
            flags=("--no-resume",),
            flag=True,
            sets=False,
            help="Never wake: it comes in with the user's next prompt.",
        ),
        Option(
            field="delivery",
            flags=("--steer",),
            flag=True,
            sets="steer",
            help="Hand it over at the next tool call of the running turn, where the agent can.",
        ),
        Option(field="id", flags=("--id",), metavar="ID", help="An id of your own; the same again is one."),
        Option(
            field="allow_race",
            flags=("--allow-race",),
            flag=True,
            help="With --if-idle: although somebody has just typed.",
        ),
        Option(
            field="wait",
            flags=("--wait",),
            choices=("receipt", "done"),
            help="Wait for its receipt, or for the end of its turn.",
        ),
        Option(
            field="timeout",
            flags=("--timeout",),
            metavar="SECONDS",
            parse=values.seconds,
            help="Give up waiting after that (exit 124).",
        ),
    ),
    routes=(Route(method="POST", path="/v1/panes/{pane}/notices"),),
    examples=(
        "orca-tui send p3 'the tests on main are green again'",
        "orca-tui send p3 'review the last commit' --if-idle --wait done",
        "git diff | orca-tui send p3 - --no-resume",
    ),
)
