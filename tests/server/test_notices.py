"""Inboxes of a session without doors: whose they are, what a restart keeps, and how words of others are marked."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import NotFound
from orca_tui.notices.events import Admission, Admitted, How
from orca_tui.notices.notice import Notice, NoticeState, Origin, OriginKind, Reason
from orca_tui.server.notice_channel import Handed
from orca_tui.server.notices import Notices
from orca_tui.server.panes import Pane
from orca_tui.status.events import AgentRecognised, SessionChanged
from orca_tui.status.record import Source
from tests.notices.notices import notice
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


def admit(inside: Rooms, pane: Pane, id: str = "n1") -> Notice:
    """Leave a notice for a pane."""
    notices = inside.session.notices
    inbox, where = notices.inbox_of(pane.id)
    one = notice(id, session=inbox, admitted_at=inside.clock.now(), changed_at=inside.clock.now())
    event = Admitted(at=inside.clock.now(), notice=one, situation=notices.situation(where))
    [answer] = [effect for effect in notices.advance(inbox, event) if isinstance(effect, Admission)]
    return answer.notice


def named(inside: Rooms, pane: Pane, session: str) -> None:
    """The pane's agent names its session."""
    changed = SessionChanged(at=inside.clock.now(), source=Source.HOOK, session_id=session)
    inside.session.observe(pane.id, [changed])


def sessions(notices: Notices) -> dict[str, str]:
    return {one.id: one.session for one in notices.open_ones(None)}


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

    assert [one.id for one in again.open_ones("ses_1")] == [f"n{number}" for number in range(20)]
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
