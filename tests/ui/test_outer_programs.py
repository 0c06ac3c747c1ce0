"""Programs of the desktop."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.ui.outer_programs import open_link, opener

pytestmark = pytest.mark.anyio


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


async def test_a_link_is_handed_to_the_desktop_as_one_word(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    program(tmp_path, "xdg-open", f'printf "%s|%s" "$#" "$1" >{asked}')
    variables = {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":0"}

    assert await open_link("https://a.b/$(id); x", variables)

    assert asked.read_text() == "1|https://a.b/$(id); x"


async def test_without_a_desktop_nothing_is_started(tmp_path: Path) -> None:
    program(tmp_path, "xdg-open", f"touch {tmp_path}/asked")

    assert opener({"PATH": str(tmp_path)}) is None
    assert not await open_link("https://a.b", {"PATH": str(tmp_path)})
    assert opener({"PATH": "/nowhere", "DISPLAY": ":0"}) is None


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "-version", "ssh://host"])
async def test_only_links_of_the_web_are_opened(tmp_path: Path, url: str) -> None:
    program(tmp_path, "xdg-open", f"touch {tmp_path}/asked")

    assert not await open_link(url, {"PATH": str(tmp_path), "DISPLAY": ":0"})


async def test_an_opener_that_fails_is_told(tmp_path: Path) -> None:
    program(tmp_path, "xdg-open", "exit 3")

    assert not await open_link("https://a.b", {"PATH": f"{tmp_path}:/bin", "DISPLAY": ":0"})
