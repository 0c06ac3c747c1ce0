"""What a pane's agent should tell of itself and does not, why, and what to do about it. Changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orca_tui.agents.adapter import AgentAdapter, NeedsConsent
from orca_tui.agents.hook_settings import SWITCH, settings_files, switches_hooks_off
from orca_tui.agents.invocation import program_of
from orca_tui.base.versions import is_newer
from orca_tui.commands.explain import MissingSource
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.status.expectations import Missing
from orca_tui.status.record import Kind, Source, Status, StatusRecord

MAX_SETTINGS_BYTES = 1 << 20  # Far more than anybody's settings.


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """What the reasons are taken from."""

    pane: str
    agent: str
    title: str
    """The agent's, for people."""
    launched: bool
    """We started its command, with our options."""
    note: str = ""
    """What went wrong when the pane was opened."""
    needs_consent: bool = False
    """The user has not agreed to its hooks."""
    hooks_off_in: str = ""
    """The settings file that switches them off."""
    version: str | None = None
    verified: str | None = None
    """The newest version that its rules were checked with."""
    has_rules: bool = False
    status: Status = Status.UNKNOWN
    kind: Kind | None = None
    """What it waits for."""


async def missing_sources(session: Session, pane: Pane) -> tuple[MissingSource, ...]:
    """The sources that a pane misses, strongest first."""
    record = session.board.record(pane.id)
    adapter = session.parts.agents.by_name(record.agent)
    if adapter is None:
        return ()
    missing = session.board.missing(pane.id, session.now())
    about = await _circumstances(session, pane, adapter, record)
    return (*(explained(one, about) for one in missing), *_unmatched(about, record.since))


def explained(missing: Missing, about: Circumstances) -> MissingSource:
    """A source that is missed, with the reason and what to do, as far as they can be told."""
    reason, fix = _reason(missing.source, about)
    why = f"{missing.why}: {reason}" if reason else missing.why
    return MissingSource(source=missing.source, why=why, since=missing.since, fix=fix)


def _reason(source: Source, about: Circumstances) -> tuple[str, str]:
    by_hand = "it was started by hand, without our options"
    again = f"`orca-tui open --agent {about.agent}` starts it with them"
    match source:
        case Source.PLUGIN if about.note:
            return about.note, "`orca-tui plugin status`"
        case Source.PLUGIN:
            return "it has not loaded our plugin", "`orca-tui plugin install`, then start it again"
        case Source.HOOK if about.hooks_off_in:
            return (
                f"{SWITCH} in {about.hooks_off_in} switches all hooks off",
                f"take {SWITCH} out of {about.hooks_off_in}, then start it again",
            )
        case Source.HOOK if about.needs_consent:
            return "you have not allowed its hooks", f"`orca-tui agents allow {about.agent}`"
        case Source.HOOK if about.note:
            return about.note, again
        case Source.HOOK if not about.launched:
            return by_hand, again
        case Source.PROGRAM_STATUS if about.kind is Kind.AUTH:
            return "nobody is signed in", f"sign in to {about.title} in its pane"
        case Source.PROGRAM_STATUS if about.status is Status.WAITING:
            return "it asks before it begins", "answer it in its pane"
        case Source.PROGRAM_STATUS:
            return "", f"update {about.title}, should it be too old for that"
        case _:
            return "", ""


def _unmatched(about: Circumstances, since: float) -> tuple[MissingSource, ...]:
    """The rules of an agent say nothing of what it shows, and nothing else tells."""
    if not about.has_rules or about.status is not Status.UNKNOWN:
        return ()
    why, fix = "no rule matches what it shows", f"`orca-tui read {about.pane}` prints that"
    if about.version and about.verified and is_newer(about.version, about.verified):
        why = f"{why}; it is version {about.version}, its rules were checked with {about.verified}"
        fix = f"update orca-tui, or add rules to [agents.{about.agent}] in the settings"
    return (MissingSource(source=Source.SCREEN, why=why, since=since, fix=fix),)


async def _circumstances(
    session: Session, pane: Pane, adapter: AgentAdapter, record: StatusRecord
) -> Circumstances:
    environment = session.following.environment(pane.id)
    files = settings_files(adapter.name, environment, pane.facts.directory)
    rules = session.parts.agents.rules(adapter.name)
    asks = isinstance(adapter, NeedsConsent) and not session.consent.allows(adapter.name)
    # What could explain something is asked for only then: a version may take a second.
    unmatched = rules.verified is not None and record.status is Status.UNKNOWN
    return Circumstances(
        pane=pane.id,
        agent=adapter.name,
        title=adapter.title,
        launched=pane.facts.is_agent,
        note=pane.facts.note,
        needs_consent=asks,
        hooks_off_in=await asyncio.to_thread(_hooks_off_in, files) if files else "",
        version=await _version(session, pane, adapter) if unmatched else None,
        verified=rules.verified,
        has_rules=bool(rules.rules),
        status=record.status,
        kind=record.kind,
    )


async def _version(session: Session, pane: Pane, adapter: AgentAdapter) -> str | None:
    program = program_of(pane.facts.command)
    command = program.name if program is not None and program.name in adapter.commands else adapter.name
    environment = session.following.environment(pane.id)
    return await session.versions.of(command, adapter.packages, environment)


def _hooks_off_in(files: Sequence[str]) -> str:
    for file in files:
        try:
            with Path(file).open("rb") as settings:
                if switches_hooks_off(settings.read(MAX_SETTINGS_BYTES)):
                    return file
        except OSError:
            continue  # It is not there, or not ours to read.
    return ""
