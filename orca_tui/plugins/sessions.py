"""`ctx.session`: the operations on agents' sessions that a plugin has, over the control API. No rule of its own.

Everywhere a pane's id stands for its current session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from orca_tui.base.errors import Invalid
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.active import ACTIVE, Running
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.inbox import INBOX_CANCEL, InboxCancelRequest, NoticeInfo
from orca_tui.commands.interrupt import INTERRUPT, InterruptRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.send import SEND, SendReply, SendRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo

AT_REST = (Status.IDLE, Status.DONE, Status.ERROR)


class Inbox:
    """Notices that wait. A plugin can take one back, and nothing else."""

    __slots__ = ("_client",)

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def cancel(self, session: str, id: str) -> NoticeInfo:
        """Take a pending notice back; raises `InboxConflict` when that removed nothing."""
        return await self._client.call(INBOX_CANCEL, InboxCancelRequest(pane=session, id=id))


class Sessions:
    """What `ctx.session` is."""

    __slots__ = ("_client", "inbox")

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.inbox = Inbox(client)

    async def synthetic(
        self,
        session: str,
        text: str,
        *,
        delivery: str = "queue",
        resume: bool | Mapping[str, Any] = True,
        id: str | None = None,
    ) -> SendReply:
        """Leave a notice. `resume` says whether it may start a turn: True, False, or
        `{"if_idle": True, "agent": "build"}`, which may do so only now; the reply's `woke` and `reason` tell.

        Raises `Conflict` for an `id` of another notice, `Unsupported` where this agent cannot be given it so.
        """
        fields = {"pane": session, "text": text, "delivery": delivery, "resume": resume, "id": id}
        try:
            request = msgspec.convert(fields, SendRequest)
        except msgspec.ValidationError as error:
            raise Invalid(str(error)) from error
        return await self._client.call(SEND, request)

    async def prompt(
        self,
        session: str,
        text: str,
        *,
        delivery: str = "queue",
        resume: bool | Mapping[str, Any] = True,
        id: str | None = None,
    ) -> SendReply:
        """The same as `synthetic`: how the text reaches the agent is its channel's choice, not the sender's."""
        return await self.synthetic(session, text, delivery=delivery, resume=resume, id=id)

    async def active(self) -> dict[str, Running]:
        """The sessions that run a turn, by id. A snapshot: looking and then sending are two steps, between which
        somebody may be faster; `resume={"if_idle": True}` looks and wakes in one."""
        return (await self._client.call(ACTIVE, Empty())).sessions

    async def wait(
        self,
        session: str,
        status: Iterable[str] = AT_REST,
        *,
        next: bool = False,
        timeout_s: float | None = None,
    ) -> PaneInfo:
        """Wait for one of the statuses, with `next` only for one that comes after the call; raises `TimedOut`."""
        wanted = (status,) if isinstance(status, str) else tuple(status)
        try:
            statuses = tuple(Status(one) for one in wanted)
        except ValueError as error:
            raise Invalid(str(error)) from error
        request = WaitRequest(pane=await self._pane(session), status=statuses, next=next, timeout=timeout_s)
        return await self._client.call(WAIT, request)

    async def interrupt(self, session: str) -> bool:
        """Interrupt the turn that runs, as its user would; False when none does."""
        return (await self._client.call(INTERRUPT, InterruptRequest(pane=session))).interrupted

    async def get(self, session: str) -> PaneInfo:
        """The record of the pane where the session is; raises `NotFound`."""
        return await self._client.call(GET, GetRequest(pane=await self._pane(session)))

    async def list(self) -> tuple[PaneInfo, ...]:
        """Every pane with its status, its session (`session_id`), name and title."""
        return (await self._client.call(LIST, Empty())).panes

    async def context(self, session: str, *, lines: int | None = None) -> str:
        """The conversation as its pane shows it, scrollback included; only the last `lines`, if given."""
        request = ReadRequest(pane=await self._pane(session), source="all", lines=lines, unwrap=True)
        return (await self._client.call(READ, request)).text

    async def _pane(self, session: str) -> str:
        """The pane of a session; what no session is called is taken for a pane's id."""
        panes = await self.list()
        return next((info.pane for info in panes if info.session_id == session), session)
