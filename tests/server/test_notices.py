"""Inboxes of a session without doors: whose they are, what a restart keeps, and how words of others are marked."""

from __future__ import annotations

import asyncio

import pytest

from orca_tui.base.errors import NotFound, StoreFailed, Unsupported
from orca_tui.layout import all_panes
from orca_tui.notices.events import Admission, Admitted, How
from orca_tui.notices.notice import Notice, NoticeState, Origin, OriginKind, Reason
from orca_tui.server.forgetting import Forgetting
from orca_tui.server.notice_channel import Handed
from orca_tui.server.notices import Notices
from orca_tui.server.panes import Pane
from orca_tui.server.retries import AGAIN_IN_S
from orca_tui.status.events import (
    AgentRecognised,
    ProcessExited,
    ProgramReported,
    ProgramState,
    SessionChanged,
)
from orca_tui.status.record import Source
from tests.notices.notices import notice
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


def admit(inside: Rooms, pane: Pane, id: str = "n1") -> Notice:
    """Leave a notice for a pane."""
    notices = inside.session.notices
    inbox, where = notices.inbox_of(pane.id)
    one = notice(id, text=id, session=inbox, admitted_at=inside.clock.now(), changed_at=inside.clock.now())
    event = Admitted(at=inside.clock.now(), notice=one, situation=notices.situation(where))
    [answer] = [effect for effect in notices.advance(inbox, event) if isinstance(effect, Admission)]
    return answer.notice


def named(inside: Rooms, pane: Pane, session: str) -> None:
    """The pane's agent names its session."""
    changed = SessionChanged(at=inside.clock.now(), source=Source.HOOK, session_id=session)
    inside.session.observe(pane.id, [changed])


def at_rest(inside: Rooms, session: str, agent: str = "claude", *, rests: bool = True) -> Pane:
    """An agent that takes pastes, and rests or works."""
    pane = inside.pane(agent)
    pane.engine.feed(b"\x1b[?2004h")
    named(inside, pane, session)
    state = ProgramState.IDLE if rests else ProgramState.WORKING
    inside.session.observe(pane.id, [ProgramReported(at=inside.clock.now(), state=state)])
    inside.jump(1.0)
    return pane


async def waits_for_a_bell(inside: Rooms, pane: Pane) -> asyncio.Task[str]:
    """The doorbell of a pane's Claude Code, which rings when a notice wakes it."""
    bell = asyncio.ensure_future(inside.session.notices.hooks.bell(pane.id, "claude"))
    await asyncio.sleep(0)
    return bell


async def have_rung(*bells: asyncio.Task[str]) -> list[bool]:
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return [bell.done() for bell in bells]


def sessions(notices: Notices) -> dict[str, str]:
    return {one.id: one.session for one in notices.inboxes.open_ones(None)}


async def test_the_first_session_of_a_pane_takes_what_was_left_for_the_pane(inside: Rooms) -> None:
    pane = inside.pane("claude")
    admit(inside, pane)

    named(inside, pane, "ses_1")

    assert sessions(inside.session.notices) == {"n1": "ses_1"}
    assert inside.session.notices.inbox_of("ses_1") == ("ses_1", pane)
    assert inside.session.info(pane).pending_notices == 1


async def test_another_session_takes_nothing_of_the_one_before(inside: Rooms) -> None:
    pane = inside.pane("claude")
    named(inside, pane, "ses_1")
    admit(inside, pane)

    named(inside, pane, "ses_2")

    assert sessions(inside.session.notices) == {"n1": "ses_1"}
    assert inside.session.notices.inbox_of("ses_1") == ("ses_1", None)
    assert inside.session.info(pane).pending_notices == 0


async def test_a_session_finds_its_notices_again_in_another_pane(inside: Rooms) -> None:
    first, second = inside.pane("claude"), inside.pane("claude")
    named(inside, first, "ses_1")
    admit(inside, first)
    inside.session.remove(first)

    named(inside, second, "ses_1")

    assert inside.session.notices.inbox_of("ses_1") == ("ses_1", second)
    assert inside.session.info(second).pending_notices == 1


async def test_a_pane_of_the_same_id_after_a_restart_is_another_inbox(inside: Rooms) -> None:
    before = inside.pane()
    admit(inside, before)
    inside.session.remove(before)

    again = inside.pane()

    assert inside.session.info(again).pending_notices == 0


async def test_an_agent_that_comes_into_a_shell_takes_what_was_left_there(inside: Rooms) -> None:
    pane = inside.pane()
    admit(inside, pane)
    recognised = AgentRecognised(
        at=inside.clock.now(), source=Source.PROCESS, agent="claude", session_id="ses_1"
    )

    inside.session.observe(pane.id, [recognised])

    assert sessions(inside.session.notices) == {"n1": "ses_1"}


async def test_of_two_panes_in_one_session_each_is_told_what_was_left_for_it(inside: Rooms) -> None:
    first, second = at_rest(inside, "ses_1"), at_rest(inside, "ses_1")
    bells = [await waits_for_a_bell(inside, pane) for pane in (first, second)]

    admit(inside, first, "n1")
    one = await have_rung(*bells)
    admit(inside, second, "n2")

    assert (one, await have_rung(*bells)) == ([True, False], [True, True])
    assert inside.session.notices.inbox_of("ses_1") == ("ses_1", first)


@pytest.mark.parametrize("closes", [False, True])
async def test_a_second_pane_that_leaves_the_session_leaves_it_to_the_first(
    inside: Rooms, closes: bool
) -> None:
    first, second = at_rest(inside, "ses_1"), at_rest(inside, "ses_1")
    bell = await waits_for_a_bell(inside, first)

    inside.session.remove(second) if closes else named(inside, second, "ses_2")
    admit(inside, first, "n1")

    assert await have_rung(bell) == [True]
    assert inside.session.notices.inbox_of(first.id) == ("ses_1", first)


