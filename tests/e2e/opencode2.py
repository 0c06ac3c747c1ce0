"""The OpenCode 2 host double in a pane, as the pane's agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.sandbox import Sandbox, poll_until

HOST = Path(__file__).parent.parent / "hosts" / "opencode_host.mjs"
A_LONG_TURN_MS = 600_000  # Until `finish`.


class OpenCode2:
    """One host in one pane, driven by lines typed into it; its records are what the pane shows."""

    def __init__(self, sandbox: Sandbox, *options: str, untyped: bool = False) -> None:
        """`untyped`: its commands come from a file, since what is typed into a pane is its user's."""
        self.sandbox = sandbox
        self.commands = sandbox.root / "commands.jsonl" if untyped else None
        self.config_dir = Path(sandbox.env["XDG_CONFIG_HOME"]) / "opencode"
        self.plugin = self.config_dir / "plugins" / "orca-tui-status.js"
        host = [
            "node",
            str(HOST),
            "--host",
            "v2",
            "--config",
            str(self.config_dir),
            "--location",
            str(sandbox.project),
        ]
        # Records are longer than a line and not to be mixed with the echo of what is typed.
        source = "" if self.commands is None else f"tail -n +1 -f {self.commands} |"
        if self.commands is not None:
            self.commands.touch()
        shell = f"stty -echo; {source} {' '.join(host)} {' '.join(options)} | tee {sandbox.root}/host.jsonl"
        self.pane = sandbox.open("--agent", "opencode", "--", "/bin/sh", "-c", shell)
        self.wait_for("the host is ready", lambda record: record["rec"] == "ready")

    def records(self) -> list[dict[str, Any]]:
        """All that the host has said so far."""
        path = self.sandbox.root / "host.jsonl"
        text = path.read_text() if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        return [json.loads(line) for line in whole.splitlines()]

    def count(self, what: str) -> int:
        """How many records of a kind there are for our plugin (`setup`, `dispose`), or at all."""
        return sum(
            record["rec"] == what and record.get("id", "orca-tui-status") == "orca-tui-status"
            for record in self.records()
        )

    def wait_for(self, what: str, matches: Any, timeout: float = 30) -> None:
        poll_until(lambda: any(map(matches, self.records())), what, timeout)

    def wait_for_reload(self, setups: int) -> None:
        poll_until(lambda: self.count("setup") > setups, "the plugin is set up again")

    def say(self, **command: Any) -> None:
        """Give the host a command."""
        if self.commands is None:
            self.sandbox.type(self.pane, json.dumps(command) + "\r")
        else:
            with self.commands.open("a") as commands:
                commands.write(json.dumps(command) + "\n")

    def does(self, **command: Any) -> None:
        """Give the host a command, and wait until it is done."""
        answered = self.count("active")
        self.say(**command)
        self.say(cmd="active")
        poll_until(lambda: self.count("active") > answered, f"{command} is done")

    def emit(self, kind: str, **data: Any) -> None:
        self.say(cmd="emit", event={"type": kind, "data": data})

    def start_turn(self, session: str = "ses_root", **options: Any) -> None:
        """Prompt a session; its turn runs until `finish`."""
        self.say(cmd="prompt", sessionID=session, text="work", ms=A_LONG_TURN_MS, **options)

    def finish(self, session: str = "ses_root") -> None:
        self.say(cmd="finish", sessionID=session)

    def edit_plugin(self) -> None:
        """Change one byte, at the end, where a comment takes it."""
        source = self.plugin.read_text()
        self.plugin.write_text(source.rstrip("\n") + "\n// edited\n")
