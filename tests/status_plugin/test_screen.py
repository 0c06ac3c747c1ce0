"""OpenCode 2's screens share a server: what the plugin's part in a screen says of its own pane, in the double."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.status.board import Board
from orca_tui.status.record import Kind, Status, StatusRecord
from status_plugin.generate import SCREEN_FILE_NAME, plugin_files

pytestmark = pytest.mark.anyio

ROOT = "ses_root"
CHILD = "ses_child"
OTHER = "ses_other"
LONG_MS = 600_000
UNANSWERED_S = 0.5
"""As long as a permission is open before it counts."""

Json = dict[str, Any]
OpenScreen = Callable[..., Awaitable[Any]]


def row(table: Json, session: str = ROOT) -> Json:
    return next((row for row in table["sessions"] if row["id"] == session), {})


def is_busy(session: str = ROOT) -> Callable[[Json], bool]:
    return lambda table: row(table, session).get("busy") is True


def has_ended(session: str = ROOT) -> Callable[[Json], bool]:
    return lambda table: row(table, session).get("end") is not None


def asks(table: Json, session: str = ROOT) -> list[str]:
    return [ask["id"] for ask in row(table, session).get("asks", [])]


def show(screen: Any, session: str | None) -> None:
    route = {"type": "session", "sessionID": session} if session else {"type": "home"}
    screen.send(cmd="show", route=route)


def start(screen: Any, session: str = ROOT, text: str = "go") -> None:
    screen.send(cmd="prompt", sessionID=session, text=text, ms=LONG_MS)


def finish(screen: Any, session: str = ROOT) -> None:
    screen.send(cmd="finish", sessionID=session)


def ask(screen: Any, permission: str = "per_1", session: str = ROOT) -> None:
    screen.emit("permission.asked", id=permission, sessionID=session, action="shell", resources=["rm x"])


def answer(screen: Any, permission: str = "per_1", session: str = ROOT) -> None:
    screen.emit("permission.replied", requestID=permission, sessionID=session, reply="once")


@pytest.fixture
def open_screen(open_host: Any) -> OpenScreen:
    """A screen at home, of a server with two sessions."""

    async def opened(*options: str) -> Any:
        screen = await open_host("--host", "tui", *options)
        for session in (ROOT, OTHER):
            screen.send(cmd="create", sessionID=session)
        return screen

    return opened


async def test_a_screen_at_home_has_an_agent_that_does_nothing(open_screen: OpenScreen, intake: Any) -> None:
    await open_screen()

    first = await intake.until(lambda _: True)

    assert (first["sessions"], first["gone"], first["outlives_dispose"]) == ([], False, True)
    assert first["host"] == {"major": 2, "version": "2.0.18"}


async def test_the_turn_of_the_shown_session_is_told_from_its_start_to_its_end(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    await intake.until(lambda table: bool(row(table)))

    start(screen, text="fix the bug")
    await intake.until(lambda table: row(table).get("prompt") == "fix the bug")
    finish(screen)
    ended = await intake.until(has_ended())

    assert (row(ended)["turn"], row(ended)["end"], row(ended)["parent"]) == (1, "ok", None)


async def test_a_session_that_is_not_shown_is_not_told_of(open_screen: OpenScreen, intake: Any) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen, OTHER)
    ask(screen, "per_other", OTHER)
    start(screen)
    await intake.until(is_busy())
    finish(screen)
    await intake.until(has_ended())

    assert {row["id"] for table in intake.posted for row in table["sessions"]} == {ROOT}


async def test_a_session_that_ran_before_it_was_shown_is_busy_with_its_prompt(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    start(screen, text="begun at home")
    await screen.records.until(lambda entry: entry.get("event", {}).get("type") == "session.step.started")

    show(screen, ROOT)
    shown = await intake.until(lambda table: row(table).get("prompt") == "begun at home")

    assert (row(shown)["busy"], row(shown)["turn"]) == (True, 1)


async def test_a_turn_that_is_left_behind_is_told_to_its_end_and_the_next_one_is_not(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    show(screen, OTHER)
    await intake.until(lambda table: bool(row(table, OTHER)))
    finish(screen)
    await intake.until(has_ended())
    start(screen, OTHER)
    await intake.until(is_busy(OTHER))
    start(screen)
    finish(screen, OTHER)
    last = await intake.until(has_ended(OTHER))

    assert row(last)["turn"] == 1
    assert not row(last)["busy"]


async def test_a_child_is_told_of_with_its_parent_and_its_end_is_its_own(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    screen.send(cmd="create", sessionID=CHILD, parentID=ROOT)
    start(screen, CHILD)
    running = await intake.until(is_busy(CHILD))
    finish(screen, CHILD)
    ended = await intake.until(has_ended(CHILD))

    assert row(running, CHILD)["parent"] == ROOT
    assert row(ended)["busy"]


async def test_a_permission_waits_once_nobody_has_answered_it(open_screen: OpenScreen, intake: Any) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())
    before = asyncio.get_running_loop().time()

    ask(screen)
    asked = await intake.until(lambda table: asks(table) == ["per_1"])
    waited = asyncio.get_running_loop().time() - before
    answer(screen)
    answered = await intake.until(lambda table: "per_1" in row(table).get("resolved", []))

    assert waited >= UNANSWERED_S
    assert row(asked)["asks"][0]["text"] == "shell: rm x"
    assert asks(answered) == []


async def test_a_permission_that_is_answered_at_once_is_no_ask(open_screen: OpenScreen, intake: Any) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    ask(screen, "per_quick")
    answer(screen, "per_quick")
    ask(screen, "per_slow")
    await intake.until(lambda table: bool(asks(table)))

    assert {ask for table in intake.posted for ask in asks(table)} == {"per_slow"}


async def test_a_form_waits_at_once_and_until_it_is_cancelled(open_screen: OpenScreen, intake: Any) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    form = {
        "id": "frm_1",
        "sessionID": ROOT,
        "metadata": {"kind": "question"},
        "fields": [{"title": "Which?"}],
    }
    screen.emit("form.created", form=form)
    asked = await intake.until(lambda table: asks(table) == ["frm_1"])
    screen.emit("form.cancelled", id="frm_1", sessionID=ROOT)
    await intake.until(lambda table: "frm_1" in row(table).get("resolved", []))

    assert (row(asked)["asks"][0]["kind"], row(asked)["asks"][0]["text"]) == ("question", "Which?")


async def test_a_permission_that_was_asked_before_the_screen_came_is_fetched(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    start(screen)
    request = {"id": "per_old", "sessionID": ROOT, "action": "shell", "resources": []}
    screen.send(cmd="hold", kind="permission", sessionID=ROOT, requests=[request])

    show(screen, ROOT)

    assert asks(await intake.until(lambda table: bool(asks(table)))) == ["per_old"]


async def test_what_is_still_listed_after_the_turn_is_stale(open_screen: OpenScreen, intake: Any) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())
    ask(screen)
    await intake.until(lambda table: bool(asks(table)))

    screen.send(cmd="interrupt", sessionID=ROOT)
    ended = await intake.until(has_ended())
    request = {"id": "per_1", "sessionID": ROOT, "action": "shell", "resources": []}
    screen.send(cmd="list", kind="permission", sessionID=ROOT, requests=[request])
    start(screen, text="again")
    again = await intake.until(lambda table: row(table).get("turn") == 2)

    assert row(ended)["end"] == "interrupted:user"
    assert (asks(ended), asks(again)) == ([], [])


async def test_an_end_that_came_while_the_server_was_away_is_found(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    screen.send(cmd="disconnect")
    finish(screen)
    await screen.records.until(
        lambda entry: entry.get("event", {}).get("type") == "session.execution.succeeded"
    )
    screen.send(cmd="connect")
    ended = await intake.until(has_ended())

    assert (row(ended)["turn"], row(ended)["end"]) == (1, "ok")


async def test_a_start_that_came_while_the_server_was_away_is_found(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    await intake.until(lambda table: bool(row(table)))

    screen.send(cmd="disconnect")
    start(screen)
    await screen.records.until(lambda entry: entry.get("event", {}).get("type") == "session.step.started")
    screen.send(cmd="connect")

    assert row(await intake.until(is_busy()))["turn"] == 1


async def test_an_edit_of_the_file_in_the_middle_of_a_turn_says_nothing_of_its_own(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())

    await screen.change_plugin(SCREEN_FILE_NAME, plugin_files()[1].content + b"// edited\n")
    again = await intake.until(lambda table: table["generation"] == 2 and is_busy()(table))
    finish(screen)
    ended = await intake.until(has_ended())

    assert (row(again)["turn"], row(ended)["turn"]) == (1, 1)
    assert [table for table in intake.posted if table["gone"]] == []
    disposed = await screen.until("dispose")
    assert disposed["listeners"] == 0


async def test_a_turn_that_was_left_behind_is_told_to_its_end_after_an_edit_of_the_file(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())
    show(screen, None)

    await screen.change_plugin(SCREEN_FILE_NAME, plugin_files()[1].content + b"// edited\n")
    await intake.until(lambda table: table["generation"] == 2 and is_busy()(table))
    screen.send(cmd="interrupt", sessionID=ROOT)

    assert row(await intake.until(has_ended()))["end"] == "interrupted:user"


@pytest.mark.parametrize("options", [("--standalone",), ("--app-version", "1.18.33")], ids=["own", "v1"])
async def test_a_screen_with_a_server_of_its_own_and_one_of_opencode_1_say_nothing(
    open_screen: OpenScreen, intake: Any, options: tuple[str, ...]
) -> None:
    screen = await open_screen(*options)
    setup = await screen.until("setup")
    show(screen, ROOT)
    start(screen)
    finish(screen)
    await screen.close()

    assert setup["listeners"] == 0
    assert intake.posted == []
    assert [entry for entry in screen.records.entries if entry["rec"] in ("failed", "unhandled")] == []


async def test_a_screen_and_its_own_server_in_one_pane_count_each_turn_once(
    open_screen: OpenScreen, open_host: Any, intake: Any
) -> None:
    screen = await open_screen("--standalone")
    server = await open_host()
    show(screen, ROOT)
    for host in (screen, server):
        start(host)
    await intake.until(is_busy())
    for host in (screen, server):
        finish(host)
    await intake.until(has_ended())
    await screen.close()

    assert {table["process"]["pid"] for table in intake.posted} == {server.pid}
    assert record_after(intake.posted).turns == 1


async def test_a_screen_tells_the_board_of_a_turn_that_waits_and_is_done(
    open_screen: OpenScreen, intake: Any
) -> None:
    screen = await open_screen()
    show(screen, ROOT)
    start(screen)
    await intake.until(is_busy())
    working = record_after(intake.posted)
    ask(screen)
    await intake.until(lambda table: bool(asks(table)))
    waiting = record_after(intake.posted)
    answer(screen)
    finish(screen)
    await intake.until(has_ended())
    done = record_after(intake.posted)

    assert (working.status, working.session_id) == (Status.WORKING, ROOT)
    assert (waiting.status, waiting.kind, waiting.message) == (Status.WAITING, Kind.PERMISSION, "shell: rm x")
    assert (done.status, done.turns) == (Status.DONE, 1)


def record_after(tables: list[Json]) -> StatusRecord:
    """The pane's record after these tables, by the way of the intake."""
    reader = Agents().reader("opencode")
    assert reader is not None
    board = Board(Agents().profiles())
    board.open("p1", agent="opencode", at=0.0)
    for at, table in enumerate(tables):
        for event in reader.report_posted(json.dumps(table).encode(), "p1", at / 100):
            board.observe("p1", event)
    return board.record("p1")
