"""`orca-tui plugins`: the user's own plugins from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from orca_tui.commands.plugins import Fault, PluginCommand, PluginRow, PluginState
from tests.cli.conftest import Home


@pytest.fixture(scope="module")
def home(homes: Callable[[], Home]) -> Home:
    """A user whose server hosts one plugin, which `plugins new` has written."""
    made = homes()
    assert made.run("plugins", "new", "first").code == 0
    assert made.run("server", "start").code == 0
    return made


def folder(home: Home) -> Path:
    return home.root / "config" / "orca-tui" / "plugins"


def test_new_writes_a_plugin_that_runs_and_never_writes_over_one(home: Home) -> None:
    again = home.run("plugins", "new", "first")
    bad = home.run("plugins", "new", "No Name")

    assert (again.code, bad.code) == (3, 2)
    assert "is there already" in again.err
    reloaded = home.run("plugins", "reload", "first")
    assert reloaded.code == 0, reloaded.err
    assert reloaded.out.split()[:2] == ["first", "running"]
    assert "first.py" in home.run("plugins").out


def test_list_has_a_row_and_a_reason_each(home: Home) -> None:
    (folder(home) / "second.py").write_text("id = 'second'\nasync def setup(ctx):\n    1 / 0\n")

    failed = home.run("plugins", "reload", "second")

    assert failed.code == 1
    assert "setup: ZeroDivisionError: division by zero (second.py:3 in setup)" in failed.err
    listed = home.run("plugins", "list")
    assert listed.out.splitlines()[0].split() == ["PLUGIN", "STATE", "SINCE", "COMMANDS", "FILE"]
    assert "second: setup: ZeroDivisionError" in listed.out
    home.run("plugins", "run", "first", "hello")  # It waits until that runs.
    rows = {row["id"]: row for row in home.run("plugins", "list", "--json").lines()}
    assert (rows["first"]["state"], rows["second"]["state"]) == ("running", "failed")
    assert rows["second"]["fault"]["kind"] == "ZeroDivisionError"
    assert rows["first"]["commands"][0]["id"] == "hello"


def test_commands_run_and_what_is_unknown_is_told(home: Home) -> None:
    ran = home.run("plugins", "run", "first", "hello")
    unknown = home.run("plugins", "run", "first", "nothing")

    assert (ran.code, ran.out) == (0, "first: hello is done\n")
    assert unknown.code == 4
    assert "it has hello" in unknown.err
    assert home.run("plugins", "run", "none", "hello").code == 4
    assert home.run("plugins", "run", "first", "hello", "--pane", "p99").code == 4


def test_a_shell_completes_their_ids(home: Home) -> None:
    home.run("plugins", "run", "first", "hello")
    words = {"COMP_WORDS": "orca-tui plugins reload fi", "COMP_CWORD": "3"}

    completed = home.run(more={"_ORCA_TUI_COMPLETE": "bash_complete", **words})

    assert completed.out.split() == ["plain,first"]


def test_help_tells_the_two_kinds_of_plugins_apart(home: Home) -> None:
    overview = home.run("--help").out

    assert "Your own plugins" in overview
    assert "The status plugin that OpenCode loads" in overview
    assert "host" not in home.run("plugins", "--help").out.split()


def test_a_row_says_everything_that_people_need() -> None:
    fault = Fault(doing="host", kind="blocked", message="it held up all plugins for 5 s", place="a.py:3 in f")
    row = PluginRow(
        id="a",
        file="/x/a.py",
        state=PluginState.STOPPED,
        since=0.0,
        fault=fault,
        commands=(PluginCommand(id="c", title="C"),),
    )

    assert row.fault is not None
    assert row.fault.sentence() == "host: blocked: it held up all plugins for 5 s (a.py:3 in f)"
