"""The script that hooks run, as agents run it: real processes, a real intake."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.agents import hook_post
from orca_tui.agents.aider import Aider
from orca_tui.agents.claude import Claude
from orca_tui.agents.codex import Codex
from orca_tui.agents.copilot import Copilot
from orca_tui.agents.gemini import Gemini
from orca_tui.agents.hooks import MAX_BODY_BYTES, hook_command, read_hook
from orca_tui.base.ids import PaneId
from orca_tui.server.intake import serve_intake
from orca_tui.server.sockets import listening

pytestmark = pytest.mark.anyio

TOKEN = "token-of-p1"
STOP = {"hook_event_name": "Stop", "session_id": "s1", "prompt_id": "p1", "background_tasks": []}
MIB = 1 << 20


class Taken:
    """A sink that keeps what it was given."""

    def __init__(self) -> None:
        self.reports: list[tuple[str, bytes]] = []

    def pane_of(self, token: str) -> PaneId | None:
        return PaneId("p1") if token == TOKEN else None

    def reported(self, _pane: PaneId, agent: str, body: bytes) -> bool:
        self.reports.append((agent, body))
        return True

    async def work(self, _pane: PaneId, _process: str) -> list[dict[str, Any]]:
        return []


@dataclass(frozen=True, kw_only=True)
class Ran:
    code: int
    output: bytes
    errors: bytes


@pytest.fixture
def taken(anyio_backend: str) -> Taken:
    return Taken()


@pytest.fixture
async def intake(taken: Taken, tmp_path: Path) -> AsyncIterator[Path]:
    with listening(tmp_path / "i") as listener:
        async with serve_intake(listener, taken):
            yield tmp_path / "i"


def variables(intake: Path, token: str = TOKEN) -> dict[str, str]:
    return {"ORCA_TUI_INTAKE": str(intake), "ORCA_TUI_TOKEN": token}


async def run(body: bytes, environment: Mapping[str, str], agent: str = "claude", event: str = "") -> Ran:
    """Run the command that agents are given, by a shell as they do."""
    process = await asyncio.create_subprocess_shell(
        f"{hook_command(sys.executable, agent)} {event}",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], **environment},
    )
    output, errors = await process.communicate(body)
    assert process.returncode is not None
    return Ran(code=process.returncode, output=output, errors=errors)


async def test_an_event_arrives_with_when_and_by_whom_it_was_sent(intake: Path, taken: Taken) -> None:
    ran = await run(json.dumps(STOP).encode(), variables(intake))

    assert ran == Ran(code=0, output=b"", errors=b"")
    ((agent, body),) = taken.reports
    report = read_hook(body)
    assert (agent, report.event, report.session_id, report.prompt_id) == ("claude", "Stop", "s1", "p1")
    assert report.at > 1_600_000_000
    assert report.pid > 0
    assert report.ppid > 0


async def test_of_two_megabytes_only_facts_are_sent(intake: Path, taken: Taken) -> None:
    payload = {
        "session_id": "s1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "x" * MIB},
        "tool_response": {"stdout": "secret" * (MIB // 6)},
    }

    assert (await run(json.dumps(payload).encode(), variables(intake))).code == 0

    ((_, body),) = taken.reports
    assert len(body) < 1024
    assert b"secret" not in body
    assert read_hook(body).event == "PostToolUse"


async def test_of_a_payload_beyond_all_limits_the_facts_before_the_cut_are_sent(
    intake: Path, taken: Taken
) -> None:
    payload = {"session_id": "s1", "hook_event_name": "PostToolUse", "tool_response": "x" * (5 * MIB)}

    ran = await run(json.dumps(payload).encode(), variables(intake))

    assert ran == Ran(code=0, output=b"", errors=b"")
    assert read_hook(taken.reports[0][1]).session_id == "s1"


@pytest.mark.parametrize("agent", ["gemini", "qwen"])
async def test_agents_that_want_json_get_it(agent: str, intake: Path, taken: Taken) -> None:
    assert (await run(json.dumps(STOP).encode(), variables(intake), agent)).output == b"{}"
    assert len(taken.reports) == 1


async def test_the_event_may_be_named_by_the_command(intake: Path, taken: Taken) -> None:
    payload = json.dumps({"sessionId": "s1", "toolName": "bash"}).encode()

    await run(payload, variables(intake), "copilot", "preToolUse")

    report = read_hook(taken.reports[0][1])
    assert (report.event, report.session_id, report.tool_name) == ("preToolUse", "s1", "bash")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000])
async def test_a_payload_that_is_none_fails_nothing(body: bytes, intake: Path) -> None:
    assert await run(body, variables(intake)) == Ran(code=0, output=b"", errors=b"")


async def test_outside_a_pane_all_input_is_read_and_nothing_happens() -> None:
    assert await run(b"x" * (6 * MIB), {}) == Ran(code=0, output=b"", errors=b"")


async def test_an_agent_that_runs_as_a_tool_of_its_own_kind_says_nothing(intake: Path, taken: Taken) -> None:
    body = json.dumps(STOP).encode()

    ran = await run(body, {**variables(intake), "GEMINI_CLI": "1"}, "gemini")

    assert (ran.code, ran.output) == (0, b"{}")
    assert taken.reports == []


async def test_a_server_that_is_gone_or_does_not_know_the_pane_fails_nothing(
    intake: Path, taken: Taken, tmp_path: Path
) -> None:
    for environment in (variables(tmp_path / "nobody"), variables(intake, "another")):
        ran = await run(json.dumps(STOP).encode(), environment)
        assert (ran.code, ran.output) == (0, b"")
    assert taken.reports == []


async def test_a_server_that_hangs_holds_nobody_up_for_longer_than_a_second(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "i"))
        listener.listen()
        loop = asyncio.get_running_loop()
        begun = loop.time()

        ran = await run(json.dumps(STOP).encode(), variables(tmp_path / "i"))

        assert (ran.code, ran.output) == (0, b"")
        assert hook_post.LIMIT_S <= loop.time() - begun < hook_post.LIMIT_S + 5


# What is sent of a payload.


def facts(**payload: object) -> dict[str, Any]:
    return hook_post.facts(dict(payload))


@pytest.mark.parametrize(
    ("tool", "values", "ask"),
    [
        ("Bash", {"command": "rm -rf x", "description": "Clean"}, "Bash: rm -rf x"),
        ("shell", {"command": ["bash", "-lc", "ls"]}, "shell: bash -lc ls"),
        ("Write", {"file_path": "/a/b", "content": "secret"}, "Write: /a/b"),
        ("Bash", {"command": "a\n\n  b"}, "Bash: a b"),
        ("AskUserQuestion", {"questions": [{"question": "Which color?"}]}, "Which color?"),
        ("AskUserQuestion", {"questions": []}, "AskUserQuestion"),
        ("Odd", {"x": 1}, "Odd"),
        ("Odd", "text", "Odd"),
        ("Odd", None, "Odd"),
    ],
)
def test_an_ask_is_told_in_one_line(tool: str, values: object, ask: str) -> None:
    assert facts(tool_name=tool, tool_input=values)["ask"] == ask


def test_texts_are_cut_and_halves_of_characters_replaced() -> None:
    sent = facts(prompt="p" * 3000, last_assistant_message="m" * 3000, reason="\ud800")

    assert (len(sent["prompt"]), len(sent["last_assistant_message"]), sent["reason"]) == (200, 2000, "?")


def test_only_background_tasks_that_run_are_counted() -> None:
    tasks = [
        {"type": "shell", "status": "running"},
        {"type": "shell"},
        {"type": "subagent", "status": "completed"},
        "odd",
    ]

    assert facts(background_tasks=tasks)["background"] == {"shell": 2}
    assert facts(background_tasks=[])["background"] == {}
    assert "background" not in facts(background_tasks="many")


def test_an_endless_number_of_kinds_is_not_told() -> None:
    tasks = [{"type": str(number)} for number in range(1000)]

    assert len(facts(background_tasks=tasks)["background"]) == hook_post.MAX_KINDS


def test_nothing_that_is_not_listed_leaves_the_machine_of_the_agent() -> None:
    sent = facts(cwd="/x", transcript_path="/y", tool_response="secret", message={"message": "hi"})

    assert sent == {"ask": "hi"}


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_cut_object_gives_its_whole_members(cut: int) -> None:
    text = json.dumps({"sessionId": 's\\"1', "n": [1, {"a": 2}], "toolName": "Bash"})
    whole = {"session_id": 's\\"1', "n": [1, {"a": 2}], "tool_name": "Bash"}

    found = hook_post.members(text[:-cut])

    assert found == dict(list(whole.items())[: len(found)])
    assert len(found) < 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
PAYLOADS = st.dictionaries(
    st.sampled_from(
        [*hook_post.LIMITS, "tool_input", "background_tasks", "message", "toolArgs", "promptResponse"]
    ),
    JSON,
)


@given(PAYLOADS)
def test_whatever_an_agent_says_is_a_report_that_every_reader_can_read(payload: dict[str, Any]) -> None:
    sent = hook_post.facts(hook_post.members(json.dumps(payload)))
    body = json.dumps({**sent, "hook_event_name": sent.get("hook_event_name") or "Stop", "at": 1.0}).encode()

    assert len(body) < MAX_BODY_BYTES
    read_hook(body)
    for reader in (Claude(), Codex(), Gemini(), Copilot(), Aider()):
        reader.report_posted(body, "p1", 1.0)


def test_the_longest_report_there_can_be_is_not_too_long() -> None:
    longest = "\U0001f40b" * 5000
    payload: dict[str, Any] = dict.fromkeys(hook_post.LIMITS, longest)
    payload["tool_input"] = {"command": longest}
    payload["background_tasks"] = [{"type": f"{number}{longest}"} for number in range(100)]

    body = json.dumps({**hook_post.facts(payload), "at": 1.0, "pid": 1, "ppid": 1}).encode()

    assert len(body) < MAX_BODY_BYTES
    read_hook(body)
