"""What is told in passing."""

from __future__ import annotations

import pytest

from tests.server.running import Server
from tests.ui.running import Screen, ui

pytestmark = pytest.mark.anyio


def times(screen: Screen, text: str) -> int:
    return screen.text().count(text)


async def test_a_toast_is_seen_once_when_a_dialog_opens_over_it(server: Server) -> None:
    async with ui(server) as screen:
        screen.app.say("the words of it")
        await screen.shows("the words of it")

        await screen.press("ctrl+b", "question_mark")

        await screen.shows("Panes")
        await screen.until(lambda: times(screen, "the words of it") == 1, "one toast")

        await screen.press("escape")
        await screen.hides("Panes")
        await screen.until(lambda: times(screen, "the words of it") == 1, "the toast again")


async def test_equal_toasts_are_one_and_others_are_not(server: Server) -> None:
    async with ui(server) as screen:
        for _ in range(6):
            screen.app.say("the same words")
        screen.app.say("other words")

        await screen.shows("other words")
        assert times(screen, "the same words") == 1


async def test_what_was_clicked_away_is_told_when_it_happens_again(server: Server) -> None:
    async with ui(server) as screen:
        screen.app.say("the same words")
        await screen.shows("the same words")
        await screen.click(*screen.find("the same words"))
        await screen.hides("the same words")

        screen.app.say("the same words")

        await screen.shows("the same words")
