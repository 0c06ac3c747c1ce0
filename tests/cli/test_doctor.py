"""`doctor`: finds what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orca_tui.cli.checks import server_findings
from orca_tui.commands.server_status import ServerStatusReply
from status_plugin.generate import PLUGIN_FILE_NAME, plugin_bytes
from tests.cli.conftest import Home, Orca


@pytest.fixture
def home(homes: Callable[[], Home]) -> Home:
    """A home of each test's own, with no program on its PATH."""
    home = homes()
    (home.root / "bin").mkdir()
    home.variables["PATH"] = str(home.root / "bin")
    return home


def program(home: Home, name: str, script: str) -> Path:
    path = home.root / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def settings(home: Home, text: str) -> None:
    path = home.root / "config" / "orca-tui" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)


def findings(orca: Orca, **more: str) -> tuple[int, list[Any]]:
    result = orca("doctor", "--json", **more)
    assert result.err == ""
    return result.code, result.lines()


def of(found: list[Any], check: str, level: str) -> list[str]:
    return [one["message"] for one in found if (one["check"], one["level"]) == (check, level)]


def everything_below(root: Path) -> set[Path]:
    return set(root.rglob("*"))


def test_a_good_installation_has_no_problem(orca: Orca, home: Home) -> None:
    before = everything_below(home.root)

    code, found = findings(orca)

    assert code == 0
    assert {one["check"] for one in found} == {
        "python", "terminal", "engine", "directories", "server", "config", "agents", "plugin",
    }  # fmt: skip
    assert all(list(one) == ["check", "level", "message", "advice"] for one in found)
    assert [one for one in found if one["level"] == "problem"] == []
    assert everything_below(home.root) == before


def test_every_finding_that_is_not_ok_says_what_to_do(orca: Orca) -> None:
    _, found = findings(orca, LANG="C", TERM="dumb", TMUX="/tmp/x,1,0")

    others = [one for one in found if one["level"] != "ok"]
    assert len(of(found, "terminal", "note")) == 3
    assert all(one["advice"] for one in others)


def test_people_get_a_line_each_and_the_advice_below(orca: Orca) -> None:
    lines = orca("doctor").out.splitlines()

    assert lines[0].startswith("ok      python      orca-tui ")
    note = lines.index("note    agents      no agent is on PATH")
    assert lines[note + 1].strip().startswith("-> install one of opencode, claude")


def test_agents_are_told_with_their_versions(orca: Orca, home: Home) -> None:
    claude = program(home, "claude", 'echo "2.1.3 (Claude Code)"')
    codex = program(home, "codex", 'echo "codex-cli 0.98.0"')
    broken = program(home, "gemini", "echo broken; exit 3")

    code, found = findings(orca)

    assert code == 0
    assert [line.partition(";")[0] for line in of(found, "agents", "ok")] == [
        f"claude 2.1.3: {claude}",
        f"codex 0.98.0: {codex}",
    ]
    told = of(found, "agents", "note")
    assert f"gemini does not tell its version: {broken}" in told
    assert "codex could tell more by hooks, which need your consent" in told


def test_what_the_status_of_an_agent_rests_on_is_told(orca: Orca, home: Home) -> None:
    program(home, "gemini", "echo 0.61.0")

    _, found = findings(orca)

    (line,) = of(found, "agents", "ok")
    assert "; status by " in line
    assert "title, progress, screen" in line


@pytest.mark.parametrize(("version", "notes"), [("0.61.0", 0), ("0.60.9", 0), ("0.62.0", 1), ("1.0", 1)])
def test_an_agent_newer_than_its_rules_is_worth_knowing(
    orca: Orca, home: Home, version: str, notes: int
) -> None:
    program(home, "gemini", f"echo {version}")

    code, found = findings(orca)

    assert code == 0
    told = [line for line in of(found, "agents", "note") if "newer than 0.61.0" in line]
    assert len(told) == notes


@pytest.mark.parametrize("answer", ["allowed", "denied"])
def test_what_you_have_answered_is_told_and_not_asked_again(orca: Orca, home: Home, answer: str) -> None:
    program(home, "codex", "echo 0.100.0")
    state = home.root / "state" / "orca-tui"
    state.mkdir()
    (state / "consent.json").write_text(f'{{"version": 1, "answers": {{"codex": "{answer}"}}}}')

    _, found = findings(orca)

    (line,) = of(found, "agents", "ok")
    assert line.endswith(f"; its hooks are {answer}")
    assert of(found, "agents", "note") == []


def test_an_agent_of_the_settings_is_looked_for_too(orca: Orca, home: Home) -> None:
    settings(home, '[agents.bot]\ncommand = ["bot-cli"]\n')
    bot = program(home, "bot-cli", "echo 3.1")

    _, found = findings(orca)

    assert of(found, "agents", "ok") == [f"bot 3.1: {bot}"]


def test_a_mistake_in_an_agent_of_the_settings_is_a_problem_with_its_line(orca: Orca, home: Home) -> None:
    settings(home, '[agents.bot]\ncommand = ["claude"]\n')

    code, found = findings(orca)

    assert code == 1
    (problem,) = of(found, "config", "problem")
    assert "config.toml:2: agents.bot.command: 'claude' is a program of claude already" in problem


