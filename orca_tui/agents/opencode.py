"""OpenCode 1 and 2. Our status plugin posts tables of sessions; `status/sessions.py` has the rules for them.

Its window title is always the same and says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched, unchanged
from orca_tui.agents.resuming import Kept
from orca_tui.agents.text import MAX_MESSAGE, one_line, paragraphs
from orca_tui.base.errors import Invalid, TooLarge
from orca_tui.status.events import Event, TablePosted
from orca_tui.status.profile import Profile
from orca_tui.status.record import Kind, Source
from orca_tui.status.session_table import ProcessKey, Retry, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

MAX_BODY_BYTES = 1 << 20  # The plugin's own previews stay far below; nothing larger is a table.
MAX_SESSIONS = 1024  # More than any person keeps open in one process.
MAX_ASKS = 256
MAX_RESOLVED = 4096

_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_Count = Annotated[int, msgspec.Meta(ge=0)]
_Seconds = Annotated[float, msgspec.Meta(ge=0)]


class _Process(msgspec.Struct, frozen=True):
    pid: Annotated[int, msgspec.Meta(ge=1)]
    started: _Seconds


class _Host(msgspec.Struct, frozen=True):
    major: _Count
    version: Annotated[str, msgspec.Meta(max_length=100)]


class _Error(msgspec.Struct, frozen=True):
    kind: Literal["rate_limit", "auth", "api", "other"]
    message: str | None = None
    reset_at: _Seconds | None = None


class _Failed(msgspec.Struct, frozen=True):
    error: _Error


class _Ask(msgspec.Struct, frozen=True):
    id: _Id
    kind: Literal["permission", "question", "form"]
    text: str | None = None
    at: _Seconds | None = None


class _Retry(msgspec.Struct, frozen=True):
    attempt: _Count
    message: str | None = None
    next_at: _Seconds | None = None


class _Row(msgspec.Struct, frozen=True):
    id: _Id
    busy: bool
    turn: _Count
    parent: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    directory: str | None = None
    agent: str | None = None
    end: Literal["ok", "interrupted:user", "interrupted:shutdown"] | _Failed | None = None
    asks: Annotated[tuple[_Ask, ...], msgspec.Meta(max_length=MAX_ASKS)] = ()
    resolved: Annotated[tuple[_Id, ...], msgspec.Meta(max_length=MAX_RESOLVED)] = ()
    retry: _Retry | None = None
    prompt: str | None = None
    last_message: str | None = None
    tool: str | None = None


class _Table(msgspec.Struct, frozen=True):
    """The body as it is posted; fields that a later plugin adds are ignored."""

    pane: _Id
    process: _Process
    factory: _Count
    generation: _Count
    host: _Host
    seq: _Count
    sessions: Annotated[tuple[_Row, ...], msgspec.Meta(max_length=MAX_SESSIONS)]
    outlives_dispose: bool = False
    gone: bool = False


_DECODER = msgspec.json.Decoder(_Table, strict=True)


def read_table(body: bytes) -> SessionTable:
    """The table of a posted body; raises `Invalid`, or `TooLarge` above `MAX_BODY_BYTES`."""
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge("the table", MAX_BODY_BYTES)
    try:
        table = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(f"this is no table of sessions: {error}") from None
    return SessionTable(
        pane=table.pane,
        process=ProcessKey(pid=table.process.pid, started=table.process.started),
        factory=table.factory,
        generation=table.generation,
        seq=table.seq,
        host_version=table.host.version,
        outlives_dispose=table.outlives_dispose,
        gone=table.gone,
        sessions=tuple(_row(row) for row in table.sessions),
    )


def _row(row: _Row) -> SessionRow:
    return SessionRow(
        id=row.id,
        parent=row.parent,
        directory=row.directory,
        agent=one_line(row.agent),
        busy=row.busy,
        turn=row.turn,
        end=_end(row.end),
        asks=tuple(_ask(ask) for ask in row.asks),
        resolved=row.resolved,
        retry=_retry(row.retry),
        prompt=one_line(row.prompt),
        last_message=paragraphs(row.last_message),
        tool=one_line(row.tool),
    )


def _end(end: str | _Failed | None) -> End | None:
    """`interrupted:shutdown` is what OpenCode 2 says when the user rejects a permission or dismisses a
    question, and when its server goes away: the first is the user's own act, the second is followed by an
    exit. Neither is a turn that ended by itself.
    """
    match end:
        case None:
            return None
        case _Failed(error=error):
            return End(
                how=Ending.ERROR,
                kind=Kind(error.kind),
                message=one_line(error.message, MAX_MESSAGE),
                resets_at=error.reset_at,
            )
        case "ok":
            return End(how=Ending.OK)
        case _:
            return End(how=Ending.INTERRUPTED, message=end.partition(":")[2])


def _ask(ask: _Ask) -> Ask:
    kind = Kind.PERMISSION if ask.kind == "permission" else Kind.QUESTION
    return Ask(id=ask.id, kind=kind, text=one_line(ask.text, MAX_MESSAGE))


def _retry(retry: _Retry | None) -> Retry | None:
    if retry is None:
        return None
    return Retry(attempt=retry.attempt, message=one_line(retry.message, MAX_MESSAGE), next_at=retry.next_at)


PROFILE = Profile(expects=(Source.PLUGIN,))
COMMAND_LINE = CommandLine(
    # Options after which the TUI's server is settled already, or no TUI is started.
    other_options=frozenset({"--standalone", "--server", "--help", "-h", "--version", "-v"}),
    # Words after `opencode` that start something else than its TUI.
    subcommands=frozenset(
        {
            "acp",
            "agent",
            "api",
            "attach",
            "auth",
            "completion",
            "console",
            "db",
            "debug",
            "export",
            "github",
            "import",
            "login",
            "logout",
            "mcp",
            "models",
            "plugin",
            "pr",
            "providers",
            "run",
            "serve",
            "service",
            "session",
            "stats",
            "tui-schema",
            "uninstall",
            "upgrade",
            "web",
        }
    ),
)
KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "--pure",
            "--auto",
            "--print-logs",
            "--mdns",
        }
    ),
    valued=frozenset(
        {
            "-m",
            "--model",
            "--agent",
            "--log-level",
            "--port",
            "--hostname",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenCode:
    """OpenCode 1 and OpenCode 2."""

    name: str = "opencode"
    title: str = "OpenCode"
    commands: frozenset[str] = frozenset({"opencode", "opencode2"})
    packages: frozenset[str] = frozenset({"opencode-ai"})
    install: str = "npm install -g opencode-ai"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS

    def report_posted(self, body: bytes, pane: str, at: float) -> list[Event]:
        """The posted table, which must be about that pane."""
        table = read_table(body)
        if table.pane != pane:
            raise Invalid(f"the table is about pane {table.pane!r}", pane=pane)
        return [TablePosted(at=at, agent=self.name, table=table)]

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """On OpenCode 2 a TUI gets a server of its own: the shared one has the environment of the first
        pane that started it, so its plugin could not tell the panes apart.
        """
        words = COMMAND_LINE.interactive(argv, context)
        if words is None or not _is_version_2(context.version):
            return unchanged(argv)
        return Launched(argv=words.with_options(["--standalone"]))

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None: its plugin has a place of its own."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("opencode", "--session", session_id)


def _is_version_2(version: str | None) -> bool:
    digits = (version or "").strip().removeprefix("v").partition(".")[0]
    return digits.isdigit() and int(digits) >= 2
