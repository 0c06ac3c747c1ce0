"""Which sources a pane should have and has not, for `explain` and `doctor`. Pure; changes no status.

Rule 1: a source is missed `GRACE_S` after it could have spoken first: the plugin, OSC 7501 and the title when the
        agent came; hooks, session files and progress when a turn began, for some speak at the first prompt.
Rule 2: a title or progress is missed only where nothing stronger speaks: agents that report otherwise leave them
        alone. The screen and output are looked at by ourselves.
Rule 3: one that has spoken is missed when it has fallen silent or has withdrawn what it said.
"""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.status import reporters
from orca_tui.status.arbiter import RANKS
from orca_tui.status.pane import Pane
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source

GRACE_S = 10.0  # Agents take up to 3 s to draw their first screen; a loaded machine as long again.

WORDS = {
    Source.PLUGIN: "the status plugin",
    Source.PROGRAM_STATUS: "OSC 7501",
    Source.SESSION_FILE: "the session file",
    Source.HOOK: "hooks",
    Source.TITLE: "the title",
    Source.PROGRESS: "progress",
}
WITH_THE_AGENT = frozenset({Source.PLUGIN, Source.PROGRAM_STATUS, Source.TITLE})
IF_NOTHING_STRONGER = frozenset({Source.TITLE, Source.PROGRESS})


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """A source that should speak and does not."""

    source: Source
    why: str
    """A sentence for people."""
    since: float
    """Unix seconds."""


def missing(pane: Pane, profile: Profile, now: float) -> list[Missing]:
    """The sources that the pane's agent should have and has not, strongest first."""
    if pane.record.agent is None:
        return []
    expected = sorted(set(profile.expects) & set(WORDS), key=RANKS.index)
    found = [_missed(pane, source, now) for source in expected]
    return [one for one in found if one is not None]


def _missed(pane: Pane, source: Source, now: float) -> Missing | None:
    heard_at = pane.heard.get(source)
    if heard_at is not None:
        return _fallen_silent(pane, source, heard_at, now)
    since, what = _first_chance(pane, source)
    if since is None or now < since + GRACE_S:
        return None
    stronger = any(RANKS.index(other) < RANKS.index(source) for other in pane.heard)
    if source in IF_NOTHING_STRONGER and stronger:
        return None  # Rule 2.
    why = f"{WORDS[source]} said nothing since {what} {now - since:.0f} s ago"
    return Missing(source=source, why=why, since=since)


def _first_chance(pane: Pane, source: Source) -> tuple[float | None, str]:
    """Rule 1."""
    if source in WITH_THE_AGENT:
        return pane.agent_at, "the pane was opened" if pane.child_is_agent else "the agent was found"
    if pane.turn_source is not None:
        return pane.record.turn_started_at, "the turn began"
    ended = pane.end_source is not None
    return (pane.record.since if ended else None), "a turn ended"


def _fallen_silent(pane: Pane, source: Source, heard_at: float, now: float) -> Missing | None:
    """Rule 3."""
    if source is Source.PLUGIN and pane.record.agent is not None:
        reading = reporters.read(pane.reporters, pane.record.agent, now)
        if reading is None or not reading.fresh:
            why = f"the status plugin was heard last {now - heard_at:.0f} s ago"
            return Missing(source=source, why=why, since=heard_at)
    if source is Source.PROGRAM_STATUS and not pane.programs.records:
        why = f"OSC 7501 withdrew its report {now - heard_at:.0f} s ago"
        return Missing(source=source, why=why, since=heard_at)
    return None
