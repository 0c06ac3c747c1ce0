"""Actions on tabs and workspaces, and opening agents."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from orca_tui.base.errors import NotFound
from orca_tui.commands.agents import AGENTS, AgentsRequest
from orca_tui.commands.open import OpenRequest
from orca_tui.commands.targets import (
    CLOSE,
    FOCUS,
    RENAME,
    CloseRequest,
    RenameRequest,
    TargetRequest,
)
from orca_tui.layout import Tab, Workspace
from orca_tui.status.record import RUNNING, roll_up
from orca_tui.ui.agent_items import agent_items
from orca_tui.ui.labels import pane_name, status_word, tab_name, workspace_name
from orca_tui.ui.operations.host import Host
from orca_tui.ui.operations.panes import Panes
from orca_tui.ui.pieces import MUTED, STATUS_STYLES, STRONG
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from orca_tui.ui.screens.filter_picker import FilterPicker
from orca_tui.ui.screens.live_picker import LivePicker
from orca_tui.ui.screens.picker import Choice, Item
from orca_tui.ui.world import World

SPLIT_KEYS = {"%": "right", '"': "down"}
NEW_WORKSPACE = "new"


class Tabs:
    def __init__(self, host: Host) -> None:
        self._host = host
        self._panes = Panes(host)

    async def new(self) -> None:
        """Open a shell in a new tab."""
        await self._panes.open(OpenRequest(cwd=self._panes.cwd()))

    async def open_agent(self) -> None:
        """Choose an agent; enter opens it in a new tab, `%` and `"` beside the focused pane."""
        host = self._host
        # Where the pane will find its program; a version would be worth no wait.
        request = AgentsRequest(path=host.variables.get("PATH"), versions=False)
        known = (await host.do(AGENTS, request)).agents
        items = agent_items(known, host.settings.config.agent_names())
        keys = {"%": "beside", '"': "below"} if host.world.focused else {}
        choice = await host.ask(FilterPicker("Open an agent", items, keys=keys, refuse=host.say))
        if choice is not None:
            wanted = OpenRequest(agent=choice.id, cwd=self._panes.cwd())
            await self._panes.open(wanted, split=SPLIT_KEYS.get(choice.key))

    async def step(self, which: str) -> None:
        tabs = [tab.id for tab in self._workspace().tabs]
        at = tabs.index(self._workspace().active) + (1 if which == "next" else -1)
        await self.show_id(tabs[at % len(tabs)])

    async def show(self, number: str) -> None:
        tabs = self._workspace().tabs
        if int(number) < len(tabs):
            await self.show_id(tabs[int(number)].id)
        else:
            self._host.say(f"there is no tab {number}")

    async def show_id(self, target: str) -> None:
        """Show a tab or a workspace."""
        await self._host.do(
            FOCUS, TargetRequest(target=target), until=lambda world, _: _is_shown(world, target)
        )

    async def rename(self) -> None:
        tab = self._tab()
        name = await self._host.ask(Prompt("Name of the tab", tab.name))
        if name is not None:
            await self._host.do(RENAME, RenameRequest(target=tab.id, name=name))

    async def close(self) -> None:
        """End all panes of the tab, after a question."""
        tab = self._tab()
        panes = self._host.world.of_tab(tab)
        busy = [pane for pane in panes if pane.status in RUNNING]
        detail = ", ".join(f"{pane_name(pane)} is {status_word(pane)}" for pane in busy)
        count = "its pane" if len(panes) == 1 else f"its {len(panes)} panes"
        question = Confirm(f"Close {tab_name(self._host.world, tab)} and {count}?", detail)
        if await self._host.ask(question):
            await self._host.do(
                CLOSE,
                CloseRequest(target=tab.id, force=True),
                until=lambda world, _: not _has(world, tab.id),
            )

    async def workspaces(self) -> None:
        """List workspaces and tabs; enter goes there, `n` opens a workspace."""

        async def rows() -> Sequence[Item]:
            return [
                item
                for workspace in self._host.world.layout.workspaces
                for item in (self._workspace_item(workspace), *map(self._tab_item, workspace.tabs))
            ]

        picker = LivePicker(
            "Workspaces",
            await rows(),
            rows,
            empty="There is no workspace yet; n opens one.",
            keys={"n": "new workspace"},
        )
        choice = await self._host.ask(picker)
        if isinstance(choice, Choice) and choice.key == "n":
            await self._panes.open(OpenRequest(cwd=self._panes.cwd(), workspace=NEW_WORKSPACE))
        elif isinstance(choice, Choice):
            await self.show_id(choice.id)

    async def rename_workspace(self) -> None:
        workspace = self._workspace()
        name = await self._host.ask(Prompt("Name of the workspace", workspace.name))
        if name is not None:
            await self._host.do(RENAME, RenameRequest(target=workspace.id, name=name))

    def _workspace_item(self, workspace: Workspace) -> Item:
        return Item(id=workspace.id, text=Content.styled(workspace_name(workspace), STRONG))

    def _tab_item(self, tab: Tab) -> Item:
        world, symbols = self._host.world, self._host.scene.symbols
        panes = world.of_tab(tab)
        status = roll_up(list(panes))
        mark, style = (
            (symbols.shell, MUTED) if status is None else (symbols.statuses[status], STATUS_STYLES[status])
        )
        text = Content.assemble(
            ("  ", ""),
            (f"{mark} ", style),
            tab_name(world, tab),
            (f"  {len(panes)} panes" if len(panes) > 1 else "", MUTED),
        )
        return Item(id=tab.id, text=text)

    def _tab(self) -> Tab:
        """Raises `NotFound`: it may have gone since the action was found possible."""
        tab = self._host.world.tab
        if tab is None:
            raise NotFound("the tab is gone")
        return tab

    def _workspace(self) -> Workspace:
        """Raises `NotFound`, as above."""
        workspace = self._host.world.workspace
        if workspace is None:
            raise NotFound("the workspace is gone")
        return workspace


def _is_shown(world: World, target: str) -> bool:
    workspace = world.workspace
    return workspace is not None and target in (workspace.id, workspace.active)


def _has(world: World, tab_id: str) -> bool:
    return any(tab.id == tab_id for workspace in world.layout.workspaces for tab in workspace.tabs)
