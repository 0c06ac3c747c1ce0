"""All keys, from the same table that they are read from."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Label

from orca_tui.ui.action import Action
from orca_tui.ui.actions import ACTIONS, TOPICS
from orca_tui.ui.keymap import AFTER_PREFIX, Keymap
from orca_tui.ui.pieces import MUTED, STRONG
from orca_tui.ui.screens.dialog import Dialog

NOTES = (
    "Every other key goes to the program in the pane; the prefix twice sends the prefix.",
    "The mouse: click to focus, drag borders and titles, wheel for older lines, drag to select and copy; "
    "with alt it selects a block; ctrl and click opens a link. Hold shift where a program takes the mouse.",
    "Right click on a title opens the pane's menu. Copy mode has the keys of vi; docs/copy-mode.md lists them.",
    'Keys are set in [keys.bindings] of config.toml: action = "prefix x" or "alt+x".',
)


NARROWEST_COLUMN = 24
"""Cells for what a key does, below which it would be a column of single words."""
INDENT = "      "


class Help(Dialog[None]):
    """The keys by topic; any way out closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "leave", "Leave"),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box -wide"):
            yield Label("Keys", classes="dialog-title")
            with VerticalScroll(can_focus=False):
                yield KeyTable(self._keymap)
            yield Label("escape leaves   arrows scroll", classes="dialog-keys")

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


class KeyTable(Widget):
    """The keys, laid out for the width there is."""

    DEFAULT_CSS = "KeyTable { height: auto; }"

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(help_lines(self._keymap, width))

    def render(self) -> Content:
        return Content("\n").join(help_lines(self._keymap, self.content_size.width))


def help_lines(keymap: Keymap, cells: int) -> list[Content]:
    """Topics with their actions, keys first; actions without a key are in the palette only."""
    lines: list[Content] = []
    key_cells = max((len(_keys(action, keymap)) for action in ACTIONS), default=0)
    for topic, actions in TOPICS.items():
        lines.append(Content.styled(topic.value, STRONG))
        for action in actions:
            if keymap.keys_of(action.id):
                lines += _lines(action, keymap, key_cells, cells)
        lines.append(Content())
    return [*lines, *(Content.styled(line, MUTED) for note in NOTES for line in wrap(note, max(1, cells)))]


def _lines(action: Action, keymap: Keymap, key_cells: int, cells: int) -> list[Content]:
    """Keys, and beside them what they do; below them where that would be a narrow column."""
    keys = f"  {_keys(action, keymap):<{key_cells}}   "
    room = cells - len(keys)
    if room >= NARROWEST_COLUMN:
        first, *others = wrap(action.description, room)
        beside = Content.assemble((keys, "$text-primary"), (first, MUTED))
        return [beside, *(Content.styled(" " * len(keys) + line, MUTED) for line in others)]
    below = wrap(action.description, max(1, cells - len(INDENT)))
    return [
        Content.styled(keys.rstrip(), "$text-primary"),
        *(Content.styled(INDENT + line, MUTED) for line in below),
    ]


def _keys(action: Action, keymap: Keymap) -> str:
    """`ctrl+b ctrl+←, alt+←`: the prefix stands once before all keys that need it."""
    keys = keymap.keys_of(action.id)
    after = [keymap.shown(key.removeprefix(AFTER_PREFIX)) for key in keys if key.startswith(AFTER_PREFIX)]
    direct = [keymap.shown(key) for key in keys if not key.startswith(AFTER_PREFIX)]
    return ", ".join([*([f"{keymap.shown(keymap.prefix)} {', '.join(after)}"] if after else []), *direct])
