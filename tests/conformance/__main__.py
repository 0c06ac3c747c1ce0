"""A self-test for the terminal that it runs in: asks what it is, draws, and reads the screen back cell by cell.

    python tests/conformance [REPORT.json]

In a pane of orca-tui it needs `terminal.allow_checksum = true`, since the screen is read by checksums (DECRQCRA).
It prints what is wrong, ends with 1 if anything is, and needs nothing but Python.
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
import termios
import tty
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from questions import QUESTIONS
from screens import SCREENS

PATIENCE_S = 5.0
FENCE, FENCED = b"\x1b[5n", b"\x1b[0n"
"""DSR: whatever was asked before it has been answered when this is."""
CLEAN = b"\x1b[?1049l\x1b[?6;69l\x1b[?7h\x1b[r\x1b[m\x1b[4l\x1b(B\x0f\x1b[!p\x1b[3g" + b"".join(
    b"\x1b[%dG\x1bH" % column for column in range(9, 80, 8)
)
HOME = CLEAN + b"\x1b[2J\x1b[H"
CHECKSUM = re.compile(rb"\x1bP(\d+)!~([0-9A-F]{4})\x1b\\")


class Mute(Exception):
    """The terminal did not answer the fence in time; holds what came."""


def asked(questions: bytes) -> bytes:
    """Everything that the terminal answers to some questions."""
    os.write(1, questions + FENCE)
    answers = b""
    while not answers.endswith(FENCED):
        if not select.select([0], [], [], PATIENCE_S)[0]:
            raise Mute(answers)
        answers += os.read(0, 65536)
    return answers.removesuffix(FENCED)


def text_of(row: int, columns: int) -> str:
    """The first cells of a row, from 1, read by the checksum of each; blanks at the end are cut."""
    requests = b"".join(b"\x1b[%d;0;%d;%d;%d;%d*y" % (x, row, x, row, x) for x in range(1, columns + 1))
    sums = {int(number): int(told, 16) for number, told in CHECKSUM.findall(asked(requests))}
    return "".join(chr(-sums[x] & 0xFFFF) if x in sums else "�" for x in range(1, columns + 1)).rstrip()


def question_failure(question: bytes, answer: bytes) -> str:
    """What is wrong with the answer to a question; empty for nothing. `answer` is a pattern of all of it."""
    given = asked(HOME + question)
    return "" if re.fullmatch(answer, given) else f"asked {question!r}, got {given!r}"


def screen_failure(drawn: bytes, rows: dict[int, str]) -> str:
    """What is wrong with the rows that something draws onto a blank screen."""
    os.write(1, HOME + drawn)
    seen = {row: text_of(row, 16) for row in rows}
    return "" if seen == rows else f"drew {drawn!r}, got {seen}"


def failures() -> dict[str, str]:
    """What each check found, by its name; empty where it found nothing wrong."""
    checks: dict[str, Callable[[], str]] = {}
    for name, question, answer in QUESTIONS:
        checks[name] = lambda question=question, answer=answer: question_failure(question, answer)
    for name, drawn, rows in SCREENS:
        checks[name] = lambda drawn=drawn, rows=rows: screen_failure(drawn, rows)
    found = {}
    for name, check in checks.items():
        try:
            found[name] = check()
        except Mute as error:
            found[name] = f"no answer in {PATIENCE_S} s, only {error.args[0]!r}"
    return found


def main() -> int:
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        found = failures()
        os.write(1, HOME)
    finally:
        termios.tcsetattr(0, termios.TCSAFLUSH, before)
    for name, failure in found.items():
        if failure:
            sys.stdout.write(f"WRONG {name}: {failure}\n")
    right = sum(not failure for failure in found.values())
    sys.stdout.write(f"{right} of {len(found)} right\n")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(found, indent=1))
    return 0 if right == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
