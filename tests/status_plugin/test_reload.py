"""OpenCode 2 reloads plugins while sessions run: what the server hears across it, from a real plugin in the double."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from status_plugin.generate import PLUGIN_FILE_NAME, plugin_bytes

pytestmark = pytest.mark.anyio

SESSION = "ses_1"
CHILD = "ses_2"
LONG_MS = 60_000
"""A turn of this length ends only when it is interrupted."""

EDITED = plugin_bytes() + b"// edited\n"
BROKEN = b"export default {\n"
THROWING = b'export default { id: "orca-tui-status", setup() { throw new Error("no") } }\n'

ENDS_TURN_WHILE_CLOSING = b"""
export default {
  id: "slow",
  setup: async (ctx) => async () => {
    await ctx.session.interrupt({ sessionID: "ses_1" })
    await ctx.session.wait({ sessionID: "ses_1" })
  },
}
"""
"""Restarted before ours is set up again: the turn ends while no generation of ours listens."""

STARTS_TURN_WHILE_CLOSING = b"""
export default {
  id: "slow",
  setup: async (ctx) => async () => {
    const events = ctx.event.subscribe()[Symbol.asyncIterator]()
    await ctx.session.prompt({ sessionID: "ses_1", text: "unheard", ms: 60000 })
    while ((await events.next()).value.type !== "session.step.started");
  },
}
"""

Json = dict[str, Any]


def row(table: Json, session: str = SESSION) -> Json:
    """The session's row, or an empty one where the table has none."""
    return next((row for row in table["sessions"] if row["id"] == session), {})


def is_busy(generation: int, session: str = SESSION) -> Callable[[Json], bool]:
    return lambda table: table["generation"] == generation and row(table, session).get("busy") is True


def is_idle(generation: int, session: str = SESSION) -> Callable[[Json], bool]:
    return lambda table: table["generation"] == generation and row(table, session).get("busy") is False


async def start_turn(host: Any, intake: Any) -> None:
    host.send(cmd="prompt", sessionID=SESSION, text="go", ms=LONG_MS)
    await intake.until(is_busy(1))


async def test_a_reload_mid_turn_keeps_the_session_busy_until_its_one_end(
    open_host: Any, intake: Any
) -> None:
    host = await open_host()
    await start_turn(host, intake)

    await host.change_plugin(content=EDITED)
    await intake.until(is_busy(2))
    host.send(cmd="interrupt", sessionID=SESSION)
    last = await intake.until(is_idle(2))

    told = [found for table in intake.posted if (found := row(table)).get("turn")]
    assert {found["turn"] for found in told} == {1}
    assert [found["busy"] for found in told].index(False) == len(told) - 1
    assert row(last)["end"] == "interrupted:user"


async def test_dispose_posts_nothing(open_host: Any, intake: Any) -> None:
    host = await open_host()
    await start_turn(host, intake)

    await host.change_plugin(content=EDITED)
    await intake.until(is_busy(2))
    await host.close()

    assert [table["factory"] for table in intake.posted] == sorted(
        table["factory"] for table in intake.posted
    )
    assert not any(table["gone"] for table in intake.posted)
    assert all(row(table)["busy"] for table in intake.posted if table["factory"] == 2)


async def test_the_sequence_goes_on_over_generations(open_host: Any, intake: Any) -> None:
    host = await open_host()
    await start_turn(host, intake)
    await host.change_plugin(content=EDITED)
    await intake.until(is_busy(2))

    numbers = [table["seq"] for table in intake.posted]
    assert numbers == sorted(set(numbers))
    assert {table["process"]["pid"] for table in intake.posted} == {host.pid}


async def test_the_poll_passes_to_the_next_generation(open_host: Any, intake: Any) -> None:
    host = await open_host()
    await intake.polls.until(lambda _: True)

    await host.change_plugin(content=EDITED)
    await intake.polls.until(lambda _: True, after=1)

    assert len({poll["process"] for poll in intake.polls.entries}) == 1
    assert len(intake.polls.entries) == 2


async def test_an_ask_answered_after_the_reload_is_resolved(open_host: Any, intake: Any) -> None:
    host = await open_host()
    await start_turn(host, intake)
    host.emit("permission.asked", id="per_1", sessionID=SESSION, action="shell", resources=["rm x"])
    asked = await intake.until(lambda table: bool(row(table).get("asks")))

    await host.change_plugin(content=EDITED)
    taken_over = await intake.until(is_busy(2))
    host.emit("permission.replied", requestID="per_1", sessionID=SESSION, reply="once")
    answered = await intake.until(lambda table: bool(row(table).get("resolved")))

    assert [ask["text"] for ask in row(asked)["asks"]] == ["shell: rm x"]
    assert row(taken_over)["asks"] == row(asked)["asks"]
    assert row(answered)["asks"] == []
    assert row(answered)["resolved"] == ["per_1"]
    assert row(answered)["busy"]


