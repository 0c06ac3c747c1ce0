"""Themes, few colours and none: everything stays readable, since nothing is said by colour alone."""

from __future__ import annotations

import pytest
from textual.theme import BUILTIN_THEMES

from orca_tui.config import Config, Ui
from tests.server.running import Api, Server
from tests.ui.running import Screen, shell, ui

pytestmark = pytest.mark.anyio


def backgrounds(screen: Screen) -> set[str]:
    """The background colours on screen."""
    strips = screen.app.screen._compositor.render_strips()
    styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
    return {style.bgcolor.name for style in styles if style.bgcolor is not None}


def unreadable(screen: Screen) -> list[str]:
    """What is written in the colour of its background; the outer terminal's two defaults differ."""
    strips = screen.app.screen._compositor.render_strips()
    return [
        segment.text
        for strip in strips
        for segment in strip
        if segment.text.strip() and segment.style and segment.style.color
        if segment.style.color == segment.style.bgcolor and not segment.style.color.is_default
    ]


async def test_every_theme_shows_everything(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:

        async def in_every_theme(text: str) -> None:
            await screen.shows(text)
            for theme in BUILTIN_THEMES:
                screen.app.theme = theme
                await screen.pilot.pause()
                assert (theme, text in screen.text(), unreadable(screen)) == (theme, True, [])

        await screen.shows("│$")
        await in_every_theme("p1 sh")
        await screen.press("ctrl+b", "question_mark")
        await in_every_theme("Open a shell beside the focused pane.")
        await screen.press("escape")
        await screen.hides("Open a shell beside the focused pane.")
        await screen.shows("p1 sh")


async def test_the_theme_is_that_of_the_settings(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server, config=Config(ui=Ui(theme="nord"))) as screen:
        assert screen.app.theme == "nord"


async def test_without_colours_glyph_and_word_are_there(
    server: Server, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    working = "printf '\\033]7501;state=working:app=codex\\033\\\\'; exec cat"
    await api.open("/bin/sh", "-c", working, agent="codex")
    async with ui(server) as screen:
        await screen.shows("● p1 codex · working")
        await screen.shows("working ──")

        assert all(
            len(set(name.lstrip("#")[at : at + 2] for at in (0, 2, 4))) == 1
            for name in backgrounds(screen)
            if name.startswith("#")
        )


async def test_a_pane_has_the_outer_terminals_own_background(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.shows("│$")
        strip = screen.app.link.model(pane).strips[0]

        assert "\x1b[48" not in strip.render(screen.app.console)
