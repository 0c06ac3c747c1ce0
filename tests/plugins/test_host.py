"""Plugins over their whole life: set up, changed, failed, disposed; each by itself."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from orca_tui.commands.events import ClosedEvent
from orca_tui.commands.plugin_host import Stopped
from orca_tui.commands.plugins import Fault
from orca_tui.plugins.folder import read_folder
from tests.plugins.hosting import hosting

pytestmark = pytest.mark.anyio

POLITE = """
id = "{id}"
async def setup(ctx):
    await ctx.ui.notify("{id} {version} up")
    async def dispose():
        await ctx.ui.notify("{id} {version} down")
    return dispose
"""


def polite(id: str, version: int = 1) -> str:
    """A plugin that tells of its setup and its dispose."""
    return POLITE.format(id=id, version=version)


# Changes


async def test_a_new_file_is_set_up_and_a_deleted_one_is_disposed(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("a"))
        await here.settles("a", "running")
        (tmp_path / "a.py").unlink()
        here.host.look()

        await here.hears("a 1 up", "a 1 down")
        await here.until(lambda: here.host.report().plugins == ())


async def test_only_the_plugin_whose_bytes_changed_is_disposed_and_set_up_again(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("a"))
        here.write("b.py", polite("b"))
        await here.hears("a 1 up", "b 1 up")

        here.write("a.py", polite("a", 2))
        await here.settles("a", "running", 2)

        await here.hears("a 1 up", "b 1 up", "a 2 up", "a 1 down")
        assert here.row("b").revision == 1


async def test_touching_a_file_or_writing_the_same_bytes_does_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("a"))
        await here.settles("a", "running")

        os.utime(tmp_path / "a.py", (1, 1))
        here.write("a.py", polite("a"))
        here.write("b.py", polite("b"))  # Whatever the look before has begun goes first.
        await here.settles("b", "running")

        assert (here.said, here.row("a").revision) == (["a 1 up", "b 1 up"], 1)


async def test_of_several_changes_during_a_setup_only_the_last_is_taken(tmp_path: Path) -> None:
    slow = """
import asyncio
id = "a"
async def setup(ctx):
    await ctx.ui.notify("slow")
    await asyncio.sleep(0.05)
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", slow)
        await here.hears("slow")
        here.write("a.py", polite("a", 2))
        here.write("a.py", polite("a", 3))

        await here.hears("slow", "a 3 up")


async def test_a_plugin_that_deletes_its_own_file_while_it_is_set_up_is_disposed(tmp_path: Path) -> None:
    source = polite("a").replace(
        "async def setup(ctx):", "import os\nasync def setup(ctx):\n    os.unlink(__file__)"
    )
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        await here.hears("a 1 up")
        here.host.look()

        await here.hears("a 1 up", "a 1 down")
        await here.until(lambda: here.host.report().plugins == ())


# What throws


async def test_a_setup_that_throws_leaves_the_revision_before_running_and_says_why(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("a"))
        await here.settles("a", "running")

        here.write("a.py", "id = 'a'\nasync def setup(ctx):\n    {}['lost']\n")
        await here.until(lambda: here.row("a").fault is not None)

        row = here.row("a")
        assert row.state == "running"
        assert row.fault == Fault(doing="setup", kind="KeyError", message="'lost'", place="a.py:3 in setup")
        assert here.said == ["a 1 up"]


