"""Reads the screens of panes whose agents have rules for them. Decides when; what a screen says is for the rules.

Rule 1: a screen is read only while it could matter: no stronger source holds that can tell, or the screen is known
        to show what the one that holds misses, or it has the words of an ask or an error for which that one has
        none, or a title holds that will not tell how a turn ends. When it stops to matter, what it said is taken
        back.
Rule 2: it is read when output has paused for `QUIET_S`, and every `EVERY_S` while output goes on, the live screen
        alone, never while the program holds its updates back.
Rule 3: rest that is seen amid output counts once it has been seen for `REST_S`: between two steps of a turn a
        screen may look like rest.
Rule 4: work of which nothing is seen any more counts for `HOLD_S` longer: spinners go away between steps.
Rule 5: when another agent is in the pane, its title and progress are read again by the new one's rules, and the
        title of one that has left is not kept as the pane's, nor one that says of a program that ended that it works.
Rule 6: what an agent notified of is answered when a stronger source says that it does something else.
Rule 7: rest that was seen before a turn began, of which another source tells, is said anew when it is seen after it.
Rule 8: at rest, where the source that holds may not know whether anybody is signed in, the screen is read for that
        alone.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orca_tui.agents.rules import Rule, RuleSet, Told, told
from orca_tui.agents.rules_regions import Glance
from orca_tui.base.ids import PaneId
from orca_tui.base.timers import CallLater, Timer
from orca_tui.commands.events import TitleEvent
from orca_tui.server.panes import Pane
from orca_tui.status.arbiter import RANKS
from orca_tui.status.blindspots import RESTS_WELL
from orca_tui.status.events import Event, Says, StateSaid
from orca_tui.status.profile import Missed, Profile
from orca_tui.status.record import Kind, Source, Status, StatusRecord

if TYPE_CHECKING:
    from orca_tui.server.session import Session

QUIET_S = 0.2  # Longer than the pauses inside of one update, and well within the second of a true status.
EVERY_S = 0.5
REST_S = 1.0
HOLD_S = 3.0

RESTING = frozenset({Says.IDLE, Says.AT_REST, Says.FAILED, Says.ENDED})


@dataclass(kw_only=True, slots=True)
class _Watched:
    """A pane whose screen is read."""

    rules: tuple[Rule, ...]
    wrote_at: float
    """When its program last wrote, monotonic seconds like the others."""
    looked_at: float
    timer: Timer | None = None
    told: Told | None = None
    """The last word that was believed, unless it was nothing."""
    worked_at: float = 0.0
    """When work was last seen."""
    resting_since: float | None = None
    """Since when rest is seen amid output."""


@dataclass(kw_only=True, slots=True)
class _Known:
    """What is known of any pane."""

    agent: str | None = None
    watched: _Watched | None = None
    again: Timer | None = None
    """Set while its title is to be read again."""


class ScreenWatch:
    """The screens of a session's panes."""

    def __init__(self, session: Session, call_later: CallLater | None = None) -> None:
        self._session = session
        self._call_later = call_later or asyncio.get_running_loop().call_later
        self._panes: dict[PaneId, _Known] = {}

    def wrote(self, pane: Pane) -> None:
        """A program wrote. Cheap, since it comes with every read."""
        known = self._panes.get(pane.id)
        if known is None or known.watched is None:
            return
        watched = known.watched
        watched.wrote_at = self._now()
        if watched.timer is None:
            self._look_in(pane, watched, QUIET_S)

    def changed(self, record: StatusRecord) -> None:
        """A pane has another record: its screen may have begun or ceased to matter."""
        pane = self._session.panes.get(PaneId(record.pane))
        if pane is None:
            return
        known = self._panes.setdefault(pane.id, _Known())
        if record.status is Status.EXITED and self._title_says_work(pane):
            self._call_later(0.0, lambda: self._forget_title(pane))
        if record.agent != known.agent:
            self._agent_changed(pane, known, record.agent)
        if pane.facts.asked_by_notification and _is_answered(record):
            pane.facts.asked_by_notification = False
            self._call_later(0.0, lambda: self._session.observe(pane.id, self.shown(pane, Source.PROGRESS)))
        rules = self._session.parts.agents.rules(record.agent)
        profile = self._session.parts.agents.profile(record.agent)
        told_before = known.watched.told if known.watched else None
        wanted = _wanted(record, rules, profile, known.watched) if record.agent is not None else ()
        if known.watched is not None and known.watched.rules != wanted:
            _stop(known.watched.timer)
            known.watched = None
            if told_before is not None and record.status is not Status.EXITED:
                self._call_later(0.0, lambda: self._take_back(pane))
        if not wanted:
            return
        if known.watched is None:
            self._watch(pane, known, wanted)
        elif _is_of_before(record, told_before):
            self._begin_anew(pane, known.watched)

    def forget(self, pane_id: PaneId) -> None:
        """The pane is closed."""
        known = self._panes.pop(pane_id, None)
        if known is not None:
            _stop(known.again)
            _stop(known.watched.timer if known.watched else None)

    # Watching

    def _watch(self, pane: Pane, known: _Known, rules: tuple[Rule, ...]) -> None:
        now = self._now()
        known.watched = _Watched(rules=rules, wrote_at=now, looked_at=now)
        self._look_in(pane, known.watched, QUIET_S)

    def _begin_anew(self, pane: Pane, watched: _Watched) -> None:
        """Rule 7."""
        watched.told = None
        self._call_later(0.0, lambda: self._take_back(pane))
        if watched.timer is None:
            self._look_in(pane, watched, QUIET_S)

    def _take_back(self, pane: Pane) -> None:
        """What was said holds no longer. Not at once, since somebody is telling of a change right then."""
        at = self._session.now()
        nothing = StateSaid(at=at, source=Source.SCREEN, says=Says.NOTHING, detail="no longer looked at")
        self._session.observe(pane.id, [nothing])

    def _look_in(self, pane: Pane, watched: _Watched, delay: float) -> None:
        _stop(watched.timer)  # What was observed may have asked for another look already.
        watched.timer = self._call_later(delay, lambda: self._due(pane, watched))

    def _due(self, pane: Pane, watched: _Watched) -> None:
        watched.timer = None
        now = self._now()
        quiet = now >= watched.wrote_at + QUIET_S
        due_at = min(watched.wrote_at + QUIET_S, watched.looked_at + EVERY_S)
        if now < due_at:
            self._look_in(pane, watched, due_at - now)
        elif pane.engine.held():
            self._look_in(pane, watched, QUIET_S)
        else:
            watched.looked_at = now
            again = self._looked(pane, watched, quiet=quiet)
            known = self._panes.get(pane.id)
            if again is not None and known is not None and known.watched is watched:
                self._look_in(pane, watched, again)

    def _looked(self, pane: Pane, watched: _Watched, *, quiet: bool) -> float | None:
        """Read the screen once; in how many seconds it has to be read again, None: when something is written."""
        screen = pane.engine.screen_text(unwrap=False).split("\n")
        glance = Glance(lines=tuple(screen), cursor_row=pane.engine.cursor().y)
        found = told(watched.rules, Source.SCREEN, glance, self._session.now())
        again = None if quiet else QUIET_S
        if found is None:
            return again
        wait = self._wait(watched, found.said.says, quiet=quiet)
        if wait > 0:
            return min(wait, again or wait)
        if not _same(watched.told, found):
            watched.told = None if found.said.says is Says.NOTHING else found
            self._session.observe(pane.id, found.events())
        return again

    def _wait(self, watched: _Watched, says: Says, *, quiet: bool) -> float:
        """Seconds for which a word is not believed yet (rules 3 and 4)."""
        now = self._now()
        if says is Says.WORKING:
            watched.worked_at = now
        if says not in RESTING:
            watched.resting_since = None
        if says is Says.NOTHING and watched.told is not None and watched.told.said.says is Says.WORKING:
            return watched.worked_at + HOLD_S - now
        if says in RESTING and not quiet:
            since = watched.resting_since if watched.resting_since is not None else now
            watched.resting_since = since
            return since + REST_S - now
        return 0.0

    # Agents that come and go

    def _agent_changed(self, pane: Pane, known: _Known, agent: str | None) -> None:
        if known.watched is not None:
            _stop(known.watched.timer)
            known.watched = None
        known.agent = agent
        _stop(known.again)
        known.again = self._call_later(0.0, lambda: self._read_again(pane, known))

    def _read_again(self, pane: Pane, known: _Known) -> None:
        """Rule 5."""
        known.again = None
        if pane.id not in self._session.panes:
            return
        if known.agent is None:
            self._left_behind(pane)
            return
        if pane.facts.titled_by_program:
            self._session.observe(pane.id, self.shown(pane, Source.TITLE))
        if pane.facts.progress:
            self._session.observe(pane.id, self.shown(pane, Source.PROGRESS))

    def _left_behind(self, pane: Pane) -> None:
        facts = pane.facts
        facts.progress = ""
        if facts.titled_by_program and pane.exit_code is None:
            self._forget_title(pane)

    def _forget_title(self, pane: Pane) -> None:
        pane.facts.title, pane.facts.titled_by_program = "", False
        self._session.events.publish(TitleEvent(pane=pane.id, title="", at=self._session.now()))
        if pane.id in self._session.panes:
            self._session.tell_changed(pane)

    def _title_says_work(self, pane: Pane) -> bool:
        by_rules = self._said(pane, Source.TITLE) if pane.facts.titled_by_program else None
        return by_rules is not None and by_rules.said.says is Says.WORKING

    def shown(self, pane: Pane, source: Source) -> list[Event]:
        """What the title or the progress of a pane says by the rules of its agent, if there are any."""
        found = self._said(pane, source)
        return found.events() if found else []

    def _said(self, pane: Pane, source: Source) -> Told | None:
        rules = self._session.parts.agents.rules(self._session.board.record(pane.id).agent).of(source)
        glance = Glance(title=pane.facts.title, progress=pane.facts.progress)
        return told(rules, source, glance, self._session.now()) if rules else None

    def _now(self) -> float:
        return self._session.parts.clock.monotonic()


