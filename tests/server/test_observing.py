"""What programs tell their terminals, and what becomes of it."""

from __future__ import annotations

import pytest

from orca_tui.commands.ui import ViewRequest
from orca_tui.commands.values import LARGEST_SIDE
from orca_tui.server.observing import NOTIFY_EVERY_S, SIGN_OF_LIFE_EVERY_S
from orca_tui.server.panes import Pane
from orca_tui.server.uis import Ui
from orca_tui.status.record import Kind, Status, StatusRecord
from orca_tui.status.settling import STALL_S
from orca_tui.term.engine import SizeWished
from orca_tui.term.input_events import Key, KeyAction, Text
from orca_tui.term.key_names import parse_key
from orca_tui.wire import PaneView, Rang
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


def showing(pane: Pane) -> Ui:
    """A UI that shows a pane and nothing else."""
    ui = Ui(lambda *_: None, 80, 24)
    ui.view = ViewRequest(panes=(PaneView(pane=pane.id, channel=1, cols=80, rows=24),), focused=None)
    return ui


def record(inside: Rooms, pane: Pane) -> StatusRecord:
    return inside.session.board.record(pane.id)


async def test_titles_and_directories_belong_to_the_pane(inside: Rooms) -> None:
    pane = inside.pane()

    inside.writes(pane, b"\x1b]2;one\x07\x1b]0;two\x07\x1b]7;file:///src/api\x07")

    info = inside.session.info(pane)
    assert (info.title, info.cwd) == ("two", "/src/api")


async def test_a_title_says_what_its_agent_means_by_it(inside: Rooms) -> None:
    gemini, shell = inside.pane("gemini"), inside.pane()

    for pane in (gemini, shell):
        inside.writes(pane, "\x1b]2;✦  Working… (api)\x07".encode())

    assert record(inside, gemini).status is Status.WORKING
    assert record(inside, shell).status is Status.UNKNOWN


async def test_progress_is_shown_and_taken_away(inside: Rooms) -> None:
    pane = inside.pane()

    inside.writes(pane, b"\x1b]9;4;1;42\x07")
    assert record(inside, pane).progress == 42
    inside.writes(pane, b"\x1b]9;4;0\x07")
    assert record(inside, pane).progress is None


async def test_a_terminal_reset_voids_what_the_program_said(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]2;title\x07\x1b]9;4;1;42\x07\x1b]7501;state=working\x07")
    inside.jump(1.0)
    assert record(inside, pane).status is Status.WORKING

    inside.writes(pane, b"\x1bc")

    assert inside.session.info(pane).title == ""
    assert record(inside, pane).progress is None
    assert record(inside, pane).status is not Status.WORKING


async def test_a_program_gets_the_size_it_wishes_for_unless_a_ui_shows_its_pane(inside: Rooms) -> None:
    seen, unseen = inside.pane(), inside.pane()
    inside.session.uis.add(showing(seen))

    for pane in (seen, unseen):
        inside.observer.said(pane, (SizeWished(cols=100, rows=LARGEST_SIDE + 1),))

    assert (seen.engine.cols, seen.engine.rows) == (80, 24)
    assert (unseen.engine.cols, unseen.engine.rows) == (100, LARGEST_SIDE)


async def test_a_fresh_prompt_ends_the_modes_of_a_program_that_died(inside: Rooms) -> None:
    pane = inside.pane()
    inside.writes(pane, b"\x1b[?1049h\x1b[?1000h\x1b[?1006h")
    assert pane.engine.modes().alternate_screen

    inside.writes(pane, b"\x1b]133;A\x07$ \x1b]133;B\x07\x1b[?2004h")

    modes = pane.engine.modes()
    assert not modes.alternate_screen
    assert modes.mouse == "off"
    assert modes.bracketed_paste


async def test_a_prompt_with_the_next_program_behind_it_resets_nothing(inside: Rooms) -> None:
    pane = inside.pane()

    inside.writes(pane, b"\x1b]133;A\x07$ \x1b]133;B\x07vim\x1b]133;C\x07\x1b[?1049h")

    assert pane.engine.modes().alternate_screen


