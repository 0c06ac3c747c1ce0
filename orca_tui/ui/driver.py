"""The outer terminal: its modes, its input, its size. The only user of termios and signals outside `process/`.

Rule 1: whatever ends the program, the terminal is given back as it was found, once: on exit, exception, SIGTERM,
        SIGHUP, and on SIGTSTP until SIGCONT.
Rule 2: input is read on the event loop, through `InputDecoder`. Silence is a timer, not a tick.
Rule 3: nothing blocks the event loop. While the terminal is slower than we paint, Textual does not paint.
Rule 4: a terminal that is gone ends the program, and is neither read nor written again.
"""

from __future__ import annotations

import asyncio
import contextvars
import fcntl
import os
import select
import signal
import struct
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from types import FrameType
from typing import Any, TypeAlias

from textual import constants, events
from textual.app import App, ScreenStackError
from textual.driver import Driver
from textual.message import Message

from orca_tui.base.clock import Clock, SystemClock
from orca_tui.term.input_decoder import Decoded, InputDecoder
from orca_tui.ui import pinned_text, terminal_modes
from orca_tui.ui.delivery import Delivery
from orca_tui.ui.outbox import Outbox
from orca_tui.ui.terminal_answers import TerminalAnswers
from orca_tui.ui.terminal_fd import open_terminal

REPLY_PATIENCE_S = 2.0
"""How long the terminal may take to answer what it was asked; later answers are replies all the same."""

LEAVE_PATIENCE_S = 1.0
"""How long leaving waits for a terminal that does not read, and then for the last of its input."""

END_PATIENCE_S = 5.0
"""How long the app may take to end after a signal."""

READ_BYTES = 64 * 1024

FALLBACK_SIZE = (80, 24)
"""For a terminal that does not know its size, such as a serial line."""

EXIT_CODE_OF_SIGNAL = 128
"""A shell's exit code of a program that a signal ended is this and the signal's number."""

BACKSPACE, DELETE = 0x08, 0x7F

_Handler: TypeAlias = "Callable[[int, FrameType | None], Any] | int | None"


