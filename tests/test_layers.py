"""Who may import whom, what enters where, and how large a module may be: the architecture as a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

import orca_tui

PACKAGE = Path(orca_tui.__file__).parent
ROOT = PACKAGE.parent
TESTS = Path(__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
PLUGIN_MODULES = sorted((ROOT / "status_plugin").rglob("*.py"))

VALUES = frozenset({"layout", "status", "base"})
"""What records, requests and frames are made of."""

MAY_IMPORT: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "config": frozenset({"base"}),
    "layout": frozenset({"base"}),
    "process": frozenset({"base"}),
    "status": frozenset({"base"}),
    "term": frozenset({"base"}),
    "agents": frozenset({"status", "base"}),
    "notices": frozenset({"status", "base"}),
    "wire": VALUES | {"notices"},
    "commands": VALUES | {"wire", "notices"},
    "client": frozenset({"wire", "commands", "base"}),
    "plugins": VALUES | {"client", "commands", "wire", "config"},
    "cli": frozenset({"commands", "client", "wire", "config", "status_plugin", "base"}),
    "ui": VALUES | {"wire", "client", "commands", "config", "notices", "term"},
    "server": VALUES
    | {"commands", "process", "agents", "plugins", "status_plugin", "wire", "config", "notices", "term"},
}
"""A part is a folder or a module of the package; `__main__` composes and may import everything."""

ONE_BY_ONE = {("wire", "orca_tui.term.input_events"), ("wire", "orca_tui.term.engine")}
"""Modules of values that a part may import although the rest of their folder is closed to it."""

ONLY_IN: dict[str, tuple[str, ...]] = {
    "textual": ("ui/",),
    "rich": ("ui/",),
    "aiohttp": ("server/",),
    "click": ("cli/",),
    "mcp": ("cli/mcp_server.py",),
    "mcp_types": ("cli/mcp_server.py",),
    "platformdirs": ("config.py",),
    "tomllib": ("base/toml_text.py",),
    "pyghostty": ("term/",),
    "cffi": ("term/",),
    "psutil": ("process/",),
    "subprocess": ("process/",),
    "signal": ("process/", "ui/driver.py"),
    "pty": ("process/", "ui/driver.py"),
    "tty": ("process/", "ui/driver.py"),
    "fcntl": ("process/", "ui/driver.py"),
    "termios": ("process/", "ui/driver.py"),
    "time": ("base/clock.py", "agents/hook_post.py"),
    "datetime": ("base/clock.py",),
}
"""Where the outside enters."""

ENVIRONMENT_READERS = ["agents/hook_post.py", "config.py"]
"""The settings, and a program of its own that agents start: it can import nothing of ours."""
CORE = ("base", "config", "layout", "status", "term", "agents", "wire", "commands")
"""Parts that do no work for others that could fail in ways they do not know."""
MOST_LINES = 400


TESTED_BY: dict[str, str] = {
    "__main__.py": "cli/test_serving.py",
    "agents/*_notices.py": "agents/test_notice_hooks.py",
    "agents/adapter.py": "agents/test_registry.py",
    "cli/actions.py": "cli/test_panes.py",
    "cli/checks.py": "cli/test_doctor.py",
    "cli/findings.py": "cli/test_doctor.py",
    "cli/generated.py": "cli/test_main.py",
    "cli/mcp.py": "cli/test_mcp_server.py",
    "cli/outside.py": "cli/test_serving.py",
    "cli/root.py": "cli/test_main.py",
    "cli/values.py": "cli/test_completions.py",
    "commands/*.py": "commands/test_table.py",
    "notices/collecting.py": "notices/test_coordinator.py",
    "notices/inbox.py": "notices/test_coordinator.py",
    "notices/events.py": "notices/test_coordinator.py",
    "notices/verdict.py": "notices/test_coordinator.py",
    "server/hook_answers.py": "server/test_hook_channel.py",
    "server/forgetting.py": "server/test_notices.py",
    "server/inboxes.py": "server/test_notices.py",
    "server/looks.py": "server/handlers/test_notices.py",
    "server/notice_channel.py": "server/test_notices.py",
    "server/outcomes.py": "server/handlers/test_notices.py",
    "server/paste_channel.py": "server/handlers/test_notices.py",
    "cli/plugin_rows.py": "cli/test_plugins.py",
    "plugins/ownership.py": "plugins/test_host.py",
    "plugins/plugin.py": "plugins/test_host.py",
    "plugins/revision.py": "plugins/test_host.py",
    "plugins/context.py": "plugins/test_host.py",
    "plugins/run.py": "server/test_plugins.py",
    "server/plugin_board.py": "server/test_plugins.py",
    "server/plugin_life.py": "server/test_plugins.py",
    "server/handlers/plugins.py": "server/test_plugins.py",
    "process/confined.py": "process/test_helper.py",
    "server/situations.py": "server/handlers/test_notices.py",
    "process/groups.py": "process/test_spawner.py",
    "process/keeper_*.py": "process/test_keeper.py",
    "process/kept*.py": "process/test_keeper.py",
    "process/payload.py": "process/test_spawner.py",
    "server/answers.py": "server/test_http.py",
    "server/dispatch.py": "server/handlers/test_table.py",
    "server/handlers/sessions.py": "server/test_restoring.py",
    "server/handlers/handler.py": "server/handlers/test_table.py",
    "server/parts.py": "server/test_app.py",
    "server/keeping.py": "server/test_reviving.py",
    "server/memory.py": "server/test_panes.py",
    "server/pane_facts.py": "server/test_panes.py",
    "server/pane_listener.py": "server/test_panes.py",
    "server/saved_session.py": "server/test_session_file.py",
    "server/persist_*.py": "server/test_persist.py",
    "server/sight.py": "server/test_state_files.py",
    "base/timers.py": "server/test_effects.py",
    "status/effects.py": "status/test_machine.py",
    "status/events.py": "status/test_describing.py",
    "status/pane.py": "status/test_board.py",
    "status/profile.py": "status/test_reporters.py",
    "status/reading.py": "status/test_reporters.py",
    "status/turns.py": "status/test_lifecycle.py",
    "term/cells.py": "term/test_rows.py",
    "term/engine.py": "term/test_ghostty.py",
    "term/ghostty_defaults.py": "term/test_ghostty_callbacks.py",
    "term/ghostty_engine.py": "term/test_ghostty.py",
    "term/ghostty_numbers.py": "term/test_ghostty.py",
    "term/pictures/showing.py": "term/pictures/test_store.py",
    "term/ghostty_abi.py": "term/test_ghostty_cdef.py",
    "term/input_events.py": "term/test_input_encoder.py",
    "term/input_tokens.py": "term/test_input_decoder.py",
    "term/key_codes.py": "term/test_input_decoder.py",
    "term/key_decoder.py": "term/test_input_decoder.py",
    "term/legacy_keys.py": "term/test_input_encoder.py",
    "term/mouse_*.py": "term/test_input_encoder.py",
    "term/paste_buffer.py": "term/test_input_decoder.py",
    "term/replies.py": "term/test_input_decoder.py",
    "ui/operations/copying.py": "ui/screens/test_copy_mode.py",
    "ui/action.py": "ui/test_actions.py",
    "ui/session_actions.py": "ui/test_actions.py",
    "ui/screens/compose.py": "ui/operations/test_notices.py",
    "ui/operations/sessions.py": "e2e/test_lasting.py",
    "ui/operations/host.py": "ui/operations/test_view.py",
    "ui/widgets/frozen_view.py": "ui/screens/test_copy_mode.py",
    "ui/outer_line.py": "e2e/test_pictures.py",
    "ui/terminal_*.py": "ui/test_driver.py",
}
"""Modules without a test file of their own name, and where they are tested: values, protocols, and parts that
only make sense together."""


def part_of(module: Path) -> str:
    relative = module.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


def place_of(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def imports(tree: ast.Module, package: str = "") -> Iterator[str]:
    """Every module that is imported anywhere in a tree, lazily too; `package` resolves relative imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(filter(None, (package.rsplit(".", node.level - 1)[0], base)))
            if base == "orca_tui":
                yield from (f"orca_tui.{alias.name}" for alias in node.names)
            else:
                yield base


