"""The intake door over a real socket: who may report, how much, and what is answered."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from orca_tui.base.errors import Invalid, NotFound
from orca_tui.base.ids import PaneId
from orca_tui.server.intake import MAX_BODY_BYTES, MAX_DEPTH, depth_exceeds, serve_intake
from tests.server.unix_http import Answer, ask, connected, request_bytes

pytestmark = pytest.mark.anyio

TOKENS = {"token-of-p1": PaneId("p1"), "token-of-p2": PaneId("p2")}
P1 = {"Authorization": "Bearer token-of-p1"}
LIMIT_S = 20.0
QUICK_S = 0.2  # The read limit of tests that wait for it to pass.


class Reports:
    """A sink that knows two panes and one agent."""

    def __init__(self) -> None:
        self.taken: list[tuple[PaneId, str, bytes]] = []
        self.knows_process = True
        self.items: list[dict[str, Any]] = []
        self.polling = asyncio.Event()
        self.hung_up = asyncio.Event()
        self.release = asyncio.Event()

    def pane_of(self, token: str) -> PaneId | None:
        return TOKENS.get(token)

    def reported(self, pane: PaneId, agent: str, body: bytes) -> bool:
        if agent != "opencode":
            raise NotFound(f"no agent {agent!r} reports here", agent=agent)
        if b"wrong" in body:
            raise Invalid("a report without sessions")
        if b"crash" in body:
            raise ZeroDivisionError("the words of the report: crash")
        self.taken.append((pane, agent, body))
        return self.knows_process

    def ask(self, pane: PaneId, agent: str, event: str, body: bytes) -> bytes:
        self.taken.append((pane, event, body))
        return b"{}"

    def told(self, pane: PaneId, body: bytes) -> None:
        self.taken.append((pane, "told", body))

    def collect(self, pane: PaneId, body: bytes) -> list[dict[str, Any]]:
        self.taken.append((pane, "collect", body))
        return self.items

    async def work(self, pane: PaneId, process: str, takes: frozenset[str]) -> list[dict[str, Any]]:
        self.takes = takes
        self.polling.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.hung_up.set()
            raise
        return self.items


@pytest.fixture
def reports(anyio_backend: str) -> Reports:
    return Reports()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "i"


def listen(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    return listener


@pytest.fixture
async def intake(reports: Reports, path: Path) -> AsyncIterator[Path]:
    async with serve_intake(listen(path), reports):
        yield path


@pytest.fixture
async def quick_intake(reports: Reports, path: Path) -> AsyncIterator[Path]:
    async with serve_intake(listen(path), reports, read_timeout_s=QUICK_S):
        yield path


async def post(
    path: Path, body: Any, headers: dict[str, str] | None = None, agent: str = "opencode"
) -> Answer:
    return await ask(path, "POST", f"/v1/intake/{agent}", body, P1 if headers is None else headers)


# Reports


async def test_a_report_with_a_panes_token_reaches_the_sink_as_it_was_sent(
    intake: Path, reports: Reports
) -> None:
    body = json.dumps({"pane": "p1", "seq": 1, "sessions": []}).encode()

    answer = await post(intake, body)

    assert (answer.status, answer.body) == (204, b"")
    assert reports.taken == [(PaneId("p1"), "opencode", body)]


async def test_a_report_of_an_unknown_process_is_asked_for_the_full_state(
    intake: Path, reports: Reports
) -> None:
    reports.knows_process = False

    answer = await post(intake, {"seq": 9})

    assert (answer.status, answer.json()) == (200, {"resend": True})


async def test_every_answer_ends_its_connection(intake: Path) -> None:
    async with connected(intake) as connection:
        await connection.send(request_bytes("POST", "/v1/intake/opencode", b"{}", P1))
        answer = await connection.answer()
        await connection.closed_by_server()

    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer nobody"},
        {"Authorization": "token-of-p1"},
        {"Authorization": "Basic token-of-p1"},
        {"Authorization": "Bearer token-of-p1 token-of-p2"},
        {"Authorization": "Bearer " + "x" * 4000},
    ],
    ids=["none", "empty", "no token", "unknown", "bare", "basic", "two", "long"],
)
async def test_without_a_living_panes_token_nothing_is_taken(
    intake: Path, reports: Reports, headers: dict[str, str]
) -> None:
    answer = await post(intake, {"seq": 1}, headers)

    assert answer.status == 401
    assert answer.json()["error"]["code"] == "unauthorized"
    assert reports.taken == []


async def test_the_token_is_checked_before_the_body_arrives(intake: Path) -> None:
    async with connected(intake) as connection:
        await connection.send(
            b"POST /v1/intake/opencode HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
        )
        answer = await connection.answer()

    assert answer.status == 401


async def test_a_token_does_not_speak_for_another_pane(intake: Path, reports: Reports) -> None:
    answer = await post(intake, {"pane": "p2", "seq": 1})

    assert (answer.status, answer.json()["error"]["code"]) == (403, "refused")
    assert reports.taken == []


async def test_an_unknown_agent_is_not_found(intake: Path) -> None:
    answer = await post(intake, {}, agent="nobody")

    assert (answer.status, answer.json()["error"]["agent"]) == (404, "nobody")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"no json", b'{"a": "\xff"}', b'{"wrong": 1}', b"\x1f\x8b\x08\x00"],
    ids=["empty", "unfinished", "text", "no utf-8", "refused by the adapter", "compressed"],
)
async def test_a_bad_body_is_a_bad_request(intake: Path, reports: Reports, body: bytes) -> None:
    answer = await post(intake, body)

    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid")
    assert reports.taken == []


async def test_a_mistake_of_the_adapter_is_told_without_the_reports_words(
    intake: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = await post(intake, {"crash": "a secret"})

    assert (answer.status, answer.json()["error"]["code"]) == (500, "failed")
    assert "ZeroDivisionError at" in caplog.text
    assert "the words of the report" not in caplog.text


async def test_no_report_no_token_and_no_malformed_head_is_ever_logged(
    intake: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await post(intake, {"prompt": "my secret prompt", "wrong": 1})
        await post(intake, {"prompt": "my secret prompt"}, {"Authorization": "Bearer secret-token"})
        async with connected(intake) as connection:
            await connection.send(b"POST / HTTP/1.1\r\nAuthorization: Bearer secret-\x00token\r\n\r\n")
            await connection.closed_by_server()

    assert "secret" not in caplog.text
    assert "refused with 400: report" in caplog.text
    assert "refused with 401: report" in caplog.text


# Limits


async def test_a_body_of_the_limit_is_taken_and_one_byte_more_is_not(intake: Path, reports: Reports) -> None:
    largest = b'"' + b"x" * (MAX_BODY_BYTES - 2) + b'"'

    taken = await post(intake, largest)
    refused = await post(intake, largest + b" ")

    assert taken.status == 204
    assert (refused.status, refused.json()["error"]) == (
        413,
        {
            "code": "too_large",
            "limit_bytes": MAX_BODY_BYTES,
            "message": f"the report is larger than {MAX_BODY_BYTES} bytes",
        },
    )
    assert len(reports.taken) == 1


async def test_a_body_without_a_length_is_cut_off_at_the_limit(intake: Path, reports: Reports) -> None:
    async with connected(intake) as connection:
        await connection.send(
            request_bytes("POST", "/v1/intake/opencode", None, P1 | {"Transfer-Encoding": "chunked"})
        )
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(MAX_BODY_BYTES // 0x10000 + 1):
            connection.writer.write(piece)
        answer = await connection.answer()

    assert answer.status == 413
    assert reports.taken == []


async def test_broken_chunks_are_a_bad_request(intake: Path) -> None:
    async with connected(intake) as connection:
        await connection.send(
            request_bytes("POST", "/v1/intake/opencode", None, P1 | {"Transfer-Encoding": "chunked"})
        )
        await connection.send(b"zz\r\n{}\r\n0\r\n\r\n")
        answer = await connection.answer()

    assert answer.status == 400


async def test_json_may_be_nested_up_to_the_limit(intake: Path, reports: Reports) -> None:
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH

    taken = await post(intake, deepest)
    refused = await post(intake, b"[" + deepest + b"]")
    bomb = await post(intake, b"[" * 500_000)

    assert [taken.status, refused.status, bomb.status] == [204, 400, 400]
    assert len(reports.taken) == 1


@pytest.mark.parametrize(
    ("value", "limit", "exceeds"),
    [
        (1, 0, False),
        ([], 0, True),
        ([], 1, False),
        ([[1], 2], 1, True),
        ([[1], 2], 2, False),
        ({"a": {"b": [1]}}, 2, True),
        ({"a": {"b": [1]}}, 3, False),
    ],
)
def test_depth_counts_the_containers_around_a_value(value: Any, limit: int, exceeds: bool) -> None:
    assert depth_exceeds(value, limit) is exceeds


async def test_a_reporter_that_stops_in_its_body_is_answered_after_the_limit(quick_intake: Path) -> None:
    async with connected(quick_intake) as connection:
        await connection.send(
            request_bytes("POST", "/v1/intake/opencode", None, P1 | {"Content-Length": "10"})
        )
        await connection.send(b"{")
        async with asyncio.timeout(LIMIT_S):
            answer = await connection.answer()
            await connection.closed_by_server()

    assert (answer.status, answer.json()["error"]["code"]) == (408, "timeout")


@pytest.mark.parametrize(
    "sent", [b"", b"POST /v1/intake/opencode HTTP/1.1\r\nX-Slow: "], ids=["nothing", "half a head"]
)
async def test_a_reporter_that_never_ends_its_head_is_hung_up_on(quick_intake: Path, sent: bytes) -> None:
    async with connected(quick_intake) as connection:
        await connection.send(sent)
        async with asyncio.timeout(LIMIT_S):
            await connection.closed_by_server()


async def test_slow_reporters_hold_up_nobody(intake: Path) -> None:
    async with connected(intake) as slow:
        await slow.send(request_bytes("POST", "/v1/intake/opencode", None, P1 | {"Content-Length": "10"}))

        answer = await post(intake, {})

    assert answer.status == 204


# Work


async def test_a_poll_waits_until_there_is_work(intake: Path, reports: Reports) -> None:
    async with connected(intake) as connection:
        await connection.send(request_bytes("GET", "/v1/intake/work?process=77-1.5", None, P1))
        await reports.polling.wait()
        reports.items = [{"kind": "notice", "id": "n1"}]
        reports.release.set()
        answer = await connection.answer()

    assert (answer.status, answer.json()) == (200, {"items": [{"kind": "notice", "id": "n1"}]})


async def test_a_poll_without_work_ends_empty(intake: Path, reports: Reports) -> None:
    reports.release.set()

    answer = await ask(intake, "GET", "/v1/intake/work?process=77-1.5", None, P1)

    assert (answer.status, answer.body) == (204, b"")


async def test_a_poll_ends_when_its_process_hangs_up(intake: Path, reports: Reports) -> None:
    async with connected(intake) as connection:
        await connection.send(request_bytes("GET", "/v1/intake/work?process=77-1.5", None, P1))
        await reports.polling.wait()

    await asyncio.wait_for(reports.hung_up.wait(), 5)


async def test_a_poll_outlives_the_limit_for_reading(quick_intake: Path, reports: Reports) -> None:
    async with connected(quick_intake) as connection:
        await connection.send(request_bytes("GET", "/v1/intake/work?process=77-1.5", None, P1))
        await reports.polling.wait()
        async with connected(quick_intake) as idle:
            await idle.closed_by_server()  # A whole limit has passed, for a connection made later.
        reports.release.set()
        answer = await connection.answer()

    assert answer.status == 204


@pytest.mark.parametrize("query", ["", "?process=", "?process=" + "1" * 200])
async def test_a_poll_says_which_process_it_is(intake: Path, query: str) -> None:
    answer = await ask(intake, "GET", f"/v1/intake/work{query}", None, P1)

    assert answer.status == 400


async def test_a_poll_needs_a_token(intake: Path) -> None:
    answer = await ask(intake, "GET", "/v1/intake/work?process=1-1")

    assert answer.status == 401


async def test_other_routes_and_methods_do_not_exist(intake: Path) -> None:
    missing = await ask(intake, "GET", "/v1/panes", None, P1)
    method = await ask(intake, "DELETE", "/v1/intake/opencode", None, P1)

    assert (missing.status, missing.json()["error"]["code"]) == (404, "not_found")
    assert (method.status, method.headers["allow"]) == (405, "POST")


async def test_a_poll_names_the_kinds_of_work_that_it_takes(intake: Path, reports: Reports) -> None:
    reports.release.set()
    await ask(intake, "GET", "/v1/intake/work?process=7-1.0&takes=wake,,steer", headers=P1)

    assert reports.takes == {"wake", "steer"}


async def test_what_became_of_work_reaches_the_sink(intake: Path, reports: Reports) -> None:
    body = json.dumps({"pane": "p1", "item": "i1", "outcome": "taken"}).encode()

    answer = await post(intake, body, agent="work")

    assert answer.status == 204
    assert reports.taken == [(PaneId("p1"), "told", body)]


async def test_a_hook_is_given_what_may_come_in(intake: Path, reports: Reports) -> None:
    reports.items = [{"notice": "n1", "text": "look"}]

    answer = await post(intake, {"session": "s", "moment": "prompt"}, agent="work/collect")

    assert (answer.status, answer.json()) == (200, {"items": [{"notice": "n1", "text": "look"}]})


@pytest.mark.parametrize("what", ["claude/ask?event=Stop", "work/collect"])
async def test_nothing_is_handed_to_who_has_given_up_before_the_server_looked(
    intake: Path, path: Path, reports: Reports, what: str
) -> None:
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as hook:
            hook.connect(str(path))
            await asyncio.sleep(
                0.005
            )  # It is being waited for: what follows comes in one piece with the hang-up.
            hook.sendall(request_bytes("POST", f"/v1/intake/{what}", b'{"given": "up"}', P1))
    answer = await post(intake, {"still": "there"}, agent=what)

    assert answer.status == 200
    assert [json.loads(body) for _, _, body in reports.taken] == [{"still": "there"}]


@pytest.mark.parametrize("what", ["work", "work/collect"])
async def test_a_pane_speaks_of_its_own_work_only(intake: Path, reports: Reports, what: str) -> None:
    foreign = await post(intake, {"pane": "p2"}, agent=what)
    nobody = await post(intake, {}, {"Authorization": "Bearer nobody"}, agent=what)

    assert (foreign.status, nobody.status) == (403, 401)
    assert reports.taken == []
