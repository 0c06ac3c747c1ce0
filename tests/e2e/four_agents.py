"""OpenCode, Claude Code, Codex and Gemini CLI in four visible panes, worked by hand in a real UI.

What is typed, pasted and scrolled goes through the outer terminal, as it does for a person.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from orca_tui.layout import Rect
from orca_tui.status.record import Status
from orca_tui.ui.selection import cells_of
from tests.e2e.agents import CLAUDE, CODEX, GEMINI
from tests.e2e.hand import Hand
from tests.e2e.journey import ENTER_LOST_S
from tests.e2e.opencode import OpenCode, script
from tests.e2e.sandbox import Sandbox
from tests.hosts.model_api import serving
from tests.hosts.scripts import Say, prompt_of

COLS, ROWS = 200, 56
SIDEBAR_COLS = 30
TITLE_ROWS = 1
START_S = 90.0  # The first start of OpenCode makes its database.
PATIENCE_S = 30.0
TURN_S = 0.1  # Within it a turn of the wheel is seen.
MOST_TURNS = 200
WHEEL_UP, WHEEL_DOWN = 64, 65
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"

REPORT = "\n".join(f"line {number:02} of a report: ümläuts, 端末, $(x) `y` \\z" for number in range(90))
"""More than 4 KiB in many lines, as people paste."""
ANSWER, ANSWER_ROWS = "- one row of a long answer\n", 60
LAST_CHARS = 6
"""Of a script: so many stand in one row, and no earlier script ends in them."""
SCRIPT = "DO:["
"""Stands in the prompt, so above the answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guest:
    """One agent, and its words for what is done with it."""

    name: str
    command: tuple[str, ...]
    takes_prompt: str
    pasted: str
    """What it shows in place of a long paste."""
    prompt: str
    """The prompt after which it answers in many rows."""


GUESTS = (
    Guest(
        name="opencode",
        command=(),
        takes_prompt="Ask anything",
        pasted="[Pasted ~",
        prompt=script({"text": ANSWER, "n": ANSWER_ROWS, "delay": 0.02}),
    ),
    *(
        Guest(
            name=agent.name,
            command=agent.command,
            takes_prompt=agent.takes_prompt,
            pasted=pasted,
            prompt=prompt_of(Say(ANSWER, times=ANSWER_ROWS)),
        )
        for agent, pasted in (
            (CLAUDE, "[Pasted text #"),
            (CODEX, "[Pasted Content "),
            (GEMINI, "[Pasted Text: "),
        )
    ),
)


