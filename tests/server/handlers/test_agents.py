"""agents list, allow, deny: in a running server, with programs of a test's making."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orca_tui.base.errors import Invalid, NotFound, Refused
from orca_tui.commands.agents import AGENTS, ALLOW, DENY, AgentRow, AgentsRequest, ConsentRequest
from tests.server.running import Api, Server

pytestmark = pytest.mark.anyio


async def row(api: Api, name: str) -> AgentRow:
    return next(one for one in (await api.call(AGENTS, AgentsRequest())).agents if one.name == name)


def codex(root: Path) -> dict[str, str]:
    program = root / "codex"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.171.0 && exit\necho "ran <$*>"; read x\n'
    )
    program.chmod(0o755)
    return {"PATH": f"{root}:/usr/bin:/bin", "HOME": str(root)}


async def test_every_agent_is_listed_with_what_tells_of_it_and_what_it_may(api: Api) -> None:
    agents = {one.name: one for one in (await api.call(AGENTS, AgentsRequest())).agents}

    assert {"opencode", "claude", "codex", "gemini"} <= set(agents)
    assert agents["claude"].consent == "not needed"
    assert "hook" in agents["claude"].evidence
    assert agents["codex"].consent == agents["gemini"].consent == "not asked"
    assert "hook" not in agents["codex"].evidence
    assert "command line" in agents["codex"].asks


async def test_codex_has_hooks_once_they_are_allowed_and_no_more_once_they_are_denied(api: Api) -> None:
    environment = codex(api.root)
    before = await api.info(await api.open("codex", environment=environment))
    assert before.command == ("codex", "--no-daemon")

    reply = await api.call(ALLOW, ConsentRequest(agent="codex"))
    assert reply.consent == "allowed"
    allowed = await api.info(await api.open("codex", environment=environment))
    assert any("hooks.state=" in word for word in allowed.command)
    allowed_row = await row(api, "codex")
    assert (allowed_row.consent, "hook" in allowed_row.evidence) == ("allowed", True)

    await api.call(DENY, ConsentRequest(agent="codex"))
    denied = await api.info(await api.open("codex", environment=environment))
    assert denied.command == before.command


async def test_geminis_extension_comes_with_consent_and_goes_with_it(api: Api) -> None:
    folder = api.root / ".gemini" / "extensions" / "orca-tui-status"

    await api.call(ALLOW, ConsentRequest(agent="gemini"))
    assert json.loads((folder / "gemini-extension.json").read_text())["name"] == "orca-tui-status"
    assert "hook_post.py gemini" in (folder / "hooks" / "hooks.json").read_text()
    inode = (folder / "hooks" / "hooks.json").stat().st_ino
    await api.call(ALLOW, ConsentRequest(agent="gemini"))
    assert (folder / "hooks" / "hooks.json").stat().st_ino == inode

    await api.call(DENY, ConsentRequest(agent="gemini"))
    assert not folder.exists()
    assert folder.parent.is_dir()
    assert (await row(api, "gemini")).consent == "denied"


async def test_a_folder_with_other_files_is_left_as_it_is_and_nothing_is_allowed(api: Api) -> None:
    folder = api.root / ".gemini" / "extensions" / "orca-tui-status"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text("mine")

    with pytest.raises(Refused, match=r"mine\.md"):
        await api.call(ALLOW, ConsentRequest(agent="gemini"))

    assert [path.name for path in folder.iterdir()] == ["mine.md"]
    assert (await row(api, "gemini")).consent == "not asked"


async def test_a_link_in_the_extensions_place_is_not_followed(api: Api) -> None:
    elsewhere = api.root / "elsewhere"
    elsewhere.mkdir()
    folder = api.root / ".gemini" / "extensions" / "orca-tui-status"
    folder.parent.mkdir(parents=True)
    folder.symlink_to(elsewhere)

    for command in (ALLOW, DENY):
        with pytest.raises(Refused):
            await api.call(command, ConsentRequest(agent="gemini"))

    assert list(elsewhere.iterdir()) == []


async def test_only_agents_that_need_consent_are_given_it(api: Api) -> None:
    with pytest.raises(Invalid):
        await api.call(ALLOW, ConsentRequest(agent="claude"))
    with pytest.raises(NotFound):
        await api.call(DENY, ConsentRequest(agent="skynet"))


async def test_consent_survives_the_server(server: Server, api: Api) -> None:
    await api.call(ALLOW, ConsentRequest(agent="codex"))

    file = server.parts.paths.state_dir / "consent.json"
    assert json.loads(file.read_text())["answers"] == {"codex": "allowed"}


async def test_agents_are_looked_for_in_the_path_of_whoever_asks(api: Api) -> None:
    environment = codex(api.root)

    here = await api.call(AGENTS, AgentsRequest(path=environment["PATH"], versions=False))
    elsewhere = await api.call(AGENTS, AgentsRequest(path="/nowhere", versions=False))

    (found,) = [one for one in here.agents if one.name == "codex"]
    assert (found.path, found.version) == (str(api.root / "codex"), None)
    assert {one.path for one in elsewhere.agents} == {None}
    assert "npm install -g @openai/codex" in [one.install for one in elsewhere.agents]
