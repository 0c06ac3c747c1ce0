"""`skill`: a page that teaches an agent to use orca-tui. The page is `skill.md` beside this file."""

from __future__ import annotations

from pathlib import Path

import click

from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json

PAGE = Path(__file__).with_name("skill.md")


@click.pass_obj
def _skill(session: Session, /) -> None:
    text = PAGE.read_text(encoding="utf-8")
    if session.json:
        write_json({"skill": text})
    else:
        click.echo(text, nl=False)


SKILL = Described(
    name="skill",
    callback=_skill,
    help="Print a page that teaches an agent to use orca-tui.",
    examples=("orca-tui skill > ~/.claude/skills/orca-tui/SKILL.md",),
)
