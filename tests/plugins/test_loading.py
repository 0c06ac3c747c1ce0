"""From bytes to a plugin's module, and what is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from orca_tui.plugins.faults import NoPlugin
from orca_tui.plugins.folder import PluginFile
from orca_tui.plugins.loading import Loaded, load

GOOD = "id = 'good'\nasync def setup(ctx):\n    pass\n"


def loaded(source: str, revision: int = 1) -> Loaded:
    return load(PluginFile(path=Path("/x/good.py"), digest="", source=source.encode()), revision)


def test_a_plugin_has_an_id_and_a_setup() -> None:
    plugin = loaded(GOOD)

    assert plugin.id == "good"
    assert plugin.module.__file__ == "/x/good.py"
    plugin.unload()


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("async def setup(ctx): pass", "no id"),
        ("id = 3\nasync def setup(ctx): pass", "no id"),
        ("id = 'Upper'\nasync def setup(ctx): pass", "'Upper' is no id"),
        ("id = ''\nasync def setup(ctx): pass", "'' is no id"),
        ("id = 'good'", "no setup"),
        ("id = 'good'\ndef setup(ctx): pass", "no setup"),
    ],
)
def test_what_lacks_something_is_told_what(source: str, lacks: str) -> None:
    with pytest.raises(NoPlugin, match=lacks):
        loaded(source)


def test_its_own_lines_may_throw_and_leave_nothing_behind() -> None:
    before = set(sys.modules)

    with pytest.raises(ZeroDivisionError):
        loaded("1 / 0")
    with pytest.raises(SystemExit):
        loaded("raise SystemExit(3)")

    assert set(sys.modules) == before


def test_dataclasses_find_their_module_and_two_revisions_are_two_modules() -> None:
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        f"@dataclass\nclass Seen:\n    pane: str\n{GOOD}"
    )

    first, second = loaded(source, 1), loaded(source, 2)

    assert first.module.Seen is not second.module.Seen
    first.unload()
    second.unload()
    assert first.module.__name__ not in sys.modules
