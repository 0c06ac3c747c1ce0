"""Attached UIs against a running server: what they are told, the frames they get, sizes, input."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from orca_tui.base.errors import Conflict, Invalid, NotFound, Unsupported
from orca_tui.commands.arranging import RESIZE, ResizeRequest
from orca_tui.commands.events import EVENTS, EventsRequest
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.ui import (
    ATTACH,
    HISTORY,
    PICTURE,
    VIEW,
    AttachRequest,
    HistoryRequest,
    PictureRequest,
    ViewRequest,
)
from orca_tui.config import Config, Terminal
from orca_tui.term.input_events import Focus, Key, Paste, Text
from orca_tui.wire import (
    ClipboardOffered,
    FrameKind,
    LayoutChanged,
    PaneChanged,
    PaneGone,
    PaneRepictured,
    PaneView,
    Rang,
)
from tests.process.programs import tells_sizes
from tests.server.running import Api, Server, running_server, until

pytestmark = pytest.mark.anyio


def view(pane: str, channel: int = 1, cols: int = 80, rows: int = 24) -> PaneView:
    return PaneView(pane=pane, channel=channel, cols=cols, rows=rows)


# What a UI is told


async def test_the_first_item_is_the_whole_state(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")

    ui = await server.ui()

    synced = ui.synced()
    assert [info.pane for info in synced.panes] == [pane]
    assert synced.layout.workspaces[0].tabs[0].focused == pane


async def test_panes_that_come_change_and_go_are_told(server: Server, api: Api) -> None:
    ui = await server.ui()

    pane = await api.open("/bin/sh", "-c", r"printf '\033]2;busy\007'; read x")
    layout = await ui.item(LayoutChanged)
    assert layout.layout.workspaces[0].tabs[0].focused == pane
    await ui.item(PaneChanged, lambda item: item.pane.title == "busy")
    await ui.item(PaneChanged, lambda item: item.pane.pid is not None)

    await api.call(CLOSE, CloseRequest(target=pane))
    assert (await ui.item(PaneGone)).pane == pane
    await ui.item(LayoutChanged, lambda item: not item.layout.workspaces)


async def test_a_second_attach_on_one_connection_is_a_conflict(server: Server) -> None:
    ui = await server.ui()

    with pytest.raises(Conflict):
        await anext(ui.client.stream(ATTACH, AttachRequest(cols=80, rows=24)))


async def test_who_has_not_attached_shows_nothing(api: Api) -> None:
    with pytest.raises(Conflict):
        await api.call(VIEW, ViewRequest(panes=()))
    with pytest.raises(Conflict):
        await api.call(HISTORY, HistoryRequest(channel=1))


# Frames


async def test_a_shown_pane_is_seen_as_it_is_and_goes_on(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "echo before; read x; echo after; exit 5")
    await api.shows(pane, "before")
    ui = await server.ui()

    await ui.show(view(pane))
    await ui.shows(1, "before")
    await api.call(TYPE, TypeRequest(pane=pane, text="\r"))
    await ui.shows(1, "after")

    await ui.until(lambda: ui.viewers[1].exit_code == 5)
    assert ui.screen(1) == await api.screen(pane)


async def test_a_pane_that_is_not_shown_any_more_sends_nothing(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x; echo after; read x")
    ui = await server.ui()
    await ui.show(view(pane, channel=1))
    gone = ui.viewers[1]

    await ui.show(view(pane, channel=2))
    gone.waiting.clear()
    await api.call(TYPE, TypeRequest(pane=pane, text="\r"))
    await ui.shows(2, "after")

    assert not gone.waiting


async def test_showing_a_pane_that_is_gone_is_no_error(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "echo here; read x")
    ui = await server.ui()

    await ui.show(view("p99", channel=9), view(pane, channel=1))

    await ui.shows(1, "here")


async def test_scrollback_comes_on_demand(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "seq 1 5000; read x")
    await api.shows(pane, "5000")
    ui = await server.ui()
    await ui.show(view(pane))
    await ui.shows(1, "5000")

    await ui.client.call(HISTORY, HistoryRequest(channel=1))
    await ui.until(lambda: ui.viewers[1].has_history)

    engine = ui.viewers[1].engine
    assert engine is not None
    assert engine.history_text(unwrap=False).startswith("1\n2\n3\n")
    with pytest.raises(NotFound):
        await ui.client.call(HISTORY, HistoryRequest(channel=99))


async def test_a_frozen_ui_holds_up_neither_the_program_nor_another_ui_and_catches_up(
    server: Server, api: Api
) -> None:
    flood = "i=0; while [ $i -lt 60 ]; do seq 1 5000; i=$((i+1)); done; echo the end; read x"
    pane = await api.open("/bin/sh", "-c", f"read x; {flood}")
    frozen, live = await server.ui(), await server.ui()
    await frozen.show(view(pane))
    await live.show(view(pane))
    await frozen.until(lambda: bool(frozen.viewers[1].kinds))
    frozen.frozen = True

    await api.call(TYPE, TypeRequest(pane=pane, text="\r"))
    await live.shows(1, "the end")
    waiting = sum(len(payload) for _, payload in frozen.viewers[1].waiting)
    frozen.thaw()
    await frozen.shows(1, "the end")

    assert waiting <= 64 << 10
    assert frozen.screen(1) == live.screen(1) == await api.screen(pane)
    assert live.viewers[1].kinds.count(FrameKind.SNAPSHOT) == 1
    assert frozen.viewers[1].kinds.count(FrameKind.SNAPSHOT) == 2


PICTURE_PROGRAM = r"""
printf '\033_Ga=T,i=7,f=24,s=1,v=1,c=3;AAAA\033\\drawn'; read x
printf '\033_Ga=d,d=A\033\\gone'; read x
"""


async def test_a_picture_is_told_in_parts_until_the_program_takes_it_away() -> None:
    async with running_server(Config(terminal=Terminal(graphics="kitty"))) as server:
        api = Api(await server.client(), server.root)
        pane = await api.open("/bin/sh", "-c", PICTURE_PROGRAM)
        ui = await server.ui()
        await ui.show(view(pane))
        await ui.shows(1, "drawn")
        engine = ui.viewers[1].engine
        assert engine is not None
        image = engine.all_rows()[0].pictures[0].cells[0].image

        asked = PictureRequest(pane=pane, image=image, placement=0)
        told = await ui.client.call(PICTURE, asked)
        assert (told.cols, told.rows, told.width, told.height) == (3, 2, 1, 1)
        assert (told.size, told.data) == (3, bytes(3))
        rest = await ui.client.call(PICTURE, replace(asked, offset=2))
        assert (rest.key, rest.data) == (told.key, bytes(1))
        with pytest.raises(Conflict):
            await api.call(PICTURE, asked)

        await api.call(TYPE, TypeRequest(pane=pane, text="\r"))
        void = await ui.item(PaneRepictured, lambda item: image in item.images)
        assert void.pane == pane
        with pytest.raises(NotFound):
            await ui.client.call(PICTURE, asked)


# Sizes


async def test_a_pane_gets_the_size_its_ui_has_room_for(server: Server, api: Api) -> None:
    pane = await api.open(*tells_sizes())
    ui = await server.ui()

    await ui.show(view(pane, cols=70, rows=20))
    await ui.shows(1, "20 70")

    assert (await api.info(pane)).size == (70, 20)


async def test_many_sizes_in_a_row_are_one_sigwinch(server: Server, api: Api) -> None:
    pane = await api.open(*tells_sizes())
    ui = await server.ui()
    await ui.show(view(pane, cols=70, rows=20))
    await ui.shows(1, "20 70")

    for cols in range(71, 100):
        await ui.show(view(pane, cols=cols, rows=20))
    await ui.shows(1, "size 20 99")

    assert ui.screen(1).count("size") <= 3  # At the start, at 70 columns, and once at the end.


async def test_the_size_that_a_pane_has_is_told_to_nobody_again(server: Server, api: Api) -> None:
    pane, other = await api.open(*tells_sizes()), await api.open(*tells_sizes())
    ui = await server.ui()
    await ui.show(view(pane, cols=70, rows=20), view(other, channel=2, cols=70, rows=20))
    await ui.shows(1, "20 70")
    await ui.shows(2, "20 70")
    ui.viewers[1].kinds.clear()

    for cols in (60, 61):  # A size that settles later than the same one would.
        await ui.show(view(pane, cols=70, rows=20), view(other, channel=2, cols=cols, rows=20))
        await ui.shows(2, f"20 {cols}")

    assert FrameKind.RESIZED not in ui.viewers[1].kinds
    assert ui.screen(1).count("20 70") == 1


async def test_the_ui_used_last_decides_the_size(server: Server, api: Api) -> None:
    pane = await api.open(*tells_sizes())
    small, large = await server.ui(), await server.ui()
    await small.show(view(pane, cols=60, rows=15))
    await large.show(view(pane, cols=100, rows=30))
    await large.shows(1, "30 100")

    large.items.clear()
    small.press(1, Text(data=b"x\r"))
    await large.item(PaneChanged, lambda item: item.pane.size == (60, 15))
    large.press(1, Focus(gained=True))  # Looking is not using.
    await large.shows(1, "got x")
    assert (await api.info(pane)).size == (60, 15)

    small.client.close()

    async def back() -> bool:
        return (await api.info(pane)).size == (100, 30)

    await until(back, "the remaining UI decides")


async def test_a_ui_that_loses_the_focus_is_not_the_one_used_last(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")
    one, other = await server.ui(), await server.ui()
    await one.show(view(pane, cols=70))
    await other.show(view(pane, cols=90))

    await one.show(view(pane, cols=70), terminal_focused=False)

    async def wide() -> bool:
        return (await api.info(pane)).size[0] == 90

    await until(wide, "the size of the other one")


async def test_an_explicit_size_is_refused_while_a_ui_shows_the_pane(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x", size=(90, 30))
    assert (await api.info(pane)).size == (90, 30)
    await api.call(RESIZE, ResizeRequest(pane=pane, size=(50, 10)))
    assert (await api.info(pane)).size == (50, 10)

    ui = await server.ui()
    await ui.show(view(pane, cols=80, rows=24))
    with pytest.raises(Conflict, match="shown by a UI"):
        await api.call(RESIZE, ResizeRequest(pane=pane, size=(50, 10)))

    assert (await api.info(pane)).size == (80, 24)


# Input


async def test_input_is_encoded_for_the_program(server: Server, api: Api) -> None:
    pane = await api.open(
        "/bin/sh", "-c", r"stty raw -echo; printf '\033[?2004h\033[?1004h'; echo up; cat -v"
    )
    ui = await server.ui()
    await ui.show(view(pane))
    await ui.shows(1, "up")

    ui.press(1, Key(key="a", text="a"))
    ui.press(1, Paste(text="two\nlines"))
    ui.press(1, Focus(gained=False))

    await ui.shows(1, "a^[[200~two")
    await ui.shows(1, "lines^[[201~^[[O")


async def test_keys_for_an_exited_pane_are_ignored(server: Server, api: Api) -> None:
    pane = await api.open("/bin/true")
    await api.exits(pane)
    ui = await server.ui()
    await ui.show(view(pane))

    ui.press(1, Key(key="a", text="a"))

    await ui.until(lambda: ui.viewers[1].exit_code == 0)


# Messages to the UI used last


async def test_a_programs_notification_goes_to_the_ui_used_last_only(server: Server, api: Api) -> None:
    first, last = await server.ui(), await server.ui()

    await api.open("/bin/sh", "-c", r"printf '\033]777;notify;Build;all green\007'; read x")

    rang = await last.item(Rang)
    assert (rang.title, rang.body) == ("Build", "all green")
    await first.client.call(VIEW, ViewRequest(panes=()))
    assert not [item for item in first.items if isinstance(item, Rang)]


SET_CLIPBOARD = r"read x; printf '\033]52;c;aGVsbG8=\007\033]2;sent\007'; read x"


async def test_the_focused_pane_may_set_the_clipboard_of_the_ui_used_last(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", SET_CLIPBOARD)
    other, last = await server.ui(), await server.ui()
    await other.show(view(pane), focused=pane)
    await last.show(view(pane), focused=pane)
    last.press(1, Text(data=b"\r"))

    offered = await last.item(ClipboardOffered)

    assert (offered.pane, offered.text) == (pane, "hello")
    await other.item(PaneChanged, lambda item: item.pane.title == "sent")
    assert not [item for item in other.items if isinstance(item, ClipboardOffered)]


async def test_a_pane_without_the_keyboard_sets_no_clipboard(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", SET_CLIPBOARD)
    ui = await server.ui()
    await ui.show(view(pane), focused=None)
    await api.call(TYPE, TypeRequest(pane=pane, text="\r"))

    await ui.item(PaneChanged, lambda item: item.pane.title == "sent")

    assert not [item for item in ui.items if isinstance(item, ClipboardOffered)]


async def test_the_settings_can_forbid_the_clipboard() -> None:
    async with running_server(Config(terminal=Terminal(clipboard=False))) as server:
        api = Api(await server.client(), server.root)
        pane = await api.open("/bin/sh", "-c", SET_CLIPBOARD)
        ui = await server.ui()
        await ui.show(view(pane), focused=pane)
        ui.press(1, Text(data=b"\r"))

        await ui.item(PaneChanged, lambda item: item.pane.title == "sent")

        assert not [item for item in ui.items if isinstance(item, ClipboardOffered)]


async def test_http_callers_cannot_attach(server: Server, api: Api) -> None:
    from orca_tui.server.dispatch import Caller
    from orca_tui.server.handlers.ui import _slot

    with pytest.raises(Unsupported):
        _slot(Caller(door="http", pid=None))


async def test_a_busy_loop_of_attaching_and_leaving_leaves_the_server_whole(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "while :; do seq 1 1000; done")

    async def come_and_go() -> None:
        ui = await server.ui()
        await ui.show(view(pane))
        await ui.until(lambda: bool(ui.viewers[1].kinds))
        ui.client.close()

    await asyncio.gather(*(come_and_go() for _ in range(10)))

    stream = api.client.stream(EVENTS, EventsRequest())
    assert (await anext(stream)).event.server == "default"  # type: ignore[union-attr]
    await stream.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "wrong",
    [
        {"channel": 0, "cols": 80, "rows": 24},
        {"channel": 1 << 32, "cols": 80, "rows": 24},
        {"channel": 1, "cols": 0, "rows": 24},
        {"channel": 1, "cols": 80, "rows": -1},
    ],
)
async def test_a_view_that_fits_no_frame_or_screen_is_invalid(
    server: Server, api: Api, wrong: dict[str, int]
) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")
    ui = await server.ui()

    with pytest.raises(Invalid):
        await ui.show(PaneView(pane=pane, **wrong))


async def test_a_screen_beyond_all_sizes_is_cut_to_the_largest(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")
    ui = await server.ui()

    await ui.show(view(pane, cols=1_000_000, rows=24))

    assert (await api.info(pane)).size == (1000, 24)
