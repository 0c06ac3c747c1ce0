"""All keys, from the same table that they are read from."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label, Static

from orca_tui.ui.action import Action
from orca_tui.ui.actions import ACTIONS, TOPICS
from orca_tui.ui.keymap import AFTER_PREFIX, Keymap
from orca_tui.ui.pieces import MUTED, STRONG
from orca_tui.ui.screens.dialog import Dialog

NOTES = (
    "Every other key goes to the program in the pane; the prefix twice sends the prefix.",
    "The mouse: click to focus, drag borders and titles, wheel for older lines, drag to select and copy;",
    "with alt it selects a block; ctrl and click opens a link. Hold shift where a program takes the mouse.",
    "Right click on a title opens the pane's menu. Copy mode has the keys of vi; docs/copy-mode.md lists them.",
    'Keys are set in [keys.bindings] of config.toml: action = "prefix x" or "alt+x".',
)


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
                yield Static(help_content(self._keymap))
            yield Label("escape leaves   arrows scroll", classes="dialog-keys")

    def action_leave(self) -> None:
        self.dismiss()

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


def help_content(keymap: Keymap) -> Content:
    """Topics with their actions, keys first; actions without a key are in the palette only."""
    lines: list[Content] = []
    key_cells = max((len(_keys(action, keymap)) for action in ACTIONS), default=0)
    for topic, actions in TOPICS.items():
        lines.append(Content.styled(topic.value, STRONG))
        lines += [_line(action, keymap, key_cells) for action in actions if keymap.keys_of(action.id)]
        lines.append(Content())
    return Content("\n").join([*lines, *(Content.styled(note, MUTED) for note in NOTES)])


def _line(action: Action, keymap: Keymap, key_cells: int) -> Content:
    keys = _keys(action, keymap)
    return Content.assemble((f"  {keys:<{key_cells}}   ", "$text-primary"), (action.description, MUTED))


def _keys(action: Action, keymap: Keymap) -> str:
    """`ctrl+b ctrl+←, alt+←`: the prefix stands once before all keys that need it."""
    keys = keymap.keys_of(action.id)
    after = [keymap.shown(key.removeprefix(AFTER_PREFIX)) for key in keys if key.startswith(AFTER_PREFIX)]
    direct = [keymap.shown(key) for key in keys if not key.startswith(AFTER_PREFIX)]
    return ", ".join([*([f"{keymap.shown(keymap.prefix)} {', '.join(after)}"] if after else []), *direct])
