"""Whether a program can be run, by files of a test's making."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.base.errors import Invalid, NotFound
from orca_tui.commands.open import OpenRequest
from orca_tui.config import Environment
from orca_tui.server.launch import planned
from orca_tui.server.runnable import check_runnable


def check(
    root: Path, *command: str, path: str = "", cwd: Path | None = None, agent: str | None = None
) -> None:
    variables = {"PATH": path or str(root), "HOME": str(root)}
    request = OpenRequest(command=command, agent=agent, cwd=str(cwd or root), environment=variables)
    check_runnable(planned(request, Environment({}), [], Agents()), variables)


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_a_program_is_found_in_the_panes_own_path_and_by_its_own_directory(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "tool")

    check(tmp_path, "tool", path=f"/nowhere:{tmp_path}/bin")
    check(tmp_path, "bin/tool")
    check(tmp_path, "./tool", cwd=tmp_path / "bin")
    check(tmp_path, "tool", path="bin:/nowhere")
    with pytest.raises(NotFound, match="command not found: tool"):
        check(tmp_path, "tool", path="/nowhere")


def test_a_file_without_leave_to_run_is_passed_over_for_one_that_has_it(tmp_path: Path) -> None:
    program(tmp_path / "a" / "tool", mode=0o644)
    with pytest.raises(Invalid, match="tool is not an executable file"):
        check(tmp_path, "tool", path=f"{tmp_path}/a")

    program(tmp_path / "b" / "tool")
    check(tmp_path, "tool", path=f"{tmp_path}/a:{tmp_path}/b")


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="is not an executable file"):
        check(tmp_path, str(tmp_path))


@pytest.mark.parametrize("below", ["gone", "file/below"])
def test_a_directory_that_is_not_there_is_named(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises((NotFound, Invalid), match=f"{below} "):
        check(tmp_path, "/bin/sh", cwd=tmp_path / below)


def test_an_agent_that_is_not_installed_is_told_with_the_way_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as refused:
        check(tmp_path, agent="claude")

    assert refused.value.message == (
        "Claude Code is not installed: there is no claude on the PATH; "
        "to install it: npm install -g @anthropic-ai/claude-code"
    )
    assert refused.value.facts == {"command": "claude", "agent": "claude"}