class FourAgents:
    """The four in one tab, and the UI that shows them."""

    def __init__(self, sandbox: Sandbox, hand: Hand, logs: dict[str, Path]) -> None:
        self._sandbox = sandbox
        self.hand = hand
        self._logs = logs
        self.panes = {guest.name: self._open(guest) for guest in GUESTS}
        tab = sandbox.panes()[self.panes[GUESTS[0].name]]["tab"]
        sandbox.run("arrange", tab, "tiled")
        self.terminal = sandbox.terminal("attach", cols=COLS, rows=ROWS)

    def _open(self, guest: Guest) -> str:
        beside = ("--split", "right") if guest is not GUESTS[0] else ()
        command = ("--", *guest.command) if guest.command else ()
        return self._sandbox.open(*beside, "--name", guest.name, "--agent", guest.name, *command)

    def begin(self) -> None:
        """Wait until each takes a prompt."""
        for guest in GUESTS:
            self.shows(guest, guest.takes_prompt, START_S)

    # The agents

    def shows(self, guest: Guest, text: str, timeout: float = PATIENCE_S) -> None:
        """Wait until an agent's screen holds a text."""
        pane = self.panes[guest.name]
        self._until(lambda: text in self.hand.screen(pane), f"{guest.name} shows {text!r}", timeout)

    def focus(self, guest: Guest) -> None:
        """Give a pane the keyboard by a click on it."""
        quarter = self.quarter(guest)
        click = f"{quarter.x + 2};{quarter.y + 2}"
        pane = self.panes[guest.name]
        self.terminal.write(f"\x1b[<0;{click}M\x1b[<0;{click}m")
        self._until(lambda: self.hand.focused() == pane, f"{guest.name} has the keyboard")

    def paste(self, text: str) -> None:
        """Paste into the focused pane, as a terminal does."""
        self.terminal.write(PASTE_BEGINS + text + PASTE_ENDS)

    def prompt(self, guest: Guest) -> None:
        """Type the agent's script behind what stands in its prompt, submit it, and wait for the end of its turn."""
        pane = self.panes[guest.name]
        turns = self.hand.pane(pane).turns
        self.terminal.write(f" {guest.prompt}")
        self.shows(guest, guest.prompt[-LAST_CHARS:])
        pressed_at = float("-inf")

        def ended() -> bool:
            record = self.hand.pane(pane)
            return record.turns > turns and record.status is Status.DONE

        def taken() -> bool:
            nonlocal pressed_at
            if self.hand.pane(pane).status is Status.WORKING or ended():
                return True
            if time.monotonic() > pressed_at + ENTER_LOST_S:  # It may count as a part of what was typed.
                pressed_at = time.monotonic()
                self.terminal.write("\r")
            return False

        self._until(taken, f"{guest.name} takes its prompt")
        self._until(ended, f"{guest.name} is done")

    def asked_with(self, guest: Guest, text: str) -> bool:
        """The agent's model was sent every line of a text."""
        bodies = self._logs[guest.name].read_text().splitlines()
        return any(_holds(json.loads(body), text) for body in bodies)

    # The UI's screen

    def quarter(self, guest: Guest) -> Rect:
        """Where a pane is on the UI's screen, without its borders."""
        at = GUESTS.index(guest)
        (first_cols, first_rows), (cols, rows) = self._size(GUESTS[0]), self._size(guest)
        return Rect(
            x=SIDEBAR_COLS + 1 + at % 2 * (first_cols + 1),
            y=TITLE_ROWS + 1 + at // 2 * (first_rows + 1),
            cols=cols,
            rows=rows,
        )

    def _size(self, guest: Guest) -> tuple[int, int]:
        return self.hand.pane(self.panes[guest.name]).size

    def seen(self, guest: Guest) -> str:
        """What the UI shows of a pane."""
        quarter = self.quarter(guest)
        rows = self.terminal.text().splitlines()[quarter.y : quarter.y + quarter.rows]
        return "\n".join(cells_of(row, quarter.x, quarter.x + quarter.cols) for row in rows)

    def resize(self, cols: int, rows: int) -> None:
        """Make the outer terminal another size, and wait until the four share it."""
        self.terminal.resize(cols, rows)

        def shared() -> bool:
            (left, upper), (right, _), (_, lower), _ = map(self._size, GUESTS)
            return (SIDEBAR_COLS + left + right + 2, TITLE_ROWS + upper + lower + 3) == (cols, rows)

        self._until(shared, f"the four share {cols} x {rows} cells")

    def sees(self, guest: Guest, text: str) -> None:
        """Wait until the UI shows a text in a pane."""
        self._until(lambda: text in self.seen(guest), f"the UI shows {text!r} in {guest.name}")

    def turn_wheel(self, guest: Guest, button: int, until: Callable[[str], bool]) -> None:
        """Turn the wheel over a pane until what the UI shows of it is as wanted."""
        quarter = self.quarter(guest)
        turn = f"\x1b[<{button};{quarter.x + quarter.cols // 2};{quarter.y + quarter.rows // 3}M"
        turned_at, turns = float("-inf"), 0

        def done() -> bool:
            nonlocal turned_at, turns
            if until(self.seen(guest)):
                return True
            if time.monotonic() > turned_at + TURN_S and turns < MOST_TURNS:
                turned_at, turns = time.monotonic(), turns + 1
                self.terminal.write(turn * 5)
            return False

        self._until(done, f"the wheel has moved {guest.name}")

    def _until(self, condition: Callable[[], bool], what: str, timeout: float = PATIENCE_S) -> None:
        self.terminal.until(condition, what, timeout)


def _holds(body: object, text: str) -> bool:
    plain = json.dumps(body, ensure_ascii=False)
    return all(json.dumps(line, ensure_ascii=False)[1:-1] in plain for line in text.splitlines())


@contextmanager
def seated() -> Iterator[FourAgents]:
    """The four with their models in a sandbox of their own, ready for a prompt."""
    with ExitStack() as stack:
        sandbox = stack.enter_context(closing(Sandbox()))
        opencode = stack.enter_context(closing(OpenCode(sandbox)))
        logs = {"opencode": opencode.requests}
        for agent in (CLAUDE, CODEX, GEMINI):
            logs[agent.name] = sandbox.root / f"{agent.name}.jsonl"
            model = stack.enter_context(serving(agent.dialect(), log=logs[agent.name]))
            agent.install(sandbox, model.url)
        sandbox.run("server", "start")
        four = FourAgents(sandbox, stack.enter_context(closing(Hand(sandbox))), logs)
        four.begin()
        yield four
