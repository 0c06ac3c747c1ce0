"""The question for consent, asked in a UI when the first Codex pane opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.server.consent import Consent
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio

QUESTION = "Hooks for Codex?"


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    program: Path = server.root / "codex"
    program.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 0.171.0 && exit\necho ran; read x\n')
    program.chmod(0o755)
    return {"PATH": f"{server.root}:/usr/bin:/bin", "HOME": str(server.root)}


def answer(server: Server) -> str | None:
    return Consent(server.parts.paths.state_dir).answer("codex")


async def test_yes_is_chosen_and_holds_for_the_next_pane(
    server: Server, api: Api, environment: dict[str, str]
) -> None:
    await shell(api)
    async with ui(server) as screen:
        await api.open("codex", environment=environment)
        await screen.shows(QUESTION)
        await screen.press("down", "enter")
        await screen.hides(QUESTION)
        await screen.until(lambda: answer(server) == "allowed", "the answer is kept")

        pane = await api.open("codex", environment=environment)
        assert "-c" in (await api.info(pane)).command
        await screen.hides(QUESTION)


async def test_no_is_kept(server: Server, api: Api, environment: dict[str, str]) -> None:
    await shell(api)
    async with ui(server) as screen:
        await api.open("codex", environment=environment)
        await screen.shows(QUESTION)
        await screen.press("down", "down", "enter")
        await screen.until(lambda: answer(server) == "denied", "the answer is kept")


@pytest.mark.parametrize("keys", [("enter",), ("escape",), ("y", "e", "s", "enter")])
async def test_whoever_was_typing_has_agreed_to_nothing_and_is_not_asked_again(
    server: Server, api: Api, environment: dict[str, str], keys: tuple[str, ...]
) -> None:
    await shell(api)
    async with ui(server) as screen:
        await api.open("codex", environment=environment)
        await screen.shows(QUESTION)
        await screen.press(*keys)
        await screen.hides(QUESTION)

        await api.open("codex", environment=environment)
        await screen.shows("codex")
        await screen.hides(QUESTION)
    assert answer(server) is None


async def test_an_answer_can_be_clicked(server: Server, api: Api, environment: dict[str, str]) -> None:
    await shell(api)
    async with ui(server) as screen:
        await api.open("codex", environment=environment)
        await screen.shows(QUESTION)
        await screen.click(*screen.find("Yes, start Codex"))
        await screen.until(lambda: answer(server) == "allowed", "the answer is kept")


async def test_without_a_ui_nobody_is_asked_until_one_is_there(
    server: Server, api: Api, environment: dict[str, str]
) -> None:
    await api.open("codex", environment=environment)
    async with ui(server) as screen:
        await api.open("codex", environment=environment)
        await screen.shows(QUESTION)
