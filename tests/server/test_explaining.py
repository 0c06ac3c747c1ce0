"""What a pane misses, why, and what to do about it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orca_tui.server.explaining import Circumstances, explained, missing_sources
from orca_tui.status.expectations import Missing
from orca_tui.status.record import Kind, Source, Status
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

ABOUT = Circumstances(pane="p1", agent="claude", title="Claude Code", launched=True)


@pytest.mark.parametrize(
    ("source", "about", "reason", "fix"),
    [
        (Source.PLUGIN, {"note": "disk full"}, "disk full", "`orca-tui plugin status`"),
        (Source.PLUGIN, {}, "has not loaded our plugin", "`orca-tui plugin install`"),
        (
            Source.HOOK,
            {"hooks_off_in": "/h/settings.json", "needs_consent": True},
            "disableAllHooks in /h/settings.json",
            "take disableAllHooks out of /h/settings.json",
        ),
        (Source.HOOK, {"needs_consent": True}, "you have not allowed", "`orca-tui agents allow claude`"),
        (Source.HOOK, {"launched": False}, "started by hand", "`orca-tui open --agent claude`"),
        (
            Source.HOOK,
            {"note": "disk full", "launched": False},
            "disk full",
            "`orca-tui open --agent claude`",
        ),
        (Source.HOOK, {}, "no reports", ""),
        (Source.PROGRAM_STATUS, {}, "no reports", "update Claude Code"),
        (
            Source.PROGRAM_STATUS,
            {"status": Status.WAITING, "kind": Kind.AUTH},
            "nobody is signed in",
            "sign in to Claude Code in its pane",
        ),
        (Source.PROGRAM_STATUS, {"status": Status.WAITING}, "asks before it begins", "answer it in its pane"),
        (Source.SESSION_FILE, {}, "no reports", ""),
    ],
)
def test_a_missing_source_has_its_reason_and_its_remedy(
    source: Source, about: dict[str, Any], reason: str, fix: str
) -> None:
    told = explained(Missing(source=source, why="no reports", since=3.0), replace(ABOUT, **about))

    assert told.source == source
    assert told.since == 3.0
    assert told.why.startswith("no reports")
    assert reason in told.why
    assert told.fix.startswith(fix)
    assert bool(told.fix) == bool(fix)


async def test_a_shell_misses_nothing(inside: Rooms) -> None:
    assert await missing_sources(inside.session, inside.pane()) == ()


async def test_an_agent_whose_rules_match_nothing_says_so(inside: Rooms) -> None:
    pane = inside.pane("amp")
    inside.writes(pane, b"a screen of another kind")
    inside.jump(60.0)

    told = await missing_sources(inside.session, pane)

    assert [(one.source, one.fix) for one in told][-1] == ("screen", f"`orca-tui read {pane.id}` prints that")


async def test_an_agent_newer_than_its_rules_says_so(inside: Rooms, tmp_path: Path) -> None:
    program = tmp_path / "qwen"
    program.write_text("#!/bin/sh\necho 99.0.1\n")
    program.chmod(0o755)
    pane = inside.pane("qwen")
    inside.session.following.started(pane.id, {"PATH": f"{tmp_path}:/usr/bin:/bin"})
    inside.jump(60.0)

    (told,) = [one for one in await missing_sources(inside.session, pane) if one.source == "screen"]

    assert "it is version 99.0.1, its rules were checked with 0.24.4" in told.why
    assert "[agents.qwen]" in told.fix


async def test_an_agent_whose_status_is_known_misses_no_rule(inside: Rooms) -> None:
    pane = inside.pane("cursor")
    inside.writes(pane, b"  ctrl+c to stop")
    inside.jump(1.0)
    assert inside.session.board.record(pane.id).status is Status.WORKING

    assert await missing_sources(inside.session, pane) == ()


async def test_hooks_that_the_agents_own_settings_switch_off_are_found(inside: Rooms, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"disableAllHooks": true}')
    pane = inside.pane("claude")
    inside.session.following.started(pane.id, {"CLAUDE_CONFIG_DIR": str(tmp_path), "HOME": "/none"})
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    inside.jump(60.0)

    told = [one for one in await missing_sources(inside.session, pane) if one.source == "hook"]

    assert [one.fix for one in told] == [
        f"take disableAllHooks out of {tmp_path}/settings.json, then start it again"
    ]


async def test_a_pane_that_is_closed_while_it_is_explained_is_no_error(inside: Rooms, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}")
    pane = inside.pane("claude")
    inside.session.following.started(pane.id, {"CLAUDE_CONFIG_DIR": str(tmp_path)})

    async with asyncio.TaskGroup() as group:
        explaining = group.create_task(missing_sources(inside.session, pane))
        await asyncio.sleep(0)
        inside.session.remove(pane)

    assert explaining.result() is not None