@pytest.mark.parametrize("how", ["closes", "exits", "new"])
async def test_a_session_goes_on_in_the_next_pane_when_its_own_leaves_it(inside: Rooms, how: str) -> None:
    first, second = at_rest(inside, "ses_1"), at_rest(inside, "ses_1")
    admit(inside, first, "n1")
    bell = await waits_for_a_bell(inside, second)
    before = await have_rung(bell)

    match how:
        case "closes":
            inside.session.remove(first)
        case "exits":
            inside.session.observe(first.id, [ProcessExited(at=inside.clock.now(), exit_code=0)])
        case _:
            named(inside, first, "ses_2")

    assert inside.session.notices.inbox_of("ses_1") == ("ses_1", second)
    assert (before, await have_rung(bell)) == ([False], [True]), "what waited goes on there at once"


async def test_what_was_left_for_a_second_pane_moves_on_to_the_session_with_it(inside: Rooms) -> None:
    first, second = at_rest(inside, "ses_1"), at_rest(inside, "ses_1", rests=False)
    waits = admit(inside, second, "n1")

    inside.session.remove(first)

    assert waits.session.startswith("pane:")
    assert sessions(inside.session.notices) == {"n1": "ses_1"}
    assert inside.session.info(second).pending_notices == 1


async def test_a_pane_that_is_asked_for_its_own_notices_gets_none_of_a_session_in_no_pane(
    inside: Rooms,
) -> None:
    gone, other = inside.pane("claude"), inside.pane("claude")
    named(inside, gone, "ses_1")
    admit(inside, gone, "n1")
    named(inside, other, "ses_2")
    inside.session.remove(gone)

    assert inside.session.notices.inbox_for_hook(other.id, "ses_1") is None
    assert inside.session.notices.inbox_for_hook(other.id, "ses_2") == "ses_2"


async def test_an_interrupt_that_nothing_can_do_leaves_what_waits_as_it_was(inside: Rooms) -> None:
    pane = at_rest(inside, "ses_1", agent="mine", rests=False)
    admit(inside, pane, "n1")

    with pytest.raises(Unsupported):
        inside.session.notices.interrupt("ses_1", pane)

    assert inside.session.notices.inboxes.of("ses_1").pause is None


async def test_old_closed_notices_are_dropped_when_a_server_begins(inside: Rooms) -> None:
    store = inside.session.notices.store
    store.keep([notice("old", state=NoticeState.DELIVERED, changed_at=1.0)])

    Forgetting(store, lambda: 1e12).close()

    assert not store.knows("ses_1")


async def test_unknown_names_are_not_found(inside: Rooms) -> None:
    with pytest.raises(NotFound):
        inside.session.notices.inbox_of("ses_unknown")


async def test_a_server_that_takes_the_store_over_keeps_what_waits_and_repeats_nothing(inside: Rooms) -> None:
    store = inside.session.notices.store
    store.keep(
        [
            *(notice(f"n{number}", text=f"text {number}") for number in range(20)),
            notice("sent", state=NoticeState.DELIVERING, tries=1),
        ]
    )

    again = Notices(inside.session, store)
    again.close()

    assert [one.id for one in again.inboxes.open_ones("ses_1")] == [f"n{number}" for number in range(20)]
    sent = store.get("sent")
    assert sent is not None
    assert (sent.state, sent.why) == ("failed", "interrupted")
    again.received("sent", "the answer to it began")
    late = store.get("sent")
    assert late is not None
    assert late.state is NoticeState.DELIVERED


class Ignored:
    """An outcome that nobody waits for."""

    def received(self, evidence: str) -> None: ...
    def turned_down(self, reason: Reason) -> None: ...
    def not_taken(self) -> None: ...
    def rejected(self) -> None: ...
    def unconfirmed(self) -> None: ...
    def decided_by_host(self) -> None: ...


def test_words_of_another_agent_are_marked_as_such() -> None:
    own = Handed(notice=notice(text="do it"), how=How.WAKE, outcome=Ignored())
    pane = Origin(kind=OriginKind.PANE, name="p7")
    others = Handed(notice=notice(text="do it", origin=pane), how=How.WAKE, outcome=Ignored())

    assert own.text == "do it"
    assert others.text == (
        "[Message from the agent in pane p7. These are not your user's words.]\ndo it\n[End of the message]"
    )


# A full disk


def full(inside: Rooms, patch: pytest.MonkeyPatch) -> None:
    """Have the file of notices on a disk without space until the patch is undone."""

    def keep(_: object) -> None:
        raise StoreFailed("the notices cannot be written: database or disk is full")

    patch.setattr(inside.session.notices.store, "keep", keep)


async def test_what_a_full_disk_keeps_from_moving_on_to_a_session_does_so_later(
    inside: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = inside.pane("claude")
    admit(inside, pane)
    full(inside, monkeypatch)

    named(inside, pane, "ses_1")
    waiting = sessions(inside.session.notices)
    monkeypatch.undo()
    inside.jump(AGAIN_IN_S)

    assert waiting == {"n1": pane.facts.inbox}
    assert sessions(inside.session.notices) == {"n1": "ses_1"}
    assert inside.session.info(pane).pending_notices == 1


async def test_a_full_disk_keeps_no_pane_from_closing(inside: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = at_rest(inside, "ses_1"), at_rest(inside, "ses_1", rests=False)
    admit(inside, second)
    full(inside, monkeypatch)

    inside.session.remove(first)
    places = list(all_panes(inside.session.layout))
    monkeypatch.undo()
    inside.jump(AGAIN_IN_S)

    assert places == [second.id]
    assert sessions(inside.session.notices) == {"n1": "ses_1"}
