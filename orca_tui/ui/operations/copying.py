"""Copy mode of the focused pane, and what is done with what was taken there."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import assert_never

from orca_tui.base.reasons import reason_of
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.config import Environment
from orca_tui.layout import Rect
from orca_tui.ui import kept_files
from orca_tui.ui.copying.mode import Keep
from orca_tui.ui.operations.host import Host
from orca_tui.ui.outer_programs import open_link
from orca_tui.ui.screens.copy_mode import Copied, CopyMode, Kept, Link
from orca_tui.ui.screens.dialogs import Prompt

LAST_EDITOR = "vi"


class Copying:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def enter(self) -> None:
        await self._copy_mode()

    async def search(self) -> None:
        """Copy mode that begins with a search upwards: what was is above."""
        await self._copy_mode(search="?")

    async def open_link(self, url: str) -> None:
        """Have the desktop open it; where there is none, it goes to the clipboard of the outer terminal."""
        if await open_link(url, self._host.variables):
            self._host.say(f"opened {url}")
        else:
            self._host.say(f"no browser can be started here for {url}")
            self._host.copy(url)

    async def _copy_mode(self, search: str = "") -> None:
        host = self._host
        pane = host.world.focused
        if pane is None:
            return
        model = await host.whole_model(pane.pane)
        frozen = model.freeze()
        if frozen is None:
            host.say("this pane cannot be held still just now; try again", "warning")
            return
        outcome = await host.ask(CopyMode(frozen, lambda: self._place(pane.pane), host.clock, search=search))
        match outcome:
            case None:
                pass
            case Copied(text=text):
                host.copy(text)
            case Link(url=url):
                await self.open_link(url)
            case Kept(where=where, text=text):
                await (self._save if where is Keep.FILE else self._edit)(pane.pane, text)
            case _:
                assert_never(outcome)

    def _place(self, pane: str) -> Rect | None:
        places = self._host.scene.places.panes
        return next((place.screen for place in places if place.pane == pane), None)

    async def _save(self, pane: str, text: str) -> None:
        proposed = kept_files.free_name(Path(self._host.cwd), pane)
        answer = await self._host.ask(Prompt("Save all lines to", str(proposed)))
        if not answer:
            return
        try:
            path = await asyncio.to_thread(kept_files.named, self._host.cwd, answer)
            await asyncio.to_thread(kept_files.write_new, path, text)
        except OSError as error:
            self._host.say(f"nothing was saved: {reason_of(error)}: {answer}", "error")
        else:
            self._host.say(f"saved to {path}")

    async def _edit(self, pane: str, text: str) -> None:
        """In a pane of its own, so that the others go on beside it."""
        variables = self._host.variables
        folder = Environment(variables).paths().cache_dir / "history"
        try:
            path = await asyncio.to_thread(kept_files.write_for_editor, folder, pane, text)
        except OSError as error:
            self._host.say(f"no file for the editor: {error.strerror}: {folder}", "error")
            return
        try:
            editor = shlex.split(variables.get("VISUAL") or variables.get("EDITOR") or "") or [LAST_EDITOR]
        except ValueError as error:
            self._host.say(f"$VISUAL or $EDITOR is no command: {error}", "error")
            return
        request = OpenRequest(
            command=(*editor, str(path)), cwd=self._host.cwd, environment=dict(variables), focus=True
        )
        await self._host.do(OPEN, request, until=lambda world, reply: reply.pane in world.panes)
