"""What programs in panes may have the server do. Pure: a caller's rights and what it reaches for -> a verdict.

Rule 1: who is outside of all panes may do everything.
Rule 2: everybody is told names and statuses; what other panes show, say and were told is left out of that.
Rule 3: nobody in a pane says what panes may do, whatever it was granted.
Rule 4: a pane that is gone has nothing left: what outlives it is told names and statuses, and no more.
Rule 5: with `all` a pane's programs may do everything else.
Rule 6: a pane's programs may do everything with its own pane, with those that they opened, those that were opened
from there in turn, and those that were granted to it.
Rule 7: with `tab` they may also read the panes of their tab, wait for them and leave them words; nothing with hands.
Rule 8: what reaches for several panes needs all of them; what reaches for something in no pane needs `all`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from orca_tui.commands.spec import Reach

Level: TypeAlias = Literal["own", "tab", "all"]
"""How far a pane's programs reach without a grant, from the least to the most."""

LEVELS: tuple[Level, ...] = ("own", "tab", "all")

GRANTABLE: tuple[Level, ...] = ("tab", "all")
"""What can be granted beside panes."""

ELSEWHERE = ""
"""In place of a pane: a session that runs in none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rights:
    """What the programs of one pane may do."""

    pane: str
    level: Level = "own"
    drives: frozenset[str] = frozenset()
    """Panes with which they may do everything; empty for a pane that is gone."""
    reads: frozenset[str] = frozenset()
    """Panes of their tab, when the level is `tab`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether it may be done, by which rule, and what the user could grant for it."""

    allowed: bool
    rule: int
    beyond: tuple[str, ...] = ()
    """The panes that it may not touch."""
    grant: tuple[str, ...] = ()
    """What would allow it: panes, or `all`; empty: nothing would."""


def decide(rights: Rights | None, reach: Reach, panes: Collection[str]) -> Verdict:
    """Judge one command; `rights` None is a caller outside, `panes` are those that it names."""
    if rights is None:
        return Verdict(allowed=True, rule=1)
    match reach:
        case Reach.NAMES:
            return Verdict(allowed=True, rule=2)
        case Reach.GRANTS:
            return Verdict(allowed=False, rule=3)
        case Reach.WORDS | Reach.HANDS | Reach.SERVER:
            return _decide(rights, reach, panes)
        case _:
            assert_never(reach)


def _decide(rights: Rights, reach: Reach, panes: Collection[str]) -> Verdict:
    if not rights.drives:
        return Verdict(allowed=False, rule=4, beyond=tuple(panes))
    if rights.level == "all":
        return Verdict(allowed=True, rule=5)
    if reach is Reach.SERVER or ELSEWHERE in panes:
        return Verdict(allowed=False, rule=8, grant=("all",))
    beyond = tuple(sorted(set(panes) - rights.drives))
    if not beyond:
        return Verdict(allowed=True, rule=6)
    if reach is Reach.WORDS and rights.reads.issuperset(beyond):
        return Verdict(allowed=True, rule=7)
    return Verdict(allowed=False, rule=8 if len(panes) > 1 else 6, beyond=beyond, grant=beyond)
