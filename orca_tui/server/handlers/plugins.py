"""plugins list, plugins reload, plugins run, and what the plugin host says."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from orca_tui.commands.plugin_host import (
    ANSWER,
    NOTIFY,
    ORDERS,
    REPORT,
    AnswerRequest,
    NotifyRequest,
    OrderItem,
    ReportRequest,
)
from orca_tui.commands.plugins import (
    PLUGINS,
    RELOAD,
    RUN,
    PluginRow,
    PluginsReply,
    ReloadRequest,
    RunReply,
    RunRequest,
)
from orca_tui.commands.spec import Empty
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, Stream, at_once
from orca_tui.server.session import Session


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    plugins = Plugins(session)
    return (
        at_once(PLUGINS, plugins.list_plugins),
        Call(RELOAD, plugins.reload),
        Call(RUN, plugins.run),
        Stream(ORDERS, plugins.orders),
        Call(ANSWER, plugins.answer),
        Call(REPORT, plugins.report),
        Call(NOTIFY, plugins.notify),
    )


class Plugins:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._hosting = session.plugins

    def list_plugins(self, _: Empty) -> PluginsReply:
        return PluginsReply(plugins=self._hosting.rows())

    async def reload(self, request: ReloadRequest, _: Caller) -> PluginRow:
        return await self._hosting.reload(request.plugin)

    async def run(self, request: RunRequest, _: Caller) -> RunReply:
        if request.pane is not None:
            self._session.pane(request.pane)
        await self._hosting.run(request.plugin, request.command, request.pane)
        return RunReply(plugin=request.plugin, command=request.command)

    def orders(self, _: Empty, caller: Caller) -> AsyncGenerator[OrderItem, None]:
        return self._hosting.orders(caller)

    async def answer(self, request: AnswerRequest, caller: Caller) -> Empty:
        self._hosting.answered(request, caller)
        return Empty()

    async def report(self, request: ReportRequest, caller: Caller) -> Empty:
        self._hosting.reported(request, caller)
        return Empty()

    async def notify(self, request: NotifyRequest, caller: Caller) -> Empty:
        self._hosting.notify(request, caller)
        return Empty()
