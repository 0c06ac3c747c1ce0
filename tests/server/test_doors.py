"""The HTTP and intake doors of a real server: curl for people's scripts, reports for agents' plugins."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from orca_tui.client.blocking import Client
from orca_tui.commands.events import EVENTS, EventsRequest, StatusEvent
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.status.record import Status
from tests.cli.conftest import Home
from tests.server.unix_http import ask

SHOW_TOKEN = 'printf "%s" "$ORCA_TUI_TOKEN" > "$1.part"; mv "$1.part" "$1"; exec cat'


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    home = Home(Path(tempfile.mkdtemp(prefix="ot-")))
    home.program().start_server("default")
    yield home
    home.run("server", "stop", "--yes")
    shutil.rmtree(home.root)


def socket_of(home: Home, kind: str) -> Path:
    return home.root / "run" / "orca-tui" / f"default.{kind}"


def curl(home: Home, *arguments: str) -> Any:
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--unix-socket", str(socket_of(home, "http")), *arguments],
        capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    return json.loads(done.stdout)


def open_pane(home: Home, *command: str, **fields: Any) -> str:
    body = {"command": command, "environment": home.variables, **fields}
    pane: str = curl(home, "-d", json.dumps(body), "http://orca/v1/panes")["pane"]
    return pane


class TestCurl:
    def test_a_pane_lives_its_life_by_curl(self, home: Home) -> None:
        pane = open_pane(home, "sh", "-c", "echo ready; exec cat", name="by curl")
        url = f"http://orca/v1/panes/{pane}"

        assert curl(home, url)["name"] == "by curl"
        assert pane in [one["pane"] for one in curl(home, "http://orca/v1/panes")["panes"]]
        assert curl(home, "-d", '{"text": "hello\\r"}', f"{url}/input") == {}
        assert curl(home, "-d", '{"keys": ["ctrl+d"]}', f"{url}/input") == {}
        assert curl(home, f"{url}/wait?status=exited&timeout=20")["exit_code"] == 0
        assert "hello\nhello" in curl(home, f"{url}/text")["text"]
        assert curl(home, "-X", "DELETE", url) == {"closed": [pane]}
        assert curl(home, url)["error"]["code"] == "not_found"

    def test_a_wait_that_is_over_in_time_is_an_error_body(self, home: Home) -> None:
        pane = open_pane(home, "cat")

        error = curl(home, f"http://orca/v1/panes/{pane}/wait?status=done&timeout=0.05")["error"]

        assert error["code"] == "timeout"

    def test_the_server_and_the_schema_answer(self, home: Home) -> None:
        assert curl(home, "http://orca/v1/server")["server"] == "default"
        assert curl(home, "http://orca/v1/schema")["title"] == "orca-tui control API"


@pytest.mark.anyio
async def test_events_reach_a_websocket(home: Home, anyio_backend: str) -> None:
    connector = aiohttp.UnixConnector(path=str(socket_of(home, "http")))
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.ws_connect("http://orca/v1/events") as websocket,
    ):
        hello = await websocket.receive_json(timeout=10)
        pane = await asyncio.to_thread(open_pane, home, "cat")
        opened = await websocket.receive_json(timeout=10)

    assert hello["type"] == "hello"
    assert (opened["type"], opened["pane"]) == ("opened", pane)


@pytest.mark.anyio
async def test_a_panes_stream_reaches_a_websocket(home: Home, anyio_backend: str) -> None:
    pane = await asyncio.to_thread(open_pane, home, "sh", "-c", "printf ready; exec cat")
    connector = aiohttp.UnixConnector(path=str(socket_of(home, "http")))
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.ws_connect(f"http://orca/v1/panes/{pane}/stream") as websocket,
    ):
        screen = await websocket.receive_json(timeout=10)
        await session.post(f"http://orca/v1/panes/{pane}/input", json={"text": "typed\r"})
        told = b64decode(screen["data"])
        while b"ready" not in told or b"typed" not in told:
            frame = await websocket.receive_json(timeout=10)
            told += b64decode(frame["data"])
        await session.delete(f"http://orca/v1/panes/{pane}")
        closed = [message async for message in websocket if message.type is aiohttp.WSMsgType.TEXT]

    assert (screen["type"], screen["cols"], screen["rows"]) == ("screen", 120, 40)
    assert websocket.close_code == aiohttp.WSCloseCode.OK
    assert all(json.loads(message.data)["type"] == "output" for message in closed)


# Intake


def table(pane: str, **fields: Any) -> dict[str, Any]:
    """What the OpenCode plugin posts, for one session."""
    row = {
        "id": "ses_1", "parent": None, "directory": "/x", "agent": "build", "busy": False, "turn": 0, "end": None,
        "asks": [], "resolved": [], "retry": None, "prompt": None, "last_message": None, "tool": None,
    }  # fmt: skip
    return {
        "pane": pane, "process": {"pid": 1, "started": 1.5}, "factory": 1, "generation": 1,
        "host": {"major": 1, "version": "1.18.33"}, "seq": fields.pop("seq"), "outlives_dispose": False,
        "gone": False, "sessions": [row | fields],
    }  # fmt: skip


def wait_for_file(file: Path) -> None:
    deadline = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < deadline, f"{file} did not appear"
        time.sleep(0.01)


@pytest.fixture
async def agent(home: Home, tmp_path: Path, anyio_backend: str) -> tuple[str, dict[str, str]]:
    """A pane whose program is an agent, and the headers with its token."""
    file = tmp_path / "token"
    pane = await asyncio.to_thread(open_pane, home, "sh", "-c", SHOW_TOKEN, "sh", str(file), agent="opencode")
    await asyncio.to_thread(wait_for_file, file)
    return pane, {"Authorization": f"Bearer {file.read_text()}"}


@pytest.mark.anyio
async def test_what_a_plugin_reports_is_the_panes_status(
    home: Home, agent: tuple[str, dict[str, str]]
) -> None:
    pane, token = agent
    intake = socket_of(home, "intake")
    with Client(socket_of(home, "wire")) as client:
        events = client.stream(EVENTS, EventsRequest(pane=pane))
        next(events)

        answers = [
            await ask(intake, "POST", "/v1/intake/opencode", table(pane, seq=1, busy=True, turn=1), token),
            await ask(
                intake, "POST", "/v1/intake/opencode", table(pane, seq=2, busy=False, turn=1, end="ok"), token
            ),
        ]
        assert [answer.status for answer in answers] == [204, 204]

        seen = []
        while Status.DONE not in seen:
            event = next(events).event
            if isinstance(event, StatusEvent):
                seen.append(event.to)
        events.close()
        record = client.call(WAIT, WaitRequest(pane=pane, status=(Status.DONE,), timeout=10))

    assert seen[-2:] == [Status.WORKING, Status.DONE]
    assert (record.agent, record.session_id, record.turns) == ("opencode", "ses_1", 1)


@pytest.mark.anyio
async def test_a_token_is_worth_nothing_once_its_pane_is_closed(
    home: Home, agent: tuple[str, dict[str, str]]
) -> None:
    pane, token = agent
    intake = socket_of(home, "intake")
    before = await ask(intake, "POST", "/v1/intake/opencode", table(pane, seq=1), token)
    await asyncio.to_thread(home.run, "close", pane, "--force")

    after = await ask(intake, "POST", "/v1/intake/opencode", table(pane, seq=2), token)

    assert (before.status, after.status) == (204, 401)


@pytest.mark.anyio
async def test_a_report_of_another_shape_or_agent_is_refused(
    home: Home, agent: tuple[str, dict[str, str]]
) -> None:
    pane, token = agent
    intake = socket_of(home, "intake")

    shape = await ask(intake, "POST", "/v1/intake/opencode", {"sessions": "many"}, token)
    agentless = await ask(intake, "POST", "/v1/intake/nobody", table(pane, seq=1), token)
    stranger = await ask(intake, "POST", "/v1/intake/opencode", table(pane, seq=1) | {"pane": "p999"}, token)

    assert [shape.status, agentless.status, stranger.status] == [400, 404, 403]


@pytest.mark.anyio
async def test_neither_tokens_nor_reports_are_in_the_log(
    home: Home, agent: tuple[str, dict[str, str]]
) -> None:
    pane, token = agent
    await ask(
        socket_of(home, "intake"),
        "POST",
        "/v1/intake/opencode",
        table(pane, seq=1, prompt="a private prompt"),
        token,
    )

    log = (home.root / "state" / "orca-tui" / "default.log").read_text()

    assert token["Authorization"].removeprefix("Bearer ") not in log
    assert "private" not in log
