"""A pane: one engine, one program on a PTY, and the streams to UIs. Decides nothing about layout or status."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.base.errors import Conflict, OrcaError, SpawnFailed
from orca_tui.base.ids import PaneId, new_name
from orca_tui.process.pty_io import PtyIo
from orca_tui.process.spawner import COMMAND_NOT_RUNNABLE, Child, Program, Spawner
from orca_tui.server.input_gate import InputGate
from orca_tui.server.prompt_box import PromptBox
from orca_tui.server.silence import Silence
from orca_tui.server.streams import PaneStreams
from orca_tui.term.engine import Fact, FedOutput, TerminalColors, TerminalEngine
from orca_tui.term.input_encoder import encode
from orca_tui.term.input_events import InputEvent

SETTLE_S = 0.05
"""A size must hold for so long before the program is told: a drag of a border is one SIGWINCH."""
HANG_UP_GRACE_S = 2.0  # What a program gets to save its work between SIGHUP and SIGKILL.
LOOK_AGAIN_S = 0.02  # What a program leaves behind is no child of ours, so that its end has to be looked for.
MAX_UNREAD_REPLIES_BYTES = 1 << 20  # Far more than any program asks before it reads.
SILENT_S = 2.0  # A program that says nothing for so long may have ended, and its shell be back.
QUIET_S = 10.0  # After so much silence a pane's scrollback is compressed.

logger = logging.getLogger(__name__)


@dataclass(kw_only=True, slots=True)
class PaneFacts:
    """What is known of a pane beside its status; changed by its owner, the session."""

    command: tuple[str, ...]
    directory: str
    """As the program last told it (OSC 7), else where it was started."""
    tells_directory: bool = False
    name: str = ""
    title: str = ""
    titled_by_program: bool = False
    """Another program than the pane's shell set the title."""
    progress: str = ""
    """OSC 9;4 as it was last told, `STATE` or `STATE;PERCENT`."""
    is_agent: bool = False
    """Its own program is the agent, so that only its exit ends that."""
    closes_on_clean_exit: bool = False
    """A plain shell: its pane goes with it when it exits with 0, as in tmux."""
    notified_at: float | None = None
    """Monotonic seconds of the last notification that was passed on."""
    inbox: str = field(default_factory=lambda: f"pane:{new_name()}")
    """Where notices wait for the pane until its agent names a session; unlike the pane's id never used again."""
    asked_by_notification: bool = False
    """Its agent has notified of something that it needs, and nobody has typed since."""
    sign_of_life_at: float | None = None
    """Monotonic seconds of the last output that was told as one."""
    note: str = ""
    """What went wrong beside it when it was opened, such as the status plugin's installation; for `explain`."""


class PaneListener(Protocol):
    """Who is told what happens in a pane."""

    def said(self, pane: Pane, facts: tuple[Fact, ...]) -> None:
        """The program told its terminal something."""
        ...

    def wrote(self, pane: Pane) -> None:
        """The program wrote something, which its screen shows by now."""
        ...

    def fell_silent(self, pane: Pane) -> None:
        """The program has written nothing for 2 s."""
        ...

    def resized(self, pane: Pane) -> None:
        """The terminal has another size."""
        ...

    def exited(self, pane: Pane, exit_code: int) -> None:
        """The program ended, or could not be started."""
        ...

    def broke(self, pane: Pane, reason: str) -> None:
        """The pane's engine failed; the pane cannot go on."""
        ...


