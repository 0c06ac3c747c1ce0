"""The user's plugins in their real process: what they can do, and what they cannot do to anybody."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from orca_tui.base.errors import NotFound, PluginFailed, Refused
from orca_tui.commands.events import EVENTS, EventsRequest, StatusEvent
from orca_tui.commands.plugin_host import ORDERS, REPORT, ReportRequest
from orca_tui.commands.plugins import RELOAD, RUN, PluginRow, ReloadRequest, RunRequest
from orca_tui.commands.spec import Empty
from orca_tui.config import Config
from orca_tui.config import Plugins as Settings
from orca_tui.wire import Told
from tests.server.agents import Agent
from tests.server.plugin_files import Plugins
from tests.server.running import Api, Server, Ui, running_server, until

pytestmark = pytest.mark.anyio

QUIET = "id = '{id}'\nasync def setup(ctx):\n    ctx.command.register('pid', 'Tell the pid', tell(ctx))\n"
TELL = "import os\ndef tell(ctx):\n    return lambda pane: ctx.ui.notify(f'{os.getpid()} {pane}')\n"


def quiet(id: str, more: str = "") -> str:
    """A plugin that does nothing but tell the host's pid when it is asked."""
    return f"{TELL}{QUIET.format(id=id)}{more}"


@dataclass
class Here:
    server: Server
    api: Api
    plugins: Plugins

    async def told(self, ui: Ui, text: str) -> Told:
        return await ui.item(Told, lambda told: text in told.text)

    async def pid(self, ui: Ui, id: str) -> int:
        """The host's."""
        before = len(ui.items)
        await self.api.call(RUN, RunRequest(plugin=id, command="pid"))
        await ui.until(lambda: any(isinstance(item, Told) for item in ui.items[before:]))
        [told] = [item for item in ui.items[before:] if isinstance(item, Told)]
        return int(told.text.split()[1])


@asynccontextmanager
async def hosting(**settings: float) -> AsyncIterator[Here]:
    async with running_server(Config(plugins=Settings(**settings)), plugins=True) as server:
        api = Api(await server.client(), server.root)
        yield Here(server=server, api=api, plugins=Plugins(server, api))


async def test_there_is_a_host_as_long_as_there_is_a_plugin_file() -> None:
    async with hosting() as here:
        ui = await here.server.ui()
        assert await here.plugins.rows() == {}
        here.plugins.write("a.py", quiet("a", "    print('what a plugin prints')\n"))
        await here.plugins.becomes("a", "running")
        pid = await here.pid(ui, "a")
        os.kill(pid, 0)
        assert "what a plugin prints" in here.plugins.log.read_text()

        (here.plugins.folder / "a.py").unlink()
        await here.plugins.until(lambda rows: rows == {}, "no plugin is left")

        async def gone() -> bool:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return True
            return False

        await until(gone, "the host has ended")


async def test_commands_errors_and_reloads_are_answered() -> None:
    async with hosting() as here:
        ui = await here.server.ui()
        bad = "    ctx.command.register('bad', 'Bad', bad)\nasync def bad(pane):\n    raise ValueError('a secret')\n"
        here.plugins.write("a.py", quiet("a", bad))
        await here.plugins.becomes("a", "running")

        with pytest.raises(PluginFailed, match=r"plugin a: command: ValueError: a secret \(a.py:9 in bad\)"):
            await here.api.call(RUN, RunRequest(plugin="a", command="bad"))
        for request in (RunRequest(plugin="a", command="none"), RunRequest(plugin="none", command="bad")):
            with pytest.raises(NotFound):
                await here.api.call(RUN, request)
        with pytest.raises(NotFound):
            await here.api.call(RELOAD, ReloadRequest(plugin="none"))
        row = await here.api.call(RELOAD, ReloadRequest(plugin="a"))
        assert (row.state, row.revision, row.fault) == ("running", 2, None)

        here.plugins.write("a.py", "id = 'a'\nasync def setup(ctx):\n    1 / 0\n")
        told = await here.told(ui, "plugin a: setup: ZeroDivisionError")
        assert (told.severity, (await here.plugins.rows())["a"].state) == ("error", "running")
        with pytest.raises(PluginFailed, match="ZeroDivisionError"):
            await here.api.call(RELOAD, ReloadRequest(plugin="a"))