async def test_a_setup_that_throws_takes_along_what_it_had_begun(tmp_path: Path) -> None:
    source = """
import asyncio
id = "a"
async def setup(ctx):
    ctx.command.register("x", "X", print)
    ctx.start(never(ctx))
    asyncio.create_task(forever(ctx))
    await asyncio.sleep(0)
    raise ValueError
async def never(ctx):
    await ctx.ui.notify("started")
async def forever(ctx):
    try:
        await asyncio.sleep(1000)
    finally:
        await ctx.ui.notify("ended")
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        row = await here.settles("a", "failed")

        assert row.commands == ()
        await here.hears("ended")


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("this is no python", "SyntaxError"),
        ("raise RuntimeError('top')", "RuntimeError"),
        ("import sys\nsys.exit(3)", "SystemExit"),
        ("async def setup(ctx): pass", "no plugin"),
        ("id = 'x'\nimport sys\nasync def setup(ctx): sys.exit(0)", "SystemExit"),
        ("id = 'x'\nasync def setup(ctx): return 5", "TypeError"),
        ("id = 'x'\nimport asyncio\nasync def setup(ctx): raise asyncio.CancelledError", "CancelledError"),
        ("id = 'x'\nimport no_such_module\nasync def setup(ctx): pass", "ModuleNotFoundError"),
    ],
)
async def test_what_cannot_be_set_up_fails_with_its_reason_and_is_tried_again_when_it_changes(
    tmp_path: Path, source: str, kind: str
) -> None:
    async with hosting(tmp_path) as here:
        here.write("x.py", source)
        row = await here.settles("x", "failed")
        assert row.fault is not None
        assert row.fault.kind == kind

        here.write("x.py", polite("x"))
        assert (await here.settles("x", "running")).fault is None


async def test_work_that_throws_fails_the_plugin_which_is_disposed_until_its_file_changes(
    tmp_path: Path,
) -> None:
    source = polite("a").replace("    return dispose", "    ctx.start(work())\n    return dispose") + (
        "async def work():\n    raise ValueError('why')\n"
    )
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        row = await here.settles("a", "failed")
        await here.hears("a 1 up", "a 1 down")
        assert row.fault is not None
        assert row.fault.sentence() == "task: ValueError: why (a.py:10 in work)"

        here.write("a.py", polite("a", 2))
        await here.settles("a", "running")


async def test_a_dispose_that_throws_is_told_and_keeps_nothing_from_going_on(tmp_path: Path) -> None:
    source = "id = 'a'\nasync def setup(ctx):\n    async def dispose():\n        1 / 0\n    return dispose\n"
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        await here.settles("a", "running")
        here.write("a.py", polite("a", 2))

        await here.until(lambda: here.row("a").fault is not None)
        row = here.row("a")
        assert (row.state, row.revision) == ("running", 2)
        assert row.fault is not None
        assert row.fault.sentence() == "dispose: ZeroDivisionError: division by zero (a.py:4 in dispose)"


async def test_a_callback_that_throws_is_shown_and_the_plugin_goes_on(tmp_path: Path) -> None:
    source = """
import asyncio
id = "a"
def boom():
    raise LookupError("gone")
async def setup(ctx):
    asyncio.get_running_loop().call_soon(boom)
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        await here.until(lambda: any(row.fault is not None for row in here.host.report().plugins))

        row = await here.settles("a", "running")
        assert row.fault is not None
        assert row.fault.place == "a.py:5 in boom"


# Time


async def test_a_setup_that_takes_too_long_is_cancelled(tmp_path: Path) -> None:
    source = "import asyncio\nid = 'a'\nasync def setup(ctx):\n    await asyncio.sleep(1000)\n"
    async with hosting(tmp_path, setup_s=0.05) as here:
        here.write("a.py", source)
        row = await here.settles("a", "failed")

        assert row.fault is not None
        assert row.fault.sentence() == "setup: timeout: it did not end within 0.05 s"


async def test_one_plugin_that_takes_its_time_keeps_no_other_waiting(tmp_path: Path) -> None:
    slow = "import asyncio\nid = 'slow'\nasync def setup(ctx):\n    await asyncio.sleep(1000)\n"
    async with hosting(tmp_path, setup_s=0.5) as here:
        here.write("slow.py", slow)
        here.write("a.py", polite("a"))

        await here.settles("a", "running")
        assert here.row("slow").state == "starting"


async def test_a_plugin_that_does_not_let_itself_be_cancelled_is_stuck(tmp_path: Path) -> None:
    source = """
import asyncio
id = "a"
released = asyncio.Event()
async def setup(ctx):
    ctx.start(stubborn())
    ctx.command.register("release", "Release", lambda pane: released.set())
async def stubborn():
    while not released.is_set():
        try:
            await released.wait()
        except asyncio.CancelledError:
            pass
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        await here.settles("a", "running")
        live = here.host._plugins["a.py"].live
        assert live is not None
        (tmp_path / "a.py").unlink()
        here.host.look()

        await here.until(lambda: here.host.report().stuck == ("a.py",))
        live.loaded.module.released.set()


# Commands


async def test_commands_run_in_the_host_with_the_pane_and_are_gone_with_the_plugin(tmp_path: Path) -> None:
    source = """
id = "a"
async def setup(ctx):
    async def greet(pane):
        await ctx.ui.notify(f"hello {pane}")
    ctx.command.register("greet", "Greet", greet, "Say hello.")
    ctx.command.register("plain", "Plain", lambda pane: None)
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", source)
        row = await here.settles("a", "running")

        assert [(one.id, one.title, one.description) for one in row.commands] == [
            ("greet", "Greet", "Say hello."),
            ("plain", "Plain", ""),
        ]
        assert await here.host.run("a", "greet", "p3") is None
        assert await here.host.run("a", "plain", None) is None
        assert here.said == ["hello p3"]
        here.write("a.py", polite("a"))
        await here.settles("a", "running", 2)
        fault = await here.host.run("a", "greet", None)
        assert fault is not None
        assert fault.kind == "NotFound"


