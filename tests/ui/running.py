"""The UI on a real server, in this process: keys and mouse in, screen text out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual import events
from textual.geometry import Offset
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES

from orca_tui.base.clock import SystemClock
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.config import Config, Environment
from orca_tui.layout import panes_of
from orca_tui.ui.app import OrcaApp
from orca_tui.ui.farewell import Farewell
from orca_tui.ui.settings import checked
from orca_tui.wire import PaneInfo
from tests.server.running import LIMIT_S, POLL_S, Api, Server

SIZE = (100, 30)


class Screen:
    """One running UI."""

    def __init__(self, app: OrcaApp, pilot: Pilot[Farewell], api: Api) -> None:
        self.app = app
        self.pilot = pilot
        self.api = api

    def lines(self) -> list[str]:
        """What is on screen now, dialogs included."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        return "\n".join(self.lines())

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for a condition on what is shown."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while not holds():  # noqa: ASYNC110 - nothing announces it.
                    await asyncio.sleep(POLL_S)
        except TimeoutError:
            raise AssertionError(f"not within {LIMIT_S} s: {what}\n{self.text()}") from None

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in self.text(), f"the screen shows {text!r}")

    async def hides(self, text: str) -> None:
        await self.until(lambda: text not in self.text(), f"the screen hides {text!r}")

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Keys that come in one read of the terminal, as those of a quick hand or of a paste without brackets."""
        driver = self.app._driver
        assert driver is not None
        for char in text:
            key = events.Key(_character_to_key(char), char)
            key.set_sender(self.app)
            driver.send_message(key)
        await self.pilot.pause()

    async def click(self, x: int, y: int, *, button: int = 1, times: int = 1, **held: bool) -> None:
        await self.pilot.click(offset=(x, y), button=button, times=times, **held)

    async def drag(self, start: tuple[int, int], end: tuple[int, int], **held: bool) -> None:
        """Press the left button at one cell of the screen and release it at another."""
        await self.pilot.mouse_down(offset=start, **held)
        await self.mouse(events.MouseMove, *end, button=1, **held)
        await self.pilot.mouse_up(offset=end, **held)

    async def burst(self, *steps: tuple[type[events.MouseEvent], int, int], button: int = 1) -> None:
        """Mouse events that arrive in one read of the terminal: none is handled before the last has come."""
        last = (0, 0)
        for kind, x, y in steps:
            delta = (x - last[0], y - last[1])
            self.app.post_message(kind(None, x, y, *delta, button, False, False, False, x, y))
            last = (x, y)
        await self.pilot.pause()

    async def wheel(self, x: int, y: int, *, up: bool = True) -> None:
        await self.mouse(events.MouseScrollUp if up else events.MouseScrollDown, x, y)

    async def mouse(
        self, kind: type[events.MouseEvent], x: int, y: int, *, button: int = 0, **held: bool
    ) -> None:
        """One mouse event, for those that the pilot has no method for."""
        await self.pilot._post_mouse_events([kind], offset=(x, y), button=button, **held)  # type: ignore[list-item]

    def place_of(self, pane: str) -> Offset:
        """The upper left cell of a pane's terminal."""
        view = self.app.work.view_of(pane)
        assert view is not None
        return view.region.offset

    def find(self, text: str) -> tuple[int, int]:
        """The cell where a text begins."""
        for y, line in enumerate(self.lines()):
            if text in line:
                return line.index(text), y
        raise AssertionError(f"no {text!r} in\n{self.text()}")

    @property
    def focused(self) -> str | None:
        return self.app.scene.focused

    def panes(self) -> Mapping[str, PaneInfo]:
        return self.app.world.panes


@asynccontextmanager
async def ui(
    server: Server,
    *,
    size: tuple[int, int] = SIZE,
    config: Config | None = None,
    config_file: Path | None = None,
    **environment: str,
) -> AsyncIterator[Screen]:
    """A UI that has shown its first picture; left at the end unless it has left already."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(server.root), "PS1": "$ ", "SHELL": "/bin/sh"}
    engines = server.parts.engines
    app = OrcaApp(
        settings=checked(config or Config(), BUILTIN_THEMES),
        engines=engines,
        clock=SystemClock(),
        environment=Environment({**variables, **environment}),
        cwd=str(server.root),
        server="default",
        config_file=config_file or server.root / "config" / "config.toml",
    )
    await app.connect(
        lambda handler: AsyncClient.connect(
            server.parts.sockets().wire, role="ui", engine_build=engines.build, on_pane_frame=handler
        )
    )
    api = Api(await server.client(), server.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = Screen(app, pilot, api)
        await screen.until(lambda: app.world.synced, "the first word of the server")
        await pilot.pause()
        yield screen
        if app.is_running:
            app.leave("done")


async def shell(api: Api, **options: Any) -> str:
    """Open a plain shell whose prompt is there; its id."""
    pane = await api.open(**options)
    await api.shows(pane, "$")
    return pane


def tab_panes(screen: Screen) -> list[str]:
    """The panes of the tab that is shown, in order."""
    tab = screen.app.world.tab
    return list(panes_of(tab.root)) if tab is not None else []
