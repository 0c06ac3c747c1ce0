"""The commands by which hooks ask for notices, run by a shell as agents do; and what each agent's hooks say."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from orca_tui.agents import hook_post
from orca_tui.agents.claude_notices import MESSAGE, SUMMARY
from orca_tui.agents.notice_hooks import Boundary, HookCall, NoticeHooks, ask_command, bell_command
from orca_tui.agents.registry import Agents
from orca_tui.base.ids import PaneId
from orca_tui.server.intake import MAX_BODY_BYTES, serve_intake
from orca_tui.server.sockets import listening
from tests.agents.hook_recordings import RECORDINGS

pytestmark = pytest.mark.anyio

TOKEN = "token-of-p1"
ANSWER = b'{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "look"}}'
PAYLOAD = json.dumps({"session_id": "s1", "prompt": "go"}).encode()
SUMMARY_OF_RING = f"<task-notification>\n<summary>{SUMMARY}</summary>\n</task-notification>\n{MESSAGE} 1a2b"


class Asked:
    """A sink that answers as it was told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer = ANSWER
        self.word = ""
        self.bodies: list[tuple[str, str, bytes]] = []
        self.waits = asyncio.Event()

    def pane_of(self, token: str) -> PaneId | None:
        return PaneId("p1") if token == TOKEN else None

    def ask(self, _pane: PaneId, agent: str, event: str, body: bytes) -> bytes:
        self.bodies.append((agent, event, body))
        return self.answer

    async def bell(self, _pane: PaneId, _agent: str) -> str:
        self.waits.set()
        return self.word


@dataclass(frozen=True, kw_only=True)
class Ran:
    code: int
    output: bytes
    errors: bytes


@pytest.fixture
async def asked(anyio_backend: str) -> Asked:
    return Asked()


@pytest.fixture
async def intake(asked: Asked, tmp_path: Path) -> AsyncIterator[Path]:
    with listening(tmp_path / "i") as listener:
        async with serve_intake(listener, asked):  # type: ignore[arg-type]
            yield tmp_path / "i"


def variables(intake: Path, token: str = TOKEN, **more: str) -> dict[str, str]:
    return {"ORCA_TUI_INTAKE": str(intake), "ORCA_TUI_TOKEN": token, **more}


async def run(command: str, environment: Mapping[str, str], body: bytes = PAYLOAD) -> Ran:
    process = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], **environment},
    )
    output, errors = await process.communicate(body)
    assert process.returncode is not None
    return Ran(code=process.returncode, output=output, errors=errors)


# Asking


async def test_a_hook_prints_what_the_server_answers(intake: Path, asked: Asked) -> None:
    ran = await run(ask_command("claude", "Stop"), variables(intake))

    assert ran == Ran(code=0, output=ANSWER, errors=b"")
    assert asked.bodies == [("claude", "Stop", PAYLOAD)]


async def test_the_token_stands_on_no_command_line() -> None:
    assert TOKEN not in ask_command("claude", "Stop")
    for line in f"{ask_command('claude', 'Stop')}\n{bell_command('claude', '1')}".splitlines():
        assert "ORCA_TUI_TOKEN" not in line or line == "Authorization: Bearer $ORCA_TUI_TOKEN"


async def test_of_two_megabytes_the_beginning_is_read_and_the_hook_is_answered(
    intake: Path, asked: Asked
) -> None:
    body = json.dumps({"session_id": "s1", "tool_response": "x" * (2 << 20)}).encode()

    assert (await run(ask_command("claude", "Stop"), variables(intake), body)).output == ANSWER
    [(_, _, read)] = asked.bodies
    assert len(read) == MAX_BODY_BYTES
    assert hook_post.members(read.decode())["session_id"] == "s1"


@pytest.mark.parametrize(("nothing", "output"), [("", b""), ("{}", b"{}")])
async def test_without_an_answer_a_hook_changes_nothing(
    nothing: str, output: bytes, intake: Path, tmp_path: Path, asked: Asked
) -> None:
    command = ask_command("gemini", "BeforeAgent", nothing=nothing, unless="GEMINI_CLI")
    nowhere = {"PATH": str(tmp_path)}
    for environment in (
        {},
        variables(tmp_path / "nobody"),
        variables(intake, "another"),
        variables(intake, GEMINI_CLI="1"),
    ):
        assert await run(command, environment) == Ran(code=0, output=output, errors=b"")
    without_curl = await run(command, variables(intake) | nowhere)
    assert (without_curl.code, without_curl.output) == (0, output)
    assert asked.bodies == []


async def test_a_server_that_hangs_holds_the_agent_up_for_a_second_at_most(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "i"))
        listener.listen()
        async with asyncio.timeout(10):
            ran = await run(ask_command("claude", "Stop"), variables(tmp_path / "i"))

    assert ran == Ran(code=0, output=b"", errors=b"")


async def test_all_of_the_input_is_read_although_nobody_wants_it() -> None:
    assert await run(ask_command("claude", "Stop"), {}, b"x" * (4 << 20)) == Ran(
        code=0, output=b"", errors=b""
    )


# The doorbell


async def test_a_doorbell_that_rings_ends_with_two(intake: Path, asked: Asked) -> None:
    asked.word = "1a2b"

    ran = await run(bell_command("claude", "$$"), variables(intake))

    assert ran == Ran(code=2, output=b"", errors=b"1a2b")


async def test_a_doorbell_that_nobody_needs_any_more_ends_without_a_word(intake: Path) -> None:
    nothing = Ran(code=0, output=b"", errors=b"")

    assert await run(bell_command("claude", "$$"), variables(intake)) == nothing
    assert await run(bell_command("claude", "$$"), variables(intake, "another")) == nothing
    assert await run(bell_command("claude", "$$"), {}) == nothing