def forbidden_imports(part: str, tree: ast.Module) -> list[str]:
    """Imports of our own parts that a part may not have."""
    found = []
    for name in imports(tree):
        first, _, rest = name.partition(".")
        target = rest.split(".")[0] if first == "orca_tui" else first
        if first not in ("orca_tui", "status_plugin") or target in (part, "", "__version__"):
            continue
        if target not in MAY_IMPORT[part] and (part, name) not in ONE_BY_ONE:
            found.append(name)
    return found


def misplaced_imports(place: str, tree: ast.Module) -> list[str]:
    """Imports of the outside where it may not enter."""
    return [name for name in imports(tree) if not place.startswith(ONLY_IN.get(name.split(".")[0], ("",)))]


def environment_reads(tree: ast.Module) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "environb", "getenv", "putenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]


def lost_tasks(tree: ast.Module) -> list[int]:
    """Lines where a task is started that no group owns."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("create_task", "ensure_future")
        and not ast.unparse(node.func.value).endswith("group")
    ]


def swallowing(tree: ast.Module) -> list[int]:
    """Lines that catch what they cannot know, and do not raise it again."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]


def globals_changed(tree: ast.Module) -> list[int]:
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Global)]


@cache
def trees() -> dict[str, ast.Module]:
    """All modules by their places: parsed once, and only where tests of this file run."""
    return {place_of(module): ast.parse(module.read_text()) for module in MODULES}


