"""OpenCode 1 disposes of an instance and cancels its turns: what the server hears, from a real plugin in the double."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.anyio

SESSION = "ses_1"

Json = dict[str, Any]


def emit(host: Any, kind: str, session: str = SESSION, **properties: Any) -> None:
    host.send(cmd="emit", event={"type": kind, "properties": {"sessionID": session, **properties}})


def status(host: Any, kind: str) -> None:
    emit(host, "session.status", status={"type": kind})


def is_busy(table: Json) -> bool:
    return any(row["busy"] for row in table["sessions"])


async def test_a_disposed_factory_says_that_it_is_gone_with_what_it_held(open_host: Any, intake: Any) -> None:
    host = await open_host("--host", "v1")
    status(host, "busy")
    await intake.until(is_busy)

    host.send(cmd="dispose")
    gone = await intake.until(lambda table: table["gone"])

    assert is_busy(gone)
    assert not gone["outlives_dispose"]


async def test_the_idle_of_a_cancelled_turn_that_reaches_the_next_factory_is_nothing(
    open_host: Any, intake: Any
) -> None:
    host = await open_host("--host", "v1")
    status(host, "busy")
    await intake.until(is_busy)
    host.send(cmd="dispose")
    await host.until("disposed")

    status(host, "idle")
    emit(host, "session.idle")
    emit(host, "session.created", "ses_9", info={"id": "ses_9"})
    later = await intake.until(lambda table: table["factory"] == 2 and table["sessions"])
    status(host, "busy")
    again = await intake.until(lambda table: is_busy(table) and table["factory"] == 2)

    assert [row["id"] for row in later["sessions"]] == ["ses_9"]
    assert [row["turn"] for row in again["sessions"]] == [0, 2]


async def test_each_of_two_factories_says_that_it_is_gone(open_host: Any, intake: Any) -> None:
    host = await open_host("--host", "v1", "--factories", "2")
    status(host, "busy")
    await intake.until(is_busy)

    host.send(cmd="dispose")
    await host.until("disposed")
    await intake.until(lambda table: table["factory"] == 4)

    gone = [(table["factory"], is_busy(table)) for table in intake.posted if table["gone"]]
    assert gone == [(1, False), (2, True)]


async def test_the_poll_stops_with_the_last_factory_and_begins_with_the_next(
    open_host: Any, intake: Any
) -> None:
    host = await open_host("--host", "v1", "--factories", "2")
    await intake.polls.until(lambda _: True)

    host.send(cmd="dispose")
    await host.until("disposed")
    await intake.until(lambda table: table["factory"] == 4)
    await intake.ended_polls.until(lambda _: True)

    assert len(intake.polls.entries) - len(intake.ended_polls.entries) <= 1
    await host.close()
    await intake.ended_polls.until(lambda _: len(intake.ended_polls.entries) == len(intake.polls.entries))


async def test_the_embedded_second_core_of_1_18_adds_no_factory(open_host: Any, intake: Any) -> None:
    host = await open_host("--host", "v1", "--v1-setup")
    await host.until("setup")
    status(host, "busy")
    await intake.until(is_busy)

    assert {table["factory"] for table in intake.posted} == {1}
    assert {table["host"]["major"] for table in intake.posted} == {1}
    assert not [entry for entry in host.records.entries if entry["rec"] in ("failed", "unhandled")]


async def test_a_resumed_session_is_looked_up_to_learn_whose_child_it_is(open_host: Any, intake: Any) -> None:
    host = await open_host("--host", "v1")
    status(host, "busy")
    known = await intake.until(lambda table: [row["parent"] for row in table["sessions"]] == [None])

    first = next(table for table in intake.posted if is_busy(table))
    assert [row["parent"] for row in first["sessions"]] in ([None], ["unknown"])
    assert known["sessions"][0]["busy"]
