"""Notices by way of an agent's status plugin, which polls for work. Knows what is on its way, and no rules.

Rule 1: an item is offered until the plugin has told what became of it, or that is given up; the plugin begins each
        once.
Rule 2: what no poll has fetched in time has certainly not arrived; of what was fetched nobody knows.
Rule 3: that the host took a notice is no receipt: the plugin tells that too, when it sees the evidence.
Rule 4: a plugin speaks of notices of its own pane only: those that it was handed, and those of its sessions.
Rule 5: what no plugin fetches is interrupted by keys, as its user would.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec

from orca_tui.base.errors import Conflict, Invalid, Unsupported
from orca_tui.base.ids import PaneId, new_name
from orca_tui.notices.events import Moment, Ways
from orca_tui.notices.notice import Reason
from orca_tui.server.notice_channel import Handed
from orca_tui.server.panes import Pane
from orca_tui.server.paste_channel import PasteChannel
from orca_tui.status.record import RUNNING
from orca_tui.status.session_table import ProcessKey

if TYPE_CHECKING:
    from orca_tui.server.session import Session

AWAY_AFTER_S = 3.0
"""Between two polls of a plugin pass milliseconds, after a failed one a second."""
OFFER_AGAIN_S = 3.0  # Rule 1: the answer to a poll may have been lost on its way.
FETCHED_WITHIN_S = 3.0
TOLD_WITHIN_S = 10.0
"""For a host to take a notice: its first turn may take seconds to begin."""
RECEIPT_WITHIN_S = 30.0
T = TypeVar("T")


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a plugin posts about an item of work, or about a notice."""

    item: str | None = None
    notice: str | None = None
    outcome: Literal["taken", "refused", "failed", "unknown", "received", "not_taken"]
    reason: Reason | None = None
    guard: Literal["host"] | None = None
    evidence: Annotated[str, msgspec.Meta(max_length=200)] = "the host says so"
    pane: str | None = None


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a plugin posts when notices may come in."""

    session: str
    moment: Literal["prompt", "tool"]
    pane: str | None = None


@dataclass(eq=False, kw_only=True, slots=True)
class Job:
    """One notice on its way, with the timer that gives it up."""

    pane: PaneId
    handed: Handed
    item: str | None = None
    timer: asyncio.TimerHandle | None = None

    def give_up_in(self, seconds: float, give_up: Callable[[], None]) -> None:
        """What is awaited next; it takes the place of what was awaited before."""
        self.stop()
        self.timer = asyncio.get_running_loop().call_later(seconds, give_up)

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


@dataclass(eq=False, kw_only=True, slots=True)
class Item:
    body: dict[str, Any]
    offered_at: float | None = None
    """Monotonic seconds of the last poll that took it along."""

    def due_in(self, now: float) -> float:
        """Seconds until a poll may take it along (again)."""
        return 0.0 if self.offered_at is None else OFFER_AGAIN_S - (now - self.offered_at)


@dataclass(eq=False, kw_only=True, slots=True)
class Poller:
    """One process that polls."""

    takes: frozenset[str] = frozenset()
    polls: int = 0
    seen_at: float = 0.0
    items: dict[str, Item] = field(default_factory=dict)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)


class PluginChannel:
    """The `NoticeChannel` of agents whose plugin takes work, and the server's side of that work."""

    def __init__(self, session: Session, typing: PasteChannel) -> None:
        self._session = session
        self._typing = typing
        self._pollers: dict[tuple[PaneId, ProcessKey], Poller] = {}
        self._jobs: dict[str, Job] = {}
        """By the notice's id."""

    # For the coordinator

    def reaches(self, pane: Pane) -> bool:
        return self._poller_of(pane) is not None

    def ways(self, pane: Pane) -> Ways:
        """It wakes only while it polls. What comes in with a prompt may wait for the session's first one too."""
        poller = self._poller_of(pane)
        if poller is None:
            polling = [one for (where, _), one in self._pollers.items() if where == pane.id]
            return Ways(ride_in=any("ride_in" in one.takes for one in polling))
        takes = poller.takes
        wakes = "wake" in takes and self._polls(poller)
        return Ways(wake=wakes, ride_in="ride_in" in takes, steer="steer" in takes)

    def wake(self, pane: Pane, handed: Handed) -> None:
        poller = self._poller_of(pane)
        if poller is None:
            handed.outcome.turned_down(Reason.UNKNOWN_STATUS)
            return
        condition = handed.condition
        body = {
            "kind": "wake",
            "notice": handed.notice.id,
            "session": self._session.board.record(pane.id).session_id,
            "text": handed.text,
            "if_idle": condition is not None,
            "mode": condition.agent if condition is not None else None,
        }
        job = Job(pane=pane.id, handed=handed, item=self._offer(poller, body))
        self._jobs[handed.notice.id] = job
        job.give_up_in(FETCHED_WITHIN_S, lambda: self._not_fetched(job))

    def interrupt(self, pane: Pane) -> None:
        """Rule 5."""
        poller = self._poller_of(pane)
        if poller is None or "interrupt" not in poller.takes or not self._polls(poller):
            self._typing.interrupt(pane)
            return
        record = self._session.board.record(pane.id)
        item = self._offer(poller, {"kind": "interrupt", "session": record.session_id})
        loop = asyncio.get_running_loop()
        loop.call_later(FETCHED_WITHIN_S, self._interrupt_by_keys, pane, poller, item, record.turns)

    # For the plugin

    async def work(
        self, pane: PaneId, process: ProcessKey, takes: frozenset[str], seconds: float
    ) -> list[dict[str, Any]]:
        """Hold a poll until there are items, or the time is over."""
        poller = self._pollers.setdefault((pane, process), Poller())
        poller.takes = takes
        poller.polls += 1
        if poller.polls == 1:
            self._is_back(pane)
        try:
            async with asyncio.timeout(seconds):
                while not (items := self._due(poller)):
                    await self._something_due(poller)
            return items
        except TimeoutError:
            return []
        finally:
            poller.polls -= 1
            poller.seen_at = self._now()

    def told(self, pane: PaneId, body: bytes) -> None:
        """What became of something; raises `Invalid`. What is told of what is not on its way is ignored."""
        told = _read(body, Told)
        job = self._job(pane, told)
        if told.outcome == "received" and told.notice is not None:
            self._received(pane, told)
        elif job is not None:
            self._settle(job, told)

    def collect(self, pane: PaneId, body: bytes) -> list[dict[str, Any]]:
        """What may come in now; raises `Invalid`."""
        asked = _read(body, Asked)
        inbox = self._session.notices.inbox_for_hook(pane, asked.session)
        handed = self._session.notices.hook_asked(inbox, Moment(asked.moment)) if inbox is not None else []
        for one in handed:
            job = self._jobs[one.notice.id] = Job(pane=pane, handed=one)
            self._give_up_later(job, TOLD_WITHIN_S, one.outcome.not_taken)
        return [{"notice": one.notice.id, "text": one.text} for one in handed]

    def gone(self, pane: PaneId, process: ProcessKey) -> None:
        """A process has ended, with whatever it was about to do."""
        poller = self._pollers.pop((pane, process), None)
        for name, item in (poller.items if poller is not None else {}).items():
            job = next((one for one in self._jobs.values() if one.item == name), None)
            if job is not None:
                fetched = item.offered_at is not None
                self._end(job)
                outcome = job.handed.outcome
                outcome.unconfirmed() if fetched else outcome.turned_down(Reason.UNKNOWN_STATUS)

    def forget(self, pane: PaneId) -> None:
        """The pane is closed."""
        for key in [key for key in self._pollers if key[0] == pane]:
            self.gone(*key)

    def close(self) -> None:
        """The server stops."""
        for job in self._jobs.values():
            job.stop()

    # Items

    def _is_back(self, pane_id: PaneId) -> None:
        """What waited for the plugin may go."""
        pane = self._session.panes.get(pane_id)
        if pane is not None:
            self._session.notices.look(pane)

    def _poller_of(self, pane: Pane) -> Poller | None:
        """The process that hosts the pane's session, if its plugin takes work."""
        hosting = self._session.board.hosting(pane.id)
        poller = self._pollers.get((pane.id, hosting.process)) if hosting is not None else None
        return poller if poller is not None and poller.takes else None

    def _polls(self, poller: Poller) -> bool:
        return poller.polls > 0 or self._now() - poller.seen_at < AWAY_AFTER_S

    def _offer(self, poller: Poller, body: dict[str, Any]) -> str:
        name = new_name()
        poller.items[name] = Item(body={"item": name, **body})
        poller.arrived.set()
        return name

    def _due(self, poller: Poller) -> list[dict[str, Any]]:
        now = self._now()
        due = [item for item in poller.items.values() if item.due_in(now) <= 0]
        for item in due:
            if item.offered_at is None:
                self._fetched(item)
            item.offered_at = now
        return [item.body for item in due]

    async def _something_due(self, poller: Poller) -> None:
        """Wait for a new item, or until one is to be offered again."""
        poller.arrived.clear()
        now = self._now()
        again_in = min((item.due_in(now) for item in poller.items.values()), default=None)
        with suppress(TimeoutError):
            async with asyncio.timeout(again_in):
                await poller.arrived.wait()

    def _fetched(self, item: Item) -> None:
        """A poll took it along for the first time."""
        job = self._jobs.get(item.body.get("notice", ""))
        if job is not None and job.item == item.body["item"]:
            self._give_up_later(job, TOLD_WITHIN_S, job.handed.outcome.unconfirmed)

    def _not_fetched(self, job: Job) -> None:
        self._end(job)
        job.handed.outcome.turned_down(Reason.UNKNOWN_STATUS)

    def _interrupt_by_keys(self, pane: Pane, poller: Poller, item: str, turns: int) -> None:
        """Rule 5. What comes late must not interrupt another turn than was meant."""
        left = poller.items.pop(item, None)
        if left is None or left.offered_at is not None or pane.closed:
            return
        record = self._session.board.record(pane.id)
        if record.turns == turns and record.status in RUNNING:
            with suppress(Conflict, Unsupported):  # Its program ends by itself, or another is there.
                self._typing.interrupt(pane)

    def _take_away(self, item: str) -> None:
        for poller in self._pollers.values():
            poller.items.pop(item, None)

    # Outcomes

    def _job(self, pane: PaneId, told: Told) -> Job | None:
        """Rule 4."""
        if told.item is not None:
            job = next((one for one in self._jobs.values() if one.item == told.item), None)
            known = any(
                told.item in poller.items for (where, _), poller in self._pollers.items() if where == pane
            )
            if not known:
                return None
            self._take_away(told.item)
            return job
        job = self._jobs.get(told.notice or "")
        return job if job is not None and job.pane == pane else None

    def _settle(self, job: Job, told: Told) -> None:
        outcome = job.handed.outcome
        match told.outcome:
            case "taken":
                if told.guard == "host":
                    outcome.decided_by_host()
                self._give_up_later(job, RECEIPT_WITHIN_S, outcome.unconfirmed)
                return
            case "unknown":
                self._give_up_later(job, TOLD_WITHIN_S, outcome.unconfirmed)
                return
            case "refused":
                outcome.turned_down(told.reason or Reason.BUSY)
            case "failed":
                outcome.rejected()
            case "not_taken":
                outcome.not_taken()
            case "received":
                return
        self._end(job)

    def _received(self, pane: PaneId, told: Told) -> None:
        notice = told.notice or ""
        known = self._session.notices.store.get(notice)
        job = self._jobs.get(notice)
        handed = job is not None and job.pane == pane
        if known is None or not (handed or self._session.notices.is_in(known.session, pane)):
            return
        if job is not None:
            if told.guard == "host":
                job.handed.outcome.decided_by_host()
            self._end(job)
        self._session.notices.received(notice, told.evidence)

    def _give_up_later(self, job: Job, seconds: float, give_up: Callable[[], None]) -> None:
        def over() -> None:
            self._end(job)
            give_up()

        job.give_up_in(seconds, over)

    def _end(self, job: Job) -> None:
        """Nothing more is awaited of it, and no poll takes it along any more."""
        job.stop()
        if job.item is not None:
            self._take_away(job.item)
        if self._jobs.get(job.handed.notice.id) is job:
            del self._jobs[job.handed.notice.id]

    def _now(self) -> float:
        return self._session.parts.clock.monotonic()


def _read(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"this is no word about notices: {error}") from None