def test_a_part_imports_only_what_it_may() -> None:
    found = {
        place_of(module): forbidden_imports(part_of(module), trees()[place_of(module)])
        for module in MODULES
        if part_of(module) not in ("__main__", "__init__")
    }

    assert {place: names for place, names in found.items() if names} == {}


def test_the_outside_enters_where_it_should() -> None:
    found = {place: misplaced_imports(place, tree) for place, tree in trees().items()}

    assert {place: names for place, names in found.items() if names} == {}


def test_the_environment_is_read_where_it_may_be() -> None:
    found = {place: environment_reads(tree) for place, tree in trees().items()}

    assert [place for place, lines in found.items() if lines] == ENVIRONMENT_READERS


def test_every_task_has_an_owner() -> None:
    found = {place: lost_tasks(tree) for place, tree in trees().items()}

    assert {place: lines for place, lines in found.items() if lines} == {}


def test_no_module_has_state_that_functions_change() -> None:
    found = {place: globals_changed(tree) for place, tree in trees().items()}

    assert {place: lines for place, lines in found.items() if lines} == {}


def test_the_core_swallows_nothing() -> None:
    found = {
        place_of(module): swallowing(trees()[place_of(module)])
        for module in MODULES
        if part_of(module) in CORE
    }

    assert {place: lines for place, lines in found.items() if lines} == {}


def test_the_status_plugin_knows_nothing_of_us() -> None:
    ours = ("orca_tui", "msgspec", "textual", "aiohttp", "psutil", "click")
    found = {
        module.name: [name for name in imports(ast.parse(module.read_text())) if name.split(".")[0] in ours]
        for module in PLUGIN_MODULES
    }

    assert {place: names for place, names in found.items() if names} == {}


def test_every_module_says_what_it_is() -> None:
    sources = {str(module.relative_to(ROOT)): module.read_text() for module in [*MODULES, *PLUGIN_MODULES]}
    parsed = trees() | {
        str(module.relative_to(ROOT)): ast.parse(module.read_text()) for module in PLUGIN_MODULES
    }

    assert [place for place, tree in parsed.items() if not ast.get_docstring(tree)] == []
    assert [
        place
        for place, source in sources.items()
        if re.search(r"^(class|def|async def) ", source, re.MULTILINE)
        and "from __future__ import annotations" not in source
    ] == []


