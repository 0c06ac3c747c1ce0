"""The page for agents: every command line in it is run, from inside of a pane, and ends as the page says."""

from __future__ import annotations

import json
import re
import shlex
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orca_tui.cli.skill import PAGE
from orca_tui.commands.authority import GRANT, GrantRequest
from tests.cli.conftest import Home, Orca
from tests.server.agents import PROGRAM, Agent
from tests.server.insiders import Insider
from tests.server.running import Api, Server, running_server

BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"# exit (\d+)")


def lines() -> Iterator[tuple[list[str], int]]:
    """The words behind `orca-tui` of every line, and the exit code that the page tells."""
    for line in "".join(BLOCKS).splitlines():
        program, *words = shlex.split(line, comments=True)
        assert program == "orca-tui", line
        told = EXIT.search(line)
        yield words, int(told[1]) if told else 0


def fake_agent(folder: Path) -> None:
    """A `claude` whose turns are over at once."""
    program = folder / "claude"
    log = folder / "prompts-of-claude"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {PROGRAM} {log} --brief 0.7 "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_the_page_is_printed_as_it_is_and_as_json(home: Home, orca: Orca) -> None:
    text = PAGE.read_text()

    assert orca("skill").out == text
    assert orca("skill", "--json").json() == {"skill": text}
    assert text.startswith("---\nname: orca-tui\ndescription: ")


def test_the_page_names_every_exit_code() -> None:
    from orca_tui.base.errors import ERRORS_BY_CODE

    codes = set(map(int, re.findall(r"^\| (\d+) \|", PAGE.read_text(), re.MULTILINE)))

    assert codes == {0} | {kind.exit_code for kind in ERRORS_BY_CODE.values()}


@pytest.mark.anyio
async def test_every_line_of_the_page_runs_from_inside_of_a_pane(anyio_backend: str) -> None:
    async with running_server() as server:
        api = Api(await server.client(), server.root)
        insider, busy = await Insider.open(server, api), await Agent.open(api)
        assert (insider.pane, busy.pane) == ("p1", "p2")
        await busy.works()
        fake_agent(server.root)
        token, ended = insider.token, {}
        for number, (words, code) in enumerate(lines()):
            done = await run(insider, server, token, *words)
            ended[number, *words] = (done, code)
            if done == 5:
                await api.call(GRANT, GrantRequest(pane="p1", over=("p2",)))

    assert {line: one for line, one in ended.items() if one[0] != one[1]} == {}


async def run(insider: Insider, server: Server, token: str, *words: str) -> int:
    """The exit code; the pane's token is in the environment, as it would be."""
    path = f"{server.root}:{Path(sys.executable).parent}:/usr/bin:/bin"
    words = tuple(word for word in words if word != "--json")
    at = words.index("--") if "--" in words else len(words)
    more = {"PATH": path, "SHELL": "/bin/sh"}
    done = await insider.orca(*words[:at], behind=words[at:], token=token, **more)
    if done.code == 0 and words[0] == "send":
        assert json.loads(done.out)["id"]
    return done.code
