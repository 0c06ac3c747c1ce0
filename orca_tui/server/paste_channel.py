"""Notices typed into an agent's prompt box: a paste, Enter, and the evidence that a turn began.

Rule 1: only into a box that takes bracketed paste, where nobody else's words stand; the coordinator sees to it.
Rule 2: Enter follows the paste after a pause of its own: some agents take it for a part of the paste else.
Rule 3: a turn that begins is the receipt. Without one within 2 s Enter is pressed once more, unless somebody
        has typed meanwhile; then the notice is unconfirmed, unless a turn begins later after all.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from orca_tui.base.errors import Conflict, Unsupported
from orca_tui.notices.events import Ways
from orca_tui.server.notice_channel import Handed
from orca_tui.server.panes import Pane
from orca_tui.server.waiters import Ended
from orca_tui.status.events import InterruptPressed
from orca_tui.status.record import RUNNING, Source
from orca_tui.term.input_encoder import encode_paste
from orca_tui.term.key_names import parse_key

if TYPE_CHECKING:
    from orca_tui.server.session import Session

SUBMIT_AFTER_S = 0.15
"""60 ms were enough for every agent that was tried, on an idle machine."""
CONFIRM_WITHIN_S = 2.0
LATE_WITHIN_S = 30.0
"""A turn that begins so late after all, while nobody has typed, is evidence still: a first one loads much."""
MOST_PRESSES = 2
EVIDENCE = "a turn began after it was submitted"
ENTER = b"\r"
CLEAR_LINE = b"\x15"
"""Ctrl-U: an agent whose turn was interrupted may have put the old prompt back into its box."""
ESCAPE = "escape"
PRESSES = {"opencode": 2, "copilot": 2}
"""Agents that ask for the key a second time."""
NOTHING = Ways()


class PasteChannel:
    """The `NoticeChannel` for every agent without a better one."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def reaches(self, pane: Pane) -> bool:
        return self._session.board.record(pane.id).agent is not None

    def ways(self, pane: Pane) -> Ways:
        """Rule 1. A host that reports itself and has no session yet may still be drawing its box."""
        record = self._session.board.record(pane.id)
        reports = record.evidence is not None and record.evidence.source is Source.PLUGIN
        starts = reports and record.session_id is None
        takes_pastes = pane.pid is not None and pane.engine.modes().bracketed_paste
        return Ways(wake=True, types=True) if takes_pastes and not starts else NOTHING

    def wake(self, pane: Pane, handed: Handed) -> None:
        """The paste is written at once: nothing can come between the look and it."""
        try:
            if self._session.board.record(pane.id).interrupted:
                pane.write(CLEAR_LINE)
            pane.write(encode_paste(handed.text, bracketed=True))
        except Conflict:
            handed.outcome.rejected()
            return
        self._session.tasks.start(self._submit(pane, handed), f"submit to {pane.id}")

    def interrupt(self, pane: Pane) -> None:
        adapter = self._session.parts.agents.by_name(self._session.board.record(pane.id).agent)
        keys = adapter.interrupt_keys if adapter is not None else frozenset[str]()
        if not keys:
            raise Unsupported("nothing is known that interrupts this agent", pane=pane.id)
        key = ESCAPE if ESCAPE in keys else min(keys)
        for _ in range(PRESSES.get(adapter.name, 1) if adapter else 1):
            pane.press(parse_key(key))
        self._session.observe(pane.id, [InterruptPressed(at=self._session.now())])

    async def _submit(self, pane: Pane, handed: Handed) -> None:
        typed_before = pane.box.typed_at
        await asyncio.sleep(SUBMIT_AFTER_S)
        presses = 0
        while presses < MOST_PRESSES and not self._runs(pane):
            if presses and pane.box.typed_at != typed_before:
                break
            presses += 1
            if await self._enter(pane):
                handed.outcome.received(EVIDENCE)
                return
        pane.box.filled()
        handed.outcome.unconfirmed()
        if presses and await self._begins(pane, LATE_WITHIN_S) and pane.box.typed_at == typed_before:
            pane.box.emptied()
            handed.outcome.received(EVIDENCE)

    def _runs(self, pane: Pane) -> bool:
        """Something else has started a turn meanwhile: Enter would answer or queue who knows what."""
        return pane.closed or self._session.board.record(pane.id).status in RUNNING

    async def _enter(self, pane: Pane) -> bool:
        """Press Enter; whether a turn began within the time."""
        with suppress(Conflict):
            pane.write(ENTER)
            return await self._begins(pane, CONFIRM_WITHIN_S)
        return False

    async def _begins(self, pane: Pane, seconds: float) -> bool:
        with suppress(TimeoutError, Ended):
            async with asyncio.timeout(seconds):
                await self._session.waiters.wait(pane.id, RUNNING)
                return True
        return False
