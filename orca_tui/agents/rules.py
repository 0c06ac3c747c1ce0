"""What an agent's terminal shows, and the rules that read a state from it. Pure; the files are `rules_file.py`.

Rule 1: each source has its own rules: the title, the progress (OSC 9;4) and notices, the screen.
Rule 2: of the rules that match, the one of the highest priority tells; of equal ones the first.
Rule 3: a rule that skips changes nothing: what the screen shows then is no state, such as a transcript.
Rule 4: where no rule matches, the source has stopped to say anything. A state is never assumed. A rule whose expression
        takes too long matches nothing, and that is said where nothing else matches.
Rule 5: a rule that says interrupted has seen the agent say that its user stopped the turn: that is idle, and as good
        as the key itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orca_tui.agents.rules_regions import Glance, Region, Regions
from orca_tui.agents.text import MAX_MESSAGE, one_line
from orca_tui.base.errors import TooSlow
from orca_tui.base.patterns import Pattern
from orca_tui.status.events import Event, InterruptPressed, Says, StateSaid
from orca_tui.status.failures import failure
from orca_tui.status.record import Kind, Source

RULE_S = 0.05
"""An expression reads some rows in far less than a millisecond; the server waits for none that does not."""

SOURCE_OF_REGION = {
    Region.TITLE: Source.TITLE,
    Region.PROGRESS: Source.PROGRESS,
    Region.NOTIFICATION: Source.PROGRESS,
}
"""All other regions are of the screen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """What a text must be like; everything that is given must hold, and one that gives nothing holds."""

    contains: tuple[str, ...] = ()
    """All of these stand in it."""
    regex: Pattern | None = None
    """Found anywhere in it; `^` and `$` are the ends of its lines, `\\A` and `\\Z` its own."""
    any: tuple[Condition, ...] = ()
    all: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()

    def holds(self, text: str) -> bool:
        return (
            all(part in text for part in self.contains)
            and (self.regex is None or self.regex.finds(text, within_s=RULE_S))
            and (not self.any or any(one.holds(text) for one in self.any))
            and all(one.holds(text) for one in self.all)
            and not any(one.holds(text) for one in self.none)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One rule of a file."""

    id: str
    region: Region
    count: int
    """How much of the region counts: lines of `bottom`, paragraphs of `above_cursor`."""
    condition: Condition
    says: Says | None
    """None for a rule that skips."""
    interrupted: bool = False
    """It says idle because the user has stopped the turn."""
    kind: Kind | None = None
    """Of the ask; of a failure, where its text does not tell."""
    priority: int = 0
    text: Pattern | None = None
    """Its first group is the text of the ask or of the error."""

    @property
    def source(self) -> Source:
        return SOURCE_OF_REGION.get(self.region, Source.SCREEN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a rule told."""

    said: StateSaid
    interrupted: bool = False

    @property
    def word(self) -> tuple[object, ...]:
        """What makes it another word than one before it."""
        said = self.said
        return said.says, said.kind, said.text, self.interrupted

    def events(self) -> list[Event]:
        """Rule 5."""
        return [InterruptPressed(at=self.said.at), self.said] if self.interrupted else [self.said]


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """The rules of one agent."""

    rules: tuple[Rule, ...] = ()
    """By priority, highest first."""
    verified: str | None = None
    """The newest version of the agent that they were checked with."""

    def of(self, source: Source) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if rule.source is source)

    def at(self, region: Region) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if rule.region is region)


NO_RULES = RuleSet()


def ordered(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """By priority, highest first (rule 2)."""
    return tuple(sorted(rules, key=lambda rule: -rule.priority))


def told(rules: Sequence[Rule], source: Source, glance: Glance, at: float) -> Told | None:
    """What rules of one source say of a glance; None when it must change nothing (rule 3)."""
    regions = Regions(glance)
    nothing = "no rule matches"
    for rule in rules:
        text = regions.text(rule.region, rule.count)
        try:
            if text is not None and rule.condition.holds(text):
                said = _said(rule, text, at)
                return None if said is None else Told(said=said, interrupted=rule.interrupted)
        except TooSlow as error:
            nothing += f"; {rule.id}: {error.message}"
    return Told(said=StateSaid(at=at, source=source, says=Says.NOTHING, detail=nothing))


def _said(rule: Rule, text: str, at: float) -> StateSaid | None:
    if rule.says is None:
        return None
    message = _text_of(rule, text)
    said = StateSaid(
        at=at, source=rule.source, says=rule.says, detail=f"rule {rule.id}", kind=rule.kind, text=message
    )
    if rule.says is not Says.FAILED:
        return said
    failed = failure(message, at)
    kind = rule.kind if rule.kind and failed.kind is Kind.OTHER else failed.kind
    return replace(said, kind=kind, resets_at=failed.resets_at)


def _text_of(rule: Rule, text: str) -> str | None:
    found = rule.text.first_group(text, within_s=RULE_S) if rule.text else None
    return one_line(found, MAX_MESSAGE) if found is not None else None
