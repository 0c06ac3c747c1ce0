"""A connection that works panes: cheaper than a process a command, where a test presses many keys."""

from __future__ import annotations

from contextlib import suppress

from orca_tui.base.errors import NotFound
from orca_tui.commands.explain import EXPLAIN, ExplainReply, ExplainRequest
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.paste import PASTE, PasteRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.wire import PaneInfo
from tests.e2e.sandbox import Sandbox, within


class Hand:
    """What a person does in the panes of a sandbox's server, which must run."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._client = sandbox.client()

    def open(self, agent: str | None, *command: str, name: str = "") -> str:
        """Open a pane in the project with the sandbox's environment; its id."""
        request = OpenRequest(
            agent=agent,
            command=command,
            name=name,
            cwd=str(self._sandbox.project),
            environment=self._sandbox.env,
        )
        return self._client.call(OPEN, request).pane

    def panes(self) -> list[str]:
        return [info.pane for info in self._client.call(LIST, Empty()).panes]

    def end(self, pane: str) -> None:
        """Close a pane, whatever runs in it; one that is gone is fine."""
        with suppress(NotFound):
            self._client.call(CLOSE, CloseRequest(target=pane, force=True))

    def keys(self, pane: str, *names: str) -> None:
        self._client.call(KEYS, KeysRequest(pane=pane, keys=names))

    def type(self, pane: str, text: str) -> None:
        """Give the pane's program a text as it is."""
        self._client.call(TYPE, TypeRequest(pane=pane, text=text))

    def paste(self, pane: str, text: str) -> None:
        self._client.call(PASTE, PasteRequest(pane=pane, text=text))

    def screen(self, pane: str) -> str:
        """What the pane shows, with wrapped lines joined."""
        return self._client.call(READ, ReadRequest(pane=pane, unwrap=True)).text

    def everything(self, pane: str) -> str:
        """The pane's scrollback and screen, with wrapped lines joined."""
        return self._client.call(READ, ReadRequest(pane=pane, source="all", unwrap=True)).text

    def focused(self) -> str | None:
        """The pane that has the keyboard."""
        return self._client.call(LIST, Empty()).focused

    def pane(self, pane: str) -> PaneInfo:
        return self._client.call(GET, GetRequest(pane=pane))

    def explain(self, pane: str) -> ExplainReply:
        return self._client.call(EXPLAIN, ExplainRequest(pane=pane))

    def shows(self, pane: str, text: str, timeout: float = 30) -> None:
        """Wait until the pane's screen holds a text."""
        if not self.has_shown(pane, text, timeout):
            raise AssertionError(f"not within {timeout} s: {pane} shows {text!r}\n{self.screen(pane)}")

    def has_shown(self, pane: str, text: str, timeout: float) -> bool:
        """Wait until the pane's screen holds a text; False when it still does not."""
        return within(lambda: text in self.screen(pane), timeout)

    def has_hidden(self, pane: str, text: str, timeout: float) -> bool:
        """Wait until the pane's screen does not hold a text; False when it still does."""
        return within(lambda: text not in self.screen(pane), timeout)

    def close(self) -> None:
        self._client.close()