async def test_a_command_that_throws_or_takes_too_long_is_told_and_the_plugin_goes_on(tmp_path: Path) -> None:
    source = """
import asyncio
id = "a"
async def setup(ctx):
    async def bad(pane):
        raise ValueError("no")
    ctx.command.register("bad", "Bad", bad)
    ctx.command.register("slow", "Slow", lambda pane: asyncio.sleep(1000))
"""
    async with hosting(tmp_path, command_s=0.05) as here:
        here.write("a.py", source)
        await here.settles("a", "running")

        bad, slow = await here.host.run("a", "bad", None), await here.host.run("a", "slow", None)

        assert bad is not None
        assert bad.sentence() == "command: ValueError: no (a.py:6 in bad)"
        assert slow is not None
        assert slow.sentence() == "command: timeout: it did not end within 0.05 s"
        assert here.row("a").state == "running"
        assert here.row("a").fault == slow


async def test_unknown_plugins_are_told(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        for fault in (await here.host.run("x", "y", None), await here.host.reload("x")):
            assert fault is not None
            assert fault.kind == "NotFound"


# Events


async def test_each_event_goes_to_one_revision_however_the_plugin_is_set_up_again(tmp_path: Path) -> None:
    source = """
id = "a"
async def setup(ctx):
    ctx.start(follow(ctx, VERSION))
async def follow(ctx, version):
    async for event in ctx.event.subscribe():
        await ctx.ui.notify(f"{version}: {event.pane}")
"""
    async with hosting(tmp_path) as here:
        here.write("a.py", f"VERSION = 1\n{source}")
        await here.settles("a", "running")
        here.host.put(ClosedEvent(pane="p1", at=0.0))
        await here.hears("1: p1")

        here.write("a.py", f"VERSION = 2\n{source}")
        for number in range(50):
            here.host.put(ClosedEvent(pane=f"q{number}", at=0.0))
            await asyncio.sleep(0)
        await here.until(lambda: len(here.said) >= 51)

        seen = [text.partition(": ")[2] for text in here.said]
        assert seen == ["p1", *(f"q{number}" for number in range(50))]
        assert here.said[-1].startswith("2: ")


# Ids


async def test_an_id_belongs_to_the_first_file_and_the_other_waits_for_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        (tmp_path / "b.py").write_text(polite("same", 2))
        here.write("a.py", polite("same"))
        await here.until(lambda: [row.state for row in here.host.report().plugins] == ["running", "failed"])
        refused = here.row("b")
        assert refused.fault is not None
        assert refused.fault.message == "a.py has the id 'same' already"

        (tmp_path / "a.py").unlink()
        here.host.look()

        await here.until(lambda: [row.state for row in here.host.report().plugins] == ["running"])
        assert here.said == ["same 1 up", "same 1 down", "same 2 up"]


async def test_a_plugin_is_found_by_its_file_as_well(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("my_file.py", polite("my-id"))
        await here.settles("my-id", "running")

        assert await here.host.reload("my-id") is None
        assert await here.host.reload("my_file") is None
        assert here.row("my-id").revision == 3


async def test_a_file_may_change_its_id(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("one"))
        await here.settles("one", "running")
        here.write("a.py", polite("two", 2))

        await here.hears("one 1 up", "two 2 up", "one 1 down")
        assert [row.id for row in here.host.report().plugins] == ["two"]


# What the server has ended


async def test_what_did_harm_is_not_set_up_until_it_changes_or_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(polite("a"))
    digest = read_folder(tmp_path)["a.py"].digest
    fault = Fault(doing="host", kind="blocked", message="it held up all plugins for 5 s")

    async with hosting(tmp_path) as here:
        here.host.begin({"a.py": Stopped(id="named", digest=digest, fault=fault)})
        here.host.look()
        here.host.look()
        assert (here.row("named").state, here.row("named").fault, here.said) == ("stopped", fault, [])

        assert await here.host.reload("named") is None
        assert here.said == ["a 1 up"]

    async with hosting(tmp_path) as here:
        here.host.begin({"a.py": Stopped(id="named", digest=digest, fault=fault)})
        here.host.look()
        here.write("a.py", polite("a", 2))
        await here.hears("a 2 up")


async def test_reload_sets_up_again_though_nothing_changed_and_tells_how_that_went(tmp_path: Path) -> None:
    async with hosting(tmp_path) as here:
        here.write("a.py", polite("a"))
        await here.settles("a", "running")

        assert await here.host.reload("a") is None
        assert here.said == ["a 1 up", "a 1 up", "a 1 down"]

        (tmp_path / "a.py").write_text("id = 'a'\nasync def setup(ctx):\n    1 / 0\n")
        fault = await here.host.reload("a")
        assert fault is not None
        assert fault.kind == "ZeroDivisionError"
        assert here.row("a").state == "running"
