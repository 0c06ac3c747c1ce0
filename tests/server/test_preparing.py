"""What agents need before they start."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.commands.open import OpenRequest
from orca_tui.config import Environment
from orca_tui.process.probe import VersionProbe
from orca_tui.server import opencode_files
from orca_tui.server.consent import Consent
from orca_tui.server.launch import planned
from orca_tui.server.preparing import Prepared, Preparer
from orca_tui.server.versions import Versions
from status_plugin.generate import plugin_bytes, plugin_files

pytestmark = pytest.mark.anyio


class Machine:
    """A home with programs of a test's making."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            "HOME": str(root),
            "XDG_CONFIG_HOME": str(root / "config"),
            "PATH": f"{root}:{os.environ['PATH']}",
        }
        self.preparer = Preparer(
            versions=Versions(VersionProbe()),
            consent=Consent(root / "state"),
            plugin=plugin_files(),
            agents=Agents(),
            state_dir=root / "state",
        )

    def program(self, name: str, version: str) -> None:
        path = self.root / name
        path.write_text(f"#!/bin/sh\necho {version}\n")
        path.chmod(0o755)

    @property
    def plugin(self) -> Path:
        return self.root / "config" / "opencode" / "plugins" / "orca-tui-status.js"

    async def prepared(self, *command: str, agent: str | None = None) -> Prepared:
        request = OpenRequest(command=command, agent=agent, environment=self.environment)
        launch = planned(request, Environment({}), [], Agents())
        return await self.preparer.prepare(launch, Environment(self.environment))

    async def prepare(self, *command: str, agent: str | None = None) -> tuple[tuple[str, ...], str]:
        prepared = await self.prepared(*command, agent=agent)
        return prepared.argv, prepared.note


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


async def test_opencode_1_starts_as_it_is_and_gets_its_plugin(machine: Machine) -> None:
    machine.program("opencode", "1.18.33")

    assert await machine.prepare("opencode", "--continue") == (("opencode", "--continue"), "")

    assert machine.plugin.read_bytes() == plugin_bytes()


async def test_opencode_2_gets_a_server_of_its_own(machine: Machine) -> None:
    machine.program("opencode", "2.0.4")

    assert await machine.prepare(agent="opencode") == (("opencode", "--standalone"), "")


async def test_another_programs_version_is_not_taken_for_opencodes(machine: Machine) -> None:
    machine.program("sleep", "9.1")

    assert await machine.prepare("sleep", "100", agent="opencode") == (("sleep", "100"), "")


async def test_a_wrappers_own_version_is_not_taken_for_opencodes(machine: Machine) -> None:
    machine.program("npx", "11.0.0")

    assert await machine.prepare("npx", "opencode-ai") == (("npx", "opencode-ai"), "")


async def test_a_missing_program_is_started_all_the_same_so_that_its_pane_says_so(machine: Machine) -> None:
    machine.environment["PATH"] = "/bin"

    assert (await machine.prepare("opencode"))[0] == ("opencode",)


async def test_an_up_to_date_plugin_is_not_touched(machine: Machine) -> None:
    await machine.prepare("opencode")
    before = machine.plugin.stat()

    await machine.prepare("opencode")

    after = machine.plugin.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


async def test_a_foreign_file_in_the_plugins_place_is_left_and_told(machine: Machine) -> None:
    machine.plugin.parent.mkdir(parents=True)
    machine.plugin.write_text("// mine\n")

    argv, note = await machine.prepare("opencode")

    assert argv == ("opencode",)
    assert "not installed" in note
    assert machine.plugin.read_text() == "// mine\n"


async def test_a_config_folder_that_cannot_be_made_is_told(machine: Machine) -> None:
    (machine.root / "config").write_text("a file")

    assert "not installed" in (await machine.prepare("opencode"))[1]


