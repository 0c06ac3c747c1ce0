"""Messages that go to one UI only, the one used last: desktop notifications, the clipboard, questions."""

from __future__ import annotations

from orca_tui.server.uis import Uis
from orca_tui.status.record import Status
from orca_tui.wire import ClipboardOffered, ConsentAsked, PaneInfo, Rang, UiItem

WORDS = {Status.DONE: "is done", Status.WAITING: "needs you", Status.ERROR: "failed"}


def tell_rang(uis: Uis, info: PaneInfo) -> None:
    """The pane's bell rang."""
    who = info.name or info.agent or info.title or "pane"
    title = f"{who} ({info.pane}) {WORDS.get(info.status, info.status)}"
    body = info.message or info.prompt or info.last_message or ""
    _tell_used_last(uis, Rang(pane=info.pane, title=title, body=body))


def tell_notified(uis: Uis, info: PaneInfo, title: str, body: str) -> None:
    """The pane's program notified by itself (OSC 9, 777, 99)."""
    who = info.name or info.title or info.pane
    _tell_used_last(uis, Rang(pane=info.pane, title=title or who, body=body))


def offer_clipboard(uis: Uis, pane: str, text: str) -> None:
    """The pane's program set the clipboard (OSC 52): only that of whoever has the keyboard may."""
    used_last = uis.used_last
    if used_last is not None and used_last.view.focused == pane:
        used_last.mailbox.put(ClipboardOffered(pane=pane, text=text))


def ask_consent(uis: Uis, agent: str, title: str, text: str) -> None:
    """An agent could do more with the user's consent."""
    _tell_used_last(uis, ConsentAsked(agent=agent, title=title, text=text))


def _tell_used_last(uis: Uis, item: UiItem) -> None:
    used_last = uis.used_last
    if used_last is not None:
        used_last.mailbox.put(item)
