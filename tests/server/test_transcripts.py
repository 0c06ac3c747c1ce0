"""The end of a file in which an agent writes its session down."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from orca_tui.server.transcripts import Transcript


def says(word: str) -> Any:
    return lambda entry: entry.get("says") == word


def test_only_what_was_added_since_counts(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"says": "before"}) + "\n")
    transcript = Transcript(str(file))
    with file.open("a") as log:
        log.write(json.dumps({"says": "after"}) + "\n")

    assert transcript.has(says("after"))
    assert not transcript.has(says("before"))


def test_a_file_that_comes_later_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    transcript = Transcript(str(file))
    nothing = transcript.has(says("after"))
    file.write_text(json.dumps({"says": "after"}) + "\n")

    assert not nothing
    assert transcript.readable
    assert transcript.has(says("after"))


def test_a_file_is_there_as_soon_as_it_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    transcript = Transcript(str(path))
    before = transcript.there
    path.touch()

    assert (before, transcript.there) == (False, True)
    assert not Transcript(str(tmp_path)).there


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    transcript = Transcript(str(file))
    file.write_bytes(b'\xff\n[1]\n{"says": "cut\n{"says": "after"}\n{"says": "ha')

    assert transcript.has(says("after"))


def test_what_is_no_plain_file_is_not_read_and_says_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in (None, "", "relative.jsonl", str(tmp_path), str(tmp_path / "pipe")):
        transcript = Transcript(path)
        assert not transcript.readable
        assert not transcript.has(lambda _: True)
