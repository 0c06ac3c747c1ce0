"""A small Textual app on `OrcaDriver` that writes what reaches it, one JSON object a line, to a descriptor.

Run as `driver_probe.py REPORT_FD MODE...`; the test at the other end of the PTY plays the terminal.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import termios
from typing import Any

import msgspec
from textual import events
from textual.app import App, ComposeResult
from textual.widget import Widget

from orca_tui.ui.driver import OrcaDriver
from orca_tui.ui.input_messages import OrcaKey, PasteRefused, TerminalReply, UnboundKey, mouse_of

ACTION_KEYS = {
    "f9": "quit",
    "f8": "suspend_process",
    "f7": "crash",
    "f6": "any_motion",
    "f5": "hang",
    "f4": "flood",
    "f2": "lend",
}

FLOOD_PAINTS = 200
"""Changes of the screen after the terminal fell behind: some 100 frames if nothing held them."""


class Probe(Widget, can_focus=True):
    """Reports the input that a focused widget gets."""

    text = "ready"

    def render(self) -> str:
        return self.text

    def report(self, kind: str, **facts: Any) -> None:
        os.write(int(sys.argv[1]), json.dumps({"kind": kind, **facts}).encode() + b"\n")

    def on_key(self, event: events.Key) -> None:
        if event.key in ACTION_KEYS:
            return
        event.stop()
        event.prevent_default()
        assert isinstance(event, OrcaKey)
        source = msgspec.to_builtins(event.source)
        self.report("key", key=event.key, character=event.character, source=source)

    def on_unbound_key(self, event: UnboundKey) -> None:
        self.report("unbound", source=msgspec.to_builtins(event.source))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.report("mouse", button=event.button, source=msgspec.to_builtins(mouse_of(event)))

    on_mouse_up = on_mouse_move = on_mouse_scroll_up = on_mouse_scroll_down = on_mouse_down

    def on_paste(self, event: events.Paste) -> None:
        self.report("paste", length=len(event.text), text=event.text[:100])


class ProbeApp(App[None], inherit_bindings=False):
    """Does what its arguments and its keys say."""

    ENABLE_COMMAND_PALETTE = False
    painted = 0
    BINDINGS = [(key, action, action) for key, action in ACTION_KEYS.items()]  # noqa: RUF012 - Textual's way

    def compose(self) -> ComposeResult:
        yield Probe()

    @property
    def probe(self) -> Probe:
        return self.query_one(Probe)

    @property
    def driver(self) -> OrcaDriver:
        assert isinstance(self._driver, OrcaDriver)
        return self._driver

    def on_ready(self) -> None:
        self.probe.focus()
        self.call_after_refresh(lambda: self.probe.report("ready", size=list(self.size)))

    def on_resize(self, event: events.Resize) -> None:
        self.probe.report("resize", size=list(event.size))

    def on_app_focus(self) -> None:
        self.probe.report("focus", gained=True)

    def on_app_blur(self) -> None:
        self.probe.report("focus", gained=False)

    def on_terminal_reply(self, event: TerminalReply) -> None:
        self.probe.report("reply", name=type(event.reply).__name__, reply=msgspec.to_builtins(event.reply))

    def on_paste_refused(self, event: PasteRefused) -> None:
        self.probe.report("refused", size=event.size_bytes)

    def action_crash(self) -> None:
        raise RuntimeError("crash on purpose")

    def action_any_motion(self) -> None:
        self.driver.set_any_motion(True)

    def action_lend(self) -> None:
        """Lend the terminal to another program."""
        with self.suspend():
            os.write(1, b"lent to another program")
            self.probe.report("lent", lent=sys.stdin.readline())

    def action_hang(self) -> None:
        """A handler that never returns."""
        self.probe.report("hanging")
        while True:
            signal.pause()

    def action_flood(self) -> None:
        """Paint on while the terminal falls behind, then once more what must be seen in the end."""
        self.flood = self.set_interval(0.001, self.paint)
        self.paints_left = FLOOD_PAINTS
        self.largest_backlog = 0

    def paint(self) -> None:
        self.paints_left -= self.driver.congested
        self.largest_backlog = max(self.largest_backlog, self.driver.backlog_bytes)
        self.probe.text = "".join(chr(33 + (self.count() + cell) % 90) for cell in range(2000))
        if self.paints_left <= 0:
            self.flood.stop()
            self.probe.text = "the last frame"
            self.probe.report("flooded", largest_backlog=self.largest_backlog)
        self.probe.refresh()

    def count(self) -> int:
        self.painted += 7
        return self.painted


def main() -> None:
    if os.getpid() == os.getsid(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if "nohup" in sys.argv:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    app = ProbeApp(driver_class=OrcaDriver)
    app.run()
    sys.exit(app.return_code)


if __name__ == "__main__":
    main()
