"""The clipboards within reach, and what is said of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from orca_tui.ui.clipboard import TAKEN_WITHIN_S, TOOLS, Clipboards, tools_here
from orca_tui.ui.outer_terminal import NoticeStyle, clipboard
from orca_tui.ui.outer_writer import OuterWriter

pytestmark = pytest.mark.anyio

TEXT = "zwei\nZeilen 端末"
EVERY_VARIABLE = {tool.needs: "x" for tool in TOOLS if tool.needs}


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


class Person:
    """Copies with what is in a folder, and hears what is said."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.heard: list[tuple[str, str]] = []
        self.outer: list[str] = []
        self._variables: Mapping[str, str] = {"PATH": f"{folder}:/usr/bin:/bin", **variables}

    def say(self, text: str, severity: str = "information") -> None:
        self.heard.append((text, severity))

    async def copies(self, text: str, by: str = "", within_s: float = TAKEN_WITHIN_S) -> None:
        outer = OuterWriter(self.outer.append, NoticeStyle.NONE)
        await Clipboards(outer, self._variables, self.say, within_s=within_s).put(text, by=by)


async def test_without_a_program_nobody_is_told_that_it_arrived(tmp_path: Path) -> None:
    person = Person(tmp_path)

    await person.copies(TEXT)

    assert person.outer == [clipboard(TEXT)]
    assert person.heard == [("14 characters went to the terminal's clipboard (OSC 52)", "information")]


async def test_one_character_is_counted_as_one(tmp_path: Path) -> None:
    person = Person(tmp_path)

    await person.copies("x")

    assert person.heard[0][0].startswith("1 character went")


async def test_a_program_that_took_it_is_named_and_the_terminal_has_it_too(tmp_path: Path) -> None:
    program(tmp_path, "xclip", f'printf "%s " "$@" >{tmp_path}/how; cat >{tmp_path}/what')
    person = Person(tmp_path, DISPLAY=":0")

    await person.copies(TEXT, by="p3")

    assert (tmp_path / "how").read_text() == "-selection clipboard -in "
    assert (tmp_path / "what").read_text() == TEXT
    assert person.outer == [clipboard(TEXT)]
    assert person.heard == [("p3: 14 characters copied (xclip)", "information")]


async def test_a_program_that_fails_is_named_and_the_next_one_tried(tmp_path: Path) -> None:
    program(tmp_path, "wl-copy", "exit 1")
    program(tmp_path, "xsel", f"cat >{tmp_path}/what")
    person = Person(tmp_path, DISPLAY=":0", WAYLAND_DISPLAY="wayland-0")

    await person.copies(TEXT)

    assert (tmp_path / "what").read_text() == TEXT
    assert person.heard == [("wl-copy failed (exit code 1); 14 characters copied (xsel)", "information")]


async def test_when_every_program_fails_the_person_is_warned(tmp_path: Path) -> None:
    program(tmp_path, "xclip", "exec 0<&-; exit 3")
    person = Person(tmp_path, DISPLAY=":0")

    await person.copies("x" * (1 << 20))  # More than a pipe holds, for one that reads nothing.

    assert person.heard == [
        (
            "xclip failed (exit code 3); 1048576 characters went to the terminal's clipboard (OSC 52)",
            "warning",
        )
    ]


async def test_what_goes_on_serving_the_clipboard_holds_nothing_up(tmp_path: Path) -> None:
    program(tmp_path, "xclip", f"cat >{tmp_path}/what; sleep 30 & echo $! >{tmp_path}/pid")
    person = Person(tmp_path, DISPLAY=":0")

    await person.copies(TEXT)

    os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)  # It was still there.
    assert person.heard == [("14 characters copied (xclip)", "information")]


async def test_a_program_that_never_ends_is_killed_and_named(tmp_path: Path) -> None:
    program(tmp_path, "xclip", f"echo $$ >{tmp_path}/pid; exec sleep 30")
    person = Person(tmp_path, DISPLAY=":0")

    await person.copies(TEXT, within_s=0.2)

    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert [text.partition(";")[0] for text, _ in person.heard] == ["xclip did not take it within 0.2 s"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.argv[0])
def test_a_program_counts_only_where_it_has_a_clipboard(tmp_path: Path, tool: object) -> None:
    found = next(one for one in TOOLS if one is tool)
    program(tmp_path, found.argv[0], "exit 0")
    here = {"PATH": str(tmp_path), **EVERY_VARIABLE}

    assert tools_here(here) == [found]
    assert tools_here({"PATH": str(tmp_path)}) == ([] if found.needs else [found])
    assert tools_here({"PATH": "/nowhere", **EVERY_VARIABLE}) == []


def test_over_ssh_the_clipboard_of_this_machine_is_nobodys(tmp_path: Path) -> None:
    for tool in TOOLS:
        program(tmp_path, tool.argv[0], "exit 0")
    here = {"PATH": str(tmp_path), "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22", **EVERY_VARIABLE}

    assert [tool.argv[0] for tool in tools_here(here)] == ["xclip", "xsel", "clip.exe", "tmux"]
