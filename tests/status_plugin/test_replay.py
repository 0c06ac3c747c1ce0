"""Recordings of real hosts, replayed into the plugin: what it posts, always the same."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
RECORDINGS = TESTS / "captured" / "opencode"
NAMES = sorted(str(file.relative_to(RECORDINGS)) for file in RECORDINGS.glob("v?/*.jsonl"))

Json = dict[str, Any]
Replay = Callable[..., list[Json]]


@pytest.fixture(scope="module")
def replay(node_path: str, plugin_file: Path) -> Replay:
    def replay_one(name: str, *options: str) -> list[Json]:
        command = [node_path, str(TESTS / "hosts" / "replay.mjs"), "--plugin", str(plugin_file), *options]
        run = subprocess.run([*command, str(RECORDINGS / name)], capture_output=True, text=True, check=True)
        assert run.stderr == ""
        return [json.loads(line) for line in run.stdout.splitlines()]

    return replay_one


@pytest.fixture(scope="module")
def replayed(replay: Replay) -> Replay:
    """As `replay`, but each recording once."""
    return functools.cache(replay)


def root_story(posts: list[Json]) -> list[tuple[bool, int, object]]:
    """(busy, turn, end or its error's kind) of the first session, without repeats."""
    story: list[tuple[bool, int, object]] = []
    for post in posts:
        for row in post["table"]["sessions"][:1]:
            end = row["end"]["error"]["kind"] if isinstance(row["end"], dict) else row["end"]
            chapter = (row["busy"], row["turn"], end)
            if story[-1:] != [chapter]:
                story.append(chapter)
    return story


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_gives_a_sound_sequence_of_tables(replayed: Replay, name: str) -> None:
    posts = replayed(name)

    assert posts, "a plugin says at once that it is there"
    assert [post["table"]["seq"] for post in posts] == list(range(1, len(posts) + 1))
    assert [post["at"] for post in posts] == sorted(post["at"] for post in posts)
    assert {post["table"]["process"]["pid"] for post in posts} == {4242}
    assert {post["table"]["host"]["major"] for post in posts} == {int(name[1])}
    assert {post["table"]["outlives_dispose"] for post in posts} == {name.startswith("v2")}


@pytest.mark.parametrize("name", ["v1/perm_two.jsonl", "v2/reload_real.jsonl", "v1/subagent.jsonl"])
def test_a_replay_is_the_same_each_time(replay: Replay, replayed: Replay, name: str) -> None:
    assert replay(name) == replayed(name)


@pytest.mark.parametrize(
    ("name", "story"),
    [
        ("v1/simple.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "ok")]),
        ("v1/abort_tool.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "interrupted:user")]),
        ("v1/err401.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "auth")]),
        ("v1/err429.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "ok")]),
        ("v1/queued.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "ok")]),
        ("v1/subagent.jsonl", [(False, 0, None), (True, 1, None), (False, 1, "ok")]),
        ("v1/tui_ctrlc.jsonl", [(False, 0, None), (True, 1, None)]),
        (
            "v2/reload_real.jsonl",
            [(True, 1, None), (False, 1, "ok"), (True, 2, None), (False, 2, "ok")],
        ),
        (
            "v2/err401.jsonl",
            [(True, 1, None), (False, 1, "ok"), (True, 2, None), (False, 2, "auth")],
        ),
        (
            "v2/interrupt_tool.jsonl",
            [(True, 1, None), (False, 1, "ok"), (True, 2, None), (False, 2, "interrupted:user")],
        ),
    ],
)
def test_the_turns_of_a_recording_are_told_as_they_were(
    replayed: Replay, name: str, story: list[tuple[bool, int, object]]
) -> None:
    assert root_story(replayed(name)) == story


def test_the_shared_service_of_a_recording_says_nothing(replay: Replay) -> None:
    assert replay("v2/v2tui_service.jsonl", "--argv", "opencode serve --service") == []


def test_a_turn_is_told_in_the_moment_of_its_evidence(replayed: Replay) -> None:
    posts = [(post["at"], post["table"]["sessions"]) for post in replayed("v1/simple.jsonl")]
    busy_at = next(at for at, rows in posts if rows and rows[0]["busy"])
    ended_at = next(at for at, rows in posts if rows and rows[0]["end"] == "ok")

    assert (busy_at, ended_at) == (1436, 4080)
