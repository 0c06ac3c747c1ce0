"""When the session is written, and what must not get into its file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from orca_tui.layout import rename
from orca_tui.server.panes import Pane
from orca_tui.server.saved_session import SavedSession
from orca_tui.server.saving import BACKUP_EVERY_S, SOON_S, STORM_S, Saver
from orca_tui.server.session_file import SessionFile
from orca_tui.server.uis import Ui
from orca_tui.wire import Told
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio


class Recorder(SessionFile):
    """A file that remembers what it was given, or that fails."""

    def __init__(self) -> None:
        self.written: list[SavedSession] = []
        self.backups = 0
        self.error: OSError | None = None

    def write(self, session: SavedSession) -> None:
        if self.error is not None:
            raise self.error
        self.written.append(session)

    def back_up(self) -> None:
        self.backups += 1

    @property
    def panes(self) -> list[str]:
        return [pane.id for pane in self.written[-1].panes]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
async def saver(inside: Rooms, recorder: Recorder) -> Iterator[Saver]:  # type: ignore[misc]
    saver = Saver(inside.session, recorder, lambda: "keeper")
    inside.session.keeping.saver = saver
    saver.begin()
    yield saver
    saver.freeze()


async def turn() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_nothing_is_written_before_the_session_is_complete(inside: Rooms, recorder: Recorder) -> None:
    saver = Saver(inside.session, recorder, lambda: "keeper")

    saver.changed()
    saver.write()
    await turn()

    assert recorder.written == []


async def test_a_new_pane_is_written_in_the_same_turn(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    pane = inside.pane("claude")
    await turn()

    assert recorder.panes == [pane.id]
    assert recorder.written[-1].keeper == "keeper"


async def test_many_changes_of_one_turn_are_written_once(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    before = len(recorder.written)
    pane = inside.pane()
    for name in ("a", "b", "c"):
        inside.session.change_layout(rename(inside.session.layout, "w1", name))
        inside.session.tell_changed(pane)
    await turn()

    assert len(recorder.written) == before + 1


async def test_what_changes_all_the_time_is_written_a_moment_later(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    pane = inside.pane()
    await turn()
    before = len(recorder.written)

    for _ in range(100):
        inside.session.tell_changed(pane)
    await turn()
    assert len(recorder.written) == before
    async with asyncio.timeout(SOON_S * 10):
        while len(recorder.written) == before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    assert len(recorder.written) == before + 1


async def test_shells_that_ended_just_before_the_server_was_told_to_are_kept(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    panes = [inside.pane(), inside.pane(), inside.pane()]
    for pane in panes:
        ends(inside, pane)
        inside.clock.jump(STORM_S / 4)

    saver.freeze(told_to_end=True)

    assert recorder.panes == [pane.id for pane in panes]


async def test_shells_that_ended_earlier_or_before_another_end_are_not(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    early, late = inside.pane(), inside.pane()
    ends(inside, early)
    inside.clock.jump(STORM_S + 1)

    saver.freeze(told_to_end=True)

    assert recorder.panes == [late.id]


async def test_an_end_that_a_person_asked_for_keeps_what_there_is(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    first, second = inside.pane(), inside.pane()
    ends(inside, first)

    saver.freeze()

    assert recorder.panes == [second.id]


async def test_a_frozen_file_stays_as_it_is(inside: Rooms, saver: Saver, recorder: Recorder) -> None:
    pane = inside.pane()
    saver.freeze()
    written = len(recorder.written)

    inside.session.remove(pane)
    saver.write()
    await turn()

    assert len(recorder.written) == written
    assert recorder.panes == [pane.id]


async def test_a_file_that_cannot_be_written_is_told_until_it_can(
    inside: Rooms, saver: Saver, recorder: Recorder
) -> None:
    recorder.error = OSError(28, "No space left on device")
    ui = Ui(lambda *_: None, 80, 24)
    inside.session.uis.add(ui)
    inside.pane()
    saver.write()
    await turn()
    told = [item for item in await ui.mailbox.take() or [] if isinstance(item, Told)]
    assert saver.problem == "the session cannot be saved: No space left on device"
    assert [one.text for one in told] == [saver.problem], "once"

    recorder.error = None
    inside.pane()
    await turn()

    assert saver.problem == ""


async def test_backups_are_made_now_and_then(inside: Rooms, saver: Saver, recorder: Recorder) -> None:
    for _ in range(3):
        saver.write()
    assert recorder.backups == 0

    inside.clock.jump(BACKUP_EVERY_S)
    saver.write()

    assert recorder.backups == 1


def ends(inside: Rooms, pane: Pane) -> None:
    """A plain shell ends well, and its pane goes with it."""
    pane.facts.closes_on_clean_exit = True
    inside.observer.exited(pane, 0)
