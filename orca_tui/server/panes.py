"""A pane: one engine, one program on a PTY, and the streams to UIs. Decides nothing about layout or status."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from orca_tui.base.clock import Clock
from orca_tui.base.errors import Conflict, OrcaError, SpawnFailed
from orca_tui.base.ids import PaneId
from orca_tui.process.pty_io import PtyIo
from orca_tui.process.reading_order import ReadingOrder
from orca_tui.process.spawner import COMMAND_NOT_RUNNABLE, Child, Kept, Program, Spawner
from orca_tui.server.input_gate import InputGate
from orca_tui.server.key_modes import KeyModes
from orca_tui.server.memory import NoMemory, PaneMemory
from orca_tui.server.own_output import carried_over, left_behind, missing_output
from orca_tui.server.pane_facts import PaneFacts
from orca_tui.server.pane_listener import PaneListener
from orca_tui.server.prompt_box import PromptBox
from orca_tui.server.silence import Silence
from orca_tui.server.streams import PaneStreams
from orca_tui.term.engine import FedOutput, TerminalColors, TerminalEngine
from orca_tui.term.input_encoder import encode, with_newline
from orca_tui.term.input_events import InputEvent, Key, KeyAction, is_on_purpose
from orca_tui.term.key_names import key_name

SETTLE_S = 0.05
"""A size must hold for so long before the program is told: a drag of a border is one SIGWINCH."""
NUDGE_S = 0.06  # A program that wakes up late would see the old size again, and do nothing.
HANG_UP_GRACE_S = 2.0  # What a program gets to save its work between SIGHUP and SIGKILL.
LOOK_AGAIN_S = 0.02  # What a program leaves behind is no child of ours, so that its end has to be looked for.
MAX_UNREAD_REPLIES_BYTES = 1 << 20  # Far more than any program asks before it reads.
RESTS_S = 1.0  # After so much silence what is remembered of the screen is put in order.
SILENT_S = 2.0  # A program that says nothing for so long may have ended, and its shell be back.
QUIET_S = 10.0  # After so much silence a pane's scrollback is compressed.

logger = logging.getLogger(__name__)


class Pane:
    """One pane, from `start` over `close` to `end`."""

    def __init__(
        self,
        pane_id: PaneId,
        engine: TerminalEngine,
        facts: PaneFacts,
        listener: PaneListener,
        clock: Clock,
        memory: PaneMemory | None = None,
        order: ReadingOrder | None = None,
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
        self.newline: Key | None = None
        """What its agent takes for a new line where it cannot be told of Shift+Enter; None while there is none."""
        self._held: Callable[[], None] | None = None
        self._listener = listener
        self._clock = clock
        self._memory = memory or NoMemory()
        self._order = order
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
        steps = ((RESTS_S, self._rests), (SILENT_S, self._fell_silent), (QUIET_S, self._compress))
        self._silence = Silence(steps, clock, self._loop.call_later)
        self._modes = KeyModes(engine, self._loop.call_later)

    @property
    def pid(self) -> int | None:
        """Of the running program."""
        return self._child.pid if self._child is not None and self.exit_code is None else None

    @property
    def master(self) -> int | None:
        """The terminal's descriptor, for looking at its processes only."""
        return self._child.master if self._child is not None and self.exit_code is None else None

    @property
    def held(self) -> bool:
        """Its program waits for a key to be started."""
        return self._held is not None

    # Life

    def hold(self, start: Callable[[], None]) -> None:
        """Start nothing until somebody presses Enter here."""
        self._held = start

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
        if (self.engine.cols, self.engine.rows) != (program.cols, program.rows):
            child.resize(self.engine.cols, self.engine.rows)
        self._connect(child).resume()

    def _connect(self, child: Child) -> PtyIo:
        self._io = PtyIo(
            child.master,
            self._clock,
            received=self._received,
            ended=lambda: None,
            read=self._memory.read,
            order=self._order,
        )
        return self._io

    def adopt(self, kept: Kept, *, redraw: bool) -> None:
        """Go on with a program that runs already; `redraw`: what the screen shows is not what it drew."""
        self._child = kept.child
        reading = self._connect(kept.child)
        if kept.lost:
            self.feed(missing_output(kept.lost, alternate_screen=self.engine.modes().alternate_screen))
        fed = self.feed(kept.missed)  # Whoever asked something in it has stopped waiting.
        kept.took()
        if fed is not None and fed.facts:
            self._listener.said(self, fed.facts)
        reading.resume()
        self._silence.broken()
        kept.listen(self._exited)
        if redraw or kept.lost:
            self.redraw()

    def end_before(self, exit_code: int) -> None:
        """Its program had ended before this server; the last screen is what there is."""
        self._gone.set()
        self.exit_code = exit_code
        self.streams.exited(exit_code)

    def begin_again(self) -> None:
        """A program that had ended is about to be started anew, below its last screen."""
        self._gone.clear()
        self.exit_code = None
        self.streams.started()

    def leave(self) -> bytes:
        """The server goes, and the program stays for the next one, with all that was pressed: what it has not read."""
        self.gate.stay_open()
        self.closed = True
        self._cancel_timers()
        self.streams.stop()
        unread = self._let_go()
        self._memory.leave(self.engine)
        return unread

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
        self.end_modes()
        self.streams.exited(exit_code)
        self._listener.exited(self, exit_code)

    def _let_go(self) -> bytes:
        unread = self._io.close() if self._io is not None else b""
        if self._child is not None:
            self._child.close()
        return unread

    # Output

    def show(self, line: str) -> None:
        """Write a line of our own onto the screen."""
        self.feed(f"{line}\r\n".encode(errors="replace"))

    def feed(self, data: bytes) -> FedOutput | None:
        """Apply bytes to the engine and to every UI's; None when there were none or the engine failed."""
        if not data or self.closed:
            return None
        self._memory.fed(data)
        return self._apply(data)

    def end_modes(self, *, at_prompt: bool = False, keyboard: bool = False) -> None:
        """Reset what a program that is gone has set, as `reset_modes_bytes`; what it said on the alternate screen
        stays to be read."""
        left = left_behind(self.engine)
        self.feed(self.engine.reset_modes_bytes(at_prompt=at_prompt, keyboard=keyboard))
        self.feed(carried_over(left, self.engine, at_prompt=at_prompt))

    def _apply(self, data: bytes) -> FedOutput | None:
        """Feed what is remembered already."""
        try:
            fed = self.engine.feed(data)
            self.streams.output(fed.applied)
        except (OrcaError, MemoryError) as error:
            self._listener.broke(self, type(error).__name__)
            return None
        return fed

    def _received(self, data: bytes) -> None:
        fed = None if self.closed else self._apply(data)
        if fed is None:
            return
        self._memory.grown(self.engine)
        if fed.replies:
            self._reply(fed.replies)
        if fed.facts:
            self._listener.said(self, fed.facts)
        if not self.closed:
            self._silence.broken()
            self._listener.wrote(self)

    def _rests(self) -> bool:
        self._memory.quiet(self.engine)
        return False

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
        if self._held is not None:
            self._let_start(event)
            return
        self.gate.take(event)

    def _give(self, event: InputEvent) -> None:
        self._listener.giving(self)
        modes = self._modes.now()
        data = encode(with_newline(event, modes, self.newline), modes)
        if data:  # A focus report that nobody asked for is nothing, and needs no program.
            self.write(data)
            if self._io is not None and is_on_purpose(event):
                self._io.typed()
            self.box.typed(event)

    def _let_start(self, event: InputEvent) -> None:
        if isinstance(event, Key) and event.action is not KeyAction.RELEASE and key_name(event) == "enter":
            start, self._held = self._held, None
            if start is not None:
                start()

    def write(self, data: bytes) -> None:
        """Give the program bytes as they are; `Conflict` when it has ended or reads nothing."""
        if self._io is None or self.exit_code is not None or self.closed:
            raise Conflict(f"no program runs in pane {self.id}", pane=self.id)
        self._io.write(data)
        self._memory.typed()

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
        self._memory.resized(cols, rows)
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

    def redraw(self) -> None:
        """Have the program draw itself anew: only a real change of the size, held for a while, reaches them all
        (Node's and Textual's compare sizes)."""
        if self.exit_code is None and not self.closed:
            cols, rows = self.engine.cols, self.engine.rows
            self._set_size(*((cols, rows - 1) if rows > 1 else (cols + 1, rows)))
            self._resize = self._loop.call_later(NUDGE_S, self._set_size, cols, rows)

    def _cancel_resize(self) -> None:
        if self._resize is not None:
            self._resize.cancel()
            self._resize = None

    def _cancel_timers(self) -> None:
        self._cancel_resize()
        self._silence.stop()
        self._modes.stop()

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
