"""The app's way to the terminal that it runs in; nothing goes there before it is taken or after it is given back."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.app import App

from orca_tui.ui.driver import OrcaDriver

TAKEN_LOOK_S = 0.004
"""How often one looks whether the terminal has taken what was written: nobody announces it."""


class OuterLine:
    """Does nothing in an app without a terminal of ours, as in tests."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app

    @property
    def _driver(self) -> OrcaDriver | None:
        driver = self._app._driver
        return driver if isinstance(driver, OrcaDriver) else None

    @property
    def takeovers(self) -> int:
        """How often the terminal was taken; each time everything in it may be gone."""
        return self._driver.takeovers if self._driver is not None else 0

    def write(self, data: str) -> None:
        driver = self._app._driver
        if driver is not None and self._app._running and not self._app.is_headless:
            driver.write(data)
            driver.flush()

    def want_motion(self, wanted: bool) -> None:
        """Have every mouse movement reported, or only buttons and drags."""
        if self._driver is not None:
            self._driver.set_any_motion(wanted)

    def ask(self, questions: str) -> None:
        """Ask the terminal; the answers come as `TerminalReply`."""
        if self._driver is not None:
            self._driver.ask(questions)

    def part_with(self, sequences: str) -> None:
        """Write these when the terminal is given back, whatever ends the program."""
        if self._driver is not None:
            self._driver.parting = sequences

    async def taken(self) -> None:
        """Wait until the terminal has taken what was written; others have their turn in any case."""
        await asyncio.sleep(0)
        while self._driver is not None and self._driver.backlog_bytes:  # noqa: ASYNC110 - see above.
            await asyncio.sleep(TAKEN_LOOK_S)
