"""Asking programs for their version."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import psutil
import pytest

from orca_tui.process import probe
from orca_tui.process.probe import VersionProbe
from tests.process.programs import until

pytestmark = pytest.mark.anyio

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def program(directory: Path, body: str) -> Path:
    path = directory / "program"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


async def test_a_version_is_asked_for_once_per_installed_file(tmp_path: Path) -> None:
    path = program(tmp_path, f"echo run >>{tmp_path}/runs; echo program v1.18.33; echo more")
    probing = VersionProbe()

    assert await asyncio.gather(*(probing.version(path, ENVIRONMENT) for _ in range(5))) == ["1.18.33"] * 5
    assert await probing.version(path, ENVIRONMENT) == "1.18.33"
    assert (tmp_path / "runs").read_text() == "run\n"

    program(tmp_path, "echo 2.0.1")
    assert await probing.version(path, ENVIRONMENT) == "2.0.1"


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("2.1.3 (Claude Code)", "2.1.3"),
        ("GitHub Copilot CLI 1.0.102.", "1.0.102"),
        ("v1.0.0-beta.7+x", "1.0.0-beta.7+x"),
        ("0.5", "0.5"),
    ],
)
async def test_a_version_is_found_in_what_is_printed(tmp_path: Path, printed: str, version: str) -> None:
    path = program(tmp_path, f"echo '{printed}'")

    assert await VersionProbe().version(path, ENVIRONMENT) == version


async def test_a_version_may_come_in_pieces_and_behind_other_lines(tmp_path: Path) -> None:
    path = program(tmp_path, "echo checking; printf 'program 1.'; sleep 0.05; echo 18.33")

    assert await VersionProbe().version(path, ENVIRONMENT) == "1.18.33"


@pytest.mark.parametrize("body", ["exit 1", "echo 1.2.3; exit 1", ":", "kill -9 $$"])
async def test_a_program_that_says_no_version_has_none(tmp_path: Path, body: str) -> None:
    assert await VersionProbe().version(program(tmp_path, body), ENVIRONMENT) is None


async def test_a_program_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert await VersionProbe().version(tmp_path / "nothing", ENVIRONMENT) is None


async def test_a_program_that_hangs_is_ended_and_asked_again_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "TIMEOUT_S", 0.2)
    path = program(
        tmp_path, f"[ -e {tmp_path}/second ] && echo 1.0 && exit; touch {tmp_path}/second; exec sleep 100"
    )
    probing = VersionProbe()

    assert await probing.version(path, ENVIRONMENT) is None
    assert await probing.version(path, ENVIRONMENT) == "1.0"


@pytest.mark.parametrize("end", ["wait", "exit"])
async def test_what_holds_the_output_of_a_program_is_ended_when_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(probe, "TIMEOUT_S", 0.2)
    path = program(tmp_path, f"sleep 100 & echo $! >{tmp_path}/pid; {end}")

    assert await VersionProbe().version(path, ENVIRONMENT) is None
    await until(lambda: not runs(int((tmp_path / "pid").read_text())))


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