class OrcaDriver(Driver):
    """Textual's driver for a real terminal; give the class to `App(driver_class=...)`."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._clock = clock or SystemClock()
        self._thread = threading.get_ident()
        self._keys = not constants.DISABLE_KITTY_KEY
        self._input_fd = self._output_fd = -1
        self._outbox: Outbox | None = None
        self._decoder = InputDecoder()
        self._attributes: list[Any] | None = None
        self._handlers: dict[int, _Handler] = {}
        self._entered = False
        self._resume_on_continue = False
        self._any_motion = False
        self.parting = ""  # What is written first when the terminal is given back.
        self.takeovers = 0  # How often it was taken: others may have changed everything in between.
        self._answers = TerminalAnswers()
        self._context = contextvars.copy_context()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._pump_scheduled = False
        self._held_paint = ExitStack()
        self._delivery = Delivery(app, post=self.send_message, post_mouse=self.process_message)

    # What the program uses.

    @property
    def congested(self) -> bool:
        """True while the terminal has not taken what was painted; Textual paints nothing then."""
        return self._outbox is not None and self._outbox.congested

    @property
    def backlog_bytes(self) -> int:
        """Output that the terminal has not taken yet."""
        return self._outbox.backlog_bytes if self._outbox is not None else 0

    def set_any_motion(self, wanted: bool) -> None:
        """Ask for every mouse movement, or only for buttons and drags."""
        if wanted != self._any_motion and self._mouse:
            self._any_motion = wanted
            self.write(terminal_modes.motion(any_motion=wanted))

    # What Textual uses.

    @property
    def can_suspend(self) -> bool:
        return True

    def write(self, data: str) -> None:
        """Queue output; it is sent on `flush` or in the next turn of the loop. Safe from any thread."""
        if self._outbox is None or not self._entered:
            return
        self._outbox.put(pinned_text.painted(data))
        if not self._pump_scheduled:
            self._pump_scheduled = True
            ours = threading.get_ident() == self._thread
            (self._loop.call_soon if ours else self._loop.call_soon_threadsafe)(self.flush)

    def flush(self) -> None:
        if self._outbox is not None and self._entered and threading.get_ident() == self._thread:
            self._pump_scheduled = False
            self._outbox.pump()

    def start_application_mode(self) -> None:
        self._input_fd = open_terminal(sys.__stdin__, os.O_RDONLY)
        self._output_fd = open_terminal(sys.__stderr__, os.O_WRONLY)
        self._catch_signals()
        self._enter()
        self._post_size()

    def disable_input(self) -> None:
        """Take everything of ours off the event loop."""
        if self._input_fd >= 0:
            self._loop.remove_reader(self._input_fd)
        if self._outbox is not None:
            self._outbox.close()
        for name in list(self._timers):
            self._cancel_timer(name)
        self._delivery.drop()
        self._held_paint.close()

    def stop_application_mode(self) -> None:
        self._leave()
        self.disable_input()

    def close(self) -> None:
        """Give signals and descriptors back."""
        self.stop_application_mode()
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()
        for fd in {self._input_fd, self._output_fd} - {-1}:
            os.close(fd)
        self._input_fd = self._output_fd = -1

    def send_message(self, message: Message) -> None:
        """Post a message to the app, in order; Textual's own way makes a task for each."""
        self._app.post_message(message)

    # Taking the terminal over, and giving it back.

    def _enter(self) -> None:
        """Take the terminal over, or once more after somebody else had it."""
        again = self._entered
        self.takeovers += 1
        self.disable_input()
        self._entered, self._pump_scheduled = True, False
        self._answers = TerminalAnswers()
        self._set_raw(keep_attributes=again)
        self._outbox = Outbox(self._output_fd, self._loop, on_congested=self._on_congested)
        self.write(
            terminal_modes.enter(
                keys=self._keys, keys_pushed=again, mouse=self._mouse, any_motion=self._any_motion
            )
        )
        self._ask(terminal_modes.QUESTIONS)
        self._loop.add_reader(self._input_fd, self._on_readable)

    def _set_raw(self, *, keep_attributes: bool) -> None:
        """No echo, no lines, no signals, no flow control, Enter as CR; the decoder learns the Backspace key."""
        try:
            attributes = termios.tcgetattr(self._input_fd)
        except termios.error:
            return
        if not keep_attributes:
            self._attributes = attributes
        backspace = BACKSPACE if attributes[6][termios.VERASE] == bytes([BACKSPACE]) else DELETE
        self._decoder = InputDecoder(backspace=backspace)
        raw = [*attributes[:6], list(attributes[6])]
        raw[0] &= ~(
            termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP
        )
        raw[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        with suppress(termios.error):
            termios.tcsetattr(self._input_fd, termios.TCSANOW, raw)

    def ask(self, questions: str) -> None:
        """Ask the terminal things; the answers come as `TerminalReply`."""
        if self._entered:
            self._ask(questions + terminal_modes.FENCE)

    def _ask(self, questions: str) -> None:
        """Ask the terminal; the answers come as `TerminalReply`."""
        self._answers.asked()
        self._decoder.reply_due = True
        self._set_timer("replies", REPLY_PATIENCE_S, self._give_up_on_replies)
        self.write(questions)
        self.flush()

    def _give_up_on_replies(self) -> None:
        self._decoder.reply_due = False

    def _leave(self) -> None:
        """Give the terminal back (rule 1). Leaves the event loop alone: a signal may have interrupted it."""
        if not self._entered or self._outbox is None:
            return
        answers = self._decoder.reply_due or not self._answers.fences_due
        self._entered = False
        farewell = terminal_modes.leave(keys=self._keys, other_keys=self._answers.wants_other_keys)
        farewell = self.parting + farewell + (terminal_modes.FENCE if answers else "")
        taken = self._outbox.finish(farewell.encode(), patience_s=LEAVE_PATIENCE_S, clock=self._clock)
        if taken and answers:
            self._answers.asked()
            self._swallow_input()
        if self._attributes is not None:
            with suppress(termios.error):
                termios.tcsetattr(self._input_fd, termios.TCSAFLUSH, self._attributes)

    def _swallow_input(self) -> None:
        """Read up to the last answer, so that no reply, release or mouse report is typed into the shell."""
        deadline = self._clock.monotonic() + LEAVE_PATIENCE_S
        while self._answers.fences_due and (left_s := deadline - self._clock.monotonic()) > 0:
            readable, _, _ = select.select([self._input_fd], [], [], left_s)
            data = self._read() if readable else None
            if not data:
                return
            self._take_answers(self._decoder.decode(data))

    def _take_answers(self, decoded: list[Decoded]) -> None:
        if self._answers.take(decoded):
            self._decoder.reply_due = False
            self._decoder.kitty_flags = self._answers.kitty_flags
            if self._answers.wants_other_keys:
                self.write(terminal_modes.MODIFY_OTHER_KEYS_ON)

    # Signals.

    def _catch_signals(self) -> None:
        for number, handler in (
            (signal.SIGWINCH, self._on_resize_signal),
            (signal.SIGTSTP, self._on_stop_signal),
            (signal.SIGCONT, self._on_continue_signal),
            (signal.SIGINT, self._on_end_signal),
            (signal.SIGTERM, self._on_end_signal),
            (signal.SIGHUP, self._on_end_signal),
        ):
            if signal.getsignal(number) is not signal.SIG_IGN:  # As `nohup` has it.
                self._handlers.setdefault(number, signal.signal(number, handler))

    def _on_resize_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._call_soon(self._post_size)

    def _on_stop_signal(self, _number: int, _frame: FrameType | None) -> None:
        """Stop as any program does, with the terminal given back."""
        if self._auto_restart and self._entered:
            self._resume_on_continue = True
            self._leave()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _on_continue_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._call_soon(self._resume)

    def _resume(self) -> None:
        """Take the terminal again: a shell had it meanwhile, even if SIGSTOP gave us no time to leave."""
        if self._auto_restart and (self._entered or self._resume_on_continue):
            self._resume_on_continue = False
            self._enter()
            self._post_size()
            self.send_message(self.SignalResume())
            self._repaint()

    def _on_end_signal(self, number: int, _frame: FrameType | None) -> None:
        """Give the terminal back at once, then end in order; a second signal ends at once."""
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        self._call_soon(self.disable_input)
        self._end(number)

    def _end(self, number: int) -> None:
        """Ask the app to end; one that hangs is ended by the alarm, since nobody sees it any more."""
        signal.setitimer(signal.ITIMER_REAL, END_PATIENCE_S)
        self._call_soon(partial(self._app.exit, return_code=EXIT_CODE_OF_SIGNAL + number))

    # Input.

    def _on_readable(self) -> None:
        data = self._read() if self._entered else None
        if data is None:
            return
        if not data:
            self._on_gone()
            return
        self._deliver(self._decoder.decode(data))
        self._await_silence()

    def _read(self) -> bytes | None:
        """What the terminal sent; None when there is nothing yet, empty when it is gone."""
        try:
            return os.read(self._input_fd, READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            return b""

    def _on_gone(self) -> None:
        if self._outbox is not None:
            self._outbox.gone = True
        self.stop_application_mode()
        self._end(signal.SIGHUP)

    def _await_silence(self) -> None:
        patience_s = self._decoder.patience_s
        if patience_s is None:
            self._cancel_timer("silence")
        else:
            self._set_timer("silence", patience_s, self._on_silence)

    def _on_silence(self) -> None:
        self._deliver(self._decoder.flush())
        self._await_silence()

    def _deliver(self, decoded: list[Decoded]) -> None:
        self._take_answers(decoded)
        self._delivery.take(decoded)

    # Size and painting.

    def _post_size(self) -> None:
        cells, pixels = self._terminal_size()
        self._size = cells
        self.send_message(events.Resize.from_dimensions(cells, pixels))

    def _terminal_size(self) -> tuple[tuple[int, int], tuple[int, int] | None]:
        """Cells and pixels (None when unknown) as the kernel has them; COLUMNS and LINES may be stale."""
        empty = struct.pack("4H", 0, 0, 0, 0)
        try:
            packed = fcntl.ioctl(self._output_fd, termios.TIOCGWINSZ, empty)
        except OSError:
            packed = empty
        rows, cols, width, height = struct.unpack("4H", packed)
        cells = (cols or FALLBACK_SIZE[0], rows or FALLBACK_SIZE[1])
        return cells, (width, height) if width and height else None

    def _on_congested(self, congested: bool) -> None:
        """Rule 3: what changes meanwhile is painted once, as it is then."""
        if congested:
            self._held_paint.enter_context(self._app.batch_update())
        else:
            self._held_paint.close()
            self._repaint()

    def _repaint(self) -> None:
        with suppress(ScreenStackError):  # The app is ending.
            self._app.screen.refresh()

    # Callbacks. A signal handler runs in the context of whatever it interrupts, so ours is given along.

    def _set_timer(self, name: str, delay_s: float, callback: Callable[[], None]) -> None:
        self._cancel_timer(name)
        self._timers[name] = self._loop.call_later(delay_s, callback, context=self._context)

    def _cancel_timer(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()

    def _call_soon(self, callback: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(callback, context=self._context)
