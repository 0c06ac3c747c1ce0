"""`python -m benchmarks`: measure orca-tui and tmux one after the other and print the ratios.

`python -m benchmarks states` measures how right and how prompt the status of many agents is, and
`python -m benchmarks notices` how fast notices are admitted.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks import measures, notices, states
from benchmarks.contenders import Contender, OrcaTui, Tmux

T = TypeVar("T")

IDLE_PANES = 8
FLOOD = "yes $(printf 'x%.0s' $(seq 60))"


def main() -> None:
    match sys.argv[1:]:
        case ["states", *options]:
            states.main(options)
        case ["notices", *options]:
            notices.main(options)
        case []:
            compare()
        case _:
            sys.exit(
                "python -m benchmarks [states [--panes N] [--seconds N] | notices [--notices N] [--panes N]]"
            )


def compare() -> None:
    if shutil.which("tmux") is None:
        sys.exit("benchmarks compare with tmux; install it first")
    print(f"{'':46}{'orca-tui':>12}{'tmux':>12}{'ratio':>8}")
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        for name, make in (("ascii", measures.ascii_file), ("colours", measures.colour_file)):
            file = make(Path(directory) / name)
            ours, theirs = both(lambda contender, file=file: measures.cat(contender, file))
            row(f"cat 32 MiB, {name}, s", ours.seconds, theirs.seconds)
            row(f"  CPU seconds, {name}", ours.cpu_seconds, theirs.cpu_seconds)
    report_echo("quiet", lambda _: None)
    report_echo("another pane floods", lambda contender: contender.split(FLOOD))
    ours_idle, theirs_idle = both(idle_with_panes)
    row(f"idle, {IDLE_PANES} panes, % CPU", ours_idle.cpu_percent, theirs_idle.cpu_percent)
    row(f"idle, {IDLE_PANES} panes, bytes in 10 s", ours_idle.bytes, theirs_idle.bytes)
    row(f"memory, {IDLE_PANES} panes, MB", ours_idle.rss_mb, theirs_idle.rss_mb)


def report_echo(name: str, prepare: Callable[[Contender], None]) -> None:
    def measure(contender: Contender) -> measures.Echo:
        prepare(contender)
        return measures.echo(contender)

    ours, theirs = both(measure)
    row(f"key to echo, {name}, median ms", ours.median, theirs.median)
    row(f"key to echo, {name}, p99 ms", ours.p99, theirs.p99)


def idle_with_panes(contender: Contender) -> measures.Idle:
    for _ in range(IDLE_PANES - 1):
        contender.split("exec cat")
    return measures.idle(contender)


def both(measure: Callable[[Contender], T]) -> tuple[T, T]:
    """The same measure of ours and theirs, one right after the other."""
    results = []
    for make in (OrcaTui, Tmux):
        contender = make()
        try:
            results.append(measure(contender))
        finally:
            contender.close()
    return results[0], results[1]


def row(name: str, ours: float, theirs: float) -> None:
    ratio = f"{ours / theirs:8.2f}" if theirs else f"{'-':>8}"
    print(f"{name:46}{ours:12.2f}{theirs:12.2f}{ratio}", flush=True)


if __name__ == "__main__":
    main()
