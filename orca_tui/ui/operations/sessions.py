"""Actions on what was there before: bring a saved session back, or forget it."""

from __future__ import annotations

from textual.content import Content

from orca_tui.commands.sessions import (
    FORGET,
    RESTORE,
    SESSIONS,
    ForgetRequest,
    RestoreRequest,
    SessionRow,
)
from orca_tui.commands.spec import Empty
from orca_tui.ui.operations.host import Host
from orca_tui.ui.screens.picker import Item, Picker
from orca_tui.ui.texts import ago

RUN, DROP = "r", "x"


class Sessions:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def restore(self) -> None:
        """Choose a saved session, and have the server bring it back."""
        host = self._host
        rows = (await host.do(SESSIONS, Empty())).sessions
        if not rows:
            host.say("No session is saved.")
            return
        picker = Picker(
            "Restore a session",
            [Item(id=row.session, text=Content(self._line(row))) for row in rows],
            keys={RUN: "and run every command", DROP: "forget it"},
        )
        choice = await host.ask(picker)
        if choice is not None:
            await self._chosen(choice.id, choice.key)

    async def _chosen(self, session: str, key: str) -> None:
        host = self._host
        if key == DROP:
            await host.do(FORGET, ForgetRequest(session=session))
            host.say(f"{session} is forgotten.")
            return
        request = RestoreRequest(session=session, run=key == RUN, environment=dict(host.variables))
        reply = await host.do(RESTORE, request)
        if reply.held:
            host.say(f"Enter starts the commands in {', '.join(reply.held)}.")

    def _line(self, row: SessionRow) -> str:
        panes = "1 pane" if row.panes == 1 else f"{row.panes} panes"
        agents = f", {', '.join(row.agents)} go on" if row.agents else ""
        return f"{row.session}  {ago(self._host.clock.now() - row.saved_at)}: {panes}{agents}"
