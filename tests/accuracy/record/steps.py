"""The script of a recording: one step a line, in the order in which a person would do them.

    say TEXT        type TEXT and submit it
    type TEXT       type TEXT only
    key NAME        press a key (`enter`, `escape`, `1`, `ctrl+c` ...)
    see REGEX       wait until the screen shows it, and mark that
    gone REGEX      wait until the screen does not show it any more, and mark that
    titled REGEX    wait until the title matches, and mark that
    pause MS        let time pass
    mark TEXT       write down what happens now
    signal NAME     send a signal to the agent (`TERM`, `KILL` ...)
    exits           wait until the agent has ended

Empty lines and lines that start with `#` are skipped.
"""

from __future__ import annotations

from dataclasses import dataclass

ARGUMENT = {"say", "type", "key", "see", "gone", "titled", "pause", "mark", "signal"}
WITHOUT = {"exits"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What to do, and with what."""

    do: str
    what: str = ""


def parse(script: str) -> list[Step]:
    """The steps of a script; raises `ValueError` with the line that is none."""
    steps = []
    for number, line in enumerate(script.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        do, _, what = line.strip().partition(" ")
        if not ((do in ARGUMENT and what) or (do in WITHOUT and not what)):
            raise ValueError(f"line {number} is no step: {line}")
        steps.append(Step(do=do, what=what))
    return steps
