"""Who hosts a pane's session: the process that reports it, and what the session runs as. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.status.pane import Pane
from orca_tui.status.session_table import ProcessKey


@dataclass(frozen=True, kw_only=True, slots=True)
class Hosting:
    process: ProcessKey
    mode: str | None
    """The host's name of it, such as `build` or `plan`; None where it has not said."""


def hosting_of(pane: Pane) -> Hosting | None:
    """The host of the session that the pane shows; None where no reporter knows it."""
    wanted = pane.record.session_id
    reporters = sorted(pane.reporters.by_process.values(), key=lambda one: one.heard_at, reverse=True)
    for reporter in reporters:
        session = reporter.sessions.by_id.get(wanted) if wanted is not None else None
        if session is not None and not reporter.released:
            row = session.row
            return Hosting(process=reporter.process, mode=row.agent if row is not None else None)
    return None
