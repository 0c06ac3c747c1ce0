"""OpenCode, Claude Code, Codex and Gemini CLI in one UI, all driven at once: prompt, permission, Esc, prompt, done.

    python -m tests.e2e.side_by_side

prints what the sidebar showed of each, beside what it should have shown, and why; exits with 1 on any difference.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from orca_tui.status.record import Status
from orca_tui.ui.sidebar_rows import GROUPS
from orca_tui.ui.symbols import UNICODE
from tests.e2e.agents import CLAUDE, CODEX, GEMINI
from tests.e2e.four_agents import SIDEBAR_COLS, FourAgents, seated
from tests.e2e.journey import ENTER_LOST_S, PASTE_S, PATIENCE_S
from tests.e2e.opencode import script
from tests.e2e.terminal import OuterTerminal
from tests.hosts.scripts import Run, Say, prompt_of

EXPECTED = ("idle", "working", "waiting", "idle", "working", "done")
HEADINGS = {title: status for status, title in GROUPS}
STATUSES = {glyph: status for status, glyph in UNICODE.statuses.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Contestant:
    """One agent, and its words for what is done with it."""

    name: str
    asks: str
    permission: str
    """The prompt after which it asks to run a command."""
    answer: str
    """The prompt after which it answers and is done."""
    resumes: bool = False
    """It goes back to work for the moment in which it stops the turn; that may be too short to be seen."""


class Sidebar:
    """Reads the sidebar of a UI whenever there is something new on its screen."""

    def __init__(self, terminal: OuterTerminal, names: dict[str, str]) -> None:
        self._terminal = terminal
        self._names = names
        self.shown: dict[str, list[str]] = {pane: [] for pane in names}
        """The statuses of each pane, each once, in order."""

    def look(self) -> None:
        """Note what every pane's row says now: its glyph and the heading above it, where they agree."""
        heading: Status | None = None
        for line in self._terminal.text().splitlines():
            text = line[:SIDEBAR_COLS]
            if title := re.match(r" ([a-z ]+) ─", text):
                heading = HEADINGS.get(title[1])
            for pane, name in self._names.items():
                if row := re.search(rf"(\S) {name} {pane}\b", text):
                    status = STATUSES.get(row[1])
                    if status is not None and status is heading and self.shown[pane][-1:] != [status]:
                        self.shown[pane].append(str(status))

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Look until the condition holds."""

        def looked() -> bool:
            self.look()
            return condition()

        self._terminal.until(looked, what, PATIENCE_S)

    def until_all(self, status: str) -> None:
        self.until(lambda: all(shown[-1:] == [status] for shown in self.shown.values()), f"all {status}")


def contestants() -> Iterator[Contestant]:
    ran = {"tool": "bash", "args": {"command": "touch asked", "description": "Touch"}, "hang": 0.5}
    yield Contestant(
        name="opencode",
        asks="Permission required",
        permission=script(ran, {"text": "finished"}),
        answer=script({"text": "finished", "hang": 0.5}),
        resumes=True,
    )
    for agent in (CLAUDE, CODEX, GEMINI):
        yield Contestant(
            name=agent.name,
            asks=agent.screen.asks,
            permission=prompt_of(Run("touch asked"), Say("finished")),
            answer=prompt_of(Say("finished", pause_s=0.5)),
            resumes=agent is CODEX,
        )


class Race:
    """The four, which have just been started, and the sidebar that shows them."""

    def __init__(self, four: FourAgents, say: Callable[[str], None]) -> None:
        self._hand = four.hand
        self._say = say
        self._panes = {four.panes[one.name]: one for one in contestants()}
        self.sidebar = Sidebar(four.terminal, {pane: one.name for pane, one in self._panes.items()})

    def run(self) -> list[str]:
        """Go through all steps; the differences."""
        self.sidebar.until_all("idle")
        for shown in self.sidebar.shown.values():
            shown[:] = ["idle"]  # What an agent shows of its own start is not compared.
        self._explain("started")
        for pane, one in self._panes.items():
            self._prompt(pane, one.permission)
        self.sidebar.until_all("waiting")
        for pane, one in self._panes.items():
            self._hand.shows(pane, one.asks, PATIENCE_S)
        self._explain("asked")
        for pane in self._panes:
            self._escape(pane)
        self.sidebar.until_all("idle")
        self._explain("escaped")
        for pane, one in self._panes.items():
            self._prompt(pane, one.answer)
        self.sidebar.until_all("done")
        self._explain("answered")
        return list(self._differences())

    def _prompt(self, pane: str, text: str) -> None:
        before = len(self.sidebar.shown[pane])
        self._hand.paste(pane, text)
        self._hand.shows(pane, "DO:")
        threading.Event().wait(PASTE_S)
        self._hand.keys(pane, "enter")
        self._press_until(pane, "enter", lambda: len(self.sidebar.shown[pane]) > before)

    def _escape(self, pane: str) -> None:
        self._hand.keys(pane, "escape")
        self._press_until(pane, "escape", lambda: self.sidebar.shown[pane][-1] != "waiting")

    def _press_until(self, pane: str, key: str, condition: Callable[[], bool]) -> None:
        """Press again what the agent has not taken: the key may have come too soon for it."""
        pressed = time.monotonic()

        def done() -> bool:
            nonlocal pressed
            if condition():
                return True
            if time.monotonic() > pressed + ENTER_LOST_S:
                pressed = time.monotonic()
                self._hand.keys(pane, key)
            return False

        self.sidebar.until(done, f"{pane} takes {key}")

    def _explain(self, step: str) -> None:
        self._say(f"\n{step}:")
        for pane, one in self._panes.items():
            said = self._hand.explain(pane)
            taken = [seen for seen in said.observations if seen.taken]
            rule = f" [{taken[-1].source}: {taken[-1].why}]" if taken else ""
            self._say(f"  {one.name:9} {said.verdict}{rule}")

    def _differences(self) -> Iterator[str]:
        self._say("\nsidebar:")
        for pane, one in self._panes.items():
            shown = self.sidebar.shown[pane]
            seen = tuple(
                status for at, status in enumerate(shown) if not (one.resumes and between(shown, at))
            )
            self._say(f"  {one.name:9} {' > '.join(shown)}")
            if seen != EXPECTED:
                self._trail(pane)
                yield f"{one.name} showed {seen}, not {EXPECTED}"

    def _trail(self, pane: str) -> None:
        """What the pane's sources said, one after the other."""
        for one in self._hand.explain(pane).observations:
            self._say(f"    {one.at:.2f} {one.source} {one.what} [{one.why}] -> {one.status}")


def between(statuses: list[str], at: int) -> bool:
    """Whether this is the work between an ask and the rest after it."""
    return statuses[max(at - 1, 0) : at + 2] == ["waiting", "working", "idle"]


def compare(four: FourAgents, say: Callable[[str], None]) -> list[str]:
    """Drive all four through all steps; the differences between what was shown and what is true."""
    return Race(four, say).run()


def main() -> None:
    with seated() as four:
        differences = compare(four, print)
    print("\n" + ("\n".join(differences) or "no difference"))
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
