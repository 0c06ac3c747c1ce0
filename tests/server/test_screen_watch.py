"""When screens are read, and what becomes of agents' titles."""

from __future__ import annotations

import pytest

from orca_tui.server.panes import Pane
from orca_tui.server.screen_watch import EVERY_S, HOLD_S, QUIET_S, REST_S
from orca_tui.status.events import AgentGone, AgentRecognised, ProcessExited
from orca_tui.status.levels import SETTLE_S
from orca_tui.status.record import Kind, Source, Status, StatusRecord
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

CLEAR = "\x1b[H\x1b[2J"
WORKING = f"{CLEAR}Generating\r\n  ctrl+c to stop"
ASKING = f"{CLEAR}Run this command?\r\n  Run (once) (y) (enter)\r\n  Skip (esc or n)"
COPILOT_RESTS = f"{CLEAR} / commands · ? help"
COPILOT_WORKS = f"{CLEAR} ◎ Working · 42 B esc esc interrupt"
STEP_S = QUIET_S / 2


def record(inside: Rooms, pane: Pane) -> StatusRecord:
    return inside.session.board.record(pane.id)


def shows(inside: Rooms, pane: Pane, screen: str) -> None:
    inside.writes(pane, screen.encode())


def shows_and_pauses(inside: Rooms, pane: Pane, screen: str) -> None:
    shows(inside, pane, screen)
    inside.jump(QUIET_S)


def goes_on(inside: Rooms, pane: Pane, screen: str, seconds: float) -> None:
    """The program writes without a pause."""
    for _ in range(round(seconds / STEP_S)):
        shows(inside, pane, screen)
        inside.jump(STEP_S)


def screen_words(inside: Rooms, pane: Pane) -> list[str]:
    return [one.what for one in inside.session.board.explain(pane.id) if one.source == Source.SCREEN]


async def test_a_screen_is_read_when_output_pauses(inside: Rooms) -> None:
    pane = inside.pane("cursor")

    shows_and_pauses(inside, pane, WORKING)
    assert record(inside, pane).status is Status.WORKING
    shows_and_pauses(inside, pane, ASKING)
    assert record(inside, pane).status is Status.WAITING

    told = record(inside, pane)
    assert (told.kind, told.message) == (Kind.PERMISSION, "Run this command?")
    assert told.evidence is not None
    assert (told.evidence.source, told.evidence.detail) == (Source.SCREEN, "rule approval")


async def test_a_screen_is_read_while_output_goes_on(inside: Rooms) -> None:
    pane = inside.pane("cursor")

    goes_on(inside, pane, WORKING, EVERY_S + STEP_S)

    assert record(inside, pane).status is Status.WORKING


