"""`python -m tests.fuzz --mb 500`: attacks terminals with so many megabytes, and watches their memory.

A failure names its attack and seed; `--attack NAME --seed N` does the same again.
"""

from __future__ import annotations

import argparse
import sys

import psutil

from orca_tui.term.ghostty import GhosttyFactory
from tests.fuzz.attacks import ATTACKS
from tests.fuzz.ordeal import Ordeal

MB = 1 << 20
ROUND_BYTES = MB // 4
WARM_ROUNDS = 40
"""By then every attack has run, and what is kept for good is there."""
MOST_GROWTH_MB = 150.0
"""Beyond what a terminal of 1000 x 1000 cells and its scrollback take, memory may not grow."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Attack terminals.")
    parser.add_argument("--mb", type=int, default=500, help="megabytes in all (default 500)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--attack", choices=sorted(ATTACKS), help="only this attack")
    options = parser.parse_args()
    names = [options.attack] if options.attack else list(ATTACKS)
    factory, process = GhosttyFactory(), psutil.Process()
    fed, rounds, base = 0, 0, 0.0
    while fed < options.mb * MB:
        name, seed = names[rounds % len(names)], options.seed + rounds
        try:
            fed += Ordeal(factory=factory, attack=ATTACKS[name], seed=seed).run(ROUND_BYTES)
        except BaseException:
            print(f"\nfailed: --attack {name} --seed {seed}", file=sys.stderr)
            raise
        rounds += 1
        memory = process.memory_info().rss / MB
        base = memory if rounds <= WARM_ROUNDS else base
        print(f"\r{fed / MB:8.0f} MB  {rounds} terminals  {memory:.0f} MB of memory ", end="", flush=True)
        if memory > base + MOST_GROWTH_MB:
            print(f"\nmemory grew from {base:.0f} to {memory:.0f} MB; last: --attack {name} --seed {seed}")
            return 1
    print(f"\n{rounds} terminals took {fed / MB:.0f} MB: nothing broke, and memory stayed at {memory:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
