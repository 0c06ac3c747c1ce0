"""What our widgets and Textual's have in common by accident: names that would hide Textual's own."""

from __future__ import annotations

import inspect

import pytest
from textual.app import App
from textual.layout import Layout
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from orca_tui.ui.app import OrcaApp
from orca_tui.ui.screens.dashboard import Dashboard
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from orca_tui.ui.screens.help import Help
from orca_tui.ui.screens.picker import Picker
from orca_tui.ui.screens.work import Desk, WorkScreen
from orca_tui.ui.widgets.chrome import Chrome
from orca_tui.ui.widgets.grasp import Grasp
from orca_tui.ui.widgets.grips import Grip, PaneTitle, VerticalLine
from orca_tui.ui.widgets.notes import EmptyNote
from orca_tui.ui.widgets.terminal import TerminalView

OURS: list[tuple[type, type]] = [
    (OrcaApp, App),
    (WorkScreen, Screen),
    (Desk, Layout),
    *((dialog, ModalScreen) for dialog in (Confirm, Prompt, Picker, Help, Dashboard)),
    *((widget, Widget) for widget in (Chrome, Grasp, Grip, VerticalLine, PaneTitle, EmptyNote, TerminalView)),
]

MEANT = {
    "ALLOW_SELECT",
    "SUSPENDED_SCREEN_CLASS",
    "AUTO_FOCUS",
    "animation_level",
    "theme",
    "BINDINGS",
    "COMPONENT_CLASSES",
    "CSS_PATH",
    "ENABLE_COMMAND_PALETTE",
    "arrange",
    "compose",
    "get_default_screen",
    "layout",
    "name",
    "notifications",
    "post_message",
    "render",
    "render_line",
    "render_lines",
}
"""Names that Textual offers to be overridden."""

PRIVATE_MEANT = {"_fatal_error", "_forward_event"}
"""Private ones that we override on purpose; the pinned range of Textual has them."""

MADE = {"_abc_impl", "_computes", "_reactives", "can_focus", "can_focus_children"}
"""What Python and Textual give every class."""


def own_names(ours: type) -> set[str]:
    """What a class defines itself, and what its methods set on instances."""
    source = inspect.getsource(ours)
    words = {word.split("self.", 1)[1] for word in source.split() if word.startswith("self.")}
    assigned = {word for word in words if f"self.{word} = " in source or f"self.{word}: " in source}
    return {name for name in vars(ours) if not name.startswith("__")} | assigned


@pytest.mark.parametrize(("ours", "theirs"), OURS, ids=lambda one: one.__name__)
def test_nothing_of_ours_hides_something_of_textuals(ours: type, theirs: type) -> None:
    sources = "".join(
        inspect.getsource(base) for base in theirs.__mro__[:-1] if base.__module__ != "builtins"
    )
    framework = {name for base in theirs.__mro__ for name in vars(base)}

    hidden = {
        name
        for name in own_names(ours)
        if name in framework or f"self.{name} = " in sources or f"self.{name}: " in sources
    }
    made = {
        name
        for name in hidden
        if name in MADE or name.startswith(("_inherit_", "_merged", "_decorated", "_css_type"))
    }

    assert hidden - MEANT - PRIVATE_MEANT - {"_size"} - made == set()


def test_textual_has_the_private_names_that_we_override() -> None:
    assert all(hasattr(App, name) or hasattr(Widget, name) for name in PRIVATE_MEANT)
    assert hasattr(App, "_unnotify")


def test_textual_resizes_when_it_is_idle_where_the_size_is_there_already() -> None:
    source = inspect.getsource(App._on_resize)

    assert "if self._size == event.size:\n            return" in source
    assert source.index("self._resize_event = event") < source.index("if self._size == event.size")
    assert "self._check_resize()" in inspect.getsource(App._on_idle)
