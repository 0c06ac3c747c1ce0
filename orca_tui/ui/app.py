"""The app: owns link, keyboard and desk, and passes what happens in one to the others.

What actions do is in `operations/`, what is shown in `desk.py` and `scene.py`, what the mouse means in
`gestures.py`. `run_ui` in `run.py` is the way in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen

from orca_tui.base.clock import Clock
from orca_tui.base.errors import ConfigError, OrcaError
from orca_tui.commands.spec import Command
from orca_tui.commands.targets import FOCUS, TargetRequest
from orca_tui.commands.ui import PICTURE
from orca_tui.config import Environment, Notifications
from orca_tui.term.engine import EngineFactory
from orca_tui.ui import settings as settings_file
from orca_tui.ui.attendance import Attendance, ServerStarter
from orca_tui.ui.clipboard import Clipboards
from orca_tui.ui.commander import Commander
from orca_tui.ui.desk import Desk
from orca_tui.ui.farewell import Farewell, detached, server_gone
from orca_tui.ui.gestures import Gestures
from orca_tui.ui.hand import MouseHand
from orca_tui.ui.input_messages import OrcaKey, PasteRefused, TerminalReply, typed_message
from orca_tui.ui.keyboard import Keyboard, Typed, is_typing
from orca_tui.ui.link import Connector, Link
from orca_tui.ui.outer_colors import ToldColors
from orca_tui.ui.outer_line import OuterLine
from orca_tui.ui.outer_terminal import notice_style
from orca_tui.ui.outer_writer import OuterWriter
from orca_tui.ui.pacing import SETTLED_AFTER_S
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.performer import Performer
from orca_tui.ui.pictures import Pictures
from orca_tui.ui.prefix import Awaiting
from orca_tui.ui.reception import Reception
from orca_tui.ui.scene import Mood, Scene
from orca_tui.ui.screens.work import WorkScreen
from orca_tui.ui.settings import Settings
from orca_tui.ui.symbols import symbols_for
from orca_tui.ui.term_strip import TermStrip, strip_maker
from orca_tui.ui.terminal_modes import ASK_COLORS
from orca_tui.ui.texts import INPUT_DROPPED, MINUTE_S
from orca_tui.ui.toasts import Toasts
from orca_tui.ui.widgets.chrome import Chrome
from orca_tui.ui.widgets.grips import Grip, PaneTitle
from orca_tui.ui.widgets.terminal import TerminalView
from orca_tui.ui.world import World

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")


class OrcaApp(App[Farewell], inherit_bindings=False):
    """The UI of one server. Make it in a running loop, `connect` it, then run it; it returns its farewell."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    SUSPENDED_SCREEN_CLASS = "-suspended"
    CSS_PATH = "styles/work.tcss"

    def __init__(
        self,
        *,
        settings: Settings,
        engines: EngineFactory,
        clock: Clock,
        environment: Environment,
        cwd: str,
        server: str,
        config_file: Path,
        problem: ConfigError | None = None,
        started: Callable[[], None] = lambda: None,
        start_server: ServerStarter | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        """`problem` is why the settings file could not be used at the start; people are told.

        `started` is called once the first picture is there.
        """
        super().__init__(driver_class=driver_class)
        self.animation_level = "none"
        self.clock = clock
        self.cwd = cwd
        self.variables = environment.variables
        self.settings = settings
        self._server = server
        self._config_file = config_file
        self._problem = problem
        self._started = started
        self.parted = False
        self.say = Toasts(self).say
        self._symbols = symbols_for(ascii_only=settings.config.ui.ascii)
        self.set_class(settings.config.ui.ascii, "-ascii")
        self._line = OuterLine(self)
        plain = strip_maker(self.console)
        self.pictures = Pictures(
            wanted=settings.config.terminal.graphics == "kitty" and plain is TermStrip,
            line=self._line,
            clock=clock,
            fetch=lambda request: self.link.call(PICTURE, request),
            arrived=lambda pane: self.desk.repicture(pane),
        )
        self.link = Link(
            engines=engines,
            strips_of=partial(self.pictures.strips_of, plain),
            clock=clock,
            draw=lambda models: self.desk.draw(models),
            failed=self._failed,
            dropped=lambda: self.say(INPUT_DROPPED, "warning"),
        )
        self._colors = ToldColors()
        self.outer = OuterWriter(self._line.write, notice_style(environment))
        self.clipboards = Clipboards(self.outer, self.variables, self.say)
        self.keyboard = Keyboard(settings.keymap, clock, asyncio.get_running_loop(), self)
        self.work = WorkScreen(
            symbols=self._symbols, clock=clock, model_of=self.link.model, typed=self.keyboard.take
        )
        self.desk = self._new_desk()
        self.commander = self._new_commander()
        self.reception = Reception(self, world=self.desk.take, outer=self.outer, server=server)
        self.attendance = Attendance(
            self, self.link, self.reception.take, clock=clock, server=server, start=start_server
        )
        self.performer = Performer(self, self.commander)
        self.gestures = Gestures(MouseHand(self, self.commander, self.performer))

    def _new_desk(self) -> Desk:
        return Desk(
            app=self,
            screen=self.work,
            link=self.link,
            outer=self.outer,
            clock=self.clock,
            symbols=self._symbols,
            keymap=self.settings.keymap,
            mood=Mood(sidebar=self.settings.sidebar),
            want_motion=self._line.want_motion,
        )

    def _new_commander(self) -> Commander:
        return Commander(
            caller=self.link,
            worlds=self.desk,
            keyboard=self.keyboard,
            launch=lambda operation: self.run_worker(operation, group="operations"),
            refused=lambda error: self.say(error.message, "error"),
        )

    # Life

    async def connect(self, connector: Connector) -> None:
        """Connect to the server, before the terminal is taken; raises what it refuses with."""
        await self.attendance.connect(connector)

    def get_default_screen(self) -> Screen[Any]:
        return self.work

    def on_mount(self) -> None:
        self.use(self.settings)
        self.desk.resized(*self.size)
        self.run_worker(self.attendance.follow(), group="link")
        self.run_worker(self.link.tell_views(), group="link")
        self.run_worker(self.pictures.send(), group="link")
        self.app_resume_signal.subscribe(self, lambda _: self.pictures.taken_again())
        self.pictures.ask()
        self.set_interval(MINUTE_S, self._minute_passed)
        self.set_timer(SETTLED_AFTER_S, self._settle)

    def _settle(self) -> None:
        """What need not be there for the first picture."""
        self._started()
        if self._problem is not None:
            self.say(f"{self._problem.message}; the defaults hold", "error")
        follow = settings_file.follow(self._config_file, self.available_themes, self)
        self.run_worker(follow, group="settings")

    def _fatal_error(self) -> None:
        """Print where a mistake of ours was, without Textual's values of variables: those are pane contents."""
        from rich.traceback import Traceback  # Only needed at such an end.

        self.panic(Traceback(show_locals=False))

    def _failed(self, error: OrcaError) -> None:
        """Nothing can be shown any more: leave."""
        self.part(server_gone(error, self._server))

    def part(self, farewell: Farewell) -> None:
        """End the UI, with the outer terminal as it was; the first reason counts."""
        if self.parted:
            return
        self.parted = True
        self.outer.restore()
        self.keyboard.close()
        self.link.close()
        self.exit(farewell, return_code=farewell.exit_code)

    @property
    def cells(self) -> tuple[int, int]:
        return self.size.width, self.size.height

    @property
    def notifications(self) -> Notifications:
        return self.settings.config.notifications

    def use(self, settings: Settings) -> None:
        """Take settings, at the start and when they were changed; the glyphs stay until the next start."""
        self.settings = settings
        self.keyboard.keymap = self.desk.keymap = settings.keymap
        self.theme = self._colors.theme(settings.config.ui.theme)
        self.desk.change_mood(sidebar=settings.sidebar)

    # The outer terminal

    def on_terminal_reply(self, event: TerminalReply) -> None:
        """Programs and our own theme follow the outer terminal's colors."""
        if self._colors.take(event.reply) and self._colors.colors is not None:
            self.link.tell_colors(self._colors.colors)
            self.theme = self._colors.theme(self.settings.config.ui.theme)
        elif self._colors.contradicts(event.reply):
            self._line.ask(ASK_COLORS)
        elif self.pictures.take(event.reply):
            self.link.tell_pictures()

    def on_resize(self, event: events.Resize) -> None:
        self._size = self._size and event.size  # Told when idle: a busy loop may skip Textual's timer.
        self.desk.resized(*event.size)
        if self.scene.areas is None:
            for dialog in reversed(self.screen_stack[1:]):
                dialog.dismiss(None)  # Nobody could read it, and Textual cannot draw all of them that small.

    def watch_app_focus(self, _focused: bool) -> None:
        self._focus_changed()

    def _focus_changed(self) -> None:
        if self.is_running:
            self.desk.focus_changed(terminal=self.app_focus, keyboard=self.screen is self.work)

    def _minute_passed(self) -> None:
        """Elapsed times go on, where somebody sees them."""
        if self.app_focus:
            self.desk.show()

    # The keyboard's typist

    def post_message(self, message: Message) -> bool:
        """A key with nothing before it goes straight to the keyboard: two queues would be half of its way."""
        waiting = self.message_queue_size or self.work.message_queue_size
        if isinstance(message, OrcaKey) and self.app_focus and self.work.is_active and not waiting:
            self.keyboard.take(message.source)
            return True
        return super().post_message(message)

    def send(self, event: Typed) -> None:
        """Give the focused pane a key or a paste."""
        pane = self.desk.visible_focused()
        if pane is not None:
            self.link.input(pane, event)
            if is_typing(event):
                self._typing_in(pane)

    def _typing_in(self, pane: str) -> None:
        """Its echo is awaited, and the newest rows are what one wants to see."""
        model, view = self.link.model(pane), self.work.view_of(pane)
        self.link.frames.key_pressed(model)
        if model.offset:
            self.scroll(pane, -model.offset)
        if view is not None:
            view.clear_selection()
        if self.mood.message:
            self.change_mood(message="")

    def perform(self, action: str) -> None:
        self.keyboard.cancel()
        self.performer.perform(action)

    def awaiting(self, awaiting: Awaiting) -> None:
        self.change_mood(prefixed=awaiting.prefixed, hints=awaiting.hints, message="")

    def unbound(self, key: str) -> None:
        keymap = self.settings.keymap
        prefix = keymap.shown(keymap.prefix)
        self.change_mood(message=f"{prefix} {keymap.shown(key)} does nothing; {prefix} ? shows the keys")

    # The operations' host

    @property
    def world(self) -> World:
        return self.desk.world

    @property
    def scene(self) -> Scene:
        return self.desk.scene

    @property
    def mood(self) -> Mood:
        return self.desk.mood

    def change_mood(self, **changes: Any) -> None:
        self.desk.change_mood(**changes)

    def model_of(self, pane: str) -> PaneModel:
        return self.link.model(pane)

    async def do(
        self, command: Command[Q, R], request: Q, *, until: Callable[[World, R], bool] | None = None
    ) -> R:
        return await self.commander.do(command, request, until=until)

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog and wait for its answer; on a terminal that is too small it is not asked."""
        if self.scene.areas is None:
            return None
        answer: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        await self.push_screen(screen, callback=answer.set_result)
        self._focus_changed()
        for typed in self.keyboard.take_waiting():
            self.post_message(typed_message(typed))
        try:
            return await answer
        finally:
            self._focus_changed()

    def scroll(self, pane: str, rows: int) -> None:
        """Move a pane's view; older rows than there are here are asked for."""
        model = self.link.model(pane)
        if model.scroll_to(model.offset + rows):
            self.run_worker(self.link.ask_history(model), group="history")
        self.link.frames.changed(model)
        self.desk.show_titles([pane])

    async def whole_model(self, pane: str) -> PaneModel:
        return await self.link.whole_model(pane)

    def copy(self, text: str, *, by: str = "") -> None:
        """Put a text into the clipboard, and say which way it went."""
        self.run_worker(self.clipboards.put(text, by=by), group="clipboard")

    def leave(self, text: str) -> None:
        self.part(detached(text, self._server))

    def redraw(self) -> None:
        self.refresh()
        self.work.refresh(layout=True)

    def focus_pane(self, pane: str) -> None:
        """Give the keyboard to a pane; input waits until it has it."""
        if self.scene.focused != pane:
            self.commander.start(self._focus(pane))

    async def _focus(self, pane: str) -> None:
        await self.commander.do(
            FOCUS,
            TargetRequest(target=pane),
            until=lambda world, _: world.focused is not None and world.focused.pane == pane,
        )

    # What widgets tell

    def on_chrome_picked(self, event: Chrome.Picked) -> None:
        self.gestures.picked(event)

    def on_pane_title_pressed(self, event: PaneTitle.Pressed) -> None:
        self.gestures.title_pressed(event)

    def on_grip_moved(self, event: Grip.Moved) -> None:
        self.gestures.dragged(event)

    def on_terminal_view_pressed(self, event: TerminalView.Pressed) -> None:
        self.focus_pane(event.view.model.pane)

    def on_terminal_view_mouse_for_child(self, event: TerminalView.MouseForChild) -> None:
        self.link.input(event.view.model.pane, event.mouse)
        self.link.frames.key_pressed(event.view.model)

    def on_terminal_view_scroll_wanted(self, event: TerminalView.ScrollWanted) -> None:
        self.scroll(event.view.model.pane, event.rows)

    def on_terminal_view_selected(self, event: TerminalView.Selected) -> None:
        self.copy(event.text)

    def on_terminal_view_link_wanted(self, event: TerminalView.LinkWanted) -> None:
        self.performer.open_link(event.url)

    def on_paste_refused(self, event: PasteRefused) -> None:
        self.say(f"nothing was pasted: {event.size_bytes} bytes are more than {event.limit_bytes}", "error")
