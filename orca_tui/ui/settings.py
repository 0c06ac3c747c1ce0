"""The settings as the UI uses them: checked against the actions, keys and themes there are, and read again."""

from __future__ import annotations

import difflib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Collection
from contextlib import aclosing
from operator import attrgetter
from pathlib import Path
from typing import Protocol

import msgspec

from orca_tui.base.errors import ConfigError, Invalid, Unsupported
from orca_tui.config import Config, placed
from orca_tui.config import load as load_config
from orca_tui.ui.geometry import SidebarWish
from orca_tui.ui.keymap import Keymap, keymap
from orca_tui.ui.outer_colors import BY_THE_TERMINAL

READ_BY_A_STARTING_SERVER = (
    "terminal.allow_checksum",
    "terminal.allow_window_ops",
    "terminal.graphics",
    "persistence",
    "plugins",
    "agents",
)
"""What a server that runs does not take; all other settings of it hold for the next thing that they are about."""

READ_BY_A_STARTING_UI = ("terminal.graphics", "ui.ascii")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration that can be used, and the keymap that it makes."""

    config: Config
    keymap: Keymap

    @property
    def sidebar(self) -> SidebarWish:
        ui = self.config.ui
        return SidebarWish(shown=ui.sidebar, cols=ui.sidebar_width, right=ui.sidebar_side == "right")


def checked(config: Config, themes: Collection[str]) -> Settings:
    """The settings; raises `Invalid` naming the field that cannot be used, and the nearest that could."""
    theme = config.ui.theme
    if theme not in themes and theme != BY_THE_TERMINAL:
        near = difflib.get_close_matches(theme, themes, n=1)
        hint = (
            f"did you mean {near[0]!r}?"
            if near
            else f"there are {', '.join((BY_THE_TERMINAL, *sorted(themes)))}"
        )
        raise Invalid(f"no theme is called {theme!r}; {hint} - at `$.ui.theme`")
    return Settings(config=config, keymap=keymap(config.keys, ascii_only=config.ui.ascii))


def load(path: Path, themes: Collection[str]) -> Settings:
    """Read and check the settings file; raises `ConfigError` with line and reason."""
    config = load_config(path)
    try:
        return checked(config, themes)
    except Invalid as error:
        raise placed(path, error) from error


def check(path: Path) -> None:
    """Whether a UI could use the file; raises `ConfigError` with line and reason."""
    from textual.theme import BUILTIN_THEMES  # A UI knows its themes itself.

    load(path, BUILTIN_THEMES)


def taken(before: Config, after: Config) -> str:
    """What is said of settings that were taken: which of the changed ones hold only after a start, and of what."""
    server, ui = (
        ", ".join(name for name in names if attrgetter(name)(before) != attrgetter(name)(after))
        for names in (READ_BY_A_STARTING_SERVER, READ_BY_A_STARTING_UI)
    )
    later = [f"{server} after `orca-tui server restart`"] if server else []
    later += [f"{ui} when the UI starts again"] if ui else []
    return "; ".join(["settings taken", *later])


class Taker(Protocol):
    """Who lives by the settings."""

    settings: Settings

    def use(self, settings: Settings) -> None: ...

    def say(self, text: str, severity: str = "information") -> None: ...


async def follow(path: Path, themes: Collection[str], taker: Taker) -> None:
    """Take the settings file each time that it changes; one that cannot be used changes nothing.

    Ends only where the system watches no more files; people are told.
    """
    try:
        async for _ in changes(path):
            held = taker.settings.config
            try:
                taker.use(load(path, themes))
                taker.say(taken(held, taker.settings.config))
            except ConfigError as error:
                taker.say(f"{error.message}; the settings stay as they were", "error")
    except Unsupported as error:
        taker.say(error.message, "warning")


async def changes(path: Path) -> AsyncIterator[None]:
    """Something happened to the file: it may have been written, replaced or removed. Never ends.

    As long as its folder is not there, the nearest one is watched that is, and nothing below that: it may be a whole
    home. Raises `Unsupported` where the system watches no more files.
    """
    while True:
        folder = _nearest_folder(path)
        async with aclosing(_batches(folder, path)) as batches:
            async for batch in batches:
                if path in batch:
                    yield
                if _nearest_folder(path) != folder:
                    break
        if os.path.exists(path):  # noqa: ASYNC240 - one look
            yield  # It was written before its folder was watched.


async def _batches(folder: Path, path: Path) -> AsyncGenerator[set[Path], None]:
    """What changes in a folder, for the sake of a file."""
    from watchfiles import awatch  # Not needed before the first picture.

    try:
        async for batch in awatch(folder, recursive=False):
            yield {Path(changed) for _, changed in batch}
    except (OSError, RuntimeError) as error:  # The second is watchfiles' own, such as for too many watches.
        raise Unsupported(f"changes of {path} count from the next start: {error}") from error


def _nearest_folder(path: Path) -> Path:
    return next(parent for parent in path.parents if parent.is_dir())
