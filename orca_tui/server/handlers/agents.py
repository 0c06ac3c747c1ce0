"""agents list, agents allow, agents deny: which agents there are, and what each may do."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from orca_tui.agents.adapter import AgentAdapter, Extended, NeedsConsent
from orca_tui.base.errors import Invalid, NotFound
from orca_tui.commands.agents import (
    AGENTS,
    ALLOW,
    DENY,
    AgentRow,
    AgentsReply,
    AgentsRequest,
    ConsentReply,
    ConsentRequest,
)
from orca_tui.server.agent_files import refuse_foreign, remove_files, write_files
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, Deed
from orca_tui.server.preparing import hook_of
from orca_tui.server.session import Session


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    agents = KnownAgents(session)
    return (Call(AGENTS, agents.list_agents), Deed(ALLOW, agents.allow), Deed(DENY, agents.deny))


class KnownAgents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def list_agents(self, request: AgentsRequest, _: Caller) -> AgentsReply:
        variables = self._session.parts.environment.variables
        if request.path is not None:
            variables = {**variables, "PATH": request.path}
        rows = [
            self._row(adapter, variables, versions=request.versions)
            for adapter in self._session.parts.agents.adapters()
        ]
        return AgentsReply(agents=tuple(await asyncio.gather(*rows)))

    async def allow(self, request: ConsentRequest, _: Caller) -> ConsentReply:
        """What is installed with consent is there, or was refused, before the consent is kept."""
        adapter = self._asking(request.agent)
        done = f"from the next {adapter.title} pane on"
        if isinstance(adapter, Extended):
            folder = self._extension_folder(adapter)
            await asyncio.to_thread(_install, folder, adapter.extension_files(hook_of(adapter)))
            done = f"its hooks are in {folder}"
        self._session.consent.store(adapter.name, "allowed")
        return ConsentReply(agent=adapter.name, consent="allowed", done=done)

    async def deny(self, request: ConsentRequest, _: Caller) -> ConsentReply:
        adapter = self._asking(request.agent)
        self._session.consent.store(adapter.name, "denied")
        done = f"{adapter.title} panes that are open stay as they are"
        if isinstance(adapter, Extended):
            folder = self._extension_folder(adapter)
            await asyncio.to_thread(remove_files, folder, adapter.extension_files(hook_of(adapter)))
            done = f"{folder} is gone"
        return ConsentReply(agent=adapter.name, consent="denied", done=done)

    async def _row(self, adapter: AgentAdapter, variables: Mapping[str, str], *, versions: bool) -> AgentRow:
        names = (self._session.parts.agents.command(adapter.name)[0], *sorted(adapter.commands))
        path = _program_of(names, variables.get("PATH"))
        asked = path if versions else None
        version = await self._session.versions.of(asked, adapter.packages, variables) if asked else None
        consent = self._consent(adapter)
        sources = self._session.parts.agents.sources(adapter.name, allowed=consent == "allowed")
        return AgentRow(
            name=adapter.name,
            title=adapter.title,
            path=path,
            version=version,
            install=adapter.install,
            evidence=tuple(map(str, sources)),
            consent=consent,
            asks=adapter.consent if isinstance(adapter, NeedsConsent) else "",
        )

    def _consent(self, adapter: AgentAdapter) -> Literal["allowed", "denied", "not asked", "not needed"]:
        if not isinstance(adapter, NeedsConsent):
            return "not needed"
        return self._session.consent.answer(adapter.name) or "not asked"

    def _asking(self, name: str) -> AgentAdapter:
        """The adapter of that name; raises for one that is not known or needs no consent."""
        adapter = self._session.parts.agents.by_name(name)
        if adapter is None:
            raise NotFound(f"no agent {name!r}; `orca-tui agents` lists them", agent=name)
        if not isinstance(adapter, NeedsConsent):
            raise Invalid(f"{adapter.title} needs no consent", agent=name)
        return adapter

    def _extension_folder(self, adapter: Extended) -> Path:
        folder = adapter.extension_folder(self._session.parts.environment.variables)
        if folder is None:
            raise Invalid("the server does not know where your home is; set HOME")
        return Path(folder)


def _program_of(names: Iterable[str], path: str | None) -> str | None:
    found = (shutil.which(name, path=path) for name in names)
    return next((program for program in found if program), None)


def _install(folder: Path, files: Mapping[str, bytes]) -> None:
    refuse_foreign(folder, files)
    write_files(folder, files)
