"""The settings as the UI uses them: checked against the actions, keys and themes there are, and read again."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path

import msgspec

from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.config import Config, placed
from orca_tui.config import load as load_config
from orca_tui.ui.geometry import SidebarWish
from orca_tui.ui.keymap import Keymap, keymap
from orca_tui.ui.outer_colors import BY_THE_TERMINAL


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


async def follow(
    path: Path,
    themes: Collection[str],
    *,
    use: Callable[[Settings], None],
    say: Callable[[str, str], None],
) -> None:
    """Take the settings file each time that it changes; one that cannot be used changes nothing. Never ends."""
    async for _ in changes(path):
        try:
            use(load(path, themes))
            say("settings taken", "information")
        except ConfigError as error:
            say(f"{error.message}; the settings stay as they were", "error")


async def changes(path: Path) -> AsyncIterator[None]:
    """Something happened to the file: it may have been written, replaced or removed. Never ends."""
    from watchfiles import awatch  # Not needed before the first picture.

    folder = next(parent for parent in path.parents if parent.is_dir())
    async for batch in awatch(folder, recursive=folder != path.parent):
        if any(Path(changed) == path for _, changed in batch):
            yield
