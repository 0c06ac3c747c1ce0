"""Replies as text for people, or as JSON. Decides nothing; what programs said is printed without control codes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from orca_tui.cli.plugin_rows import print_plugins
from orca_tui.cli.session import Session, write_json, write_line
from orca_tui.cli.tables import aligned, elapsed, plain
from orca_tui.commands.spec import Command, Empty
from orca_tui.wire import PaneInfo

Printer: TypeAlias = Callable[[Session, Any], None]

SHELL = "shell"
"""In place of a status, which a plain shell has none of."""
GLYPHS = {
    "unknown": "?",
    "idle": "○",
    "working": "●",
    "waiting": "▲",
    "done": "✓",
    "error": "✗",
    "exited": "■",
    SHELL: "›",
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
    SHELL: "$",
}
"""For a stdout whose encoding has no others."""


SESSIONS_HEADING = ("SESSION", "SAVED", "WORKSPACES", "PANES", "CONVERSATIONS")
AGENTS_HEADING = ("AGENT", "VERSION", "FOUND AT", "EVIDENCE", "CONSENT")
HEADING = ("", "PANE", "STATUS", "SINCE", "AGENT", "TAB", "DIRECTORY", "WHAT")


def print_reply(session: Session, spec: Command[Any, Any], reply: Any) -> None:
    """Print the reply of a command that is no stream."""
    if not session.json:
        if not isinstance(reply, Empty):
            FOR_PEOPLE[spec.name](session, reply)
    elif spec.prints is not None:
        for part in getattr(reply, spec.prints):
            write_json(part)
    else:
        write_json(reply)


def print_item(session: Session, spec: Command[Any, Any], item: Any) -> None:
    """Print one item of a stream: JSON, since scripts read it, unless it goes to a terminal."""
    told = getattr(item, spec.prints) if spec.prints else item
    if session.json or not sys.stdout.isatty():
        write_json(told)
    else:
        from orca_tui.cli.event_lines import event_line  # Loads every event, which no other command needs.

        write_line(plain(event_line(told)))


def _said(words: Callable[[Any], str]) -> Printer:
    """A reply that is one line."""
    return lambda _, reply: write_line(words(reply))


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
    return (
        _glyph(pane),
        pane.pane + (" ◆" if pane.unread and _can_print("◆") else ""),
        _status_word(pane),
        elapsed(now - pane.since) if pane.since and not pane.is_plain_shell else "",
        pane.agent or "",
        pane.tab,
        plain(_shortened(pane.cwd, home)),
        plain(_what(pane)),
    )


def _status_word(pane: PaneInfo) -> str:
    """The status with what is waited for; a plain shell has none."""
    if pane.is_plain_shell:
        return SHELL
    status = pane.status + ("" if pane.confirmed else "?")
    return f"{status} ({pane.kind})" if pane.kind else status


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


def _print_waited(session: Session, pane: PaneInfo) -> None:
    _print_panes(session, (pane,), heading=False)


def _print_read(_: Session, reply: Any) -> None:
    sys.stdout.write(reply.text + ("" if reply.text.endswith("\n") else "\n"))


def _print_reloaded(session: Session, plugin: Any) -> None:
    print_plugins(session, (plugin,), heading=False)


def _granted(reply: Any) -> str:
    return f"{reply.pane}: {' '.join(reply.granted) or 'nothing'} granted"


def _consented(reply: Any) -> str:
    return f"{reply.agent}: {reply.consent}; {reply.done}"


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
    if not sessions:
        write_line("no turn runs")
    now = session.outside.clock.now()
    rows = [(one.pane, elapsed(now - one.since), name) for name, one in sessions.items()]
    for line in aligned(rows, session.width()):
        write_line(line)


def _print_record(_: Session, pane: PaneInfo) -> None:
    fields = msgspec.to_builtins(pane)
    if pane.is_plain_shell:
        fields["status"] = SHELL
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
    write_line(plain(f"{_glyph(reply.pane)} {reply.pane.pane}: {reply.verdict}"))
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


def _glyph(pane: PaneInfo) -> str:
    word = SHELL if pane.is_plain_shell else pane.status
    glyph = GLYPHS[word]
    return glyph if _can_print(glyph) else ASCII_GLYPHS[word]


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
    if not rows:
        write_line("no session is saved")
        return
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


def _restored(reply: Any) -> str:
    resumed = f"; {_count(len(reply.resumed), 'conversation')} resumed" if reply.resumed else ""
    held = f"; Enter starts what is in {' '.join(reply.held)}" if reply.held else ""
    return f"{reply.session} restored: {_count(len(reply.panes), 'pane')}{resumed}{held}"


FOR_PEOPLE: dict[str, Printer] = {
    "open": _said(lambda reply: reply.pane),
    "list": lambda session, reply: _print_panes(session, reply.panes),
    "wait": _print_waited,
    "send": _said(_sent),
    "inbox list": lambda session, reply: _print_notices(session, reply.notices),
    "inbox cancel": _said(lambda reply: f"cancelled {reply.id}"),
    "inbox update": _said(lambda reply: f"{reply.id} goes as {reply.delivery}"),
    "active": lambda session, reply: _print_active(session, reply.sessions),
    "interrupt": _said(lambda reply: "interrupted" if reply.interrupted else "nothing ran"),
    "whoami": _said(_caller),
    "grants": lambda session, reply: _print_grants(session, reply.grants),
    "grant": _said(_granted),
    "revoke": _said(_granted),
    "get": _print_record,
    "explain": _print_explanation,
    "read": _print_read,
    "server status": _print_server,
    "server stop": _said(lambda reply: f"stopped; {_count(len(reply.closed), 'pane')} ended"),
    "sessions list": lambda session, reply: _print_sessions(session, reply.sessions),
    "sessions restore": _said(_restored),
    "agents list": lambda session, reply: _print_agents(session, reply.agents),
    "agents allow": _said(_consented),
    "agents deny": _said(_consented),
    "plugins list": lambda session, reply: print_plugins(session, reply.plugins),
    "plugins reload": _print_reloaded,
    "plugins run": _said(lambda reply: f"{reply.plugin}: {reply.command} is done"),
    "close": _said(lambda reply: f"closed {' '.join(reply.closed)}"),
    "detach": _said(lambda reply: f"{_count(reply.detached, 'UI')} detached"),
}
"""By the command's name: how a reply is told without `--json`. A command that has nothing to say is not here."""
