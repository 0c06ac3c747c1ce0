"""A stand-in for an agent's TUI: a prompt box that takes keys and bracketed pastes, and OSC 7501. Unix only.

    python prompting_agent.py LOG [--deaf N] [--mute] [--slow S] [--brief S]

Every submitted prompt is a line of JSON in LOG. Enter submits and starts a turn; Ctrl-E ends it, Escape
interrupts it, Ctrl-A asks for a permission, which any key answers. Ctrl-C empties the box, Ctrl-U too.
`--deaf N` ignores the first N times of Enter, `--mute` starts no turns, `--slow S` starts them S seconds late,
`--brief S` ends each after S seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import termios
import threading
import tty

TOKENS = re.compile(rb"\x1b\[200~(.*?)\x1b\[201~|\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)


def say(state: str) -> None:
    os.write(1, f"\x1b]7501;state={state}:app=claude-code\x07{state}\r\n".encode())


class Agent:
    def __init__(self, log: str, deaf: int, mute: bool, slow: float, brief: float) -> None:
        self.log = log
        self.deaf = deaf
        self.mute = mute
        self.slow = slow
        self.brief = brief
        self.box = b""
        self.asking = False

    def take(self, data: bytes) -> None:
        for match in TOKENS.finditer(data):
            self.key(match[0], match[1])

    def key(self, key: bytes, pasted: bytes | None) -> None:
        if self.asking:
            self.asking = False
            say("working")
        elif pasted is not None:
            self.box += pasted
            os.write(1, b"box: " + self.box.replace(b"\n", b"\r\n") + b"\r\n")
        elif key == b"\r":
            self.enter()
        elif key == b"\x05":
            say("done")
        elif key == b"\x1b":
            say("idle")
        elif key == b"\x01":
            self.asking = True
            say("blocked")
        elif key in (b"\x03", b"\x15"):
            self.box = b""
        elif key == b"\x7f":
            self.box = self.box[:-1]
        elif len(key) == 1:
            self.box += key

    def enter(self) -> None:
        if self.deaf:
            self.deaf -= 1
            return
        if not self.box:
            return
        with open(self.log, "a") as log:
            log.write(json.dumps(self.box.decode()) + "\n")
        self.box = b""
        if not self.mute:
            threading.Timer(self.slow, say, ("working",)).start() if self.slow else say("working")
        if self.brief:
            threading.Timer(self.slow + self.brief, say, ("done",)).start()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--deaf", type=int, default=0)
    parser.add_argument("--mute", action="store_true")
    parser.add_argument("--slow", type=float, default=0.0)
    parser.add_argument("--brief", type=float, default=0.0)
    parser.add_argument("--plugin-dir", help="what Claude Code is started with, and ignored here")
    parser.add_argument("--session-id")
    options = parser.parse_args()
    before = termios.tcgetattr(0)
    tty.setraw(0)
    agent = Agent(options.log, options.deaf, options.mute, options.slow, options.brief)
    os.write(1, b"\x1b[?2004h")
    say("idle")
    try:
        while data := os.read(0, 1 << 16):
            agent.take(data)
    finally:
        termios.tcsetattr(0, termios.TCSANOW, before)


if __name__ == "__main__":
    sys.exit(main())
