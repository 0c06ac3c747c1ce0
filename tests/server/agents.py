"""An agent in a pane of a running server, for tests of notices: its box takes keys, its prompts are logged."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from orca_tui.commands.inbox import (
    INBOX_CANCEL,
    INBOX_LIST,
    InboxCancelRequest,
    InboxListRequest,
    NoticeInfo,
)
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.send import SEND, SendReply, SendRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.status.record import Status
from tests.server.running import Api, until

PROGRAM = Path(__file__).parent.parent / "hosts" / "prompting_agent.py"


class Agent:
    """One pane with one agent."""

    def __init__(self, api: Api, pane: str, log: Path) -> None:
        self.api = api
        self.pane = pane
        self.log = log

    @classmethod
    async def open(cls, api: Api, *options: str) -> Agent:
        """Open it and wait until it rests."""
        log = api.root / f"prompts-{len(list(api.root.glob('prompts-*')))}"
        log.touch()
        pane = await api.open(sys.executable, str(PROGRAM), str(log), *options, agent="claude")
        agent = cls(api, pane, log)
        await agent.waits(Status.IDLE)
        return agent

    def prompts(self) -> list[str]:
        """All that was submitted to it."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    async def send(self, text: str, **facts: Any) -> SendReply:
        return await self.api.call(SEND, SendRequest(pane=self.pane, text=text, **facts))

    async def cancel(self, notice: str) -> NoticeInfo:
        return await self.api.call(INBOX_CANCEL, InboxCancelRequest(pane=self.pane, id=notice))

    async def inbox(self, **facts: Any) -> tuple[NoticeInfo, ...]:
        return (await self.api.call(INBOX_LIST, InboxListRequest(pane=self.pane, **facts))).notices

    async def state(self, notice: str) -> str:
        [found] = [one for one in await self.inbox(closed=True) if one.id == notice]
        return found.state

    async def becomes(self, notice: str, state: str) -> None:
        """Wait until a notice has a state."""

        async def there() -> bool:
            return await self.state(notice) == state

        await until(there, f"{notice} is {state}")

    async def type(self, text: str) -> None:
        await self.api.call(TYPE, TypeRequest(pane=self.pane, text=text))

    async def keys(self, *keys: str) -> None:
        await self.api.call(KEYS, KeysRequest(pane=self.pane, keys=keys))

    async def waits(self, *statuses: Status) -> None:
        await self.api.call(WAIT, WaitRequest(pane=self.pane, status=statuses))

    async def works(self) -> None:
        """Have it work on a prompt of its user's."""
        await self.type("work\r")
        await self.waits(Status.WORKING)

    async def ends(self) -> None:
        """Have its turn end."""
        await self.keys("ctrl+e")
