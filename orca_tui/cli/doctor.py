"""`doctor`: what of this installation works, and what to do about the rest."""

from __future__ import annotations

import click

from orca_tui.cli.checks import CHECKS
from orca_tui.cli.findings import Finding, Level
from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line
from orca_tui.cli.tables import plain

MARKS = {Level.OK: "ok", Level.NOTE: "note", Level.PROBLEM: "PROBLEM"}


@click.pass_context
def _doctor(context: click.Context, /) -> None:
    session = context.ensure_object(Session)
    wrong = False
    for check in CHECKS:
        for finding in check(session):
            wrong = wrong or finding.level is Level.PROBLEM
            _print(session, finding)
    context.exit(1 if wrong else 0)


def _print(session: Session, finding: Finding) -> None:
    if session.json:
        write_json(finding)
        return
    write_line(f"{MARKS[finding.level]:<8}{finding.check:<12}{plain(finding.message)}")
    if finding.advice:
        write_line(f"{'':<20}-> {finding.advice}")


DOCTOR = Described(
    name="doctor",
    callback=_doctor,
    help="Check the installation: terminal, engine, sockets, settings, agents and the status plugin.\n\n"
    "Exits 1 when something is wrong; every such line says what to do.",
    examples=("orca-tui doctor", "orca-tui doctor --json | jq 'select(.level != \"ok\")'"),
)