async def test_an_installation_that_hangs_keeps_no_pane_from_opening(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    machine.plugin.parent.mkdir(parents=True)
    monkeypatch.setattr(opencode_files, "INSTALL_TIMEOUT_S", 0.1)
    folder = os.open(machine.plugin.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        argv, note = await machine.prepare("opencode")
    finally:
        os.close(folder)

    assert argv == ("opencode",)
    assert "another process" in note


async def test_claude_gets_its_plugin_and_a_session_of_a_known_id(machine: Machine) -> None:
    machine.program("claude", "2.1.332")
    folder = machine.root / "state" / "agents" / "claude"

    prepared = await machine.prepared("claude", "fix")

    uuid.UUID(prepared.session_id)
    options = ("--plugin-dir", str(folder), "--session-id", prepared.session_id)
    assert prepared.argv == ("claude", *options, "fix")
    hooks = json.loads((folder / "hooks" / "hooks.json").read_bytes())["hooks"]
    assert "hook_post.py claude" in hooks["Stop"][0]["hooks"][0]["command"]
    assert prepared.note == ""


async def test_each_start_of_claude_begins_another_session(machine: Machine) -> None:
    machine.program("claude", "2.1.332")

    first, second = await machine.prepared("claude"), await machine.prepared("claude")

    assert first.session_id != second.session_id


async def test_files_that_cannot_be_written_are_told_and_claude_starts_without_them(machine: Machine) -> None:
    machine.program("claude", "2.1.332")
    (machine.root / "state").write_text("a file")

    prepared = await machine.prepared("claude")

    assert prepared.argv[:2] == ("claude", "--session-id")
    assert "starts without our hooks" in prepared.note


async def test_a_program_that_only_is_said_to_be_claude_gets_no_options_of_claude(machine: Machine) -> None:
    assert (await machine.prepare("sleep", "1", agent="claude"))[0] == ("sleep", "1")


@pytest.mark.parametrize(
    ("command", "lacks"),
    [("codex", True), ("codex exec x", False), ("codex -c hooks={}", False), ("claude", False)],
)
async def test_what_could_be_started_otherwise_with_consent_says_so(
    machine: Machine, command: str, lacks: bool
) -> None:
    machine.program("codex", "0.171.0")
    machine.program("claude", "2.1.332")

    assert (await machine.prepared(*command.split())).lacks_consent is lacks

    Consent(machine.root / "state").store("codex", "allowed")
    assert not (await machine.prepared(*command.split())).lacks_consent


async def test_an_old_claude_is_started_as_it_is(machine: Machine) -> None:
    machine.program("claude", "1.0.9")

    assert await machine.prepare("claude") == (("claude",), "")


async def test_other_programs_are_left_alone(machine: Machine) -> None:
    assert await machine.prepare("vim") == (("vim",), "")
    assert not machine.plugin.exists()


async def test_a_shell_beside_an_installed_opencode_gets_its_plugin_and_another_does_not(
    machine: Machine,
) -> None:
    environment = {**machine.environment, "PATH": str(machine.root)}
    await machine.preparer.prepare_shell(Environment(environment))
    assert not machine.plugin.exists()

    machine.program("opencode", "1.18.33")
    await machine.preparer.prepare_shell(Environment(environment))
    assert machine.plugin.read_bytes() == plugin_bytes()


async def test_an_opencode_and_a_shell_are_shown_a_folder_of_the_users_own_with_our_plugin_in_it(
    machine: Machine,
) -> None:
    machine.program("opencode", "1.18.33")
    (machine.root / "mine").mkdir()
    machine.environment["OPENCODE_CONFIG_DIR"] = str(machine.root / "mine")

    pane, shell, other = [await machine.prepared(*command) for command in (("opencode",), (), ("vim",))]

    overlay = Path(pane.environment["OPENCODE_CONFIG_DIR"])
    assert (overlay / "plugins" / "orca-tui-status.js").read_bytes() == plugin_bytes()
    assert shell.environment == pane.environment
    assert other.environment == {}
    assert list((machine.root / "mine").iterdir()) == []
