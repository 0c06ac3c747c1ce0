"""The coordinator, rule by rule, and a property over random interleavings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_tui.base.errors import Conflict, InboxConflict, Unsupported
from orca_tui.notices.coordinator import SEEN_WITHIN_S, advance, moved
from orca_tui.notices.events import (
    Admission,
    Admitted,
    CancelAsked,
    Effect,
    Event,
    HandOver,
    HookAsked,
    How,
    Interrupted,
    Keep,
    LookAgain,
    Looked,
    Moment,
    NotTaken,
    ReceiptCame,
    Rejected,
    Restarted,
    Situation,
    TurnedDown,
    Unconfirmed,
    UpdateAsked,
    Ways,
)
from orca_tui.notices.inbox import Inbox
from orca_tui.notices.notice import Delivery, IfIdle, Notice, NoticeState, Reason, Receipt, Why
from orca_tui.notices.words import length
from orca_tui.status.record import Status
from tests.notices.notices import TYPES, admit, handed, notice, situation

EMPTY = Inbox(session="ses_1")
RECEIPT = Receipt(at=2.0, evidence="the answer to it began")
BUSY = situation(Status.WORKING)
IF_IDLE = IfIdle()


def received(id: str, known: Notice | None = None) -> ReceiptCame:
    return ReceiptCame(at=2.0, id=id, receipt=RECEIPT, known=known)


def states(effects: list[Effect]) -> dict[str, NoticeState]:
    return {effect.notice.id: effect.notice.state for effect in effects if isinstance(effect, Keep)}


# Waking


def test_a_notice_for_an_idle_session_is_handed_over_at_once() -> None:
    inbox, effects, reason = admit(EMPTY, notice())

    assert reason is Reason.WOKE
    assert handed(effects) == ["n1"]
    assert inbox.notices[0].state is NoticeState.DELIVERING
    assert isinstance(effects[0], Keep), "it is stored before it is handed over"


@pytest.mark.parametrize("resume", [True, IF_IDLE, IfIdle(agent="build")])
@pytest.mark.parametrize(
    ("where", "reason"),
    [
        (situation(Status.WORKING), Reason.BUSY),
        (situation(Status.WAITING), Reason.WAITING),
        (situation(Status.UNKNOWN), Reason.UNKNOWN_STATUS),
        (situation(None), Reason.NO_SESSION),
        (situation(Status.EXITED), Reason.NO_SESSION),
        (situation(reverted=True), Reason.REVERTED),
        (situation(submitted=True), Reason.BUSY),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_session_that_does_not_rest_is_not_woken(
    resume: bool | IfIdle, where: Situation, reason: Reason
) -> None:
    inbox, effects, answered = admit(EMPTY, notice(resume=resume), where)

    assert answered is reason
    assert handed(effects) == []
    assert [one.state for one in inbox.notices] == [NoticeState.PENDING]


@pytest.mark.parametrize("status", [Status.IDLE, Status.DONE, Status.ERROR])
def test_every_rest_can_be_woken_from(status: Status) -> None:
    assert admit(EMPTY, notice(), situation(status))[2] is Reason.WOKE


def test_a_conditional_notice_does_not_wake_over_a_draft() -> None:
    assert admit(EMPTY, notice(resume=IF_IDLE), situation(draft=True))[2] is Reason.DRAFT
    assert admit(EMPTY, notice(resume=IF_IDLE), situation(typing=True))[2] is Reason.DRAFT


def test_a_notice_that_need_not_be_typed_wakes_over_a_draft() -> None:
    assert admit(EMPTY, notice(), situation(draft=True))[2] is Reason.WOKE


def test_a_notice_that_would_be_typed_waits_for_the_draft_to_go() -> None:
    inbox, _, reason = admit(EMPTY, notice(), situation(draft=True, ways=TYPES))
    inbox, still = advance(inbox, Looked(at=2, situation=situation(typing=True, ways=TYPES)))
    inbox, gone = advance(inbox, Looked(at=3, situation=situation(ways=TYPES)))

    assert reason is Reason.DRAFT
    assert handed(still) == []
    assert handed(gone) == ["n1"]


def test_an_agent_that_cannot_be_reached_yet_is_looked_at_again() -> None:
    starting = situation(ways=Ways())
    inbox, effects, reason = admit(EMPTY, notice(), starting)
    inbox, still = advance(inbox, Looked(at=2, situation=starting))
    _, ready = advance(inbox, Looked(at=3, situation=situation(ways=TYPES)))

    assert reason is Reason.UNKNOWN_STATUS
    assert effects[-1] == LookAgain(at=2)
    assert still == [LookAgain(at=3)]
    assert handed(ready) == ["n1"]


def test_a_conditional_notice_wants_the_mode_it_names() -> None:
    assert admit(EMPTY, notice(resume=IfIdle(agent="plan")))[2] is Reason.AGENT_MISMATCH
    assert admit(EMPTY, notice(resume=IfIdle(agent="build")))[2] is Reason.WOKE


def test_a_race_that_is_allowed_takes_no_notice_of_what_just_happened_but_of_a_draft() -> None:
    just_now = situation(typing=True, submitted=True)

    assert admit(EMPTY, notice(resume=IF_IDLE), just_now, allow_race=True)[2] is Reason.WOKE
    assert admit(EMPTY, notice(resume=IF_IDLE), situation(draft=True), allow_race=True)[2] is Reason.DRAFT


@pytest.mark.parametrize("resume", [False, IF_IDLE])
def test_what_must_not_wake_never_starts_a_turn_later(resume: bool | IfIdle) -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=resume), BUSY)
    inbox, effects = advance(inbox, Looked(at=2, situation=situation(Status.DONE, turns=1)))

    assert effects == []
    inbox, effects = advance(inbox, HookAsked(at=3, moment=Moment.PROMPT))
    assert effects[-1] == HandOver(notices=inbox.notices, how=How.RIDE_IN)


def test_a_notice_left_while_a_turn_runs_wakes_when_it_ends() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)

    _, effects = advance(inbox, Looked(at=2, situation=situation(Status.DONE)))

    assert handed(effects) == ["n1"]


def test_notices_wake_one_after_the_other_in_their_order() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"), BUSY)
    inbox, _, _ = admit(inbox, notice("n2"), BUSY)

    inbox, first = advance(inbox, Looked(at=2, situation=situation()))
    inbox, meanwhile = advance(inbox, Looked(at=2, situation=situation()))
    inbox, _ = advance(inbox, received("n1"))
    inbox, unseen = advance(inbox, Looked(at=3, situation=situation()))
    inbox, _ = advance(inbox, Looked(at=3, situation=BUSY))
    inbox, second = advance(inbox, Looked(at=4, situation=situation(turns=1)))

    assert (handed(first), handed(meanwhile)) == (["n1"], [])
    assert handed(unseen) == [], "the turn that n1 has started was not seen yet"
    assert handed(second) == ["n2"]


def test_a_turn_that_is_never_seen_keeps_the_next_notice_only_for_a_while() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"))
    inbox, _, _ = admit(inbox, notice("n2"))
    inbox, _ = advance(inbox, received("n1"))

    inbox, early = advance(inbox, Looked(at=3, situation=situation()))
    inbox, late = advance(inbox, Looked(at=2 + SEEN_WITHIN_S, situation=situation()))

    assert early == [LookAgain(at=2 + SEEN_WITHIN_S)]
    assert handed(late) == ["n2"]


def test_a_conditional_notice_does_not_pass_one_that_waits() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"), situation(submitted=True))

    inbox, effects, reason = admit(inbox, notice("n2", IF_IDLE))

    assert reason is Reason.BUSY
    assert handed(effects) == []


# The host looks once more


def test_a_conditional_notice_that_the_host_turned_down_starts_nothing_later() -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=IF_IDLE))

    inbox, effects = advance(inbox, TurnedDown(at=2, id="n1", tries=1, reason=Reason.AGENT_MISMATCH))
    inbox, later = advance(inbox, Looked(at=9, situation=situation()))

    assert Admission(notice=inbox.notices[0], reason=Reason.AGENT_MISMATCH) in effects
    assert inbox.notices[0].state is NoticeState.PENDING
    assert later == []


def test_an_unconditional_notice_that_the_host_turned_down_tries_again() -> None:
    inbox, _, _ = admit(EMPTY, notice())

    inbox, effects = advance(inbox, TurnedDown(at=2, id="n1", tries=1, reason=Reason.BUSY))
    assert LookAgain(at=3) in effects

    _, later = advance(inbox, Looked(at=3, situation=situation()))
    assert handed(later) == ["n1"]


# Ids


def test_the_same_notice_again_is_the_first_one() -> None:
    inbox, effects, _ = admit(EMPTY, notice(), BUSY)
    [first] = inbox.notices

    again, effects, reason = admit(inbox, notice(), known=first)

    assert again == inbox
    assert effects == [Admission(notice=first, reason=Reason.BUSY)]
    assert reason is Reason.BUSY


@pytest.mark.parametrize(
    "other",
    [notice(text="other"), notice(resume=False), notice(delivery=Delivery.STEER), notice(session="ses_2")],
    ids=["text", "resume", "delivery", "session"],
)
def test_another_notice_under_a_taken_id_is_a_conflict(other: Notice) -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)

    with pytest.raises(Conflict, match="another notice"):
        admit(inbox, other, known=inbox.notices[0])


def test_a_notice_that_cannot_come_in_that_way_is_not_admitted() -> None:
    with pytest.raises(Unsupported):
        admit(EMPTY, notice(resume=False), situation(ways=TYPES))


# Cancel and update


def test_a_pending_notice_can_be_cancelled_once() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)

    inbox, effects = advance(inbox, CancelAsked(at=2, id="n1"))

    assert states(effects) == {"n1": NoticeState.CANCELLED}
    assert inbox.notices == ()
    with pytest.raises(InboxConflict, match="this cancellation removed nothing") as conflict:
        advance(inbox, CancelAsked(at=3, id="n1", known=effects[0].notice))  # type: ignore[union-attr]
    assert conflict.value.facts == {"id": "n1", "receipt": None}


def test_an_update_that_finds_nothing_pending_speaks_of_no_cancellation() -> None:
    with pytest.raises(InboxConflict, match="this update changed nothing"):
        advance(EMPTY, UpdateAsked(at=1, id="n1", delivery=Delivery.STEER))


def test_cancelling_what_was_handed_over_removes_nothing_and_claims_nothing() -> None:
    inbox, _, _ = admit(EMPTY, notice())

    with pytest.raises(InboxConflict) as conflict:
        advance(inbox, CancelAsked(at=2, id="n1", known=inbox.notices[0]))

    assert conflict.value.facts["receipt"] is None


def test_the_conflict_tells_the_receipt_where_there_is_one() -> None:
    known = notice(state=NoticeState.DELIVERED, receipt=RECEIPT)

    with pytest.raises(InboxConflict) as conflict:
        advance(EMPTY, CancelAsked(at=2, id="n1", known=known))

    assert conflict.value.facts["receipt"] == RECEIPT


def test_the_conflict_tells_nothing_of_another_session() -> None:
    known = notice(session="ses_2", state=NoticeState.DELIVERED, receipt=RECEIPT)

    with pytest.raises(InboxConflict) as conflict:
        advance(EMPTY, CancelAsked(at=2, id="n1", known=known))

    assert conflict.value.facts["receipt"] is None


def test_a_cancelled_notice_stays_out() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)
    inbox, effects = advance(inbox, CancelAsked(at=2, id="n1"))
    [kept] = [effect.notice for effect in effects if isinstance(effect, Keep)]

    for event in (Looked(at=3, situation=situation()), received("n1", kept)):
        inbox, effects = advance(inbox, event)
        assert effects == []


def test_an_update_steers_what_waits() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)
    inbox, _ = advance(inbox, UpdateAsked(at=2, id="n1", delivery=Delivery.STEER))

    inbox, effects = advance(inbox, HookAsked(at=3, moment=Moment.TOOL))

    assert effects[-1] == HandOver(notices=inbox.notices, how=How.STEER)


def test_what_is_not_pending_cannot_be_updated() -> None:
    inbox, _, _ = admit(EMPTY, notice())

    with pytest.raises(InboxConflict):
        advance(inbox, UpdateAsked(at=2, id="n1", delivery=Delivery.STEER))


# Hooks


def test_a_prompt_takes_only_what_must_not_wake() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1", False), BUSY)
    inbox, _, _ = admit(inbox, notice("n2"), BUSY)
    inbox, _, _ = admit(inbox, notice("n3", IF_IDLE), BUSY)

    inbox, effects = advance(inbox, HookAsked(at=2, moment=Moment.PROMPT))

    assert handed(effects) == ["n1", "n3"]


def test_a_tool_boundary_takes_only_what_steers() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"), BUSY)
    inbox, _, _ = admit(inbox, notice("n2", delivery=Delivery.STEER), BUSY)

    inbox, effects = advance(inbox, HookAsked(at=2, moment=Moment.TOOL))

    assert handed(effects) == ["n2"]


def test_what_a_hook_did_not_take_is_offered_once_more_and_then_fails() -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=False))
    inbox, _ = advance(inbox, HookAsked(at=2, moment=Moment.PROMPT))

    inbox, once = advance(inbox, NotTaken(at=3, id="n1"))
    inbox, _ = advance(inbox, HookAsked(at=4, moment=Moment.PROMPT))
    inbox, twice = advance(inbox, NotTaken(at=5, id="n1"))

    assert states(once) == {"n1": NoticeState.PENDING}
    assert states(twice) == {"n1": NoticeState.FAILED}
    assert inbox.notices == ()


# Ends


def test_delivered_is_what_has_a_receipt() -> None:
    inbox, _, _ = admit(EMPTY, notice())

    inbox, effects = advance(inbox, received("n1"))

    [kept] = [effect.notice for effect in effects if isinstance(effect, Keep)]
    assert (kept.state, kept.receipt) == (NoticeState.DELIVERED, RECEIPT)
    assert inbox.waking is None


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Unconfirmed(at=2, id="n1"), Why.UNCONFIRMED),
        (Rejected(at=2, id="n1"), Why.REJECTED),
        (Restarted(at=2), Why.INTERRUPTED),
    ],
)
def test_a_failure_says_why_and_is_not_sent_again(event: Event, why: Why) -> None:
    inbox, _, _ = admit(EMPTY, notice())

    inbox, effects = advance(inbox, event)
    inbox, later = advance(inbox, Looked(at=99, situation=situation()))

    [kept] = [effect.notice for effect in effects if isinstance(effect, Keep)]
    assert (kept.state, kept.why) == (NoticeState.FAILED, why)
    assert later == []


def test_evidence_that_comes_late_beats_a_guess() -> None:
    failed = notice(state=NoticeState.FAILED, why=Why.INTERRUPTED, tries=1)

    _, effects = advance(EMPTY, received("n1", failed))

    [kept] = [effect.notice for effect in effects if isinstance(effect, Keep)]
    assert (kept.state, kept.why) == (NoticeState.DELIVERED, None)


def test_a_restart_keeps_what_is_pending() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"))
    inbox, _, _ = admit(inbox, notice("n2"), BUSY)

    inbox, effects = advance(inbox, Restarted(at=9))

    assert states(effects) == {"n1": NoticeState.FAILED}
    assert [one.id for one in inbox.pending] == ["n2"]


# Interrupts


def test_an_interrupt_takes_back_the_wake_that_waits() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)

    inbox, _ = advance(inbox, Interrupted(at=2, running=True))
    inbox, ended = advance(inbox, Looked(at=3, situation=situation(turns=1)))
    inbox, _ = advance(inbox, Looked(at=4, situation=situation(Status.WORKING, turns=1)))
    inbox, after = advance(inbox, Looked(at=5, situation=situation(turns=2)))

    assert handed(ended) == []
    assert handed(after) == ["n1"]


def test_a_notice_left_while_an_interrupt_cleans_up_starts_the_successor() -> None:
    inbox, _, _ = admit(EMPTY, notice("n1"), BUSY)
    inbox, _ = advance(inbox, Interrupted(at=2, running=True))
    inbox, _, _ = admit(inbox, notice("n2"), BUSY)

    _, effects = advance(inbox, Looked(at=3, situation=situation(turns=1)))

    assert handed(effects) == ["n1"], "in order"


# A pane's first session


def test_the_first_session_of_a_pane_takes_what_was_left_for_the_pane() -> None:
    pane, _, _ = admit(Inbox(session="pane p1"), notice(session="pane p1"), situation(None))

    pane, inbox, effects = moved(pane, EMPTY, 5)

    assert pane.notices == ()
    assert [one.session for one in inbox.notices] == ["ses_1"]
    assert states(effects) == {"n1": NoticeState.PENDING}


def test_what_is_on_its_way_moves_along() -> None:
    pane, _, _ = admit(Inbox(session="pane p1"), notice(session="pane p1"))

    _, inbox, _ = moved(pane, EMPTY, 5)

    assert inbox.waking == "n1"


# Everything at random

SITUATIONS = st.sampled_from(
    [
        situation(status, turns=turns, draft=draft, submitted=submitted, mode=mode)
        for status in (Status.IDLE, Status.DONE, Status.WORKING, Status.WAITING, Status.UNKNOWN, None)
        for turns in range(3)
        for draft, submitted, mode in ((False, False, "build"), (True, False, "build"), (False, True, "plan"))
    ]
)
IDS = st.sampled_from([f"n{number}" for number in range(6)])
RESUMES = st.sampled_from([True, False, IF_IDLE, IfIdle(agent="plan")])
STEPS = st.one_of(
    st.tuples(st.just("admit"), IDS, RESUMES, st.sampled_from(list(Delivery)), SITUATIONS),
    st.tuples(st.just("cancel"), IDS),
    st.tuples(st.just("steer"), IDS),
    st.tuples(st.just("look"), SITUATIONS),
    st.tuples(st.just("interrupt"), st.booleans()),
    st.tuples(st.just("hook"), st.sampled_from(list(Moment))),
    st.tuples(st.sampled_from(["receipt", "refuse", "miss", "reject", "lose"]), IDS),
    st.tuples(st.just("restart")),
)


class World:
    """Runs steps as a server does, and keeps what an agent would have seen."""

    def __init__(self) -> None:
        self.inbox = EMPTY
        self.stored: dict[str, Notice] = {}
        self.order: list[str] = []
        self.handed: list[tuple[str, How]] = []
        self.condition_failed: set[str] = set()
        self.may_have_arrived: set[str] = set()
        self.at = 1.0

    def run(self, step: tuple) -> None:  # type: ignore[type-arg]
        self.at += 1
        try:
            self.inbox, effects = advance(self.inbox, self.event(*step))
        except (Conflict, Unsupported):
            return
        if step[0] == "admit" and step[1] not in self.order:
            self.order.append(step[1])
        if step[0] in ("refuse", "lose", "reject"):
            self.may_have_arrived.discard(step[1])
        for effect in effects:
            self.perform(effect)

    def event(self, kind: str, *arguments) -> Event:  # type: ignore[no-untyped-def]
        at, known = self.at, self.stored.get(arguments[0]) if arguments else None
        match kind:
            case "admit":
                id, resume, delivery, where = arguments
                one = notice(id, resume, delivery, admitted_at=at, changed_at=at)
                return Admitted(at=at, notice=one, situation=where, known=known)
            case "cancel":
                return CancelAsked(at=at, id=arguments[0], known=known)
            case "steer":
                return UpdateAsked(at=at, id=arguments[0], delivery=Delivery.STEER, known=known)
            case "look":
                return Looked(at=at, situation=arguments[0])
            case "interrupt":
                return Interrupted(at=at, running=arguments[0])
            case "hook":
                return HookAsked(at=at, moment=arguments[0])
            case "receipt":
                return ReceiptCame(at=at, id=arguments[0], receipt=RECEIPT, known=known)
            case "refuse":
                tries = known.tries if known is not None else 0
                return TurnedDown(at=at, id=arguments[0], tries=tries, reason=Reason.BUSY)
            case "miss":
                return Unconfirmed(at=at, id=arguments[0])
            case "reject":
                return Rejected(at=at, id=arguments[0])
            case "lose":
                return NotTaken(at=at, id=arguments[0])
            case _:
                return Restarted(at=at)

    def perform(self, effect: Effect) -> None:
        match effect:
            case Keep(notice=one):
                self.check_step(self.stored.get(one.id), one)
                self.stored[one.id] = one
            case HandOver(notices=notices, how=how):
                for one in notices:
                    assert self.stored[one.id].state is NoticeState.DELIVERING
                    assert one.id not in self.may_have_arrived, "it was sent before"
                    self.may_have_arrived.add(one.id)
                    if how is How.WAKE:
                        assert one.id not in self.condition_failed, "its condition failed before"
                        self.check_order(one.id)
                    self.handed.append((one.id, how))
            case Admission(notice=one, reason=reason):
                if one.resume is not True and reason is not Reason.WOKE:
                    self.condition_failed.add(one.id)
            case _:
                pass

    def check_step(self, before: Notice | None, after: Notice) -> None:
        """A closed notice stays closed, but for a failure that evidence corrects; nothing is sent from there."""
        if before is None or before.open:
            return
        assert before.state is NoticeState.FAILED
        assert after.state is NoticeState.DELIVERED

    def check_order(self, id: str) -> None:
        """None that was admitted before it and may wake is still pending."""
        earlier = self.order[: self.order.index(id)] if id in self.order else self.order
        assert [one for one in earlier if self.may_wake(one)] == []

    def may_wake(self, id: str) -> bool:
        one = self.stored[id]
        return one.state is NoticeState.PENDING and one.wakes


@settings(max_examples=1000, deadline=None)
@given(st.lists(STEPS, max_size=30))
def test_each_notice_is_delivered_once_or_cancelled_never_both_never_lost(steps: list[tuple]) -> None:  # type: ignore[type-arg]
    world = World()

    for step in steps:
        world.run(step)

    open_ones = {id for id, one in world.stored.items() if one.open}
    assert open_ones == {one.id for one in world.inbox.notices}, "what is stored as open is in the inbox"
    assert set(world.order) == set(world.stored), (
        "each that was admitted is pending, on its way or has an end"
    )
    for id, one in world.stored.items():
        if one.state is NoticeState.CANCELLED:
            assert one.receipt is None
        if one.state is NoticeState.DELIVERED:
            assert id in {which for which, _ in world.handed}
        assert one.tries <= 2


# Doorbells, and hooks that ask

RINGS = Ways(wake=True, ride_in=True, steer=True, rings=True, longest=40)


def ringing(**facts: object) -> Situation:
    return situation(ways=RINGS, **facts)


def asked(moment: Moment, where: Situation | None = None, room: int = 100) -> HookAsked:
    return HookAsked(at=2.0, moment=moment, room=room, situation=where or ringing())


def test_a_doorbell_is_rung_without_the_text_which_stays_pending() -> None:
    inbox, effects, reason = admit(EMPTY, notice(), ringing())

    assert reason is Reason.WOKE
    assert [effect.how for effect in effects if isinstance(effect, HandOver)] == [How.RING]
    assert [one.state for one in inbox.pending] == [NoticeState.PENDING]


def test_while_a_bell_is_unanswered_no_other_notice_rings() -> None:
    inbox, _, _ = admit(EMPTY, notice("a"), ringing())
    inbox, effects, reason = admit(inbox, notice("b"), ringing())
    _, looked = advance(inbox, Looked(at=2.0, situation=ringing()))

    assert reason is Reason.BUSY
    assert handed(effects) == handed(looked) == []


def test_the_bell_takes_what_it_was_rung_for_and_one_notice_only() -> None:
    inbox, _, _ = admit(EMPTY, notice("a"), ringing())
    inbox, _, _ = admit(inbox, notice("b"), ringing())
    inbox, effects = advance(inbox, asked(Moment.BELL))
    again, nothing = advance(inbox, asked(Moment.BELL))

    assert handed(effects) == ["a"]
    assert (again.waking, nothing) == ("a", [])


def test_a_bell_whose_notice_was_taken_back_takes_the_next_one_or_nothing() -> None:
    inbox, _, _ = admit(EMPTY, notice("a"), ringing())
    inbox, _ = advance(inbox, CancelAsked(at=1.5, id="a"))
    _, nothing = advance(inbox, asked(Moment.BELL))
    inbox, _, _ = admit(inbox, notice("b"), BUSY)
    _, effects = advance(inbox, asked(Moment.BELL))

    assert handed(nothing) == []
    assert handed(effects) == ["b"]


@pytest.mark.parametrize("facts", [{"draft": True}, {"mode": "plan"}, {"reverted": True}])
def test_a_condition_that_fails_before_the_bell_is_answered_wakes_nobody_ever(
    facts: dict[str, object],
) -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=IfIdle(agent="build")), ringing())
    inbox, effects = advance(inbox, asked(Moment.BELL, ringing(**facts)))
    _, later = advance(inbox, Looked(at=9.0, situation=ringing()))
    _, at_end = advance(inbox, asked(Moment.END))

    assert handed(effects) == handed(later) == handed(at_end) == []
    assert [one.wakes for one in inbox.pending] == [False]


def test_a_bell_that_nobody_answered_may_be_rung_again_and_counts_as_no_try() -> None:
    inbox, _, _ = admit(EMPTY, notice(), ringing())
    inbox, effects = advance(inbox, TurnedDown(at=2.0, id="n1", tries=0, reason=Reason.UNKNOWN_STATUS))
    inbox, again = advance(inbox, Looked(at=3.0, situation=ringing()))

    assert inbox.waking == "n1"
    assert any(isinstance(effect, LookAgain) for effect in effects)
    assert handed(again) == ["n1"]
    assert inbox.pending[0].tries == 0


def test_what_was_never_rung_for_cannot_be_turned_down() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)

    assert advance(inbox, TurnedDown(at=2.0, id="n1", tries=0, reason=Reason.BUSY)) == (inbox, [])


@pytest.mark.parametrize(
    ("moment", "delivery"), [(Moment.END, Delivery.QUEUE), (Moment.TOOL, Delivery.STEER)]
)
def test_a_bell_that_is_late_takes_nothing_back_that_a_hook_was_given_meanwhile(
    moment: Moment, delivery: Delivery
) -> None:
    inbox, _, _ = admit(EMPTY, notice(delivery=delivery), ringing())
    inbox, effects = advance(inbox, asked(moment))
    late, nothing = advance(inbox, TurnedDown(at=3.0, id="n1", tries=0, reason=Reason.BUSY))
    _, delivered = advance(late, received("n1"))

    assert handed(effects) == ["n1"]
    assert (late, nothing) == (inbox, [])
    assert states(delivered) == {"n1": NoticeState.DELIVERED}


def test_what_a_hook_took_before_the_bell_starts_no_turn_and_keeps_nobody_waiting() -> None:
    inbox, _, _ = admit(EMPTY, notice(), ringing())
    inbox, _ = advance(inbox, asked(Moment.END))
    _, effects, reason = admit(inbox, notice("n2"), ringing())

    assert reason is Reason.WOKE
    assert handed(effects) == ["n2"]


@pytest.mark.parametrize(("resume", "looks"), [(True, True), (False, False)])
def test_what_is_to_be_sent_once_more_is_looked_after(resume: bool, looks: bool) -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=resume), BUSY)
    inbox, _ = advance(inbox, asked(Moment.END if resume else Moment.PROMPT))
    inbox, effects = advance(inbox, NotTaken(at=3.0, id="n1"))

    assert any(isinstance(effect, LookAgain) for effect in effects) is looks
    assert [one.state for one in inbox.notices] == [NoticeState.PENDING]


def test_a_conditional_notice_that_was_lost_starts_nothing_later() -> None:
    inbox, _, _ = admit(EMPTY, notice(resume=IF_IDLE), ringing())
    inbox, _ = advance(inbox, asked(Moment.BELL))
    inbox, _ = advance(inbox, NotTaken(at=3.0, id="n1"))
    inbox, later = advance(inbox, Looked(at=9.0, situation=ringing()))
    _, with_prompt = advance(inbox, asked(Moment.PROMPT))

    assert (handed(later), handed(with_prompt)) == ([], ["n1"])


def test_the_end_of_a_turn_takes_all_that_may_wake_as_far_as_there_is_room() -> None:
    inbox = EMPTY
    for id, facts in (("a", {}), ("b", {"resume": False}), ("c", {}), ("d", {}), ("e", {"text": "x"})):
        inbox, _, _ = admit(inbox, notice(id, **facts), situation(Status.WORKING))  # type: ignore[arg-type]
    _, effects = advance(inbox, asked(Moment.END, room=length(notice()) * 2))

    assert handed(effects) == ["a", "c"], "and not the short one that comes after what does not fit"


def test_after_an_interrupt_the_end_of_a_turn_takes_nothing() -> None:
    inbox, _, _ = admit(EMPTY, notice(), BUSY)
    inbox, _ = advance(inbox, Interrupted(at=2.0, running=True))

    assert advance(inbox, asked(Moment.END))[1] == []


def test_what_is_too_long_for_a_hook_is_typed_over_no_draft_or_waits() -> None:
    long = notice(text="x" * 41)
    typed = situation(ways=Ways(wake=True, rings=True, ride_in=True, typed=True, longest=40))
    _, effects, woke = admit(EMPTY, long, typed)
    _, _, draft = admit(EMPTY, long, situation(ways=typed.ways, draft=True))
    _, _, waits = admit(EMPTY, long, ringing())

    assert [effect.how for effect in effects if isinstance(effect, HandOver)] == [How.WAKE]
    assert (woke, draft, waits) == (Reason.WOKE, Reason.DRAFT, Reason.UNKNOWN_STATUS)
    with pytest.raises(Unsupported):
        admit(EMPTY, notice(text="x" * 41, resume=False), ringing())
