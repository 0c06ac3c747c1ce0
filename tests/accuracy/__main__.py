"""How true is the status? Replays every recording and prints the figures; exit code 1 when anything was wrong.

python -m tests.accuracy                  all recordings (`make accuracy`)
python -m tests.accuracy NAME ...         those whose names hold one of these
python -m tests.accuracy --explain NAME   what was true, what was shown, and why
python -m tests.accuracy --list NAME      the evidence in a recording, for whoever writes down its truth
python -m tests.accuracy --write          puts the table into README.md too
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.accuracy.corpus import Case, beginning, cases
from tests.accuracy.explaining import explained, faults_of
from tests.accuracy.figures import Figures, figures
from tests.accuracy.listing import listing
from tests.accuracy.opencode import build_plugin
from tests.accuracy.running import Result, run
from tests.accuracy.table import README, table, with_table


def main() -> int:
    arguments = _arguments()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        plugin = build_plugin(Path(folder))
        if arguments.list:
            print("\n".join(listing(cases()[arguments.list].load(plugin))))
            return 0
        if arguments.explain:
            case = beginning(cases()[arguments.explain], arguments.until)
            print("\n\n".join("\n".join(explained(result)) for result in run(case, plugin)))
            return 0
        results = [result for case in _chosen(arguments.names) for result in run(case, plugin)]
    return _report(results, write=arguments.write)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--explain", metavar="NAME", choices=cases())
    parser.add_argument("--until", metavar="MS", type=float, default=float("inf"))
    parser.add_argument("--list", metavar="NAME", choices=cases())
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def _chosen(names: Sequence[str]) -> list[Case]:
    return [case for case in cases().values() if not names or any(name in case.name for name in names)]


def _report(results: Sequence[Result], *, write: bool) -> int:
    rows = figures(results)
    text = table(rows)
    print(text)
    for result in results:
        if result.verdict.faults:
            print(f"\n{result.case.name}, {result.passing}:", *faults_of(result), sep="\n")
    if write:
        README.write_text(with_table(README.read_text(), text))
    return 0 if _holds(rows) else 1


def _holds(rows: Sequence[Figures]) -> bool:
    return all(row.holds for row in rows)


if __name__ == "__main__":
    sys.exit(main())
