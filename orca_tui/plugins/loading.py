"""A plugin's bytes as a module: compiled, run once, and looked at for what a plugin has. Sets nothing up."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any, TypeAlias

import msgspec

from orca_tui.plugins.faults import NoPlugin
from orca_tui.plugins.folder import PluginFile

ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")

Setup: TypeAlias = Callable[[Any], Awaitable[object]]


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A module that is a plugin."""

    id: str
    setup: Setup
    module: ModuleType

    def unload(self) -> None:
        """Nobody finds the module by its name any more."""
        sys.modules.pop(self.module.__name__, None)


def load(file: PluginFile, revision: int) -> Loaded:
    """Run the file's own lines; raises `NoPlugin` or whatever they raise. They see `__file__` and no package."""
    module = ModuleType(f"orca_tui_plugin_{file.path.stem}_{revision}")
    module.__file__ = str(file.path)
    # Dataclasses and others look the module up by its name.
    sys.modules[module.__name__] = module
    try:
        exec(compile(file.source, str(file.path), "exec", dont_inherit=True), module.__dict__)
        return _checked(module)
    except BaseException:
        sys.modules.pop(module.__name__, None)
        raise


def _checked(module: ModuleType) -> Loaded:
    name = getattr(module, "id", None)
    setup = getattr(module, "setup", None)
    if not isinstance(name, str):
        raise NoPlugin('it has no id; write a line such as id = "my-plugin"')
    if not ID.fullmatch(name):
        raise NoPlugin(f"{name!r} is no id; use lower case letters, digits, '-', '_' and '.', at most 64")
    if not inspect.iscoroutinefunction(setup):
        raise NoPlugin("it has no setup; write async def setup(ctx)")
    return Loaded(id=name, setup=setup, module=module)