def _is_answered(record: StatusRecord) -> bool:
    """Rule 6."""
    by = record.evidence.source if record.evidence is not None else Source.OUTPUT
    stronger = RANKS.index(by) < RANKS.index(Source.PROGRESS)
    return stronger and record.status not in (Status.WAITING, Status.UNKNOWN)


def _is_of_before(record: StatusRecord, before: Told | None) -> bool:
    """Rule 7."""
    rested = before is not None and before.said.says in RESTING
    by_another = record.evidence is not None and record.evidence.source is not Source.SCREEN
    return rested and by_another and record.status is Status.WORKING


def _title_cannot_tell(record: StatusRecord, rules: RuleSet) -> bool:
    """A title holds that says nothing of an end but that nothing runs: only who has seen the turn can tell it."""
    holds = record.evidence is not None and record.evidence.source is Source.TITLE
    says_rest = any(rule.says is Says.AT_REST for rule in rules.of(Source.TITLE))
    return holds and says_rest and record.status is not Status.EXITED


def _matters(record: StatusRecord, profile: Profile, before: Told | None) -> bool:
    """Rule 1; `before` is what the screen has told."""
    if record.status is Status.EXITED:
        return False
    evidence = record.evidence
    if evidence is None or not record.confirmed or record.status is Status.UNKNOWN:
        return True
    if RANKS.index(evidence.source) >= RANKS.index(Source.SCREEN):
        return True
    if record.status in (Status.WAITING, Status.ERROR) and record.message in (
        None,
        before and before.said.text,
    ):
        return True
    return any(
        spot.source is evidence.source and Source.SCREEN in spot.shown_by
        for spot in profile.blind_spots
        if spot.misses is not Missed.SIGN_IN
    )


