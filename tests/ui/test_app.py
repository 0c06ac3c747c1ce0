"""The UI on a real server: keys and mouse in, screen out."""

from __future__ import annotations

import pytest
from textual import events

from orca_tui.config import Config, Ui
from orca_tui.term.key_names import parse_key
from orca_tui.term.replies import ColorReport
from orca_tui.ui import texts
from orca_tui.ui.input_messages import OrcaKey, TerminalReply
from orca_tui.ui.keyboard import Typed
from orca_tui.ui.prefix import Awaiting
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio


async def test_a_server_without_panes_says_what_to_press(server: Server) -> None:
    async with ui(server) as screen:
        await screen.shows("Nothing runs here yet.")

        await screen.press("ctrl+b", "c")

        await screen.shows("p1")
        assert "Nothing runs here yet." not in screen.text()


async def test_what_is_typed_reaches_the_shell_and_its_answer_the_screen(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.type("echo $((6*7))answer")
        await screen.press("enter")

        await screen.shows("42answer")


async def test_keys_of_textual_are_the_childs(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", "stty raw -echo; echo READY; exec cat -v")
    async with ui(server) as screen:
        await screen.shows("READY")
        await screen.press("ctrl+q", "ctrl+p", "ctrl+c", "tab", "shift+tab", "escape", "q")

        await screen.shows("^Q^P^C")
        await screen.shows("^[[Z^[q")


async def test_a_border_is_dragged_with_the_mouse(server: Server, api: Api) -> None:
    left = await shell(api)
    await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        (border,) = screen.app.scene.columns()
        x, y = border.place.x, border.place.y + 5

        await screen.drag((x, y), (x - 10, y))

        await screen.until(lambda: screen.app.scene.columns()[0].place.x == x - 10, "the border there")


async def test_a_title_is_dragged_to_move_the_border_it_stands_on(server: Server, api: Api) -> None:
    upper = await shell(api)
    lower = await shell(api, split="down", beside=upper)
    async with ui(server) as screen:
        x, y = screen.place_of(lower).x + 3, screen.place_of(lower).y - 1

        await screen.drag((x, y), (x, y - 5))

        await screen.until(lambda: screen.place_of(lower).y == y - 4, "the lower pane begins there")


async def test_a_hidden_pane_shows_its_screen_when_it_comes_back(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.type("echo first$((1+1))")
        await screen.press("enter")
        await screen.shows("first2")
        await screen.press("ctrl+b", "c")
        await screen.hides("first2")

        await screen.press("ctrl+b", "0")

        await screen.shows("first2")
        assert screen.focused == first


async def test_the_keys_are_shown_when_none_follows_the_prefix(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b")
        await screen.shows("Split right")
        await screen.shows("escape takes it back")

        await screen.press("escape")
        await screen.hides("Split right")


async def test_a_key_that_does_nothing_is_told(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "y")
        await screen.shows("ctrl+b y does nothing")

        await screen.press("l")
        await screen.hides("does nothing")


async def test_a_message_in_the_hint_line_goes_by_itself_once_it_can_have_been_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "SHORTEST_READING_S", 0.3)
    async with ui(server) as screen:
        screen.app.change_mood(message="oh")
        await screen.shows(" oh ")

        await screen.hides(" oh ")

        assert screen.app.mood.message == ""
        assert "? help" in screen.lines()[-1]


async def test_a_key_with_nothing_before_it_is_taken_at_once_and_otherwise_in_its_turn(
    server: Server, api: Api
) -> None:
    await api.open("/bin/sh", "-c", "stty raw -echo; echo READY; exec cat")
    async with ui(server) as screen:
        await screen.shows("READY")
        sent: list[str] = []
        screen.app.keyboard._typist = Recorder(sent)
        await screen.pilot.pause()

        screen.app.post_message(OrcaKey(parse_key("a")))
        assert sent == ["a"]

        screen.app.post_message(events.Paste("pasted"))
        screen.app.post_message(OrcaKey(parse_key("b")))
        assert sent == ["a"]
        await screen.until(lambda: len(sent) == 3, "the paste and the key behind it")
        assert sent == ["a", "pasted", "b"]


class Recorder:
    """A typist that writes down what is sent."""

    def __init__(self, sent: list[str]) -> None:
        self._sent = sent

    def send(self, event: Typed) -> None:
        self._sent.append(event.text)

    def perform(self, action: str) -> None: ...

    def awaiting(self, awaiting: Awaiting) -> None: ...

    def unbound(self, key: str) -> None: ...


async def test_programs_and_the_theme_follow_the_colors_of_the_outer_terminal(
    server: Server, api: Api
) -> None:
    ask = r"printf '\033]11;?\033\\'; head -c 25 | cat -v; printf '\033[?2031h'; exec cat -v"
    await api.open("/bin/sh", "-c", f"stty raw -echo; echo READY; head -c 1; {ask}")
    async with ui(server, config=Config(ui=Ui(theme="auto"))) as screen:
        await screen.shows("READY")
        for slot, part in ((10, 16), (11, 250)):
            report = ColorReport(slot=slot, red=part, green=part, blue=part)
            screen.app.post_message(TerminalReply(report))
        await screen.until(lambda: screen.app.theme == "textual-light", "the light theme")

        await screen.type("x")
        await screen.shows("]11;rgb:fafa/fafa/fafa")

        screen.app.post_message(TerminalReply(ColorReport(slot=11, red=0, green=0, blue=0)))
        await screen.shows("[?997;1n")
        assert screen.app.theme == "textual-dark"
