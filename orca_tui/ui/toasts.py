"""What people are told in passing: short texts at the edge of the screen, equal ones as one."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.notifications import Notification, Notify

from orca_tui.ui.texts import one_line, reading_s

SEVERITIES = ("information", "warning", "error")
FRESH = 0.5
"""The part of its time that a toast must have left to stand for an equal one too: it can still be read."""


class Toasts:
    """Those of one app, on whichever of its screens is on top."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._said: dict[tuple[str, str], Notification] = {}
        """By text and severity; what has expired is dropped with the next one."""

    def say(self, text: str, severity: str = "information") -> None:
        """Show a toast, a long one for longer; nothing in it is markup. An equal one that is there is not repeated."""
        known = severity if severity in SEVERITIES else "information"
        line = one_line(text)
        toast = Notification(line, severity=known, timeout=reading_s(text))  # type: ignore[arg-type]
        before = self._said.get((line, known))
        if before is not None and before.time_left > before.timeout * FRESH:
            toast.identity = before.identity  # Shown anew only if it was clicked away.
            self._app.post_message(Notify(toast))
            return
        if before is not None:
            self._app._unnotify(before)
        self._said = {key: one for key, one in self._said.items() if not one.has_expired}
        self._said[line, known] = toast
        self._app.post_message(Notify(toast))
