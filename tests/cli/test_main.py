"""The edge of the command line: words, options, usage errors, exit codes, and what is imported."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import Any

import click
import msgspec
import pytest

from orca_tui import __version__
from orca_tui.cli.actions import request_of
from orca_tui.cli.generated import generated
from orca_tui.cli.root import ALONE, GROUPS, HIDDEN, LOCAL, build
from orca_tui.cli.session import Session
from orca_tui.commands.spec import Command
from orca_tui.commands.table import COMMANDS
from tests.cli.conftest import Home, Orca

TYPED = [command.name for command in COMMANDS if command.typed and not command.internal]
ALL_WORDS = [*TYPED, *LOCAL]


@pytest.mark.parametrize("name", ALL_WORDS)
def test_every_command_has_help_and_takes_the_common_options(orca: Orca, name: str) -> None:
    result = orca(*name.split(), "--help")

    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    assert f"Usage: orca-tui {name}" in result.out
    assert "--json" in result.out
    assert "--server" in result.out
    assert "Examples:" in result.out or name in HIDDEN


@pytest.mark.parametrize("command", [one for one in COMMANDS if one.name in TYPED], ids=TYPED)
def test_help_tells_every_argument_option_and_example(orca: Orca, command: Command[Any, Any]) -> None:
    text = orca(*command.name.split(), "--help").out

    for option in command.options:
        assert all(flag in text for flag in option.flags)
    for argument in command.arguments:
        assert (argument.metavar or argument.field.upper()) in text
    for example in command.examples:
        assert example in text


EXAMPLES = [(command, example) for command in COMMANDS for example in command.examples]


@pytest.mark.parametrize(("command", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_every_example_is_a_command_line_that_is_understood(
    home: Home, command: Command[Any, Any], example: str
) -> None:
    words = shlex.split(next(part for part in example.split("|") if "orca-tui" in part))
    asked: list[msgspec.Struct] = []

    def ask(_: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
        asked.append(request_of(spec, {"text": ""} | fields if spec.name == "paste" else fields))
        return 0

    name = command.name.split()
    assert words[: len(name) + 1] == ["orca-tui", *name]
    parsed = generated(command, name[-1], ask)
    with pytest.raises(click.exceptions.Exit):
        parsed.invoke(parsed.make_context(name[-1], words[len(name) + 1 :], obj=Session(home.program())))

    assert isinstance(asked[0], command.request)


def test_help_of_the_root_tells_every_word_once(orca: Orca) -> None:
    text = orca("--help").out

    words = {name.split()[0] for name in ALL_WORDS}
    told = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2:3].isalpha()]
    assert all(told.count(word) == 1 for word in words)
    assert "More" not in text  # Every word has its section.


def test_the_version(orca: Orca) -> None:
    assert orca("--version").out == f"orca-tui {__version__}\n"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (["lst"], "did you mean 'list'?"),
        (["server", "sttus"], "did you mean 'status'?"),
        (["opne"], "did you mean 'open'?"),
        (["xyzzy"], "--help"),
        (["ui.view"], "--help"),
        (["input"], "no command 'input'"),
    ],
)
def test_an_unknown_word_is_a_usage_error_with_a_hint(orca: Orca, typed: list[str], hint: str) -> None:
    result = orca(*typed)

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("orca-tui: no command ")
    assert hint in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        (["wait", "p1"], "--status"),
        (["wait", "p1", "--status", "happy"], "happy"),
        (["wait", "p1", "--status", "done", "--timeout", "soon"], "soon"),
        (["wait", "p1", "--status", "done", "--timeout", "nan"], "nan"),
        (["wait", "p1", "--status", "done", "--timeout=-1"], "-1"),
        (["open", "--size", "big"], "COLSxROWS"),
        (["open", "--size", "0x10"], "out of range"),
        (["open", "--split", "left"], "left"),
        (["open", "--env", "NOVALUE"], "NAME=VALUE"),
        (["open", "--env", "=x"], "NAME=VALUE"),
        (["read", "p1", "--lines", "0"], "lines"),
        (["read", "p1", "--source", "mind"], "mind"),
        (["zoom", "p1", "--to", "maybe"], "maybe"),
        (["move", "p1", "sideways"], "sideways"),
        (["get"], "PANE"),
        (["get", "p1", "p2"], "p2"),
        (["keys", "p1"], "KEY"),
        (["list", "--jsn"], "--json"),
        (["list", "--server", "a/b"], "server name"),
        (["list", "--server"], "--server"),
        (["completions", "tcsh"], "tcsh"),
        (["completions"], "SHELL"),
        (["get", "p\udcff"], "UTF-8"),
    ],
)
def test_wrong_usage_exits_2_and_says_what_is_wrong_on_one_line(
    orca: Orca, typed: list[str], word: str
) -> None:
    result = orca(*typed)

    assert (result.code, result.out) == (2, "")
    assert word in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.usefixtures("served")
def test_a_group_alone_does_what_its_help_says(orca: Orca, group: str) -> None:
    meant = ALONE[group]

    alone, whole = orca(group, "--json"), orca(group, meant, "--json")

    assert (alone.code, alone.out, alone.err) == (whole.code, whole.out, whole.err)
    assert f"Alone it means `orca-tui {group} {meant}`." in " ".join(orca(group, "--help").out.split())


def test_a_programs_own_options_belong_behind_dashes(orca: Orca) -> None:
    assert "orca-tui open -- PROGRAM" in orca("open", "ls", "-la").err


def test_wrong_usage_is_json_when_json_is_wanted(orca: Orca) -> None:
    for typed in (["lst", "--json"], ["--json", "lst"], ["wait", "p1", "--json"], ["get", "--json"]):
        error = orca(*typed).error()
        assert error["code"] == "invalid"
    assert not orca("lst", "--", "--json").err.startswith("{")


def test_json_may_stand_anywhere_before_the_dashes(orca: Orca) -> None:
    for typed in (
        ["--json", "config", "path"],
        ["config", "--json", "path"],
        ["config", "path", "--json"],
    ):
        assert orca(*typed).json()["path"].endswith("config.toml")


def test_every_word_of_the_groups_is_found_by_its_group() -> None:
    root = build()
    context = root.make_context("orca-tui", ["list"], resilient_parsing=True)

    for name in ALL_WORDS:
        command = root
        for word in name.split():
            found = command.get_command(context, word)
            assert found is not None
            command = found  # type: ignore[assignment]


# What a command costs

HEAVY = {
    "textual", "rich", "aiohttp", "asyncio", "pyghostty", "psutil", "watchfiles", "platformdirs", "tomllib",
    "subprocess", "secrets", "dataclasses", "orca_tui.server", "orca_tui.ui", "orca_tui.term.ghostty",
    "orca_tui.process", "orca_tui.agents", "orca_tui.commands.table", "status_plugin",
}  # fmt: skip
"""Nothing of this is loaded by a command that only asks the server something."""


def imported_by(home: Home, *arguments: str) -> set[str]:
    script = (
        "import sys, json; before = set(sys.modules); sys.argv = ['orca-tui', *sys.argv[1:]]\n"
        "from orca_tui.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.stderr.write('\\n' + json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=home.variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["get", "p1", "--json"],
        ["wait", "p1", "--status", "done"],
        ["read", "p1"],
        ["type", "p1", "x"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_imports_nothing_heavy(served: Home, arguments: list[str]) -> None:
    modules = imported_by(served, *arguments)

    assert "orca_tui.client.blocking" in modules
    assert {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY} == set()


def test_a_command_loads_its_own_spec_only(served: Home) -> None:
    specs = {name for name in imported_by(served, "list") if name.startswith("orca_tui.commands.")}

    assert specs == {
        "orca_tui.commands.index",
        "orca_tui.commands.list",
        "orca_tui.commands.spec",
    }


def test_an_interrupt_while_it_starts_is_quiet(home: Home) -> None:
    script = (
        "import sys, os\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'click': os.kill(os.getpid(), 2)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from orca_tui.__main__ import main\n"
        "sys.argv = ['orca-tui', 'list']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=home.variables, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_were_closed_before_the_start_do_no_harm(served: Home, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m orca_tui list {closed}; {sys.executable} -m orca_tui get p999 {closed}"],
        env=served.variables, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 4
    assert "Traceback" not in done.stderr


def test_what_a_terminals_encoding_lacks_keeps_nothing_from_being_printed(home: Home) -> None:
    done = home.run("config", "path", more={"PYTHONIOENCODING": "latin-1", "XDG_CONFIG_HOME": "/tmp/端末"})

    assert (done.code, done.out, done.err) == (0, "/tmp/??/orca-tui/config.toml\n", "")


def test_a_full_disk_is_told_in_one_line(home: Home) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "orca_tui", "--help"],
            env=home.variables, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == "orca-tui: the output cannot be written: No space left on device\n"


def test_a_closed_stdout_is_quiet(home: Home) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with home.spawn("api", "schema", stdin=subprocess.DEVNULL) as whole:
        assert whole.communicate()[1] == ""
    done = subprocess.run(
        [sys.executable, "-m", "orca_tui", "api", "schema"],
        env=home.variables, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")