class Pane:
    """One pane, from `start` over `close` to `end`."""

    def __init__(
        self, pane_id: PaneId, engine: TerminalEngine, facts: PaneFacts, listener: PaneListener, clock: Clock
    ) -> None:
        self.id = pane_id
        self.facts = facts
        self.engine = engine
        self.exit_code: int | None = None
        self.closed = False
        self.box = PromptBox(clock)
        self.gate = InputGate(self._give)
        self.shown = False
        """Some UI has given it a size."""
        self._listener = listener
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self.streams = PaneStreams(self, clock, self._loop.call_later)
        self._child: Child | None = None
        self._io: PtyIo | None = None
        self._gone = asyncio.Event()
        self._taken_apart = asyncio.Event()
        self._settled = asyncio.Event()
        """No start is under way."""
        self._settled.set()
        self._resize: asyncio.TimerHandle | None = None
        self._silence = Silence(
            ((SILENT_S, self._fell_silent), (QUIET_S, self._compress)), clock, self._loop.call_later
        )

    @property
    def pid(self) -> int | None:
        """Of the running program."""
        return self._child.pid if self._child is not None and self.exit_code is None else None

    @property
    def master(self) -> int | None:
        """The terminal's descriptor, for looking at its processes only."""
        return self._child.master if self._child is not None and self.exit_code is None else None

    # Life

    async def start(self, spawner: Spawner, program: Program) -> None:
        """Run the program; one that cannot be run leaves its reason on the screen and an exited pane."""
        self._settled.clear()
        try:
            self._child = await spawner.spawn(program, self._exited)
        except SpawnFailed as error:
            self._fail_to_start(error)
        else:
            self._run(self._child, program)
        finally:
            self._settled.set()

    def _run(self, child: Child, program: Program) -> None:
        if self.closed:  # Closed while it was being started; `end` waits for it.
            self.close()
            return
        self._io = PtyIo(child.master, self._clock, received=self._received, ended=lambda: None)
        if (self.engine.cols, self.engine.rows) != (program.cols, program.rows):
            child.resize(self.engine.cols, self.engine.rows)
        self._io.resume()

    def close(self) -> None:
        """Say and show nothing any more, and tell the program to go (SIGHUP); `end` is due then."""
        self.closed = True
        self._cancel_timers()
        self.streams.stop()
        if self._child is not None and not self._gone.is_set():  # A pid may be another's after its end.
            self._child.hang_up()
            self.resume()  # A program that waits for its output to be read could not end.

    async def end(self) -> None:
        """Wait for the program, kill it (SIGKILL) if it is still there after 2 s, and free everything."""
        await self._settled.wait()
        if self._child is not None and not self._gone.is_set():
            await self._end_program(self._child)
        self._let_go()
        self.engine.close()
        self._taken_apart.set()

    async def ended(self) -> None:
        """Wait until `end` is through."""
        await self._taken_apart.wait()

    async def _end_program(self, child: Child) -> None:
        kill_at = self._loop.time() + HANG_UP_GRACE_S
        with suppress(TimeoutError):
            async with asyncio.timeout_at(kill_at):
                await self._gone.wait()
        while child.survivors() and self._loop.time() < kill_at:  # noqa: ASYNC110 - nobody announces it.
            await asyncio.sleep(LOOK_AGAIN_S)
        child.kill()
        await self._gone.wait()

    def _exited(self, exit_code: int) -> None:
        self._gone.set()
        if self.closed:
            return
        if self._io is not None:
            self._io.drain()
        self.exit_code = exit_code
        self._let_go()
        self._end_screen(exit_code)

    def _fail_to_start(self, error: SpawnFailed) -> None:
        self._gone.set()
        if self.closed:
            return
        code = error.facts.get("exit_code")
        self.exit_code = code if isinstance(code, int) else COMMAND_NOT_RUNNABLE
        self.show(error.message)
        self._end_screen(self.exit_code)

    def _end_screen(self, exit_code: int) -> None:
        """The modes that the program left behind would mislead whoever looks at its last screen."""
        self.feed(self.engine.reset_modes_bytes())
        self.streams.exited(exit_code)
        self._listener.exited(self, exit_code)

    def _let_go(self) -> None:
        if self._io is not None:
            self._io.close()
        if self._child is not None:
            self._child.close()

    # Output

    def show(self, line: str) -> None:
        """Write a line of our own onto the screen."""
        self.feed(f"{line}\r\n".encode(errors="replace"))

    def feed(self, data: bytes) -> FedOutput | None:
        """Apply bytes to the engine and to every UI's; None when there were none or the engine failed."""
        if not data or self.closed:
            return None
        try:
            fed = self.engine.feed(data)
            self.streams.output(fed.applied)
        except (OrcaError, MemoryError) as error:
            self._listener.broke(self, type(error).__name__)
            return None
        return fed

    def _received(self, data: bytes) -> None:
        fed = self.feed(data)
        if fed is None:
            return
        if fed.replies:
            self._reply(fed.replies)
        if fed.facts:
            self._listener.said(self, fed.facts)
        if not self.closed:
            self._silence.broken()
            self._listener.wrote(self)

    def _fell_silent(self) -> bool:
        self._listener.fell_silent(self)
        return False

    def _compress(self) -> bool:
        """One part of the scrollback at a time, so that no key waits for all of it."""
        return self.engine.compress()

    # Input

    def press(self, event: InputEvent) -> None:
        """Give the program what a person did, encoded as it asked for; `Conflict` when it reads nothing.

        While a notice is handed over it is kept, and given right after.
        """
        self.gate.take(event)

    def _give(self, event: InputEvent) -> None:
        data = encode(event, self.engine.modes())
        if data:  # A focus report that nobody asked for is nothing, and needs no program.
            self.write(data)
            self.box.typed(event)

    def write(self, data: bytes) -> None:
        """Give the program bytes as they are; `Conflict` when it has ended or reads nothing."""
        if self._io is None or self.exit_code is not None or self.closed:
            raise Conflict(f"no program runs in pane {self.id}", pane=self.id)
        self._io.write(data)

    def _reply(self, data: bytes) -> None:
        """Answer the program's queries; one that asks and never reads is not answered for ever."""
        if self._io is not None and self._io.queued_bytes <= MAX_UNREAD_REPLIES_BYTES:
            self._io.write(data)

    def set_colors(self, colors: TerminalColors) -> None:
        """Answer the program's questions for default colors with these, and tell it when it asked to be told."""
        report = self.engine.set_colors(colors)
        if report:
            self._reply(report)

    # Size

    def want_size(self, cols: int, rows: int, *, at_once: bool = False) -> None:
        """Have that size once nobody wants another one for 50 ms; one that it has already changes nothing."""
        self._cancel_resize()
        if self.closed or (cols, rows) == (self.engine.cols, self.engine.rows):
            return
        if at_once:
            self._set_size(cols, rows)
        else:
            self._resize = self._loop.call_later(SETTLE_S, self._set_size, cols, rows)

    def _set_size(self, cols: int, rows: int) -> None:
        self._resize = None
        try:
            replies = self.engine.resize(cols, rows)
        except (OrcaError, MemoryError) as error:
            self._listener.broke(self, type(error).__name__)
            return
        self.streams.resized(cols, rows)
        if self._child is not None and self.exit_code is None:
            self._child.resize(cols, rows)
        if replies:
            self._reply(replies)
        self._listener.resized(self)

    def _cancel_resize(self) -> None:
        if self._resize is not None:
            self._resize.cancel()
            self._resize = None

    def _cancel_timers(self) -> None:
        self._cancel_resize()
        self._silence.stop()

    # What its streams need

    def snapshot(self, *, with_history: bool) -> bytes | None:
        """The engine's state for a UI."""
        return self.engine.snapshot(with_history=with_history)

    def pause(self) -> None:
        """Read nothing for now: the program waits as it would for a slow terminal."""
        if self._io is not None:
            self._io.pause()

    def resume(self) -> None:
        if self._io is not None:
            self._io.resume()
