"""Events in words, for `explain`. Never a prompt, a message or a secret."""

from __future__ import annotations

from typing import assert_never

from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    EvidenceLost,
    EvidenceRegained,
    InterruptPressed,
    ProcessExited,
    ProgramReported,
    ProgressShown,
    PromptMarked,
    ReporterDied,
    ReporterHeard,
    Resolved,
    Seen,
    SessionChanged,
    StateSaid,
    TablePosted,
    TimePassed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.session_table import SessionTable

MAX_SESSIONS_TOLD = 4  # A line is for reading; what is not quiet comes first.


def source_of(event: Event) -> str:
    """Where an event came from."""
    if event.source is not None:
        return str(event.source)
    return "clock" if isinstance(event, TimePassed) else "user"


def what(event: Event) -> str:
    """What was observed, on one line."""
    match event:
        case TablePosted(table=table):
            return _table(table)
        case ReporterHeard(process=process, polling=polling):
            return f"process {process.pid} {'polls' if polling else 'has polled'}"
        case ReporterDied(process=process):
            return f"process {process.pid} is gone"
        case TurnStarted(turn=turn):
            return f"turn {turn or '?'} started"
        case TurnEnded(turn=turn, end=end, background=background):
            return f"turn {turn or '?'} ended: {end.how}" + (
                f", {background} in background" * bool(background)
            )
        case ToolUsed(tool=tool):
            return f"tool {tool or '?'} used"
        case ChildStarted(child=child):
            return f"sub-agent {child} started"
        case ChildEnded(child=child):
            return f"sub-agent {child} ended"
        case Asked(ask=ask, child=child):
            return f"asked ({ask.kind})" + (f" by sub-agent {child}" if child else "")
        case Resolved(ask_id=ask_id):
            return f"ask {ask_id or ''} resolved"
        case SessionChanged(session_id=session_id):
            return f"session {session_id} shown"
        case ProgramReported(state=state, path=path, kind=kind):
            return (
                f"state={state}" + (f" kind={kind}" if kind else "") + (f" id={'/'.join(path)}" * bool(path))
            )
        case StateSaid(says=says, detail=detail):
            return f"{says}: {detail}"
        case _:
            return _other(event)


def _other(
    event: ProgressShown
    | PromptMarked
    | InterruptPressed
    | AgentRecognised
    | AgentGone
    | ProcessExited
    | EvidenceLost
    | EvidenceRegained
    | Watched
    | Seen
    | TimePassed,
) -> str:
    match event:
        case ProgressShown(percent=percent):
            return "progress removed" if percent is None else f"progress {percent} %"
        case PromptMarked(mark=mark, exit_code=code):
            return f"prompt mark {mark}" + ("" if code is None else f", exit code {code}")
        case InterruptPressed():
            return "interrupt key pressed"
        case AgentRecognised(agent=agent):
            return f"{agent} found"
        case AgentGone():
            return "agent left, shell in the foreground"
        case ProcessExited(exit_code=code):
            return f"exited with code {code}" if code >= 0 else f"killed by signal {-code}"
        case EvidenceLost(why=why):
            return f"cannot be seen: {why}"
        case EvidenceRegained():
            return "can be seen again"
        case Watched(watched=watched):
            return "in front of the user" if watched else "no longer in front of the user"
        case Seen():
            return "seen"
        case TimePassed():
            return "time passed"
        case _:
            assert_never(event)


def _table(table: SessionTable) -> str:
    rows = sorted(table.sessions, key=lambda row: (not row.asks, not row.busy))
    told = [
        f"{row.id} {'busy' if row.busy else 'at rest'}, turn {row.turn}"
        + (f", asks {len(row.asks)}" if row.asks else "")
        for row in rows[:MAX_SESSIONS_TOLD]
    ]
    more = [f"{len(rows) - len(told)} more"] if len(rows) > len(told) else []
    gone = ["gone"] if table.gone else []
    return "table: " + ("; ".join(gone + told + more) or "no sessions")