async def test_a_shells_programs_notify_but_not_in_floods_and_agents_do_not_twice(inside: Rooms) -> None:
    ui = Ui(lambda *_: None, 80, 24)
    inside.session.uis.add(ui)
    shell, agent = inside.pane(), inside.pane("claude")
    await ui.mailbox.take()

    for _ in range(3):
        inside.writes(shell, b"\x1b]9;done\x07")
        inside.writes(agent, b"\x1b]9;Claude needs you\x07")
    inside.clock.jump(NOTIFY_EVERY_S)
    inside.writes(shell, b"\x1b]9;again\x07")

    items = await ui.mailbox.take()
    assert items is not None
    assert [item.body for item in items if isinstance(item, Rang)] == ["done", "again"]


async def test_progress_says_what_its_agent_means_by_it(inside: Rooms) -> None:
    copilot, shell = inside.pane("copilot"), inside.pane()

    for pane in (copilot, shell):
        inside.writes(pane, b"\x1b]9;4;3\x07")
        inside.jump(1.0)

    assert record(inside, copilot).status is Status.WORKING
    assert record(inside, shell).status is Status.UNKNOWN

    inside.writes(copilot, b"\x1b]9;4;0\x07")
    inside.jump(1.0)
    assert record(inside, copilot).status is Status.DONE


async def test_a_notification_says_that_its_agent_waits_until_somebody_types(inside: Rooms) -> None:
    pane = inside.pane("codex")

    inside.writes(pane, b"\x1b]9;Approval requested: rm -rf x\x07")

    told = record(inside, pane)
    assert (told.status, told.kind, told.message) == (Status.WAITING, Kind.PERMISSION, "rm -rf x")
    inside.observer.pressed(pane, parse_key("y"))
    assert record(inside, pane).status is Status.UNKNOWN


async def test_a_notification_is_answered_when_its_agent_works_on(inside: Rooms) -> None:
    pane = inside.pane("codex")
    inside.writes(pane, b"\x1b]2;[ ! ] Action Required | x\x07")
    inside.writes(pane, b"\x1b]9;Approval requested: rm -rf x\x07")
    inside.writes(pane, "\x1b]2;⠋ x\x07".encode())
    inside.jump(1.0)

    inside.writes(pane, b"\x1b]2;\x07")
    inside.jump(1.0)

    assert record(inside, pane).status is not Status.WAITING


async def test_a_notification_that_asks_nothing_says_nothing(inside: Rooms) -> None:
    pane = inside.pane("codex")

    inside.writes(pane, b"\x1b]9;Agent turn complete\x07")
    inside.observer.pressed(pane, parse_key("y"))

    assert record(inside, pane).status is Status.UNKNOWN
    assert [one.source for one in inside.session.board.explain(pane.id)] == ["output"]


