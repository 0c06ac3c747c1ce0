"""What is known of a pane's agent at one moment, as it is shown, stored and sent. Values only."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Status(StrEnum):
    """What an agent is doing (the words and their order are those of `docs/status.md`)."""

    UNKNOWN = "unknown"
    """No evidence yet, or the evidence ran out. Never shown as idle or done."""
    IDLE = "idle"
    """The agent is there, no turn runs, nothing new to see."""
    WORKING = "working"
    """A turn runs, of the agent or of a sub-agent of its."""
    WAITING = "waiting"
    """It needs the user: a permission, an answer or a login."""
    DONE = "done"
    """A turn ended by itself."""
    ERROR = "error"
    """A turn ended by a failure that the agent reported."""
    EXITED = "exited"
    """The process is gone."""


RUNNING = frozenset({Status.WORKING, Status.WAITING})
"""A turn runs, or somebody has to answer before one can."""


class Kind(StrEnum):
    """What a waiting agent waits for, or what an error was."""

    PERMISSION = "permission"
    QUESTION = "question"
    AUTH = "auth"
    """Waiting: a login is asked for. Error: the credentials were refused."""
    RATE_LIMIT = "rate_limit"
    API = "api"
    OTHER = "other"


class Source(StrEnum):
    """Where an observation came from, strongest first (`arbiter.py` has the ranks)."""

    PROCESS = "process"
    PLUGIN = "plugin"
    PROGRAM_STATUS = "osc7501"
    SESSION_FILE = "session_file"
    HOOK = "hook"
    TITLE = "title"
    PROGRESS = "progress"
    SCREEN = "screen"
    OUTPUT = "output"


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Why the status is what it is."""

    source: Source
    at: float
    """Unix seconds."""
    detail: str
    """One line for people, such as `session.status idle`; never a prompt or a secret."""


class StatusRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The status of one pane. Times are Unix seconds."""

    pane: str
    agent: str | None = None
    """`opencode`, `claude` ...; None while no agent is recognised (a plain shell)."""
    session_id: str | None = None
    status: Status = Status.UNKNOWN
    """Without an `agent` it says nothing while it is `unknown` or `idle`: a plain shell has no status."""
    kind: Kind | None = None
    message: str | None = None
    """The text of the ask or of the error; while it works, what the agent says of that, such as a retry."""
    resets_at: float | None = None
    """When a rate limit ends, only if the agent said so."""
    since: float = 0.0
    """Moves only when `status` changes."""
    turns: int = 0
    """Ended turns."""
    turn_started_at: float | None = None
    unread: bool = False
    interrupted: bool = False
    """The last turn was ended by the user."""
    prompt: str | None = None
    """One line, at most 200 characters."""
    last_message: str | None = None
    """At most 2,000 characters."""
    tool: str | None = None
    progress: int | None = None
    """Percent, when the program says one."""
    subagents: int = 0
    """Sub-agents and background tasks that still run."""
    evidence: Evidence | None = None
    confirmed: bool = True
    """False while the status rests on evidence that has fallen silent."""
    exit_code: int | None = None
    """Of the pane's process; negative for a signal, as the shell's `128 + n` minus 128."""

    @property
    def is_plain_shell(self) -> bool:
        """No agent was recognised there and nothing is said of it, so that there is no status to show."""
        return self.agent in (None, "shell") and self.status in (Status.UNKNOWN, Status.IDLE)


ROLL_UP: tuple[Status, ...] = (
    Status.WAITING,
    Status.ERROR,
    Status.WORKING,
    Status.DONE,
    Status.UNKNOWN,
    Status.IDLE,
    Status.EXITED,
)
"""What a group of panes shows: the first of these that one of its panes has."""


def roll_up(records: list[StatusRecord]) -> Status | None:
    """The status of a tab, a workspace or everything; None when no pane has a say.

    A done pane that was seen counts as idle. A shell of which nothing is known has no say: that is no news.
    """
    shown = {
        Status.IDLE if record.status is Status.DONE and not record.unread else record.status
        for record in records
        if record.agent is not None or record.status is not Status.UNKNOWN
    }
    return next((status for status in ROLL_UP if status in shown), None)
