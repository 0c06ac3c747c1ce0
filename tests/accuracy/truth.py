"""What was true at which moment of a recording, as it was written down by hand (tests/captured/**/TRUTH.toml)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orca_tui.status.record import Kind, Status

MARKS = {"ring", "interrupted", "interrupted?", "maybe", "unrecorded", "code"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """From `at` (ms) on, this was so."""

    at: float
    status: Status
    kind: Kind | None = None
    """None: it was not written down."""
    rings: bool = False
    interrupted: bool = False
    code: int | None = None
    either: bool = False
    """One may as well say that the user ended the turn, or that nobody did."""
    another_ask: bool = False
    """It waits as before, for something else."""
    optional: bool = False
    """It may be shown or not, and ring or not."""
    unrecorded: bool = False
    """What showed it is not in the recording: nothing is judged until the next moment."""
    unknowable: str | None = None
    """Why the agent's evidence cannot tell; then `unknown` is right as well."""

    @property
    def told(self) -> str:
        return "another ask" if self.another_ask else str(self.status)


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """Of one recording. Before the first moment nothing is known."""

    moments: tuple[Moment, ...] = field(default=())


def parse(lines: Sequence[str], unknowable: Mapping[str, str] | None = None) -> Truth:
    """The truth of its lines: `4157 waiting kind=permission ring`. `unknowable` maps times to reasons."""
    reasons = dict(unknowable or {})
    moments = tuple(_moment(line, reasons) for line in lines)
    if reasons:
        raise ValueError(f"no such moments: {sorted(reasons)}")
    if [moment.at for moment in moments] != sorted(moment.at for moment in moments):
        raise ValueError(f"out of order: {lines}")
    return Truth(moments=moments)


def _moment(line: str, reasons: dict[str, str]) -> Moment:
    at, word, *marks = line.split()
    another = word == "asks"
    if another:
        marks = marks[1:]  # How many there are is for whoever reads it.
    kinds = [mark.removeprefix("kind=") for mark in marks if mark.startswith("kind=")]
    code = int(marks[marks.index("code") + 1]) if "code" in marks else None
    known = {*MARKS, str(code), *(f"kind={kind}" for kind in kinds)}
    if set(marks) - known:
        raise ValueError(f"cannot be read: {line}")
    return Moment(
        at=float(at),
        status=Status.WAITING if another else Status(word),
        kind=Kind(kinds[0]) if kinds else None,
        rings="ring" in marks,
        interrupted="interrupted" in marks,
        either="interrupted?" in marks,
        code=code,
        another_ask=another,
        optional="maybe" in marks,
        unrecorded="unrecorded" in marks,
        unknowable=reasons.pop(at, None),
    )
