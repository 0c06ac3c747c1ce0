"""Everything at once in one server: floods, an editor, a program that wants the mouse, half a line, a turn.

A person is attached and looks at the tab with the quiet ones. Every program can tell afterwards what it has missed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.e2e.hand import Hand
from tests.e2e.opencode import OpenCode, script
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.terminal import OuterTerminal

COLS, ROWS = 150, 44
SETTINGS = "[terminal]\nscrollback_lines = 100000\n"
"""So many that all numbers are still there when they are looked at."""

COUNT = """
import select, sys
number = 0
while True:
    for _ in range(10):
        print("n", number, "x" * 60, sep="")
        number += 1
    sys.stdout.flush()
    select.select([], [], [], 0.01)
"""
"""Some 1000 lines a second, each with its number: a lost byte shows."""

MOUSE = r"""
import os, re, termios, tty
tty.setraw(0, termios.TCSANOW)
os.write(1, b"\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[2J\x1b[3;5Hmouse here")
clicks, heard = 0, b""
while data := os.read(0, 1024):
    heard += data
    found = re.findall(rb"\x1b\[<0;(\d+);(\d+)M", heard)
    if len(found) > clicks:
        clicks = len(found)
        os.write(1, b"\x1b[5;5Hclick %d at %s,%s" % (clicks, *found[-1]))
"""
"""On the alternate screen; says how often and where it was clicked."""


class Load:
    """The panes, and the UI that shows three of them."""

    def __init__(self, sandbox: Sandbox, opencode: OpenCode) -> None:
        self.sandbox = sandbox
        self._rounds = 0
        settings = Path(sandbox.env["XDG_CONFIG_HOME"]) / "orca-tui" / "config.toml"
        settings.parent.mkdir()
        settings.write_text(SETTINGS)
        self.agent = opencode.open()
        self.counting = sandbox.open("--", sys.executable, "-c", COUNT)
        self.shell = sandbox.open("--", "/bin/bash", "--norc", "--noprofile")
        self.vim = self._beside("right", "vim", "-u", "NONE", "-N", "-n", str(self._text()))
        self.mouse = self._beside("down", sys.executable, "-c", MOUSE)
        sandbox.run("focus", self.shell)
        self.hand = Hand(sandbox)
        self.terminal: OuterTerminal = sandbox.terminal(cols=COLS, rows=ROWS)
        for text in ("$", "line 15", "mouse here"):
            self.terminal.shows(text)

    def begin(self) -> None:
        """Have a turn under way, half a line typed, and a pane that floods."""
        self._rounds += 1
        self.hand.paste(self.agent, script({"text": "finished", "after": str(self._gate())}))
        self.hand.shows(self.agent, "DO:")
        self.hand.keys(self.agent, "enter")
        poll_until(lambda: self.hand.pane(self.agent).status == "working", "a turn is under way", 60)
        self.terminal.write(f"echo half{self._rounds}")
        self.terminal.shows(f"echo half{self._rounds}")
        self.flood = self.hand.open(None, "/usr/bin/yes")
        self.hand.shows(self.flood, "y\ny")

    def screens(self) -> dict[str, str]:
        """Those of the panes in which nothing happens unless somebody does something."""
        return {pane: self.hand.screen(pane) for pane in (self.shell, self.vim, self.mouse)}

    def meet_next_server(self) -> None:
        """Talk to the server that is there now, which the UI does already."""
        self.terminal.shows("has taken over")
        self.hand.close()
        self.hand = Hand(self.sandbox)

    def end_flood(self) -> None:
        """Once it has gone on under the next server: it takes a core from all that is looked at."""
        self.sandbox.run("close", self.flood, "--force")

    def use(self) -> None:
        """Go on in every other pane the way a person would."""
        self.terminal.write(f" line{self._rounds}\r")
        line = f"half{self._rounds} line{self._rounds}"
        self.terminal.until(lambda: self.terminal.text().count(line) == 2, "the line and its echo")
        self.hand.paste(self.vim, f"a round {self._rounds} ")
        self.hand.keys(self.vim, "escape")
        self.hand.shows(self.vim, f"round {self._rounds}")
        self._click("mouse here")
        self.hand.shows(self.mouse, f"click {self._rounds} at 5,3")
        self.sandbox.run("focus", self.shell)

    def finish_turn(self) -> None:
        """Let the model say no more."""
        self._gate().touch()

    def numbers(self) -> list[int]:
        """What was counted so far, as far back as it is kept."""
        text = self.sandbox.run("read", self.counting, "--source", "all")
        return [int(number) for number in re.findall(r"^n(\d+)x{60}$", text, re.MULTILINE)]

    def close(self) -> None:
        self.hand.close()

    def _beside(self, where: str, *command: str) -> str:
        return self.sandbox.open("--split", where, "--beside", self.shell, "--", *command)

    def _gate(self) -> Path:
        return self.sandbox.root / f"gate{self._rounds}"

    def _text(self) -> Path:
        path = self.sandbox.root / "text"
        path.write_text("".join(f"line {number}\n" for number in range(1, 1000)))
        return path

    def _click(self, text: str) -> None:
        """Click where a text stands in the UI."""
        rows = self.terminal.text().split("\n")
        row = next(at for at, line in enumerate(rows) if text in line)
        column = rows[row].index(text)
        for end in "Mm":
            self.terminal.write(f"\x1b[<0;{column + 1};{row + 1}{end}")