async def test_a_doorbell_ends_with_its_agent(tmp_path: Path) -> None:
    over = await asyncio.create_subprocess_exec("true")
    await over.wait()

    ran = await run(bell_command("claude", str(over.pid)), variables(tmp_path / "nobody"))

    assert ran == Ran(code=0, output=b"", errors=b"")


async def test_a_doorbell_that_lost_its_server_waits_for_the_next_one(asked: Asked, tmp_path: Path) -> None:
    command = bell_command("claude", "$$").replace("sleep 5", "sleep 0.05")
    waiting = asyncio.ensure_future(run(command, variables(tmp_path / "i")))
    asked.word = "1a2b"
    with listening(tmp_path / "i") as listener:
        async with serve_intake(listener, asked):  # type: ignore[arg-type]
            ran = await asyncio.wait_for(waiting, 10)

    assert (ran.code, ran.errors) == (2, b"1a2b")


# What hooks say


def hooks_of(agent: str) -> NoticeHooks:
    hooks = Agents().notice_hooks(agent)
    assert hooks is not None
    return hooks


def recorded(agent: str) -> list[tuple[str, HookCall]]:
    """The recorded payloads of an agent that ask for something, in order."""
    lines = [json.loads(line) for line in (RECORDINGS / f"{agent}.jsonl").read_text().splitlines()]
    found = []
    for line in sorted((line for line in lines if "hook" in line), key=lambda line: line["at"]):
        payload = hook_post.members(json.dumps(line["payload"]))
        call = hooks_of(agent).call(line["hook"], payload)
        if call is not None:
            found.append((line["hook"], call))
    return found


@pytest.mark.parametrize("agent", ["claude", "codex", "copilot", "gemini"])
def test_recorded_hooks_name_their_session_and_turn(agent: str) -> None:
    calls = recorded(agent)

    assert {call.boundary for _, call in calls} >= {Boundary.PROMPT, Boundary.END}
    assert all(call.session for _, call in calls)
    assert all((call.turn is not None) == (agent in ("claude", "codex")) for _, call in calls)


def test_a_recorded_turn_of_claude_has_one_id_from_its_prompt_to_its_end() -> None:
    calls = [call for _, call in recorded("claude")]
    first = calls[0]

    assert first.boundary is Boundary.PROMPT
    assert next(call for call in calls if call.boundary is Boundary.END).turn == first.turn


@pytest.mark.parametrize(
    ("prompt", "boundary"),
    [
        ("go", Boundary.PROMPT),
        (SUMMARY_OF_RING, Boundary.BELL),
        (f"say {SUMMARY}", Boundary.PROMPT),
        ("<task-notification>\n<task-id>x</task-id>", None),
    ],
)
def test_a_ring_a_background_task_and_a_user_are_told_apart(prompt: str, boundary: Boundary | None) -> None:
    call = hooks_of("claude").call(
        "UserPromptSubmit", {"session_id": "s1", "prompt_id": "t1", "prompt": prompt}
    )

    assert (call.boundary if call else None) == boundary


def test_what_a_sub_agent_does_is_none_of_ours() -> None:
    assert hooks_of("claude").call("PostToolBatch", {"session_id": "s1", "agent_id": "a1"}) is None
    assert hooks_of("codex").call("Stop", {"session_id": "s1", "agent_id": "a1"}) is None


@pytest.mark.parametrize(
    ("agent", "event", "answer"),
    [
        ("claude", "Stop", {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "T"}}),
        ("codex", "Stop", {"decision": "block", "reason": "T"}),
        (
            "codex",
            "PostToolUse",
            {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "T"}},
        ),
        (
            "gemini",
            "BeforeAgent",
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "T"}},
        ),
        ("copilot", "postToolUse", {"additionalContext": "T"}),
    ],
)
def test_each_agent_is_answered_in_its_own_words(agent: str, event: str, answer: Any) -> None:
    assert hooks_of(agent).context(event, "T") == answer


@pytest.mark.parametrize(
    ("agent", "entry", "shown"),
    [
        ("claude", {"attachment": {"type": "hook_additional_context", "content": ["a T b"]}}, True),
        ("claude", {"attachment": {"type": "hook_success", "stdout": "T", "content": ""}}, False),
        ("claude", {"type": "user", "message": {"role": "user", "content": "T"}}, False),
        ("codex", {"payload": {"role": "developer", "content": [{"type": "input_text", "text": "T"}]}}, True),
        ("codex", {"payload": {"role": "user", "content": [{"type": "input_text", "text": "a T"}]}}, True),
        ("codex", {"payload": {"role": "assistant", "content": [{"text": "T"}]}}, False),
        ("codex", {"payload": {"type": "function_call_output", "output": "T"}}, False),
        ("codex", {"payload": "T"}, False),
    ],
)
def test_a_transcript_shows_what_a_hook_added_and_nothing_else(agent: str, entry: Any, shown: bool) -> None:
    holds = hooks_of(agent).holds
    assert holds is not None
    assert holds(entry, "T") is shown


def test_a_codex_that_writes_a_reason_as_xml_has_it_all_the_same() -> None:
    holds = hooks_of("codex").holds
    assert holds is not None
    text = "these aren't <b> && &lt;"
    written = (
        '<hook_prompt hook_run_id="stop:6">these aren&apos;t &lt;b&gt; &amp;&amp; &amp;lt;</hook_prompt>'
    )
    entry = {"payload": {"role": "user", "content": [{"type": "input_text", "text": written}]}}

    assert holds(entry, text)
    assert not holds(entry, "another")
