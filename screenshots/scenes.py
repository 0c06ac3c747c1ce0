"""What the pictures show: each scene runs the real program with scripted agents and saves one or more pictures."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from screenshots.picture import save
from tests.e2e.four_agents import GUESTS, REPORT, seated
from tests.e2e.opencode import OpenCode
from tests.e2e.opencode2 import OpenCode2
from tests.e2e.rebooting import server_pid
from tests.e2e.sandbox import Sandbox
from tests.e2e.terminal import OuterTerminal

COLS, ROWS = 140, 40
PREFIX = "\x02"
ESCAPE = "\x1b[27u"

Save = Callable[[OuterTerminal, str], None]
"""Saves what a terminal shows under a name."""


def into(directory: Path) -> Save:
    """Saves into a directory, as NAME.svg."""

    def save_as(terminal: OuterTerminal, name: str) -> None:
        path = directory / f"{name}.svg"
        save(terminal, path, "orca-tui")
        print(path, flush=True)

    return save_as


def agents(sandbox: Sandbox, picture: Save) -> None:
    """Four agents: one asks, one works, one is done, and a shell."""
    opencode = OpenCode(sandbox)
    try:
        asking = opencode.open("--name", "api")
        opencode.prompt(
            asking, {"tool": "bash", "args": {"command": "git push", "description": "Push the branch"}}
        )
        sandbox.wait(asking, "waiting", timeout=60)
        working = opencode.open("--split", "right", "--name", "web")
        opencode.prompt(working, {"text": "Refactoring the parser, step", "n": 500, "delay": 0.2})
        sandbox.wait(working, "working", timeout=60)
        shell = sandbox.open(
            "--split", "down", "--agent", "shell", "--", "/bin/bash", "--norc", "--noprofile"
        )
        sandbox.run("type", shell, "ls --color /usr/share | head -8\r")
        done = opencode.open("--name", "docs")
        opencode.prompt(done, {"text": "The pages are up to date."})
        sandbox.wait(done, "done", timeout=60)
        sandbox.run("focus", asking)
        everything(sandbox, picture)
    finally:
        opencode.close()


def four_agents(picture: Save) -> None:
    """The real OpenCode, Claude Code, Codex and Gemini CLI in four visible panes: answered, and pasted into."""
    with seated() as four:
        for guest in GUESTS:
            four.focus(guest)
            four.paste(REPORT)
            four.shows(guest, guest.pasted)
            four.prompt(guest)
        for guest in GUESTS:
            four.focus(guest)
            four.paste(REPORT)
            four.sees(guest, guest.pasted)
        picture(four.terminal, "four-agents")


def everything(sandbox: Sandbox, picture: Save) -> None:
    """The overview and the screens over it."""
    terminal = sandbox.terminal("attach", cols=COLS, rows=ROWS)
    terminal.shows("enter confirm")
    terminal.shows("Refactoring")
    picture(terminal, "overview")
    for keys, text, name in (
        (":", "Search actions", "palette"),
        ("", "Split down", "which-key"),
        ("D", "by status", "dashboard"),
        ("i", "│ Inbox", "inbox"),
        ("?", "│ Keys", "help"),
    ):
        terminal.write(PREFIX + keys)
        terminal.shows(text)
        picture(terminal, name)
        terminal.write(ESCAPE)
        terminal.hides(text)


def survive(sandbox: Sandbox, picture: Save) -> None:
    """The server is killed under a turn, an editor and half a line; the next one takes over."""
    opencode = OpenCode(sandbox)
    try:
        working = opencode.open("--name", "api")
        opencode.prompt(working, {"text": "Refactoring the parser, step", "n": 500, "delay": 0.2})
        sandbox.wait(working, "working", timeout=60)
        notes = sandbox.project / "notes.md"
        notes.write_text("# Release\n\n- tests are green\n- tag it\n")
        sandbox.open("--split", "right", "--name", "notes", "--", "vim", "-u", "NONE", "-N", "-n", str(notes))
        shell = sandbox.open("--split", "down", "--focus", "--", "/bin/bash", "--norc", "--noprofile")
        terminal = sandbox.terminal("attach", cols=COLS, rows=ROWS)
        for text in ("step 9", "tag it", "$"):
            terminal.shows(text, timeout=30)
        sandbox.run("focus", shell)
        terminal.write("git commit -m 'half a line")
        terminal.shows("half a line")
        picture(terminal, "survive-before")
        os.kill(server_pid(sandbox), signal.SIGKILL)
        terminal.shows("has taken over")
        terminal.write(", and the rest")
        terminal.shows("half a line, and the rest")
        picture(terminal, "survive-after")
    finally:
        opencode.close()


def reload(sandbox: Sandbox, picture: Save) -> None:
    """An OpenCode 2 turn across a reload of the plugin: before, during and after."""
    host = OpenCode2(sandbox)
    events = sandbox.open(
        "--split", "down", "--agent", "shell", "--", *sandbox.command, "events", "--pane", host.pane
    )
    sandbox.shows(events, "following server")
    terminal = sandbox.terminal("attach", cols=COLS, rows=ROWS)
    host.start_turn()
    sandbox.wait(host.pane, "working")
    terminal.shows("working")
    picture(terminal, "reload-1-before")
    setups = host.count("setup")
    host.edit_plugin()
    host.wait_for_reload(setups)
    terminal.shows('"rec":"dispose"')
    picture(terminal, "reload-2-during")
    host.finish()
    sandbox.wait(host.pane, "done")
    terminal.shows("working -> done")
    picture(terminal, "reload-3-after")
