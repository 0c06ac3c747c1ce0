"""Asks for the consent that an agent needs, and tells the server the answer."""

from __future__ import annotations

from textual.content import Content

from orca_tui.commands.agents import ALLOW, DENY, ConsentRequest
from orca_tui.ui.operations.host import Host
from orca_tui.ui.screens.picker import Item, Picker
from orca_tui.wire import ConsentAsked

LATER, YES, NO = "later", "yes", "no"


class Consent:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def ask(self, asked: ConsentAsked) -> None:
        """Later comes first: somebody who types into a pane at that moment must not have agreed to anything."""
        items = [
            Item(id=LATER, text=Content("Not now")),
            Item(id=YES, text=Content(f"Yes, start {asked.title} with hooks from now on")),
            Item(id=NO, text=Content("No, and do not ask again")),
        ]
        choice = await self._host.ask(Picker(f"Hooks for {asked.title}?", items, about=asked.text))
        answer = choice.id if choice is not None else LATER
        request = ConsentRequest(agent=asked.agent)
        match answer:
            case "yes":
                reply = await self._host.do(ALLOW, request)
                self._host.say(f"{asked.title} has hooks {reply.done}")
            case "no":
                await self._host.do(DENY, request)
                self._host.say(
                    f"{asked.title} stays as it is; `orca-tui agents allow {asked.agent}` changes that"
                )
            case _:
                self._host.say(f"`orca-tui agents allow {asked.agent}` is another way to say yes")
