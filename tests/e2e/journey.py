"""One running agent, driven from scenario to scenario; what its pane was said to do is compared exactly."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from orca_tui.status.news import MAX_RINGS, RING_WINDOW_S
from orca_tui.wire import PaneInfo
from tests.e2e.hand import Hand
from tests.e2e.sandbox import Follower, poll_until, within
from tests.hosts.model_api import ModelServer
from tests.hosts.scripts import Step, prompt_of

LATE_S = 5.0
"""How late a status may be here, where two cores run several agents at once. That it comes within a second of its
evidence is shown where time is not the machine's: in the replays of `tests/accuracy`."""

PATIENCE_S = 60.0
"""How long an agent may take for what it does, on a busy machine."""

PASTE_S = 0.2
"""An Enter that comes sooner counts as a part of the paste: Gemini CLI does so for 60 ms."""

ENTER_LOST_S = 5.0
"""An agent that has asked its model nothing for so long has taken the Enter for a part of the paste."""

ANSWERS = 5
"""So often a key or a paste is tried again."""

ANSWER_LOST_S = 2.0
"""A dialog that is still there after so long has not taken the keys."""


EXIT_LOST_S = 10.0
"""An agent that is still there after so long has not taken the command to go."""


class Journey:
    """A pane with an agent. `seen_at` is when the driver last saw, or did, what a status follows from."""

    def __init__(self, *, hand: Hand, events: Follower, model: ModelServer, pane: str) -> None:
        self.hand = hand
        self.events = events
        self.model = model
        self.pane = pane
        self.seen_at = time.time()
        self._broken = False
        self._prompts = 0
        self._last_step = 0
        self._changes_before = 0
        self._changes_awaited = 0
        self._rings_before = 0

    @contextmanager
    def scenario(self, *statuses: str, rings: int) -> Iterator[None]:
        """All that happens to the pane within, and since the last scenario: exactly these, in this order."""
        assert not self._broken, "the agent was left in the middle of an earlier scenario"
        self._leave_room_for(rings)
        try:
            self._broken = True
            yield
            self._broken = False
            self.events.wait_for(
                lambda: len(self._new_changes()) >= len(statuses) and self._new_rings() >= rings, PATIENCE_S
            )
            assert [change["to"] for change in self._new_changes()] == list(statuses)
            assert self._new_rings() == rings
        except AssertionError as error:
            error.add_note(self.account())
            raise
        finally:
            self._changes_before += len(self._new_changes())
            self._changes_awaited = self._changes_before
            self._rings_before += self._new_rings()

    def prompt(self, *steps: Step) -> None:
        """Paste a scripted prompt and submit it; returns once the model was asked."""
        self._prompts += 1
        asked = self.model.asked
        self._last_step = asked + len(steps)
        mark = f"{self.pane}.{self._prompts} "
        self._paste(mark + prompt_of(*steps), mark)
        self._enter()
        if not self.model.wait_until_asked(asked + 1, ENTER_LOST_S):
            self.hand.keys(self.pane, "enter")
        assert self.model.wait_until_asked(asked + 1, PATIENCE_S), "the prompt did not reach the model"
        self.seen_at = time.time()

    def command(self, text: str) -> None:
        """Paste a slash command and submit it."""
        self._paste(text, text)
        self._enter()
        self.seen_at = time.time()

    def leave(self, text: str) -> None:
        """Give the slash command that ends the agent, until it has ended; the event of that is awaited."""
        for _ in range(ANSWERS):
            self.command(text)
            if self.events.wait_for(lambda: self._found("exited") is not None, EXIT_LOST_S):
                break
        self.until("exited")

    def _paste(self, text: str, shown: str) -> None:
        """Paste, until it is there: an agent that draws itself anew may lose what it was given before."""
        for _ in range(ANSWERS):
            self.hand.paste(self.pane, text)
            if self.hand.has_shown(self.pane, shown, ENTER_LOST_S):
                return
        raise AssertionError(f"the agent does not take {text!r}")

    def _enter(self) -> None:
        threading.Event().wait(PASTE_S)
        self.hand.keys(self.pane, "enter")

    def mark(self) -> None:
        """What the next status follows from happens now."""
        self.seen_at = time.time()

    def answered(self) -> None:
        """Wait until the model has played the last prompt's script to its end."""
        assert self.model.wait_until_answered(self._last_step, PATIENCE_S), "the model is not done"

    def pid(self) -> int:
        """The pane's process."""
        pid = self.record().pid
        assert pid is not None
        return pid

    def foreground_pid(self) -> int:
        """The leader of the process group that has the pane's terminal."""
        argv = ["ps", "-o", "tpgid=", "-p", str(self.pid())]
        return int(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)

    def keys(self, *names: str) -> None:
        self.hand.keys(self.pane, *names)
        self.seen_at = time.time()

    def answer(self, *names: str, dialog: str) -> None:
        """Press keys at a dialog, until it is gone: agents take none in its first moments."""
        for _ in range(ANSWERS):
            self.keys(*names)
            if self.hand.has_hidden(self.pane, dialog, ANSWER_LOST_S):
                return
        raise AssertionError(f"the dialog {dialog!r} does not take {names}")

    def stop(self) -> dict[str, Any]:
        """Press escape until the turn has ended; the event of that."""
        for _ in range(ANSWERS):
            self.keys("escape")
            if self.events.wait_for(lambda: self._found("idle") is not None, ANSWER_LOST_S):
                break
        return self.until("idle")

    def shows(self, text: str) -> None:
        self.hand.shows(self.pane, text, PATIENCE_S)
        self.seen_at = time.time()

    def shows_below(self, upper: str, lower: str) -> None:
        """Wait until the screen holds a text in the line after another."""
        pattern = re.compile(rf"{re.escape(upper)}.*\n.*{re.escape(lower)}")
        found = within(lambda: pattern.search(self.hand.screen(self.pane)) is not None, PATIENCE_S)
        assert found, f"{lower!r} is not below {upper!r}:\n{self.hand.screen(self.pane)}"

    def until(self, status: str) -> dict[str, Any]:
        """Wait for the next change to a status; its event. For what the agent takes its time to report."""
        assert self.events.wait_for(lambda: self._found(status) is not None, PATIENCE_S), f"never {status}"
        at = self._found(status)
        assert at is not None
        self._changes_awaited = at + 1
        return self._changes()[at]

    def promptly(self, status: str) -> dict[str, Any]:
        """Wait for the next change to a status that can be seen already; its event, which may not be late."""
        change = self.until(status)
        late = change["at"] - self.seen_at
        assert late <= LATE_S, f"{status} came {late:.2f} s after it could be seen"
        return change

    def record(self) -> PaneInfo:
        return self.hand.pane(self.pane)

    def is_of_kind(self, kind: str) -> bool:
        """Whether the record says so, at once or soon: the screen may tell it after the title."""
        return within(lambda: self.record().kind == kind, LATE_S)

    def until_rung(self) -> None:
        """Wait until the pane rang since the scenario began."""
        assert self.events.wait_for(lambda: self._new_rings() > 0, PATIENCE_S), "no ring"

    def _leave_room_for(self, rings: int) -> None:
        """Wait until rings of sources that any program can imitate are heard again."""

        def recent() -> int:
            return sum(ring["at"] > time.time() - RING_WINDOW_S for ring in self._rings())

        poll_until(lambda: recent() + rings <= MAX_RINGS, "there is room for rings", RING_WINDOW_S + 1)

    def account(self) -> str:
        """What is known when something is wrong."""
        said = self.hand.explain(self.pane)
        lines = [f"{o.at:.2f} {o.source} {o.what} [{o.why}] -> {o.status}" for o in said.observations[-15:]]
        since = [f"{change['from']}>{change['to']} {change.get('source')}" for change in self._new_changes()]
        return "\n".join(
            [
                f"since the last scenario: {since}, {self._new_rings()} rings",
                said.verdict,
                *lines,
                self.hand.screen(self.pane),
            ]
        )

    def _found(self, status: str) -> int | None:
        """Where the next change to a status is among all changes."""
        changes = self._changes()
        later = range(self._changes_awaited, len(changes))
        return next((at for at in later if changes[at]["to"] == status), None)

    def _changes(self) -> list[dict[str, Any]]:
        return [one for one in self.events.events if one["type"] == "status" and one["pane"] == self.pane]

    def _new_changes(self) -> list[dict[str, Any]]:
        return self._changes()[self._changes_before :]

    def _new_rings(self) -> int:
        return len(self._rings()) - self._rings_before

    def _rings(self) -> list[dict[str, Any]]:
        return [one for one in self.events.events if one["type"] == "ring" and one["pane"] == self.pane]
