"""The way into the UI and out of it."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from orca_tui.base.errors import EngineMismatch, ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.ui.run import _panic, first_settings
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio


async def test_a_server_that_is_gone_ends_the_ui_with_a_sentence(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.shows("│$")

        screen.app.link.client.close()

        await screen.until(lambda: screen.app.return_value is not None, "the farewell")
        farewell = screen.app.return_value
        assert farewell is not None
        assert farewell.exit_code == 1
        assert "the server is gone" in farewell.text


async def test_a_server_that_is_stopped_lets_the_ui_go(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await api.stop()

        await screen.until(lambda: screen.app.return_value is not None, "the farewell")
        assert screen.app.return_value is not None
        assert screen.app.return_value.exit_code == 0


async def test_a_server_that_does_not_answer_is_told_before_the_terminal_is_taken(server: Server) -> None:
    async with ui(server) as screen:
        with pytest.raises(ServerUnavailable):
            await screen.app.connect(
                lambda handler: AsyncClient.connect(server.root / "nobody", on_pane_frame=handler)
            )


async def test_a_server_with_another_engine_is_refused(server: Server) -> None:
    async with ui(server) as screen:
        with pytest.raises(EngineMismatch):
            await screen.app.connect(
                lambda handler: AsyncClient.connect(
                    server.parts.sockets().wire,
                    role="ui",
                    engine_build="another",
                    on_pane_frame=handler,
                )
            )


async def test_changed_settings_are_taken_and_bad_ones_told(server: Server, api: Api) -> None:
    await shell(api)
    path = server.root / "config" / "orca-tui" / "config.toml"
    path.parent.mkdir(parents=True)
    async with ui(server, config_file=path) as screen:

        async def written(text: str, shown: str) -> None:
            """Write until it is noticed: nothing says when the watch has begun."""
            async with asyncio.timeout(20):
                while shown not in screen.text():
                    path.write_text(text)
                    for _ in range(20):
                        await screen.pilot.pause(0.01)

        await written('[ui]\nsidebar_side = "right"\n', "settings taken")
        await screen.until(lambda: screen.find("shells")[0] == 71, "the sidebar on the right")

        await written('[keys.bindings]\nzom = "prefix z"\n', "config.toml:2")
        assert screen.find("shells")[0] == 71

        await written('[keys]\nprefix = "ctrl+a"\n', "ctrl+a then")
        await screen.press("ctrl+a", "c")
        await screen.until(lambda: len(screen.panes()) == 2, "the new prefix works")


async def test_a_mistake_in_a_callback_ends_the_ui_and_is_printed(server: Server) -> None:
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    try:
        async with ui(server) as screen:
            loop.set_exception_handler(partial(_panic, screen.app))

            loop.call_soon(lambda: 1 / 0)

            await screen.until(lambda: not screen.app.is_running, "the end")
            assert screen.app.return_value is None
    finally:
        loop.set_exception_handler(before)


async def test_a_mistake_is_told_by_its_place_and_without_what_panes_show(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "what-the-pane-shows"

    def mistake(shown: str) -> None:
        raise ZeroDivisionError(f"{len(shown)} characters")

    with pytest.raises(ZeroDivisionError):  # noqa: PT012 - raised when the context is left
        async with ui(server) as screen:
            screen.app.call_later(mistake, secret)
            await screen.until(lambda: not screen.app.is_running, "the end")

    printed = capsys.readouterr().err
    assert "ZeroDivisionError: 19 characters" in printed
    assert secret not in printed.replace('secret = "what-the-pane-shows"', "")


def test_settings_that_cannot_be_used_leave_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[ui]\nsidebar_width = 3\n")

    settings, problem = first_settings(path)

    assert settings.keymap.prefix == "ctrl+b"
    assert problem is not None
    assert problem.facts["line"] == 2
