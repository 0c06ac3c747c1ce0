"""`completions SHELL`: the script that makes a shell complete our words, panes and agents."""

from __future__ import annotations

import click

from orca_tui.cli.generated import Described
from orca_tui.cli.session import Session, write_json, write_line

SHELLS = ("bash", "zsh", "fish")


@click.pass_context
def _completions(context: click.Context, /, shell: str) -> None:
    from click.shell_completion import get_completion_class

    from orca_tui.cli.main import COMPLETE_VARIABLE, PROGRAM

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source()
    if context.ensure_object(Session).json:
        write_json({"shell": shell, "script": script})
    else:
        write_line(script)


COMPLETIONS = Described(
    name="completions",
    callback=_completions,
    params=[click.Argument(["shell"], metavar="SHELL", type=click.Choice(SHELLS))],
    arguments_help=(("SHELL", "bash, zsh or fish."),),
    help="Print a completion script; panes and agents come from the running server.",
    examples=(
        'eval "$(orca-tui completions bash)"   # in ~/.bashrc; zsh alike',
        "orca-tui completions fish > ~/.config/fish/completions/orca-tui.fish",
    ),
)
