"""A line of text that is edited in the order of its keys, however fast they come. Knows nothing of what it is for."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class LineInput(Input):
    """Textual hands a bound key up to the app, which acts on it after the keys that follow; here it acts at once."""

    async def _on_key(self, event: events.Key) -> None:
        bindings = self._bindings.key_to_bindings.get(event.key, [])
        if not bindings or event.is_printable:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        await self.run_action(bindings[0].action)