async def test_panes_keep_working_across_every_reload_and_notices_name_their_plugin() -> None:
    async with hosting() as here:
        agent = await Agent.open(here.api)
        await agent.works()
        statuses: list[StatusEvent] = []
        following = here.api.client.stream(EVENTS, EventsRequest(pane=agent.pane))
        await anext(following)

        for version in range(3):
            leaves = f"    await ctx.session.synthetic('{agent.pane}', 'from revision {version}')\n"
            here.plugins.write("a.py", quiet("a", leaves))
            await here.plugins.until(
                lambda rows, version=version: "a" in rows and rows["a"].revision == version + 1,
                "it is set up",
            )
        (here.plugins.folder / "a.py").unlink()
        await here.plugins.until(lambda rows: rows == {}, "no plugin is left")

        notices = await agent.inbox()
        assert [(one.state, one.text) for one in notices] == [
            ("pending", f"from revision {version}") for version in range(3)
        ]
        assert {(one.origin.kind, one.origin.name) for one in notices} == {("plugin", "a")}
        await agent.ends()
        async for item in following:
            if isinstance(item.event, StatusEvent):
                statuses.append(item.event)
                break
        assert statuses[0].to == "done"  # The first change since before the first plugin.


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("    time.sleep(1000)\n", "bad.py:5 in setup"),
        ("    ctx.start(work())\nasync def work():\n    while True: pass\n", "bad.py:7 in work"),
        ("    7 ** (10 ** 9)\n", "bad.py:5 in setup"),
        ("    pass\ntime.sleep(1000)\n", "bad.py:6 in <module>"),
    ],
    ids=["sleeps", "loops", "never lets go of the interpreter", "in its own lines"],
)
async def test_a_plugin_that_blocks_for_ever_is_named_and_left_out_and_the_others_run_again(
    body: str, place: str
) -> None:
    async with hosting(blocked_after_s=1.0) as here:
        ui = await here.server.ui()
        pane = await here.api.open("sh", "-c", "echo ready; cat")
        await here.api.shows(pane, "ready")
        here.plugins.write("bad.py", quiet("bad"))
        here.plugins.write("good.py", quiet("good"))
        await here.plugins.becomes("bad", "running")
        await here.plugins.becomes("good", "running")
        first = await here.pid(ui, "good")

        here.plugins.write("bad.py", f"import time\nid = 'bad'\n\nasync def setup(ctx):\n{body}")
        stopped = await here.plugins.becomes("bad", "stopped", "blocked")
        assert stopped.fault is not None
        assert stopped.fault.place == place
        await here.told(ui, "plugin bad: host: blocked: it held up all plugins for")

        await here.plugins.until(lambda rows: rows["good"].state == "running", "the other runs again")
        assert await here.pid(ui, "good") != first
        assert (await here.plugins.rows())["bad"].state == "stopped"
        assert (await here.api.info(pane)).exit_code is None
        here.plugins.write("bad.py", quiet("bad"))
        await here.plugins.becomes("bad", "running")


async def test_what_was_stopped_keeps_its_id_and_is_tried_again_when_it_is_reloaded() -> None:
    async with hosting(blocked_after_s=1.0) as here:
        blocks = "import pathlib, time\nif not pathlib.Path(__file__).with_suffix('.ok').exists(): time.sleep(1000)\n"
        here.plugins.write("my_file.py", quiet("my-id"))
        await here.plugins.becomes("my-id", "running")
        here.plugins.write("my_file.py", f"{blocks}{quiet('my-id')}")
        await here.plugins.becomes("my-id", "stopped", "blocked")

        (here.plugins.folder / "my_file.ok").touch()
        row = await here.api.call(RELOAD, ReloadRequest(plugin="my-id"))

        assert (row.id, row.state, row.fault) == ("my-id", "running", None)


async def test_a_plugin_that_eats_memory_is_named_and_left_out_though_it_sleeps_most_of_the_time() -> None:
    async with hosting(memory_mb=128) as here:
        eats = (
            "import asyncio\nid = 'eater'\nkept = []\nasync def setup(ctx):\n    ctx.start(eat())\n"
            "async def eat():\n    while True:\n        kept.append(b'x' * (1 << 20))\n"
            "        await asyncio.sleep(0.01)\n"
        )
        here.plugins.write("good.py", quiet("good"))
        here.plugins.write("eater.py", eats)

        row = await here.plugins.becomes("eater", "stopped", "memory")

        assert row.fault is not None
        assert "128 MB are allowed" in row.fault.message
        await here.plugins.becomes("good", "running")


async def test_a_plugin_that_wants_too_much_at_once_gets_an_error_of_its_own() -> None:
    async with hosting(memory_mb=128) as here:
        here.plugins.write("good.py", quiet("good"))
        here.plugins.write("eater.py", "id = 'eater'\nasync def setup(ctx):\n    b'x' * (1 << 32)\n")

        await here.plugins.becomes("eater", "failed", "MemoryError")
        await here.plugins.becomes("good", "running")


async def test_a_plugin_that_ends_the_host_while_it_is_set_up_is_left_out() -> None:
    async with hosting() as here:
        here.plugins.write("bad.py", quiet("bad"))
        here.plugins.write("good.py", quiet("good"))
        await here.plugins.becomes("bad", "running")
        await here.plugins.becomes("good", "running")
        here.plugins.write(
            "bad.py",
            "import asyncio, os\nid = 'bad'\nasync def setup(ctx):\n    await asyncio.sleep(0.2)\n    os._exit(3)\n",
        )

        row = await here.plugins.becomes("bad", "stopped", "crash")

        assert row.fault is not None
        assert "exit 3" in row.fault.message
        await here.plugins.becomes("good", "running")


