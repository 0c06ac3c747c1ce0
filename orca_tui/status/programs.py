"""The records that the programs of a pane keep by OSC 7501, and what they say together. Pure.

Rule 1: each report replaces its record; `clear` removes it and what is below it, without an id everything.
Rule 2: blocked anywhere is waiting; else working anywhere is working; else the root says how it rests.
Rule 3: a turn starts when the root starts to work. It ends done, error, or, when the root says idle,
        interrupted; an error within `INTERRUPT_S` after an interrupt key is an interrupt as well: some
        programs call it that. What other records do ends no turn, and a root that is cleared ends none either.
Rule 4: idle after an end is the same rest: some programs say it at the user's next key. A flicker of work after
        an end, be it only in the title, is another session, in which no turn has ended.
Rule 5: work that comes out of rest is shown once it has lasted `FLICKER_S`: between sessions, programs flicker. Work
        that a prompt was heard for is shown at once.
Rule 6: the root's end drops what is blocked below it.
Rule 7: a shell prompt drops what works and what is blocked: its program is gone. Ends survive.
Rule 8: a root that is cleared takes its leave: what a level says of work after that, such as a session file that is
        busy with its own end, is no turn, until the program reports again or a prompt is heard of.
Rule 9: work without a prompt may be the program's own start, or the change to another session: where it begins around
        either, and wherever hooks tell of prompts, `CHANGE_S` takes the place of `FLICKER_S`. What is over sooner was
        no turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from orca_tui.status.events import ProgramReported, ProgramState
from orca_tui.status.failures import failure
from orca_tui.status.levels import INTERRUPT_S
from orca_tui.status.reading import Reading, status_of_end
from orca_tui.status.record import Source, Status
from orca_tui.status.turns import End, Ending

FLICKER_S = 0.2
"""Codex says working and idle within 60 ms when it starts and at `/new`, 100 ms under load; no turn is that short."""
CHANGE_S = 0.5
"""Claude Code works for 0.3 s to clear a session; work that is one is still shown within the second."""
CHANGES_WITHIN_S = 1.0
"""So far from a start or a change its own work may begin: what names the session is read up to as much later."""
MAX_RECORDS = 256  # As the specification asks; the ones reported longest ago go first.

ROOT = ""
REST = frozenset({ProgramState.IDLE, ProgramState.DONE, ProgramState.ERROR})
ACTIVE = frozenset({ProgramState.WORKING, ProgramState.BLOCKED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Programs:
    """The records by path, oldest report first, and the turns that were seen in them."""

    records: Mapping[str, ProgramReported] = field(default_factory=dict)
    turn_since: float | None = None
    """When the root started its turn; None while it rests."""
    began_at: float = float("-inf")
    """When the turn that runs, or the last one, began."""
    active_since: float | None = None
    """When anything began to work or to be blocked; None while everything rests."""
    last_end: End | None = None
    ends: int = 0
    asks: int = 0
    """Asks so far; the last one is open while something is blocked."""
    changed_at: float = 0.0
    session_at: float | None = None
    """When the program reported first, or another session was shown, until a prompt or an ask is heard of (rule 9)."""
    tells_prompts: bool = False
    """Hooks tell of the prompts that turns begin with (rule 9)."""
    prompted: bool = False
    """A prompt, or an ask, was heard of since the root last rested."""
    left: bool = False
    """The root has taken its leave, and nothing was heard of it since (rule 8)."""


def reported(programs: Programs, report: ProgramReported, interrupt_at: float | None = None) -> Programs:
    """Fold a report in; `interrupt_at` is when the user last pressed an interrupt key."""
    path = "/".join(report.path)
    if not programs.records and programs.session_at is None and not programs.prompted:
        programs = replace(programs, session_at=report.at)
    if path == ROOT:
        programs = _root_reported(programs, report, interrupt_at)
    if report.state is ProgramState.CLEAR:
        left = path == ROOT and ROOT in programs.records
        programs = replace(programs, left=programs.left or left)
        records = _cleared(programs.records, path)
    else:
        programs = replace(programs, left=False)
        records = _replaced(programs.records, path, report)
    return _followed(programs, records, report.at)


def prompted(programs: Programs) -> Programs:
    """The records after a prompt was heard of (rules 5, 8 and 9)."""
    return replace(programs, left=False, session_at=None, prompted=True)


def unprompted(programs: Programs) -> Programs:
    """The records after the turn of the last prompt is over in the eyes of what told of it."""
    return replace(programs, prompted=False)


def hooked(programs: Programs) -> Programs:
    """The records of a program whose hooks tell of prompts (rule 9)."""
    return programs if programs.tells_prompts else replace(programs, tells_prompts=True)


def session_shown(programs: Programs, at: float) -> Programs:
    """The records when another session is shown (rule 9)."""
    return replace(programs, session_at=at)


def begun_anew(programs: Programs) -> Programs:
    """The records in another session, in which no turn has ended."""
    return replace(programs, last_end=None)


def flickered(programs: Programs, spun_at: float, at: float) -> bool:
    """Whether a title that spun from `spun_at` to `at` is rule 4's flicker: the records know of no work."""
    rests = programs.turn_since is None and programs.changed_at < spun_at
    return bool(programs.records) and rests and at - spun_at < FLICKER_S


def prompt_shown(programs: Programs, at: float) -> Programs:
    """Rule 7."""
    kept = {path: record for path, record in programs.records.items() if record.state not in ACTIVE}
    if len(kept) == len(programs.records):
        return programs
    return replace(programs, records=kept, turn_since=None, active_since=None, changed_at=at)


