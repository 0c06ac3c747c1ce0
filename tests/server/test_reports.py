"""What agents report over the intake, and how the server knows that they are still there."""

from __future__ import annotations

import asyncio
import json
import subprocess

import pytest

from orca_tui.base.errors import Invalid, NotFound
from orca_tui.base.ids import PaneId
from orca_tui.server import reports
from orca_tui.server.panes import Pane
from orca_tui.status.events import AgentRecognised
from orca_tui.status.record import Source, Status
from tests.server.rooms import Rooms
from tests.server.running import until

pytestmark = pytest.mark.anyio

NOBODY = 2**22 + 1
"""A pid above the kernel's highest: no process has it."""


def table(pane: str, *, seq: int = 1, busy: bool = True, pid: int = NOBODY, **row: object) -> bytes:
    session = {"id": "ses_1", "busy": busy, "turn": 1, "end": None if busy else "ok", **row}
    body = {
        "pane": pane,
        "process": {"pid": pid, "started": 1_700_000_000.5},
        "factory": 1,
        "generation": 1,
        "host": {"major": 1, "version": "1.18.33"},
        "seq": seq,
        "sessions": [session],
    }
    return json.dumps(body).encode()


def process_name(pid: int = NOBODY) -> str:
    return f"{pid}-1700000000.5"


def status(inside: Rooms, pane: Pane) -> Status:
    return inside.session.board.record(pane.id).status


async def test_a_table_becomes_the_panes_status(inside: Rooms) -> None:
    pane = inside.pane("opencode")

    assert inside.session.reports.reported(pane.id, "opencode", table(pane.id))

    assert status(inside, pane) is Status.WORKING


async def test_a_token_names_its_pane_until_that_is_closed(inside: Rooms) -> None:
    pane = inside.pane("opencode")
    token = inside.session.tokens.give(pane.id)
    assert inside.session.reports.pane_of(token) == pane.id

    inside.session.remove(pane)

    assert inside.session.reports.pane_of(token) is None


async def test_a_process_that_reported_to_an_earlier_server_is_asked_for_everything_once(
    inside: Rooms,
) -> None:
    pane = inside.pane("opencode")

    assert not inside.session.reports.reported(pane.id, "opencode", table(pane.id, seq=17))
    assert status(inside, pane) is Status.WORKING
    assert inside.session.reports.reported(pane.id, "opencode", table(pane.id, seq=18, busy=False))


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", table("p99")])
async def test_a_report_that_cannot_be_used_is_refused_and_changes_nothing(
    inside: Rooms, body: bytes
) -> None:
    pane = inside.pane("opencode")

    with pytest.raises(Invalid):
        inside.session.reports.reported(pane.id, "opencode", body)

    assert status(inside, pane) is Status.UNKNOWN


@pytest.mark.parametrize("agent", ["amp", "skynet", ""])
async def test_agents_that_report_nothing_here_are_not_found(inside: Rooms, agent: str) -> None:
    pane = inside.pane("opencode")

    with pytest.raises(NotFound):
        inside.session.reports.reported(pane.id, agent, table(pane.id))


async def test_a_poll_is_held_and_ends_empty(inside: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "POLL_S", 0.05)
    pane = inside.pane("opencode")

    assert await inside.session.reports.work(pane.id, process_name(), frozenset()) == []


async def test_a_poll_must_name_a_process(inside: Rooms) -> None:
    pane = inside.pane("opencode")

    for name in ("", "x", "1", "1-x", "-1-2"):
        with pytest.raises(Invalid):
            await inside.session.reports.work(pane.id, name, frozenset())


async def test_a_reporter_that_is_neither_heard_nor_polling_is_not_confirmed_any_more(inside: Rooms) -> None:
    pane = inside.pane("opencode")
    sink = inside.session.reports
    sink.reported(pane.id, "opencode", table(pane.id))

    polling = asyncio.gather(sink.work(pane.id, process_name(), frozenset()), return_exceptions=True)
    await asyncio.sleep(0)
    inside.jump(60)
    assert inside.session.board.record(pane.id).confirmed

    polling.cancel()
    await asyncio.sleep(0)
    inside.jump(60)
    assert not inside.session.board.record(pane.id).confirmed