async def test_a_screen_that_stays_as_it_is_is_read_no_more(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows_and_pauses(inside, pane, WORKING)

    inside.jump(QUIET_S)

    assert inside.clock.timers == []


async def test_half_an_update_is_not_read(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows_and_pauses(inside, pane, ASKING)

    shows_and_pauses(inside, pane, f"\x1b[?2026h{WORKING}")
    assert record(inside, pane).status is Status.WAITING
    shows_and_pauses(inside, pane, "\x1b[?2026l")
    assert record(inside, pane).status is Status.WORKING


async def test_only_the_live_screen_counts(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows_and_pauses(inside, pane, WORKING)

    shows_and_pauses(inside, pane, "\r\n" * 100)
    inside.jump(HOLD_S)

    assert record(inside, pane).status is Status.UNKNOWN


async def test_work_that_is_hidden_for_a_moment_goes_on(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows_and_pauses(inside, pane, WORKING)

    shows_and_pauses(inside, pane, f"{CLEAR}text of an answer")
    inside.jump(HOLD_S - 2 * QUIET_S)
    assert record(inside, pane).status is Status.WORKING

    shows_and_pauses(inside, pane, WORKING)
    inside.jump(HOLD_S)
    assert record(inside, pane).status is Status.WORKING


async def test_work_that_stays_hidden_is_unknown_and_never_done(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows_and_pauses(inside, pane, WORKING)

    shows(inside, pane, f"{CLEAR}text of an answer")
    inside.jump(HOLD_S + QUIET_S)

    assert record(inside, pane).status is Status.UNKNOWN
    assert record(inside, pane).turns == 0


async def test_an_ask_is_not_held_back(inside: Rooms) -> None:
    pane = inside.pane("cursor")

    goes_on(inside, pane, ASKING, EVERY_S + STEP_S)

    assert record(inside, pane).status is Status.WAITING


async def test_rest_between_two_steps_is_none(inside: Rooms) -> None:
    pane = inside.pane("copilot")
    shows_and_pauses(inside, pane, COPILOT_WORKS)

    for _ in range(3):
        goes_on(inside, pane, COPILOT_RESTS, REST_S - 2 * STEP_S)
        goes_on(inside, pane, COPILOT_WORKS, 2 * EVERY_S)

    assert record(inside, pane).status is Status.WORKING
    assert record(inside, pane).turns == 0


async def test_rest_below_a_clock_that_ticks_is_rest(inside: Rooms) -> None:
    pane = inside.pane("copilot")
    shows_and_pauses(inside, pane, COPILOT_WORKS)

    goes_on(inside, pane, COPILOT_RESTS, REST_S + 2 * EVERY_S + SETTLE_S)

    assert record(inside, pane).status is Status.DONE


async def test_a_turn_that_the_screen_shows_as_cancelled_was_ended_by_the_user(inside: Rooms) -> None:
    pane = inside.pane("copilot")
    shows_and_pauses(inside, pane, COPILOT_WORKS)

    shows_and_pauses(
        inside,
        pane,
        f"{CLEAR} ● Operation cancelled by user\r\n\r\n /src\r\n\x1b[s\r\n / commands · ? help\x1b[u",
    )
    inside.jump(2.0)

    told = record(inside, pane)
    assert (told.status, told.interrupted, told.unread) == (Status.IDLE, True, False)


async def test_what_skips_changes_nothing(inside: Rooms) -> None:
    pane = inside.pane("claude")
    shows_and_pauses(inside, pane, f"{CLEAR}✶ Seasoning…\r\n\r\n❯ ")
    assert record(inside, pane).status is Status.WORKING

    shows_and_pauses(inside, pane, f"{CLEAR}  Showing detailed transcript · ctrl+o to toggle")
    inside.jump(HOLD_S)

    assert record(inside, pane).status is Status.WORKING


async def test_a_screen_is_not_read_while_a_stronger_source_tells(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(1.0)

    shows_and_pauses(inside, pane, f"{CLEAR}Do you want to proceed?\r\n ❯ 1. Yes\r\n Esc to cancel")

    assert screen_words(inside, pane) == []
    assert inside.clock.timers == []


async def test_what_a_screen_said_is_taken_back_when_a_stronger_source_tells(inside: Rooms) -> None:
    pane = inside.pane("claude")
    shows_and_pauses(inside, pane, f"{CLEAR}✶ Seasoning…\r\n\r\n❯ ")
    inside.writes(pane, b"\x1b]7501;state=idle\x07")
    inside.jump(1.0)

    assert screen_words(inside, pane)[-1].startswith("nothing")
    inside.writes(pane, b"\x1b]7501;state=clear\x07")
    assert record(inside, pane).status is not Status.WORKING


async def test_the_screen_tells_how_a_turn_ended_of_which_the_title_only_says_that_nothing_runs(
    inside: Rooms,
) -> None:
    pane = inside.pane("claude")
    rule = "─" * 40
    box = f"\r\n{rule}\r\n❯ \x1b[s\r\n{rule}\r\n  ? for shortcuts\x1b[u"
    inside.writes(pane, "\x1b]2;◐ Fix it\x07".encode())
    shows_and_pauses(inside, pane, f"{CLEAR}✶ Seasoning…{box}")
    inside.jump(2.0)
    assert record(inside, pane).status is Status.WORKING

    inside.writes(pane, "\x1b]2;✳ Fix it\x07".encode())
    shows_and_pauses(inside, pane, f"{CLEAR}● Done.{box}")
    inside.jump(1.0)

    told = record(inside, pane)
    assert (told.status, told.turns, told.unread) == (Status.DONE, 1, True)


async def test_a_turn_too_short_for_the_screen_ends_in_rest_all_the_same(inside: Rooms) -> None:
    pane = inside.pane("claude")
    rule = "─" * 40
    box = f"{CLEAR}● Done.\r\n{rule}\r\n❯ \x1b[s\r\n{rule}\r\n  ? for shortcuts\x1b[u"
    inside.writes(pane, "\x1b]2;◐ Fix it\x07".encode())
    shows_and_pauses(inside, pane, f"{CLEAR}✶ Seasoning…\r\n{rule}\r\n❯ \x1b[s\r\n{rule}\x1b[u")
    inside.writes(pane, "\x1b]2;✳ Fix it\x07".encode())
    shows_and_pauses(inside, pane, box)
    inside.jump(2.0)
    assert record(inside, pane).status is Status.DONE

    inside.writes(pane, "\x1b]2;◐ Fix it\x07".encode())
    inside.jump(0.1)
    inside.writes(pane, "\x1b]2;✳ Fix it\x07".encode())
    shows(inside, pane, box)
    inside.jump(2.0)

    assert record(inside, pane).status in (Status.IDLE, Status.DONE)


async def test_the_screen_gives_the_words_of_an_ask_that_has_none(inside: Rooms) -> None:
    pane = inside.pane("codex")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(1.0)
    dialog = (
        f"{CLEAR}  Would you like to run the following command?\r\n\r\n  $ rm -rf x\r\n\r\n"
        "\u203a 1. Yes, proceed (y)\r\n  Press enter to confirm or esc to cancel"
    )

    inside.writes(pane, b"\x1b]7501;state=blocked:kind=permission\x07")
    shows_and_pauses(inside, pane, dialog)

    for _ in range(3):
        told = record(inside, pane)
        assert (told.status, told.message) == (Status.WAITING, "rm -rf x")
        assert told.evidence is not None
        assert told.evidence.source is Source.PROGRAM_STATUS
        inside.jump(1.0)

    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(1.0)
    assert screen_words(inside, pane)[-1].startswith("nothing")
    assert record(inside, pane).status is Status.WORKING


async def test_the_screen_gives_the_words_of_an_error_that_has_none(inside: Rooms) -> None:
    pane = inside.pane("codex")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(1.0)

    inside.writes(pane, b"\x1b]7501;state=error\x07")
    shows_and_pauses(inside, pane, f"{CLEAR}■ exceeded retry limit, last status: 429\r\n\r\n› ")
    inside.jump(1.0)

    told = record(inside, pane)
    assert (told.status, told.kind) == (Status.ERROR, Kind.RATE_LIMIT)
    assert told.message == "exceeded retry limit, last status: 429"


async def test_an_error_on_the_screen_corrects_the_end_that_a_title_told(inside: Rooms) -> None:
    pane = inside.pane("gemini")
    inside.writes(pane, "\x1b]2;✦  Working… (x)\x07".encode())
    inside.jump(2.0)
    inside.writes(pane, "\x1b]2;◇  Ready (x)\x07".encode())
    rule = "─" * 40

    shows_and_pauses(
        inside, pane, f"{CLEAR}✕ [API Error: 429 quota]\r\n\r\n{rule}\r\n > \x1b[s\r\n{rule}\x1b[u"
    )
    inside.jump(2.0)

    told = record(inside, pane)
    assert (told.status, told.kind) == (Status.ERROR, Kind.RATE_LIMIT)


async def test_an_approval_on_the_screen_waits_although_progress_goes_on(inside: Rooms) -> None:
    pane = inside.pane("copilot")
    inside.writes(pane, b"\x1b]9;4;3\x07")
    inside.jump(1.0)
    assert record(inside, pane).status is Status.WORKING

    edge = "─" * 40
    shows_and_pauses(
        inside,
        pane,
        f"{CLEAR}│ │ rm -rf x │\r\n│ Do you want to run this command?\r\n│ ❯ 1. Yes\r\n│\r\n"
        f"│ ↑/↓ to navigate · enter to select · esc to cancel\r\n╰{edge}╯",
    )
    inside.jump(1.0)

    told = record(inside, pane)
    assert (told.status, told.kind, told.message) == (Status.WAITING, Kind.PERMISSION, "rm -rf x")


async def test_the_screen_of_a_shell_is_never_read(inside: Rooms) -> None:
    pane = inside.pane()

    shows_and_pauses(inside, pane, WORKING)

    assert inside.session.board.explain(pane.id) == []
    assert inside.clock.timers == []


async def test_the_screen_is_read_once_an_agent_is_recognised(inside: Rooms) -> None:
    pane = inside.pane()
    shows_and_pauses(inside, pane, WORKING)

    inside.session.observe(
        pane.id, [AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="cursor")]
    )
    inside.jump(QUIET_S)

    assert record(inside, pane).status is Status.WORKING


async def test_the_title_is_read_again_by_the_rules_of_a_new_agent(inside: Rooms) -> None:
    pane = inside.pane()
    inside.writes(pane, "\x1b]2;✦  Working… (api)\x07".encode())

    inside.session.observe(
        pane.id, [AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="gemini")]
    )
    inside.jump(0.1)

    assert record(inside, pane).status is Status.WORKING


async def test_progress_is_read_again_by_the_rules_of_a_new_agent_and_not_after_it_has_left(
    inside: Rooms,
) -> None:
    pane = inside.pane()
    inside.writes(pane, b"\x1b]9;4;3\x07")

    inside.session.observe(
        pane.id, [AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="copilot")]
    )
    inside.jump(1.0)
    assert record(inside, pane).status is Status.WORKING

    inside.session.observe(pane.id, [AgentGone(at=inside.clock.now())])
    inside.jump(0.1)
    inside.session.observe(
        pane.id, [AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="copilot")]
    )
    inside.jump(1.0)
    assert record(inside, pane).status is Status.UNKNOWN


async def test_the_title_that_an_agent_left_behind_goes_with_it(inside: Rooms) -> None:
    pane = inside.pane()
    inside.session.observe(
        pane.id, [AgentRecognised(at=inside.clock.now(), source=Source.PROCESS, agent="codex")]
    )
    inside.writes(pane, "\x1b]2;⠋ fix it\x07".encode())
    assert inside.session.info(pane).title == "⠋ fix it"

    inside.session.observe(pane.id, [AgentGone(at=inside.clock.now())])
    inside.jump(0.1)

    assert inside.session.info(pane).title == ""
    assert record(inside, pane).agent is None


async def test_a_closed_pane_is_read_no_more(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    shows(inside, pane, WORKING)

    inside.session.remove(pane)

    assert inside.clock.timers == []
    inside.clock.jump(1.0)


async def test_a_title_that_says_that_it_works_is_not_kept_once_the_agent_has_ended(inside: Rooms) -> None:
    ended, ready = inside.pane("claude"), inside.pane("claude")
    inside.writes(ended, "\x1b]2;◐ Fix it\x07".encode())
    inside.writes(ready, "\x1b]2;✳ Fix it\x07".encode())
    inside.jump(2.0)

    for pane in (ended, ready):
        inside.session.observe(pane.id, [ProcessExited(at=inside.clock.now(), exit_code=0)])
    inside.jump(0.0)

    assert inside.session.info(ended).title == ""
    assert inside.session.info(ready).title == "✳ Fix it"


CLAUDE_RULE = "\u2500" * 40
CLAUDE_RESTS = f"{CLEAR}{CLAUDE_RULE}\r\n\u276f \x1b[s\r\n{CLAUDE_RULE}\r\n  \u23f5\u23f5 auto mode on"
SIGNED_OUT = f"{CLAUDE_RESTS}          Not logged in \u00b7 run /login\x1b[u"


async def test_a_rest_of_somebody_who_is_not_signed_in_waits_for_that_until_it_is_done(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]7501;state=idle:app=claude-code\x07")
    shows_and_pauses(inside, pane, SIGNED_OUT)
    inside.jump(2.0)

    told = record(inside, pane)
    assert (told.status, told.kind, told.message) == (
        Status.WAITING,
        Kind.AUTH,
        "Not logged in \u00b7 run /login",
    )

    shows_and_pauses(inside, pane, f"{CLAUDE_RESTS}\x1b[u")
    inside.jump(1.0)
    assert record(inside, pane).status is Status.IDLE