def _wanted(
    record: StatusRecord, rules: RuleSet, profile: Profile, watched: _Watched | None
) -> tuple[Rule, ...]:
    """The rules by which the screen is read now: all of them, those of rule 8, or none."""
    sign_in = _sign_in_rules(rules)
    holds = record.evidence is not None and record.evidence.source is Source.SCREEN
    if watched is not None and watched.rules == sign_in and holds and record.kind is Kind.AUTH:
        return sign_in
    if _matters(record, profile, watched.told if watched else None) or _title_cannot_tell(record, rules):
        return rules.of(Source.SCREEN)
    return sign_in if _misses_sign_in(record, profile) else ()


def _misses_sign_in(record: StatusRecord, profile: Profile) -> bool:
    source = record.evidence.source if record.evidence is not None else None
    spots = [spot for spot in profile.blind_spots if spot.misses is Missed.SIGN_IN]
    return record.status in RESTS_WELL and any(spot.source is source for spot in spots)


def _sign_in_rules(rules: RuleSet) -> tuple[Rule, ...]:
    """What stands at the bottom of a screen goes when it is no longer so; what was printed above it stays."""
    return tuple(
        rule for rule in rules.of(Source.SCREEN) if rule.kind is Kind.AUTH and rule.region == "bottom"
    )


def _same(before: Told | None, found: Told) -> bool:
    return found.said.says is Says.NOTHING if before is None else before.word == found.word


def _stop(timer: Timer | None) -> None:
    if timer is not None:
        timer.cancel()