async def test_output_of_an_agent_is_a_sign_of_life_and_no_more(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    for _ in range(70):
        inside.jump(SIGN_OF_LIFE_EVERY_S)
        inside.writes(pane, b".")
    assert record(inside, pane).status is Status.WORKING

    inside.jump(STALL_S + 1)
    assert record(inside, pane).status is Status.UNKNOWN
    assert record(inside, pane).turns == 0


async def test_a_flood_of_notifications_asks_once(inside: Rooms) -> None:
    pane = inside.pane("codex")

    for number in range(50):
        inside.writes(pane, f"\x1b]9;Approval requested: {number}\x07".encode())

    assert record(inside, pane).message == "0"


# What agents say of themselves

PAIRS = b"\x1b]26;CodeAgent=My Bot;SessionId=s1;Status=%s\x1b\\"
JSON = b'\x1b]9999;{"state":"%s","agentType":"my-bot","sessionId":"s1"}\x07'


@pytest.mark.parametrize(
    ("form", "working", "asking", "finished"),
    [(PAIRS, b"running", b"awaiting-approval", b"finished"), (JSON, b"working", b"blocked", b"done")],
    ids=["OSC 26", "OSC 9999"],
)
async def test_an_unknown_agent_in_a_shell_tells_its_state(
    inside: Rooms, form: bytes, working: bytes, asking: bytes, finished: bytes
) -> None:
    pane = inside.pane()

    inside.writes(pane, form % working)
    inside.jump(1.0)
    told = record(inside, pane)
    assert (told.agent, told.session_id, told.status) == ("my-bot", "s1", Status.WORKING)

    inside.writes(pane, form % asking)
    inside.jump(1.0)
    assert record(inside, pane).status is Status.WAITING
    inside.writes(pane, form % working)
    inside.jump(1.0)
    inside.writes(pane, form % finished)
    inside.jump(1.0)
    assert record(inside, pane).status is Status.DONE
    assert record(inside, pane).turns == 1


async def test_a_report_cut_anywhere_is_one_report(inside: Rooms) -> None:
    sequence = PAIRS % b"running"
    for cut in range(1, len(sequence)):
        pane = inside.pane()
        inside.writes(pane, sequence[:cut])
        inside.writes(pane, sequence[cut:])
        assert record(inside, pane).agent == "my-bot", cut


async def test_a_report_in_the_pane_of_an_agent_that_speaks_osc_7501_is_text_in_a_file(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(1.0)

    inside.writes(pane, JSON % b"done")
    inside.writes(pane, b"\x1b]26;CodeAgent=claude;SessionId=evil;Status=finished\x1b\\")
    inside.jump(1.0)

    told = record(inside, pane)
    assert (told.status, told.session_id, told.agent) == (Status.WORKING, None, "claude")


async def test_a_report_of_another_agent_does_not_name_the_session_of_this_one(inside: Rooms) -> None:
    pane = inside.pane("amp")
    inside.writes(pane, "\x1b]2;⠋ fix it\x07".encode())

    inside.writes(pane, JSON % b"done")
    inside.jump(1.0)

    told = record(inside, pane)
    assert (told.agent, told.session_id, told.status) == ("amp", None, Status.WORKING)


async def test_the_agent_of_a_report_is_gone_with_its_work_when_the_shell_prompts(inside: Rooms) -> None:
    pane = inside.pane()
    inside.writes(pane, PAIRS % b"running")
    inside.jump(1.0)

    inside.writes(pane, b"\x1b]133;A\x07$ ")

    assert record(inside, pane).status is not Status.WORKING


@pytest.mark.parametrize(
    ("event", "interrupts"),
    [
        (parse_key("escape"), True),
        (parse_key("ctrl+c"), True),
        (Text(data=b"\x1b"), True),
        (Text(data=b"\x03"), True),
        (parse_key("a"), False),
        (parse_key("enter"), False),
        (Text(data=b"\x1b[A"), False),
        (Key(key="escape", action=KeyAction.RELEASE), False),
    ],
)
async def test_a_key_that_interrupts_the_agent_is_evidence(
    inside: Rooms, event: Key | Text, interrupts: bool
) -> None:
    pane, shell = inside.pane("opencode"), inside.pane()

    inside.observer.pressed(pane, event)
    inside.observer.pressed(shell, event)

    assert bool(inside.session.board.explain(pane.id)) == interrupts
    assert not inside.session.board.explain(shell.id)


async def test_a_failing_engine_ends_its_pane_and_no_other(inside: Rooms) -> None:
    broken, other = inside.pane(), inside.pane()

    class Broken:
        def feed(self, _: bytes) -> None:
            raise MemoryError

        def close(self) -> None: ...

    broken.engine.close()
    broken.engine = Broken()  # type: ignore[assignment]
    inside.writes(broken, b"x")
    inside.writes(other, b"fine")

    assert list(inside.session.panes) == [other.id]
    assert "fine" in other.engine.screen_text(unwrap=False)


async def test_output_of_a_pane_that_was_just_closed_is_no_error(inside: Rooms) -> None:
    pane = inside.pane("codex")
    inside.session.remove(pane)

    inside.writes(pane, b"\x1b]2;late\x07")
    inside.observer.exited(pane, 0)
