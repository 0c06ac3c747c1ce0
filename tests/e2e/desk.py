"""A real OpenCode 1 at work: who prompts it, who leaves notices for it, and what its model was asked."""

from __future__ import annotations

import itertools

from orca_tui.commands.send import SendReply
from tests.e2e.opencode import OpenCode, script
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.writer import Writer

DIALOG = "Permission required"


class Desk:
    """One OpenCode in one pane, with who prompts it and who leaves notices for it."""

    def __init__(self, sandbox: Sandbox, opencode: OpenCode) -> None:
        self.opencode = opencode
        self.sandbox = sandbox
        self.connect()
        self.pane = self.writer.open("opencode")
        self.writer.shows(self.pane, "Ask anything", 90)
        self._numbers = itertools.count(1)

    def connect(self) -> None:
        """To the server, which is started if there is none."""
        self.sandbox.run("server", "start")
        self.writer = Writer(self.sandbox)

    def prompt(self, *steps: object) -> str:
        """Type a prompt that scripts the model, and submit it; a word that only this prompt has."""
        word = f"prompt-{next(self._numbers)}"
        self.writer.paste(self.pane, f"{word} {script(*steps)}")  # type: ignore[arg-type]
        self.writer.shows(self.pane, word)
        self.writer.keys(self.pane, "enter")
        return word

    def turn(self, *steps: object) -> str:
        """A prompt and the whole turn that follows."""
        turns = self.writer.pane(self.pane).turns
        word = self.prompt(*steps)
        self.writer.turns(self.pane, turns + 1)
        return word

    def busy(self, gate: str) -> None:
        """A turn that runs, and whose model answers only after `opencode.release(gate)`."""
        word = self.prompt(self.opencode.held(gate))
        poll_until(lambda: self.opencode.asked(word), "the model is asked")
        self.writer.waits(self.pane, "working")

    def allow(self) -> None:
        """Answer the permission that is asked for, once its dialog is there to take the key."""
        self.writer.waits(self.pane, "waiting")
        self.writer.shows(self.pane, DIALOG)
        self.writer.keys(self.pane, "enter")

    def send(self, text: str, **fields: object) -> SendReply:
        return self.writer.send(self.pane, text, **fields)

    def empty_the_box(self) -> None:
        self.writer.keys(self.pane, "ctrl+c")
        self.nobody_types()

    def nobody_types(self) -> None:
        """Wait until the last key is no longer taken for somebody who types: then another condition fails first."""

        def quiet() -> bool:
            probe = self.send("probe", resume={"if_idle": True, "agent": "no such agent"})
            self.writer.cancel(self.pane, probe.id)
            return probe.reason == "agent_mismatch"

        poll_until(quiet, "nobody types")

    def arrived_once(self, text: str) -> bool:
        """Exactly one request had the text as the news of its turn, and no message repeats it."""
        requests = self.opencode.asked(text)
        repeats = [sum(text in message for message in request["conversation"]) for request in requests]
        return len(self.opencode.asked_last(text)) == 1 and set(repeats) == {1}
