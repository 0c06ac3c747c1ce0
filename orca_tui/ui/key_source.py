"""What was really pressed, out of Textual's key events: the driver's word, else what the name says."""

from __future__ import annotations

from textual import events

from orca_tui.base.errors import Invalid
from orca_tui.term.input_events import Key
from orca_tui.term.key_names import parse_key
from orca_tui.ui.input_messages import OrcaKey


def key_of(event: events.Key) -> Key:
    """The key of an event; events of other drivers (tests press keys by name) carry a name and a character."""
    if isinstance(event, OrcaKey):
        return event.source
    try:
        return parse_key(event.key)
    except Invalid:
        return Key(key="", text=event.character or "")
