"""The watch over plugin files: what it tells, and where it looks."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from orca_tui.plugins.watching import changes

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def watching(folder: Path) -> AsyncIterator[AsyncGenerator[None, None]]:
    """A watch that has begun."""
    async with (
        asyncio.TaskGroup() as group,
        asyncio.timeout(20),
        aclosing(cast("AsyncGenerator[None, None]", changes(folder, group))) as told,
    ):
        await anext(told)
        yield told


async def test_it_tells_at_once_so_that_its_user_looks(tmp_path: Path) -> None:
    async with watching(tmp_path):
        pass  # It has told.


async def test_a_new_file_and_a_changed_one_are_told(tmp_path: Path) -> None:
    async with watching(tmp_path) as told:
        (tmp_path / "a.py").write_text("1")
        await anext(told)
        (tmp_path / "a.py").write_text("2")
        await anext(told)


async def test_a_change_behind_a_link_is_told(tmp_path: Path) -> None:
    folder, dotfiles = tmp_path / "plugins", tmp_path / "dotfiles"
    folder.mkdir()
    dotfiles.mkdir()
    (dotfiles / "real.py").write_text("1")
    (folder / "a.py").symlink_to(dotfiles / "real.py")

    async with watching(folder) as told:
        (dotfiles / "real.py").write_text("2")
        await anext(told)


async def test_a_link_that_leads_elsewhere_is_followed_there(tmp_path: Path) -> None:
    folder, first, second = (tmp_path / name for name in ("plugins", "first", "second"))
    for made in (folder, first, second):
        made.mkdir()
    (first / "real.py").write_text("1")
    (second / "real.py").write_text("1")
    (folder / "a.py").symlink_to(first / "real.py")

    async with watching(folder) as told:
        (folder / "new").symlink_to(second / "real.py")
        os.replace(folder / "new", folder / "a.py")
        await anext(told)
        for content in "234":  # More often than the watch begins anew, which tells as well.
            (second / "real.py").write_text(content)
            await anext(told)


async def test_a_folder_that_comes_later_is_watched(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"

    async with watching(folder) as told:
        folder.mkdir()
        (folder / "a.py").write_text("1")
        await anext(told)
        (folder / "a.py").write_text("2")
        await anext(told)
