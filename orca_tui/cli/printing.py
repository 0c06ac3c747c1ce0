"""Replies as text for people, or as JSON. Decides nothing; what programs said is printed without control codes."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import msgspec

from orca_tui.cli.plugin_rows import print_plugins
from orca_tui.cli.session import Session, write_json, write_line
from orca_tui.cli.tables import aligned, elapsed, plain
from orca_tui.commands.spec import Command, Empty
from orca_tui.wire import PaneInfo

GLYPHS = {
    "unknown": "?",
    "idle": "○",
    "working": "●",
    "waiting": "▲",
    "done": "✓",
    "error": "✗",
    "exited": "■",
}
"""Always beside the word; the same as in the UI."""
ASCII_GLYPHS = {
    "unknown": "?",
    "idle": "o",
    "working": "*",
    "waiting": "!",
    "done": "+",
    "error": "x",
    "exited": "#",
}
"""For a stdout whose encoding has no others."""


SESSIONS_HEADING = ("SESSION", "SAVED", "WORKSPACES", "PANES", "CONVERSATIONS")
AGENTS_HEADING = ("AGENT", "VERSION", "FOUND AT", "EVIDENCE", "CONSENT")
HEADING = ("", "PANE", "STATUS", "SINCE", "AGENT", "TAB", "DIRECTORY", "WHAT")


def print_reply(session: Session, spec: Command[Any, Any], reply: Any) -> None:
    """Print the reply of a command that is no stream."""
    if not session.json:
        _print_for_people(session, spec, reply)
    elif spec.prints is not None:
        for part in getattr(reply, spec.prints):
            write_json(part)
    else:
        write_json(reply)


def print_item(spec: Command[Any, Any], item: Any) -> None:
    """Print one item of a stream: always JSON, since scripts read it."""
    write_json(getattr(item, spec.prints) if spec.prints else item)


def _print_for_people(session: Session, spec: Command[Any, Any], reply: Any) -> None:
    match spec.name:
        case "list":
            _print_panes(session, reply.panes)
        case "wait":
            _print_panes(session, (reply,), heading=False)
        case "send":
            write_line(_sent(reply))
        case "inbox list":
            _print_notices(session, reply.notices)
        case "inbox cancel":
            write_line(f"cancelled {reply.id}")
        case "inbox update":
            write_line(f"{reply.id} goes as {reply.delivery}")
        case "active":
            _print_active(session, reply.sessions)
        case "interrupt":
            write_line("interrupted" if reply.interrupted else "nothing ran")
        case "whoami":
            write_line(_caller(reply))
        case "grants":
            _print_grants(session, reply.grants)
        case "grant" | "revoke":
            write_line(f"{reply.pane}: {' '.join(reply.granted) or 'nothing'} granted")
        case "get":
            _print_record(reply)
        case "explain":
            _print_explanation(session, reply)
        case "read":
            sys.stdout.write(reply.text + ("" if reply.text.endswith("\n") else "\n"))
        case "server status":
            _print_server(session, reply)
        case "server stop":
            write_line(f"stopped; {_count(len(reply.closed), 'pane')} ended")
        case "sessions list":
            _print_sessions(session, reply.sessions)
        case "sessions restore":
            _print_restored(reply)
        case "agents list":
            _print_agents(session, reply.agents)
        case "agents allow" | "agents deny":
            write_line(f"{reply.agent}: {reply.consent}; {reply.done}")
        case "plugins list":
            print_plugins(session, reply.plugins)
        case "plugins reload":
            print_plugins(session, (reply,), heading=False)
        case "plugins run":
            write_line(f"{reply.plugin}: {reply.command} is done")
        case "close":
            write_line(f"closed {' '.join(reply.closed)}")
        case "detach":
            write_line(f"{_count(reply.detached, 'UI')} detached")
        case _ if not isinstance(reply, Empty):
            write_json(reply)


def _print_panes(session: Session, panes: tuple[PaneInfo, ...], *, heading: bool = True) -> None:
    now = session.outside.clock.now()
    home = session.outside.environment.get("HOME")
    rows: list[tuple[str, ...]] = [HEADING] if heading else []
    rows += [_pane_row(pane, now, home) for pane in panes]
    if not panes and heading:
        write_line("no panes; `orca-tui open -- CMD` opens one")
        return
    for line in aligned(rows, session.width()):
        write_line(line)


def _pane_row(pane: PaneInfo, now: float, home: str | None) -> tuple[str, ...]:
    status = pane.status + ("" if pane.confirmed else "?")
    return (
        _glyph(pane.status),
        pane.pane + (" ◆" if pane.unread and _can_print("◆") else ""),
        f"{status} ({pane.kind})" if pane.kind else status,
        elapsed(now - pane.since) if pane.since else "",
        pane.agent or "",
        pane.tab,
        plain(_shortened(pane.cwd, home)),
        plain(_what(pane)),
    )


def _what(pane: PaneInfo) -> str:
    """The one thing worth knowing: the ask or error, what is worked on, else what runs or ran there."""
    if pane.message:
        return pane.message
    if pane.status == "working" and (pane.tool or pane.prompt):
        return pane.tool or pane.prompt or ""
    called = pane.name or pane.title or " ".join(pane.command)
    if pane.exit_code is None:
        return called
    end = f"signal {-pane.exit_code}" if pane.exit_code < 0 else f"exit {pane.exit_code}"
    return f"{end}: {called}"


def _sent(reply: Any) -> str:
    why = f" ({reply.why})" if reply.why else ""
    guard = f" (guard: {reply.guard})" if reply.guard else ""
    if reply.woke:
        return f"{reply.id} {reply.state}{why}, woke the agent{guard}"
    if reply.state == "pending":
        return f"{reply.id} {reply.state}{why}, did not wake the agent: {reply.reason}{guard}"
    return f"{reply.id} {reply.state}{why}"  # Why it was not handed over at once is of no interest any more.


def _print_notices(session: Session, notices: Any) -> None:
    now = session.outside.clock.now()
    rows: list[tuple[str, ...]] = [("ID", "STATE", "AGE", "TO", "HOW", "FROM", "TEXT")]
    rows += [
        (
            notice.id,
            f"{notice.state} ({notice.why})" if notice.why else notice.state,
            elapsed(now - notice.admitted_at),
            notice.pane or notice.session,
            notice.delivery if notice.wakes else "with the next prompt",
            notice.origin.name or notice.origin.kind,
            plain(notice.text),
        )
        for notice in notices
    ]
    if not notices:
        write_line("no notices wait")
        return
    for line in aligned(rows, session.width()):
        write_line(line)


def _caller(reply: Any) -> str:
    """Who the caller is, and what may be done."""
    if reply.pane is None:
        return "outside of all panes: everything is allowed"
    if not reply.drives:
        return "in a pane that is gone: names and statuses are told"
    if reply.authority == "all":
        return f"in {reply.pane}: everything but grants is allowed"
    reads = f"; may read {', '.join(reply.reads)}" if reply.reads else ""
    return f"in {reply.pane}: may drive {', '.join(reply.drives)}{reads}"


def _print_grants(session: Session, grants: Any) -> None:
    if not grants:
        write_line("nothing was granted")
        return
    rows = [("PANE", "MAY DRIVE"), *((one.pane, " ".join(one.granted)) for one in grants)]
    for line in aligned(rows, session.width()):
        write_line(line)


def _print_active(session: Session, sessions: Any) -> None:
    now = session.outside.clock.now()
    rows = [(one.pane, elapsed(now - one.since), name) for name, one in sessions.items()]
    for line in aligned(rows, session.width()):
        write_line(line)


def _print_record(pane: PaneInfo) -> None:
    fields = msgspec.to_builtins(pane)
    rows = [(name, _field(name, value)) for name, value in fields.items() if value not in (None, "", (), [])]
    for line in aligned(rows, None):
        write_line(line)


def _field(name: str, value: Any) -> str:
    """A text as it is, a command to be copied as a shell reads it, anything else as JSON."""
    if name == "resume":
        return plain(shlex.join(value))
    return plain(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _print_explanation(session: Session, reply: Any) -> None:
    now = session.outside.clock.now()
    write_line(plain(f"{_glyph(reply.pane.status)} {reply.pane.pane}: {reply.verdict}"))
    if reply.rule is not None:
        write_line(plain(f"  by {reply.rule}"))
    for gone in reply.missing:
        write_line(plain(f"  missing: {gone.why}"))
        if gone.fix:
            write_line(plain(f"  -> {gone.fix}"))
    if reply.pane.resume:
        write_line(plain(f"  resume with: {shlex.join(reply.pane.resume)}"))
    rows = [
        (
            f"{elapsed(now - seen.at)} ago",
            seen.source,
            plain(seen.what),
            ("taken: " if seen.taken else "ignored: ") + plain(seen.why),
            f"-> {seen.status}",
        )
        for seen in reply.observations
    ]
    for line in aligned(rows, session.width()):
        write_line(line)


def _print_agents(session: Session, agents: Any) -> None:
    rows = [AGENTS_HEADING]
    rows += [
        (one.name, one.version or "", one.path or "not found", ", ".join(one.evidence), one.consent)
        for one in agents
    ]
    for line in aligned([tuple(map(plain, row)) for row in rows], session.width()):
        write_line(line)
    for one in agents:
        if one.consent == "not asked":
            write_line(f"`orca-tui agents allow {one.name}`: {plain(one.asks)}")


def _print_server(session: Session, reply: Any) -> None:
    up = elapsed(session.outside.clock.now() - reply.started_at)
    write_line(
        f"server {reply.server} runs: version {reply.version}, pid {reply.pid}, up {up}, "
        f"{_count(reply.panes, 'pane')}, {_count(reply.uis, 'UI')} attached"
    )
    for line in aligned(sorted(reply.sockets.items()), None):
        write_line(f"  {line}")
    for note in reply.notes:
        write_line(f"  note: {plain(note)}")


def _glyph(status: str) -> str:
    glyph = GLYPHS[status]
    return glyph if _can_print(glyph) else ASCII_GLYPHS[status]


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _shortened(path: str, home: str | None) -> str:
    if home and (path == home or path.startswith(home.rstrip("/") + "/")):
        return "~" + path[len(home.rstrip("/")) :]
    return path


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_sessions(session: Session, rows: Any) -> None:
    now = session.outside.clock.now()
    table = [
        (
            row.session,
            f"{elapsed(now - row.saved_at)} ago",
            str(row.workspaces),
            str(row.panes),
            ", ".join(row.agents),
        )
        for row in rows
    ]
    for line in aligned([SESSIONS_HEADING, *table], session.width()):
        write_line(line)


def _print_restored(reply: Any) -> None:
    resumed = f"; {_count(len(reply.resumed), 'conversation')} resumed" if reply.resumed else ""
    held = f"; Enter starts what is in {' '.join(reply.held)}" if reply.held else ""
    write_line(f"{reply.session} restored: {_count(len(reply.panes), 'pane')}{resumed}{held}")
