"""`ctx`: all that a plugin is given. Everything else that it can do, Python lets it do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeAlias

from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.plugin_host import NOTIFY, NotifyRequest
from orca_tui.plugins.happenings import Subscription, Subscriptions
from orca_tui.plugins.offers import CommandRunner, Offers
from orca_tui.plugins.sessions import Sessions

Severity: TypeAlias = Literal["information", "warning", "error"]
Start: TypeAlias = Callable[[Coroutine[Any, Any, object]], None]


class Events:
    """What `ctx.event` is."""

    __slots__ = ("_subscriptions",)

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions

    def subscribe(self, pane: str | None = None) -> Subscription:
        """Changes as they happen, of one pane or of all: `async for event in ctx.event.subscribe()`.

        They begin when setup has returned, and end when the plugin is disposed.
        """
        return self._subscriptions.subscribe(pane)


class Face:
    """What `ctx.ui` is."""

    __slots__ = ("_client",)

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def notify(self, text: str, severity: Severity = "information") -> None:
        """Show a line in every UI that is attached, with the plugin's name before it."""
        await self._client.call(NOTIFY, NotifyRequest(text=text, severity=severity))


class Commands:
    """What `ctx.command` is."""

    __slots__ = ("_offers",)

    def __init__(self, offers: Offers) -> None:
        self._offers = offers

    def register(self, id: str, title: str, run: CommandRunner, description: str = "") -> None:
        """Offer a command in the palette and as `orca-tui plugins run`; `await run(pane)` is called for it.

        Raises `Invalid` for an id that is none or is taken. It is gone when the plugin is disposed.
        """
        self._offers.add(id, title, run, description)


class Context:
    """What `setup(ctx)` gets."""

    __slots__ = ("_start", "command", "event", "id", "session", "ui")

    def __init__(
        self, id: str, client: AsyncClient, subscriptions: Subscriptions, offers: Offers, start: Start
    ) -> None:
        self.id = id
        self.session = Sessions(client)
        self.event = Events(subscriptions)
        self.ui = Face(client)
        self.command = Commands(offers)
        self._start = start

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine beside everything else, from when setup has returned until the plugin is disposed.

        When it throws, the plugin has failed and is disposed.
        """
        self._start(work)
