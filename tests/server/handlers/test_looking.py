"""What is told of panes without changing them (`read` is tested with real programs in `test_panes.py`)."""

from __future__ import annotations

import os

import pytest

from orca_tui.base.errors import NotFound
from orca_tui.commands.explain import EXPLAIN, ExplainRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.type import TYPE, TypeRequest
from tests.server.running import Api, until

pytestmark = pytest.mark.anyio


async def test_panes_are_listed_in_the_order_of_the_layout(api: Api) -> None:
    first = await api.open("/bin/sh", "-c", "read x")
    second = await api.open("/bin/sh", "-c", "read x")
    beside_first = await api.open("/bin/sh", "-c", "read x", split="right", beside=first)

    listed = await api.call(LIST, Empty())

    assert [info.pane for info in listed.panes] == [first, beside_first, second]
    assert listed.focused == beside_first


async def test_a_record_names_process_place_and_what_it_uses(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "echo up; read x", size=(100, 30), name="mine")
    await api.shows(pane, "up")

    info = (await api.panes())[pane]

    assert info.pid is not None
    assert os.getsid(info.pid) == info.pid
    assert (info.name, info.size, info.tab, info.workspace) == ("mine", (100, 30), "t1", "w1")
    assert info.cwd == str(api.root)
    assert info.command == ("/bin/sh", "-c", "echo up; read x")
    assert info.rss_bytes is not None
    assert info.rss_bytes > 100_000


async def test_the_directory_follows_the_program(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "cd /usr; echo up; read x")
    await api.shows(pane, "up")
    assert (await api.info(pane)).cwd == "/usr"

    told = await api.open("/bin/sh", "-c", r"printf '\033]7;file:///opt/there\007'; echo up; read x")
    await api.shows(told, "up")
    assert (await api.info(told)).cwd == "/opt/there"


async def test_an_explanation_names_the_evidence(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "exit 4")
    await api.exits(pane)

    explained = await api.call(EXPLAIN, ExplainRequest(pane=pane))

    assert explained.pane.pane == pane
    assert "exited with code 4" in explained.verdict
    assert explained.observations[-1].taken
    assert explained.observations[-1].status == "exited"


async def test_an_explanation_without_evidence_says_so(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")

    assert "nothing has been observed" in (await api.call(EXPLAIN, ExplainRequest(pane=pane))).verdict


async def test_reading_history_leaves_the_screen_where_it_was(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "seq 1 100; read x; echo more; read x", size=(40, 10))
    await api.shows(pane, "100")
    before = await api.screen(pane)

    await api.call(READ, ReadRequest(pane=pane, source="scrollback", ansi=True))

    assert await api.screen(pane) == before
    await api.call(TYPE, TypeRequest(pane=pane, text="\r"))
    await api.shows(pane, "more")


async def test_cpu_is_known_after_a_while(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "while :; do :; done")

    async def measured() -> bool:
        percent = (await api.panes())[pane].cpu_percent
        return percent is not None and percent > 5

    await until(measured, "the loop's CPU shows")


@pytest.mark.parametrize("command", [READ, EXPLAIN])
async def test_a_missing_pane_is_not_found(api: Api, command: object) -> None:
    with pytest.raises(NotFound):
        await api.call(command, command.request(pane="p9"))  # type: ignore[arg-type, attr-defined]