async def test_a_child_that_runs_over_the_reload_still_runs_when_its_root_ends(
    open_host: Any, intake: Any
) -> None:
    host = await open_host()
    await start_turn(host, intake)
    host.emit("session.created", sessionID=CHILD, parentID=SESSION)
    host.emit("session.execution.started", sessionID=CHILD)
    await intake.until(is_busy(1, CHILD))

    await host.change_plugin(content=EDITED)
    host.send(cmd="interrupt", sessionID=SESSION)
    root_ended = await intake.until(is_idle(2))
    host.emit("session.execution.succeeded", sessionID=CHILD)
    child_ended = await intake.until(is_idle(2, CHILD))

    assert row(root_ended, CHILD)["parent"] == SESSION
    assert row(root_ended, CHILD)["busy"] or not row(root_ended)["busy"]
    assert row(child_ended, CHILD)["turn"] == 1


@pytest.mark.parametrize(
    ("options", "question"), [(("--future",), "session.active"), ((), "session.wait")], ids=["active", "wait"]
)
async def test_a_turn_that_ends_between_dispose_and_setup_is_found_to_have_ended(
    open_host: Any, intake: Any, options: tuple[str, ...], question: str
) -> None:
    host = await open_host(*options, plugins={"a-slow.js": ENDS_TURN_WHILE_CLOSING})
    await start_turn(host, intake)

    await host.change_plugin("a-slow.js", ENDS_TURN_WHILE_CLOSING)
    ended = await intake.until(is_idle(2))

    await host.until("call", id="orca-tui-status", name=question)
    assert row(ended)["end"] == "ok"
    assert row(ended)["turn"] == 1


@pytest.mark.parametrize("options", [("--future",), ()], ids=["active", "wait"])
async def test_a_turn_that_still_runs_after_the_reload_is_not_taken_for_ended(
    open_host: Any, intake: Any, options: tuple[str, ...]
) -> None:
    host = await open_host(*options)
    await start_turn(host, intake)

    await host.change_plugin(content=EDITED)
    await intake.until(is_busy(2))
    host.emit("permission.asked", id="per_1", sessionID=SESSION, action="shell", resources=[])
    later = await intake.until(lambda table: bool(row(table).get("asks")))

    assert row(later)["busy"]


async def test_a_start_missed_during_the_reload_is_found_by_asking_the_host(
    open_host: Any, intake: Any
) -> None:
    host = await open_host("--future", plugins={"a-slow.js": STARTS_TURN_WHILE_CLOSING})

    await host.change_plugin("a-slow.js", STARTS_TURN_WHILE_CLOSING)

    assert row(await intake.until(is_busy(2)))["turn"] == 1


async def test_a_start_missed_during_the_reload_is_healed_by_the_next_tool_call(
    open_host: Any, intake: Any
) -> None:
    host = await open_host(plugins={"a-slow.js": STARTS_TURN_WHILE_CLOSING})
    host.send(cmd="prompt", sessionID=SESSION, text="go", ms=1)
    await intake.until(lambda table: is_idle(1)(table) and row(table)["turn"] == 1)

    await host.change_plugin("a-slow.js", STARTS_TURN_WHILE_CLOSING)
    host.emit("session.tool.called", sessionID=SESSION, id="call_1")

    assert row(await intake.until(is_busy(2)))["turn"] == 2


async def test_a_broken_edit_leaves_the_session_as_it_was_and_the_mended_one_goes_on(
    open_host: Any, intake: Any
) -> None:
    host = await open_host()
    await start_turn(host, intake)

    await host.change_plugin(content=BROKEN)
    await host.until("failed", stage="import")
    posted_before = len(intake.posted)
    host.send(cmd="interrupt", sessionID=SESSION)
    await host.records.until(
        lambda entry: entry.get("event", {}).get("type") == "session.execution.interrupted"
    )
    posted_after = len(intake.posted)
    await host.change_plugin(content=EDITED)
    ended = await intake.until(is_idle(2))

    assert posted_before == posted_after
    assert row(ended)["turn"] == 1


async def test_a_revision_whose_setup_throws_hands_back_to_the_previous_one(
    open_host: Any, intake: Any
) -> None:
    host = await open_host()
    await start_turn(host, intake)

    await host.change_plugin(content=THROWING)
    await host.until("failed", stage="setup")

    assert row(await intake.until(is_busy(2)))["turn"] == 1


async def test_a_plugin_that_is_restarted_along_with_another_keeps_its_module_and_its_rows(
    open_host: Any, intake: Any
) -> None:
    other = b'export default { id: "other", setup() {} }\n'
    host = await open_host("--restart", "all", plugins={"z-other.js": other})
    await start_turn(host, intake)

    await host.change_plugin("z-other.js", other)

    assert row(await intake.until(is_busy(2)))["turn"] == 1
    imported = [entry["target"] for entry in host.records.entries if entry["rec"] == "import"]
    assert sum(target.endswith(PLUGIN_FILE_NAME) for target in imported) == 1