async def test_the_end_of_a_reporting_process_ends_its_turn(inside: Rooms) -> None:
    pane = inside.pane()
    process = await asyncio.create_subprocess_exec("sleep", "1000")
    inside.session.reports.reported(pane.id, "opencode", table(pane.id, pid=process.pid))
    assert status(inside, pane) is Status.WORKING

    process.kill()
    await process.wait()

    async def ended() -> bool:
        return status(inside, pane) is not Status.WORKING

    await until(ended, "the turn ends")
    assert status(inside, pane) is not Status.DONE


async def test_closing_a_pane_stops_watching_its_processes(inside: Rooms) -> None:
    pane = inside.pane("opencode")
    process = subprocess.Popen(["sleep", "1000"])  # noqa: ASYNC220
    inside.session.reports.reported(pane.id, "opencode", table(pane.id, pid=process.pid))

    inside.session.remove(pane)
    process.kill()
    process.wait()
    await asyncio.sleep(0)

    assert inside.session.reports._known == {}


async def test_a_pane_that_names_endless_processes_costs_a_bounded_number_of_descriptors(
    inside: Rooms,
) -> None:
    pane = inside.pane("opencode")
    for number in range(2 * reports.MAX_PROCESSES):
        inside.session.reports.reported(pane.id, "opencode", table(pane.id, pid=NOBODY + number))

    assert len(inside.session.reports._known[PaneId(pane.id)]) == reports.MAX_PROCESSES


async def test_a_pane_that_polls_for_endless_processes_costs_a_bounded_number_of_pollers(
    inside: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "POLL_S", 0.0)
    pane = inside.pane("opencode")
    for number in range(2 * reports.MAX_PROCESSES):
        await inside.session.reports.work(pane.id, f"{NOBODY + number}-1.0", frozenset({"wake"}))

    assert len(inside.session.notices.plugin._pollers) == reports.MAX_PROCESSES


def hook(event: str, **fields: object) -> bytes:
    """What the poster of hooks sends, from an hour ago: its own clock is not believed then."""
    return json.dumps({"hook_event_name": event, "at": 1.0, "session_id": "s1", **fields}).encode()


async def test_hooks_become_the_panes_status(inside: Rooms) -> None:
    pane = inside.pane("claude")
    report = inside.session.reports.reported

    assert report(pane.id, "claude", hook("UserPromptSubmit", prompt_id="p1", prompt="fix it"))
    record = inside.session.board.record(pane.id)
    assert (record.status, record.prompt, record.session_id) == (Status.WORKING, "fix it", "s1")

    report(
        pane.id,
        "claude",
        hook("PermissionRequest", prompt_id="p1", tool_name="Bash", ask="Bash: rm \x1b[1mx"),
    )
    record = inside.session.board.record(pane.id)
    assert (record.status, record.message) == (Status.WAITING, "Bash: rm [1mx")

    inside.jump(1)
    report(pane.id, "claude", hook("Stop", prompt_id="p1"))
    assert status(inside, pane) is Status.DONE

    for late in ("PreToolUse", "Stop", "UserPromptSubmit"):
        report(pane.id, "claude", hook(late, prompt_id="p1"))
    assert status(inside, pane) is Status.DONE
    assert inside.session.board.record(pane.id).turns == 1


async def test_an_agent_inside_another_one_takes_nothing_from_it(inside: Rooms) -> None:
    pane = inside.pane()
    found = AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="claude", session_id="root")
    inside.session.observe(pane.id, [found])
    report = inside.session.reports.reported
    report(pane.id, "claude", hook("UserPromptSubmit", session_id="root", prompt_id="p1"))

    report(pane.id, "gemini", hook("SessionStart", session_id="nested"))
    report(pane.id, "codex", hook("UserPromptSubmit", session_id="nested", turn_id="t1"))
    report(pane.id, "codex", hook("Stop", session_id="nested", turn_id="t1"))

    record = inside.session.board.record(pane.id)
    assert (record.agent, record.session_id, record.status) == ("claude", "root", Status.WORKING)


async def test_an_agent_that_nobody_has_recognised_yet_names_itself(inside: Rooms) -> None:
    pane = inside.pane()

    inside.session.reports.reported(pane.id, "gemini", hook("SessionStart", session_id="s7"))

    record = inside.session.board.record(pane.id)
    assert (record.agent, record.session_id) == ("gemini", "s7")
