"""Keys and mouse reach those whose they are in the order in which they were pressed and clicked."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from orca_tui.term.input_events import Key, KeyAction, Mouse, MouseAction, MouseButton
from orca_tui.ui import delivery
from orca_tui.ui.delivery import Delivery
from orca_tui.ui.input_messages import OrcaKey

pytestmark = pytest.mark.anyio

PRESS = Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT, x=1, y=1)
RELEASE = Mouse(action=MouseAction.RELEASE, button=MouseButton.LEFT, x=1, y=1)
WHEEL = Mouse(action=MouseAction.PRESS, button=MouseButton.WHEEL_UP, x=1, y=1)
A, A_RELEASED = Key(key="a", text="a"), Key(key="a", action=KeyAction.RELEASE)


class Told(Message):
    """What a mouse event means, which the app is to know."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what


class Target(Widget):
    """Tells the app what was done with the mouse, as panes and titles do."""

    clicked: asyncio.Event | None = None
    """Set: the handler of a press waits for it."""
    goes = False

    async def on_mouse_down(self, _event: events.MouseDown) -> None:
        self.post_message(Told("press"))
        if self.clicked is not None:
            await self.clicked.wait()
        if self.goes:
            self.remove()

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        self.post_message(Told("release"))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.post_message(Told(f"move {event.x}"))

    def on_mouse_scroll_up(self, _event: events.MouseScrollUp) -> None:
        self.post_message(Told("wheel"))


class Desk(App[None]):
    """Keeps what arrives at its end, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.target = Target()
        self.done: list[str] = []
        self.delivery = Delivery(self, post=self.post_message, post_mouse=self.post_message)

    def compose(self) -> ComposeResult:
        yield self.target

    def on_told(self, event: Told) -> None:
        self.done.append(event.what)

    def post_message(self, message: Message) -> bool:
        if isinstance(message, events.Key):  # As the UI's keyboard takes them: past all queues.
            self.done.append(message.key)
            return True
        return super().post_message(message)

    async def does(self, number: int) -> list[str]:
        """Wait until so much was done; all of it."""
        async with asyncio.timeout(10):
            while len(self.done) < number:  # noqa: ASYNC110 - nothing announces it.
                await asyncio.sleep(0.005)
        return self.done


async def test_what_is_typed_behind_the_mouse_stays_behind_it() -> None:
    app = Desk()
    async with app.run_test():
        app.delivery.take([PRESS, A, RELEASE, A, WHEEL, A])

        assert await app.does(6) == ["press", "a", "release", "a", "wheel", "a"]


async def test_keys_alone_are_handed_on_at_once() -> None:
    app = Desk()
    async with app.run_test():
        app.delivery.take([A, A])

        assert app.done == ["a", "a"]


async def test_of_movements_that_come_behind_a_key_that_waits_the_last_is_told() -> None:
    app = Desk()
    async with app.run_test():
        app.delivery.take([Mouse(action=MouseAction.MOVE, x=1, y=1), A])
        for x in range(2, 20):
            app.delivery.take([Mouse(action=MouseAction.MOVE, x=x, y=1)])

        assert await app.does(3) == ["move 1", "a", "move 19"]


async def test_a_release_waits_with_its_key() -> None:
    app = Desk()
    posted: list[Message] = []
    async with app.run_test():
        app.delivery = Delivery(app, post=posted.append, post_mouse=app.post_message)
        app.delivery.take([PRESS, A, A_RELEASED])
        assert posted == []

        await app.does(1)
        async with asyncio.timeout(10):
            while len(posted) < 2:  # noqa: ASYNC110 - nothing announces it.
                await asyncio.sleep(0.005)
        assert [type(message) for message in posted] == [OrcaKey, events.Callback]


async def test_a_click_that_takes_its_widget_away_lets_the_keys_behind_it_go_on() -> None:
    app = Desk()
    async with app.run_test():
        app.target.goes = True
        app.delivery.take([PRESS, A])

        assert await app.does(2) == ["press", "a"]


async def test_a_click_that_nobody_deals_with_holds_keys_up_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery, "MOUSE_LIMIT_S", 0.05)
    app = Desk()
    async with app.run_test():
        app.target.clicked = asyncio.Event()
        app.delivery.take([PRESS, A, RELEASE, A])
        assert await app.does(2) == ["a", "a"]

        app.target.clicked.set()
        assert await app.does(4) == ["a", "a", "press", "release"]


async def test_what_waits_is_forgotten_when_the_terminal_is_somebody_elses() -> None:
    app = Desk()
    async with app.run_test():
        app.delivery.take([PRESS, A])
        app.delivery.drop()
        app.delivery.take([A, A])

        assert app.done == ["a", "a"]
        assert await app.does(3) == ["a", "a", "press"]
