"""What a fake model plays, by the conversation that it is asked with."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.hosts.fake_anthropic import AnthropicApi
from tests.hosts.fake_gemini import GeminiApi
from tests.hosts.fake_openai_responses import ResponsesApi
from tests.hosts.model_api import Dialect, serving
from tests.hosts.scripts import (
    RECOVERED,
    UNSCRIPTED,
    Ask,
    Delegate,
    Entry,
    Fail,
    Hang,
    Run,
    Say,
    Step,
    ToolCalled,
    UserText,
    next_step,
    prompt_of,
    script_in,
)

SCRIPT: tuple[Step, ...] = (Run("touch x", background=True), Ask("Which?", ("Red", "Blue")), Say("done"))


@pytest.mark.parametrize(
    "steps",
    [
        SCRIPT,
        (Delegate("sub", (Say("inner"),)), Hang(2.5)),
        (Fail(429, times=2, message="limit", retry_after_s=1),),
    ],
)
def test_a_script_is_read_as_it_was_written(steps: tuple[Step, ...]) -> None:
    assert script_in(f"p7: {prompt_of(*steps)} and more") == steps


@pytest.mark.parametrize("text", ["", "no script", 'DO:[{"do":"say","text"', 'DO:[{"do":"dance"}]'])
def test_what_is_no_whole_script_is_none(text: str) -> None:
    assert script_in(text) is None


def test_each_tool_call_moves_the_script_on_and_the_last_step_stays() -> None:
    conversation: list[Entry] = [UserText(prompt_of(*SCRIPT))]
    played = []
    for _ in range(4):
        played.append(next_step(conversation)[0])
        conversation.append(ToolCalled())

    assert played == [*SCRIPT, SCRIPT[-1]]


def test_markup_in_the_users_name_leaves_the_script_as_it_is() -> None:
    conversation: list[Entry] = [
        UserText(prompt_of(*SCRIPT)),
        ToolCalled(),
        UserText("<task-notification>over</task-notification>"),
    ]

    assert next_step(conversation)[0] == SCRIPT[1]


def test_another_text_of_the_user_ends_the_script() -> None:
    assert next_step([UserText(prompt_of(*SCRIPT)), UserText("and now?")])[0] == UNSCRIPTED


def anthropic(text: str) -> tuple[str, dict[str, Any]]:
    body = {"messages": [{"role": "user", "content": text}], "tools": [{"name": "Bash"}]}
    return "/v1/messages", body


def responses(text: str) -> tuple[str, dict[str, Any]]:
    body = {"input": [{"role": "user", "content": text}], "tools": [{"name": "exec_command"}]}
    return "/v1/responses", body


def gemini(text: str) -> tuple[str, dict[str, Any]]:
    tools = [{"functionDeclarations": [{"name": "run_shell_command"}]}]
    body = {"contents": [{"role": "user", "parts": [{"text": text}]}], "tools": tools}
    return "/v1beta/models/gemini:generateContent", body


@pytest.mark.parametrize(
    ("dialect", "request_of"),
    [(AnthropicApi, anthropic), (ResponsesApi, responses), (GeminiApi, gemini)],
)
def test_a_failing_step_fails_so_many_times_and_then_recovers(
    dialect: Callable[[], Dialect], request_of: Callable[[str], tuple[str, dict[str, Any]]]
) -> None:
    path, body = request_of(prompt_of(Fail(500, times=2)))

    with serving(dialect()) as server:
        answers = [asked(server.url + path, body) for _ in range(3)]

    assert [status for status, _ in answers] == [500, 500, 200]
    assert RECOVERED.text in answers[-1][1]
    assert server.asked == 3


def asked(url: str, body: dict[str, Any]) -> tuple[int, str]:
    """The status and the text of an answer."""
    request = urllib.request.Request(url, json.dumps(body).encode())
    opener = urllib.request.build_opener(Tolerant)
    with opener.open(request) as answer:
        return answer.status, answer.read().decode()


class Tolerant(urllib.request.HTTPErrorProcessor):
    """Takes an error for the answer that it is."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response
