"""A conformance suite runs inside a pane of the real program and gets right answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.e2e.sandbox import Sandbox

SUITE = Path(__file__).parent.parent / "conformance"


def test_the_self_test_finds_nothing_wrong_inside_a_pane(sandbox: Sandbox) -> None:
    settings = sandbox.root / "config" / "orca-tui" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[terminal]\nallow_checksum = true\nallow_window_ops = true\n")
    report = sandbox.root / "report.json"

    pane = sandbox.open("--size", "100x30", "--", sys.executable, str(SUITE), str(report))
    sandbox.wait(pane, "exited")

    found = json.loads(report.read_text())
    assert {name: failure for name, failure in found.items() if failure} == {}
    assert len(found) > 80
