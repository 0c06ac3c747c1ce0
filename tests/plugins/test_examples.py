"""The example plugins, copied into the folder as their words say, in the real host with agents in panes."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from orca_tui.commands.inbox import INBOX_LIST, InboxListRequest, NoticeInfo
from orca_tui.commands.plugins import RUN, RunRequest
from orca_tui.commands.targets import RENAME, RenameRequest
from orca_tui.status.record import Status
from orca_tui.wire import Told
from tests.server.agents import Agent
from tests.server.plugin_files import Plugins
from tests.server.running import Api, Server, running_server, until

pytestmark = pytest.mark.anyio

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "plugins"
MOST_LINES = 80


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """It hosts plugins."""
    async with running_server(plugins=True) as running:
        yield running


async def install(server: Server, api: Api, name: str, id: str) -> None:
    plugins = Plugins(server, api)
    shutil.copy(EXAMPLES / name, plugins.folder)
    await plugins.becomes(id, "running")


async def named(api: Api, pane: str, name: str) -> None:
    await api.call(RENAME, RenameRequest(target=pane, name=name))


async def inbox(api: Api, pane: str, *, closed: bool = False) -> tuple[NoticeInfo, ...]:
    return (await api.call(INBOX_LIST, InboxListRequest(pane=pane, closed=closed))).notices


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_says_how_to_install_it(path: Path) -> None:
    source = path.read_text()

    assert source.count("\n") < MOST_LINES
    assert "Install: copy this file into ~/.config/orca-tui/plugins/" in source


async def test_the_lead_is_told_of_an_ask_and_that_is_taken_back_when_it_is_answered_elsewhere(
    server: Server, api: Api
) -> None:
    lead, worker = await Agent.open(api), await Agent.open(api)
    await named(api, lead.pane, "lead")
    await install(server, api, "tell_lead.py", "tell-lead")
    ui = await server.ui()
    await lead.works()  # So that the notice has to wait.

    await worker.works()
    await worker.keys("ctrl+a")

    async def told() -> bool:
        return [notice.state for notice in await inbox(api, lead.pane)] == ["pending"]

    await until(told, "the lead has a notice")
    assert f"pane {worker.pane} asks" in (await inbox(api, lead.pane))[0].text
    await worker.keys("y")  # Its own user answers.
    await ui.item(Told, lambda item: f"{worker.pane} was answered" in item.text)
    await lead.ends()
    await lead.waits(Status.DONE)
    assert (await inbox(api, lead.pane), lead.prompts()) == ((), ["work"])


async def test_an_idle_reviewer_is_woken_when_a_worker_is_done_and_a_busy_one_later(
    server: Server, api: Api
) -> None:
    reviewer, worker = await Agent.open(api), await Agent.open(api)
    await named(api, reviewer.pane, "reviewer")
    await named(api, worker.pane, "worker api")
    await install(server, api, "wake_reviewer.py", "wake-reviewer")

    await worker.works()
    await worker.ends()

    async def prompted(times: int) -> bool:
        return len(reviewer.prompts()) == times

    await until(lambda: prompted(1), "the reviewer is woken")
    assert "worker api has finished a turn" in reviewer.prompts()[0]

    await worker.works()  # While the reviewer works, too.
    await worker.ends()
    await worker.waits(Status.DONE)

    assert len(reviewer.prompts()) == 1
    assert await inbox(api, reviewer.pane) == ()
    await reviewer.ends()
    await until(lambda: prompted(2), "the reviewer is woken when its turn is over")

    await reviewer.ends()
    await reviewer.waits(Status.DONE)
    await api.call(RUN, RunRequest(plugin="wake-reviewer", command="now", pane=worker.pane))
    await until(lambda: prompted(3), "the palette wakes it too")


async def test_results_of_ci_wait_for_the_next_prompt_and_newer_ones_take_their_place(
    server: Server, api: Api
) -> None:
    pane = await api.open("/bin/sh", "-c", "exit 1", agent="claude")
    await api.exits(pane)  # What waits for it is for its next session.
    await named(api, pane, "ci")
    results = server.root / ".ci-results.txt"
    results.write_text("2 failed")
    await install(server, api, "ci_results.py", "ci-results")

    async def waits(text: str) -> bool:
        return [(one.text, one.wakes) for one in await inbox(api, pane)] == [
            (f"Results of CI:\n{text}", False)
        ]

    await until(lambda: waits("2 failed"), "the results are left")
    results.write_text("all green")
    await until(lambda: waits("all green"), "newer ones take their place")
    assert [one.state for one in await inbox(api, pane, closed=True)] == ["cancelled", "pending"]