async def test_a_plugin_that_crashes_the_interpreter_is_named_by_its_stack() -> None:
    async with hosting() as here:
        crash = "    ctx.start(crash())\nasync def crash():\n    import ctypes\n    ctypes.string_at(0)\n"
        here.plugins.write("bad.py", quiet("bad", crash))

        row = await here.plugins.becomes("bad", "stopped", "crash")

        assert row.fault is not None
        assert row.fault.place == "bad.py:10 in crash"
        assert f"signal {signal.SIGSEGV.value}" in row.fault.message


async def test_a_crash_loop_backs_off_and_is_shown_and_a_changed_file_ends_it() -> None:
    async with hosting() as here:
        ui = await here.server.ui()
        later = "    ctx.start(leave())\nasync def leave():\n    import os\n    os._exit(4)\n"
        here.plugins.write("a.py", quiet("a", later))
        here.plugins.write("b.py", quiet("b"))

        for times in ("once", "2 times", "3 times"):
            await here.told(ui, f"the plugin host ended (exit 4); that was {times} in 5 min")
        told = await here.told(ui, "3 times")
        assert told.text.endswith("it starts again in 2 s")
        rows = await here.plugins.rows()
        assert {row.state.value for row in rows.values()} == {"stopped"}
        assert all(row.fault is not None and "3 times" in row.fault.message for row in rows.values())

        here.plugins.write("a.py", quiet("a"))
        await here.plugins.becomes("a", "running")
        await here.plugins.becomes("b", "running")


async def test_a_host_that_was_killed_comes_again_and_reload_does_not_wait() -> None:
    async with hosting() as here:
        ui = await here.server.ui()
        here.plugins.write("a.py", quiet("a"))
        await here.plugins.becomes("a", "running")
        pid = await here.pid(ui, "a")
        os.kill(pid, signal.SIGKILL)
        await here.told(ui, "the plugin host ended (signal 9)")

        row = await here.api.call(RELOAD, ReloadRequest(plugin="a"))

        assert row.state == "running"
        assert await here.pid(ui, "a") != pid


async def test_a_plugin_that_cannot_be_ended_ends_with_the_host_and_stays_out() -> None:
    async with hosting() as here:
        stubborn = (
            "    ctx.start(stay())\nasync def stay():\n    import asyncio\n    while True:\n"
            "        try: await asyncio.sleep(1000)\n        except asyncio.CancelledError: pass\n"
        )
        here.plugins.write("bad.py", quiet("bad", stubborn))
        await here.plugins.becomes("bad", "running")

        here.plugins.write("bad.py", quiet("bad", f"{stubborn}# changed\n"))

        row = await here.plugins.becomes("bad", "stopped", "stuck")
        assert row.commands == ()


async def test_at_the_servers_end_plugins_are_disposed_while_it_still_answers() -> None:
    async with hosting() as here:
        agent = await Agent.open(here.api)
        await agent.works()
        notice = (await agent.send("stale")).id
        source = (
            "import pathlib\nid = 'a'\nasync def setup(ctx):\n    async def dispose():\n"
            f"        gone = await ctx.session.inbox.cancel('{agent.pane}', '{notice}')\n"
            "        pathlib.Path(__file__).with_name('gone').write_text(gone.state)\n    return dispose\n"
        )
        here.plugins.write("a.py", source)
        await here.plugins.becomes("a", "running")

        await here.api.stop()
        await here.server.task

        gone = here.plugins.folder / "gone"
        assert gone.read_text() == "cancelled"


async def test_nobody_else_can_speak_for_the_host() -> None:
    async with hosting() as here:
        report = ReportRequest(plugins=(PluginRow(id="x", file="x", state="running", since=0.0),), digests={})
        with pytest.raises(Refused):
            await here.api.call(REPORT, report)
        here.plugins.write("a.py", quiet("a"))
        await here.plugins.becomes("a", "running")

        with pytest.raises(Refused):
            await here.api.call(REPORT, report)
        with pytest.raises(Refused):
            await anext(here.api.client.stream(ORDERS, Empty()))
        assert set(await here.plugins.rows()) == {"a"}


async def test_settings_can_switch_plugins_off_and_that_is_said() -> None:
    async with hosting(enabled=False) as here:
        here.plugins.write("a.py", quiet("a"))

        await here.plugins.becomes("a", "stopped", "off")
        with pytest.raises(PluginFailed, match="switched off in the settings"):
            await here.api.call(RELOAD, ReloadRequest(plugin="a"))