def test_no_module_is_larger_than_it_should_be() -> None:
    lines = {
        str(module.relative_to(ROOT)): module.read_text().count("\n")
        for module in [*MODULES, *PLUGIN_MODULES]
    }

    assert {place: count for place, count in lines.items() if count > MOST_LINES} == {}


def test_every_module_has_a_test_of_its_name_or_another_that_covers_it() -> None:
    untested = [
        place
        for place in trees()
        if not place.endswith("__init__.py") and not own_test(place).exists() and covering(place) is None
    ]

    assert untested == []


def test_what_covers_other_modules_is_there_and_needed() -> None:
    for pattern, test in TESTED_BY.items():
        covered = [place for place in trees() if fnmatchcase(place, pattern) and not own_test(place).exists()]
        assert (TESTS / test).exists(), test
        assert covered, f"{pattern} names no module without a test of its own"


def own_test(place: str) -> Path:
    """`status/machine.py` is tested by `tests/status/test_machine.py`."""
    return TESTS / Path(place).parent / f"test_{Path(place).name}"


def covering(place: str) -> str | None:
    return next((test for pattern, test in TESTED_BY.items() if fnmatchcase(place, pattern)), None)


def test_every_part_has_its_rule() -> None:
    parts = {part_of(module) for module in MODULES} - {"__main__", "__init__"}

    assert parts <= set(MAY_IMPORT)


# Each rule can fail.


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("base", "from orca_tui.config import Config"),
        ("status", "import orca_tui.term.engine"),
        ("wire", "from orca_tui.term.ghostty import GhosttyFactory"),
        ("cli", "def f():\n    from orca_tui.server.app import serve"),
        ("ui", "from orca_tui.server import app"),
        ("server", "from orca_tui import ui"),
        ("agents", "from orca_tui.wire import PaneInfo"),
        ("term", "import status_plugin.generate"),
    ],
)
def test_an_import_across_the_layers_is_found(part: str, source: str) -> None:
    assert forbidden_imports(part, ast.parse(source)) != []


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("wire", "from orca_tui.term.input_events import InputEvent"),
        ("cli", "from orca_tui import __version__"),
        ("cli", "from status_plugin.install import install_global"),
        ("term", "from orca_tui.term.engine import Row\nimport os"),
    ],
)
def test_an_import_that_is_allowed_is_not_found(part: str, source: str) -> None:
    assert forbidden_imports(part, ast.parse(source)) == []


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("server/app.py", "import time"),
        ("status/machine.py", "from datetime import datetime"),
        ("cli/main.py", "import aiohttp.web"),
        ("server/panes.py", "import fcntl"),
        ("ui/app.py", "import termios"),
        ("wire.py", "if True:\n    import textual"),
        ("cli/doctor.py", "import subprocess"),
    ],
)
def test_the_outside_is_found_where_it_does_not_belong(place: str, source: str) -> None:
    assert misplaced_imports(place, ast.parse(source)) != []


def test_the_other_rules_find_what_they_forbid() -> None:
    assert environment_reads(ast.parse("import os\nx = os.environ['A']")) == [2]
    assert environment_reads(ast.parse("import os\nx = os.getenv('A')")) == [2]
    assert lost_tasks(ast.parse("asyncio.create_task(f())")) == [1]
    assert lost_tasks(ast.parse("loop.create_task(f())")) == [1]
    assert lost_tasks(ast.parse("self._group.create_task(f())")) == []
    assert swallowing(ast.parse("try:\n    f()\nexcept Exception:\n    pass")) == [3]
    assert swallowing(ast.parse("try:\n    f()\nexcept BaseException:\n    g()\n    raise")) == []
    assert swallowing(ast.parse("try:\n    f()\nexcept:\n    pass")) == [3]
    assert globals_changed(ast.parse("def f():\n    global x\n    x = 1")) == [2]