def read(programs: Programs, now: float) -> Reading | None:
    """What the records say; None when there are none."""
    records = programs.records
    if not records:
        return None
    blocked = _blocked(records)
    if blocked is not None:
        return _waiting(programs, blocked)
    if programs.active_since is None:
        return _resting(programs)
    shown_at = programs.active_since + _flicker_s(programs, programs.active_since)
    if now < shown_at:
        return replace(_resting(programs), undecided=True, until=shown_at)  # Rules 5 and 9.
    return _working(programs)


def _flicker_s(programs: Programs, since: float) -> float:
    """How long work that began then has to last, for it to be shown."""
    if programs.prompted:
        return 0.0
    at = programs.session_at
    changes = at is not None and abs(since - at) <= CHANGES_WITHIN_S
    return CHANGE_S if changes or programs.tells_prompts else FLICKER_S


def _cleared(records: Mapping[str, ProgramReported], path: str) -> dict[str, ProgramReported]:
    if path == ROOT:
        return {}
    return {
        other: record
        for other, record in records.items()
        if other != path and not other.startswith(f"{path}/")
    }


def _replaced(
    records: Mapping[str, ProgramReported], path: str, report: ProgramReported
) -> dict[str, ProgramReported]:
    kept = {other: record for other, record in records.items() if other != path}
    if path == ROOT and report.state in REST:
        kept = {other: record for other, record in kept.items() if record.state is not ProgramState.BLOCKED}
    if len(kept) >= MAX_RECORDS:
        del kept[next(iter(kept))]
    return {**kept, path: report}


def _blocked(records: Mapping[str, ProgramReported]) -> ProgramReported | None:
    """The record that is blocked: the root before all others, else the one reported first."""
    found = [record for record in records.values() if record.state is ProgramState.BLOCKED]
    return min(found, key=lambda record: len(record.path) > 0, default=None)


def _root_reported(programs: Programs, report: ProgramReported, interrupt_at: float | None) -> Programs:
    """Rules 3 and 4."""
    if report.state is ProgramState.WORKING and programs.turn_since is None:
        return replace(programs, turn_since=report.at, began_at=report.at)
    if report.state in ACTIVE:
        return programs
    began = programs.turn_since
    brief = began is not None and report.at - began < max(FLICKER_S, _flicker_s(programs, began))
    programs = replace(programs, turn_since=None, prompted=False)
    if began is None or report.state is ProgramState.CLEAR:
        return programs
    if brief and report.state is ProgramState.IDLE:
        return begun_anew(programs)
    return replace(programs, ends=programs.ends + 1, last_end=_end(report, began, interrupt_at))


def _followed(programs: Programs, records: Mapping[str, ProgramReported], at: float) -> Programs:
    """The records, and what follows from their change."""
    before, blocked = _blocked(programs.records), _blocked(records)
    asks, since = programs.asks, programs.active_since
    if blocked is not None and (before is None or _ask(before) != _ask(blocked)):
        asks += 1
    if not any(record.state in ACTIVE for record in records.values()):
        since = None
    elif since is None:
        since = at
    if blocked is not None and since is not None:
        # Nobody flickers out of an ask: the work that follows is shown at once.
        programs = replace(programs, session_at=None, prompted=True)
    return replace(programs, records=records, asks=asks, active_since=since, changed_at=at)


def _end(root: ProgramReported, began: float, interrupt_at: float | None) -> End:
    own = interrupt_at is not None and began <= interrupt_at and root.at - interrupt_at <= INTERRUPT_S
    if root.state is ProgramState.DONE:
        return End(how=Ending.OK)
    if root.state is not ProgramState.ERROR or own:
        return End(how=Ending.INTERRUPTED)
    found = failure(root.message, root.at)
    return End(how=Ending.ERROR, kind=found.kind, message=root.message, resets_at=found.resets_at)


def _ask(record: ProgramReported) -> tuple[object, ...]:
    return record.path, record.kind, record.message


def _waiting(programs: Programs, blocked: ProgramReported) -> Reading:
    return replace(
        _said(programs, Status.WAITING, f"state=blocked, {blocked.kind or 'no kind'}"),
        ask=f"7501 {programs.asks}",
        kind=blocked.kind,
        message=blocked.message,
        progress=blocked.progress,
    )


def _working(programs: Programs) -> Reading:
    working = [record for record in programs.records.values() if record.state is ProgramState.WORKING]
    root = programs.records.get(ROOT, working[0])
    return replace(
        _said(programs, Status.WORKING, "state=working"),
        message=root.message,
        progress=root.progress,
    )


def _resting(programs: Programs) -> Reading:
    """By the last end, not by the record: rule 4."""
    end = programs.last_end
    if end is None:
        return _said(programs, Status.IDLE, "state=idle")
    return replace(
        _said(programs, status_of_end(end), f"the turn ended: {end.how}"),
        kind=end.kind,
        message=end.message,
        resets_at=end.resets_at,
        interrupted=end.how is Ending.INTERRUPTED,
        failed=end if end.how is Ending.ERROR else None,
    )


def _said(programs: Programs, status: Status, detail: str) -> Reading:
    below = sum(record.state in ACTIVE for path, record in programs.records.items() if path != ROOT)
    return Reading(
        source=Source.PROGRAM_STATUS,
        status=status,
        at=programs.changed_at,
        began=programs.began_at,
        works_since=programs.active_since or programs.began_at,
        detail=detail,
        is_turn=programs.turn_since is not None,
        ends=programs.ends,
        subagents=below,
    )
