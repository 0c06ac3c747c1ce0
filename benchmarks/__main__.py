"""`python -m benchmarks [PART ...]`: measure orca-tui and its peers one after the other; print ratios and bars.

Keeps what was found in `results.json` and puts it into the `README.md` beside it, the bars also into the one of the
project. `python -m benchmarks
states` measures how right and how prompt the status of many agents is, `python -m benchmarks notices` how fast notices
are admitted.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks import machine, notices, states
from benchmarks.progress import Progress
from benchmarks.results import Results, Section, lines_of, put_into, summary_of
from benchmarks.sections import SECTIONS

HERE = Path(__file__).parent
RESULTS, REPORT = HERE / "results.json", HERE / "README.md"
PROJECT_REPORT = HERE.parent / "README.md"


def main() -> None:
    match sys.argv[1:]:
        case ["states", *options]:
            states.main(options)
        case ["notices", *options]:
            notices.main(options)
        case _:
            compare()


def compare() -> None:
    """Measure the parts that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(SECTIONS)}")
    parser.add_argument(
        "--json", type=Path, default=RESULTS, help="where the figures go (default: %(default)s)"
    )
    options = parser.parse_args()
    if unknown := set(options.parts) - set(SECTIONS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    run(options.parts or list(SECTIONS), options.json)


def run(parts: list[str], path: Path) -> None:
    """Measure parts, each kept as soon as it is there."""
    results, progress = Results.read(path, machine.machine()), Progress()
    for name in parts:
        before = machine.load()
        rows = SECTIONS[name](progress)
        section = Section(
            name=name, when=time.strftime("%Y-%m-%d %H:%M"), load=(before, machine.load()), rows=rows
        )
        results.sections[name] = section
        results.write(path)
        print("\n".join(["", f"## {name}", "", *lines_of(section)]), flush=True)
    missed = results.missed()
    print(f"\n{len(missed)} bars missed" + "".join(f"\n  {row.name}" for row in missed))
    if path == RESULTS:
        report(results)


def report(results: Results) -> None:
    """Put the figures where people read them."""
    lines = [machine.in_words(results.machine) + "."]
    for name in (name for name in SECTIONS if name in results.sections):
        lines += ["", f"### {name}", "", *lines_of(results.sections[name])]
    REPORT.write_text(put_into(REPORT.read_text(), "figures", lines))
    sections = [results.sections[name] for name in SECTIONS if name in results.sections]
    PROJECT_REPORT.write_text(put_into(PROJECT_REPORT.read_text(), "bench", summary_of(sections)))


if __name__ == "__main__":
    main()