def test_an_agent_that_is_asked_for_its_version_gets_no_token(orca: Orca, home: Home) -> None:
    seen = home.root / "seen"
    program(home, "claude", f'echo "$ORCA_TUI_TOKEN." > {seen}; echo 1.2.3')

    findings(orca, ORCA_TUI_TOKEN="secret")

    assert seen.read_text() == ".\n"


def test_a_missing_plugin_is_worth_knowing_only_with_opencode(orca: Orca, home: Home) -> None:
    _, without = findings(orca)
    program(home, "opencode", "echo 2.0.7")
    code, with_it = findings(orca)

    assert of(without, "plugin", "ok") == ["not needed: OpenCode is not installed"]
    assert (code, len(of(with_it, "plugin", "note"))) == (0, 1)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"export default {}\n", "not ours"),
        (plugin_bytes().replace(b"\n", b"\n\n", 1), "out of date"),
    ],
    ids=["foreign", "stale"],
)
def test_a_plugin_file_that_is_not_ours_or_old_is_a_problem(
    orca: Orca, home: Home, content: bytes, word: str
) -> None:
    file = home.root / "config" / "opencode" / "plugins" / PLUGIN_FILE_NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(content)

    code, found = findings(orca)

    assert code == 1
    assert word in of(found, "plugin", "problem")[0]


def test_the_slow_start_of_opencode_1_without_network_is_told(orca: Orca, home: Home) -> None:
    program(home, "opencode", "echo 1.18.33")
    orca("plugin", "install")

    _, before = findings(orca)
    lock = home.root / "config" / "opencode" / "package-lock.json"
    lock.write_text('{"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}')
    _, after = findings(orca)

    assert "80 s" in of(before, "plugin", "note")[0]
    assert of(after, "plugin", "note") == []


def test_opencode_2_starts_no_slower(orca: Orca, home: Home) -> None:
    program(home, "opencode", "echo 2.0.7")
    orca("plugin", "install")

    _, found = findings(orca)

    assert of(found, "plugin", "note") == []


def test_broken_settings_are_a_problem_with_their_line(orca: Orca, home: Home) -> None:
    file = home.root / "config" / "orca-tui" / "config.toml"
    file.parent.mkdir()
    file.write_text("[ui]\n\nsidebar = 3\n")

    code, found = findings(orca)

    assert code == 1
    assert of(found, "config", "problem")[0].startswith(f"{file}:3: ")


def test_a_runtime_directory_that_others_may_enter_is_a_problem(orca: Orca, home: Home) -> None:
    runtime = home.root / "run" / "orca-tui"
    runtime.mkdir()
    runtime.chmod(0o755)

    code, found = findings(orca)

    assert code == 1
    assert of(found, "directories", "problem") == [f"{runtime} is open to other users"]


def test_a_file_in_place_of_the_runtime_directory_is_a_problem(orca: Orca, home: Home) -> None:
    (home.root / "run" / "orca-tui").write_text("")

    code, found = findings(orca)

    assert code == 1
    assert "is not a directory of this user" in of(found, "directories", "problem")[0]


def test_a_socket_path_that_no_kernel_binds_is_a_problem(orca: Orca, home: Home) -> None:
    code, found = findings(orca, XDG_RUNTIME_DIR=str(home.root / ("d" * 100)))

    assert code == 1
    assert "too long" in of(found, "sockets", "problem")[0]


def test_a_running_server_is_told_with_its_sockets(orca: Orca, home: Home) -> None:
    pid = orca("server", "start", "--json").json()["pid"]

    code, found = findings(orca)

    assert code == 0
    assert of(found, "server", "ok") == [f"'default' runs, pid {pid}, panes: 0, UIs: 0"]
    assert [message.split(":")[0] for message in of(found, "sockets", "ok")] == ["http", "intake", "wire"]


def test_a_plugin_that_could_not_be_installed_for_a_pane_is_told_with_the_reason(
    orca: Orca, home: Home
) -> None:
    (home.root / "config" / "opencode").write_text("a file where the folder should be")
    orca("open", "--agent", "opencode", "--", "/bin/sleep", "100")

    code, found = findings(orca)

    assert code == 1
    assert "the status plugin is not installed in" in of(found, "panes", "problem")[0]


def test_a_socket_that_was_swept_away_is_a_problem(orca: Orca, home: Home) -> None:
    orca("server", "start")
    (home.root / "run" / "orca-tui" / "default.intake").unlink()

    code, found = findings(orca)

    assert code == 1
    assert "intake" in of(found, "sockets", "problem")[0]


def test_a_missing_engine_is_a_problem(home: Home) -> None:
    script = (
        "import sys; sys.modules['pyghostty'] = None\n"
        "from orca_tui.__main__ import main; sys.argv = ['orca-tui', 'doctor']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=home.variables, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "PROBLEM engine" in done.stdout


def test_only_a_pane_whose_agent_cannot_tell_is_to_be_opened_again() -> None:
    full, unplugged = "screens are not kept: No space left on device", "the status plugin cannot be written"
    status = ServerStatusReply(
        server="default", pid=1, version="1", started_at=0.0, panes=1, uis=0, sockets={},
        notes=(full, unplugged), server_notes=(full,),
    )  # fmt: skip

    advice = {one.message: one.advice for one in server_findings(status, Path("/state/default.log"))}

    assert advice[full] == "panes go on; its log is /state/default.log"
    assert "open the pane again" in advice[unplugged]
