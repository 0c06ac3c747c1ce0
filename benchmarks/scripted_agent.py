"""An agent without a model: changes its state so many times a second, tells of it, and logs what it told and when.

Runs in a pane. `STATES_KIND` says how it tells (`program_status`, `title`, `hook`), `STATES_LOG` where it logs,
`STATES_CHANGES` and `STATES_EVERY_S` how often, `STATES_SEED` in which order. Standard library only.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import time
from collections.abc import Callable, Iterator

Tell = Callable[[str], None]

NEXT = {
    "idle": ("working",),
    "done": ("working",),
    "working": ("waiting", "done"),
    "waiting": ("working",),
}
PROGRAM_STATES = {"working": "working", "waiting": "blocked:kind=permission", "done": "done", "idle": "idle"}
TITLES = {
    "working": "✦  Working… (bench)",
    "waiting": "✋  Action Required (bench)",
    "done": "◇  Ready (bench)",
}
TITLES["idle"] = TITLES["done"]


def states(seed: int) -> Iterator[str]:
    """The states of turns, in an order that the seed decides."""
    pick = random.Random(seed)
    state = "idle"
    while True:
        state = pick.choice(NEXT[state])
        yield state


def tell_by_program_status(state: str) -> None:
    os.write(1, f"\x1b]7501;state={PROGRAM_STATES[state]}\x1b\\".encode())


def tell_by_title(state: str) -> None:
    os.write(1, f"\x1b]2;{TITLES[state]}\x07".encode())


class Hooks:
    """Posts what Claude Code's hooks would."""

    def __init__(self) -> None:
        self._turn = 0
        self._before = "idle"

    def __call__(self, state: str) -> None:
        asked = {"tool_name": "Bash", "tool_use_id": f"tool-{self._turn}", "ask": "Bash: true"}
        match state:
            case "working" if self._before != "waiting":
                self._turn += 1
                self._post("UserPromptSubmit")
            case "working":
                self._post("PostToolUse", **asked)
            case "waiting":
                self._post("PermissionRequest", **asked)
            case "done":
                self._post("Stop")
            case _:
                self._post("SessionStart", source="startup")
        self._before = state

    def _post(self, event: str, **facts: str) -> None:
        body = {"hook_event_name": event, "session_id": "bench", "at": time.time(), **facts}
        if self._turn:
            body["prompt_id"] = f"turn-{self._turn}"
        headers = {"authorization": f"Bearer {os.environ['ORCA_TUI_TOKEN']}"}
        connection = UnixConnection(os.environ["ORCA_TUI_INTAKE"])
        connection.request("POST", "/v1/intake/claude", json.dumps(body), headers)
        connection.getresponse().read()
        connection.close()


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


def main() -> None:
    kinds: dict[str, Callable[[], Tell]] = {
        "program_status": lambda: tell_by_program_status,
        "title": lambda: tell_by_title,
        "hook": Hooks,
    }
    tell = kinds[os.environ["STATES_KIND"]]()
    every_s = float(os.environ["STATES_EVERY_S"])
    changes = int(os.environ["STATES_CHANGES"])
    order = states(int(os.environ["STATES_SEED"]))
    tell("idle")
    due = time.monotonic()
    with open(os.environ["STATES_LOG"], "w", buffering=1) as log:
        for _ in range(changes):
            due += every_s
            time.sleep(max(0.0, due - time.monotonic()))
            state = next(order)
            log.write(f"{time.time()} {state}\n")
            tell(state)
        log.write("end\n")
    time.sleep(3600)  # Its last state stays until it is killed.


if __name__ == "__main__":
    main()
