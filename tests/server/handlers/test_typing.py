"""What `input` takes (`type`, `paste` and `keys` are tested with real programs in `test_panes.py`)."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid, NotFound
from orca_tui.commands.input import INPUT, InputRequest
from tests.server.running import Api

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        (InputRequest(pane="p1", text="typed\r"), "typed^M"),
        (InputRequest(pane="p1", paste="pasted\n"), "pasted^M"),
        (InputRequest(pane="p1", keys=("a", "up")), "a^[[A"),
        (InputRequest(pane="p1", text="ünï 漢"), "M-CM-<nM-CM-/ M-fM-<M-"),
    ],
)
async def test_each_kind_of_input_reaches_the_program(api: Api, request_: InputRequest, shown: str) -> None:
    pane = await api.open("/bin/sh", "-c", "stty raw -echo; echo ready; cat -v")
    await api.shows(pane, "ready")

    await api.call(INPUT, request_)

    await api.shows(pane, shown)


@pytest.mark.parametrize(
    "request_",
    [
        InputRequest(pane="p1"),
        InputRequest(pane="p1", text="a", paste="b"),
        InputRequest(pane="p1", text="a", keys=("b",)),
    ],
)
async def test_exactly_one_kind_is_given(api: Api, request_: InputRequest) -> None:
    await api.open("/bin/sh", "-c", "read x")

    with pytest.raises(Invalid):
        await api.call(INPUT, request_)


async def test_a_missing_pane_is_not_found(api: Api) -> None:
    with pytest.raises(NotFound):
        await api.call(INPUT, InputRequest(pane="p9", text="x"))
