"""What programs tell their terminals, translated for the status core and for people. No rules about status."""

from __future__ import annotations

import logging
from typing import assert_never

from orca_tui.agents import program_status
from orca_tui.commands.events import TitleEvent
from orca_tui.server.foreground import ForegroundWatch
from orca_tui.server.notify import offer_clipboard, tell_notified
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.status.events import (
    Event,
    InterruptPressed,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgramState,
    ProgressShown,
    PromptMarked,
)
from orca_tui.term.engine import (
    AgentReport,
    Bell,
    ClipboardWrite,
    DirectoryChanged,
    Fact,
    Notification,
    ProgramStatus,
    Progress,
    PromptMark,
    TerminalReset,
    TitleChanged,
)
from orca_tui.term.input_events import InputEvent, Key, KeyAction, Text
from orca_tui.term.key_names import key_name

NOTIFY_EVERY_S = 2.0  # A program's own notifications, per pane: text in a log file can forge them.
NO_PROGRESS = 0  # OSC 9;4;0
TYPED_INTERRUPTS = {b"\x1b": "escape", b"\x03": "ctrl+c"}

logger = logging.getLogger(__name__)


class Observer:
    """The `PaneListener` of every pane."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._foreground = ForegroundWatch(session)

    # From the pane

    def said(self, pane: Pane, facts: tuple[Fact, ...]) -> None:
        """Facts of one read, in order; only the last of several titles is shown."""
        session = self._session
        if pane.id not in session.panes:
            return
        title = pane.facts.title
        directory = pane.facts.directory
        at = session.now()
        for fact in facts:
            session.observe(pane.id, self._taken(pane, fact, at))
        if pane.id not in session.panes:
            return
        if pane.facts.title != title:
            session.events.publish(TitleEvent(pane=pane.id, title=pane.facts.title, at=at))
        if (pane.facts.title, pane.facts.directory) != (title, directory):
            session.tell_changed(pane)
        self._reset_modes_at_prompt(pane, facts)
        if any(isinstance(fact, TitleChanged | PromptMark) for fact in facts):
            self._foreground.suspect(pane)

    def fell_silent(self, pane: Pane) -> None:
        """Something may have ended without a word."""
        self._foreground.suspect(pane)

    def resized(self, pane: Pane) -> None:
        """Its record names its size."""
        self._session.tell_changed(pane)

    def exited(self, pane: Pane, exit_code: int) -> None:
        """The pane stays, with the last screen; a plain shell that ended well takes its pane along."""
        session = self._session
        logger.info("program ended with %d", exit_code, extra={"pane": pane.id})
        self._foreground.forget(pane.id)
        session.keeping.saver.ending()
        session.observe(pane.id, [ProcessExited(at=session.now(), exit_code=exit_code)])
        if pane.facts.closes_on_clean_exit and exit_code == 0:
            session.remove(pane)
        session.keeping.saver.write()  # Before the keeper hears that it may forget the end.

    def broke(self, pane: Pane, reason: str) -> None:
        """One engine's failure ends its pane and no other."""
        logger.error("terminal engine failed: %s", reason, extra={"pane": pane.id})
        self._session.remove(pane)

    def _taken(self, pane: Pane, fact: Fact, at: float) -> list[Event]:
        """Keep what belongs to the pane; what says something of the status comes back as events."""
        match fact:
            case TitleChanged(title=title):
                pane.facts.title = title
                return self._title_said(pane, title, at)
            case DirectoryChanged(path=path):
                pane.facts.directory = path
                pane.facts.tells_directory = True
            case Notification(title=title, body=body):
                self._notify(pane, title, body)
            case Progress(state=state, percent=percent):
                return [ProgressShown(at=at, percent=None if state == NO_PROGRESS else percent)]
            case PromptMark(kind=kind, exit_code=exit_code):
                return [PromptMarked(at=at, mark=Mark(kind), exit_code=exit_code)] if kind in MARKS else []
            case ProgramStatus(payload=payload):
                return program_status.read(payload, at)
            case ClipboardWrite(text=text):
                if self._session.parts.config.terminal.clipboard:
                    offer_clipboard(self._session.uis, pane.id, text)
            case TerminalReset():
                pane.facts.title = ""
                return [ProgressShown(at=at, percent=None), ProgramReported(at=at, state=ProgramState.CLEAR)]
            case Bell() | AgentReport():
                pass  # A bell says nothing of an agent; no agent that we know sends OSC 9999.
            case _:
                assert_never(fact)
        return []

    def _title_said(self, pane: Pane, title: str, at: float) -> list[Event]:
        adapter = self._session.parts.agents.by_name(self._session.board.record(pane.id).agent)
        return adapter.title_said(title, at) if adapter else []

    def _notify(self, pane: Pane, title: str, body: str) -> None:
        """A shell's program notified. Agents' own notifications would repeat what their status rings for."""
        session = self._session
        info = session.info(pane)
        now = session.parts.clock.monotonic()
        last = pane.facts.notified_at
        if info.agent is None and (last is None or now - last >= NOTIFY_EVERY_S):
            pane.facts.notified_at = now
            tell_notified(session.uis, info, title, body)

    def _reset_modes_at_prompt(self, pane: Pane, facts: tuple[Fact, ...]) -> None:
        """A prompt is being drawn, so whatever full-screen program set modes before is gone."""
        marks = [fact.kind for fact in facts if isinstance(fact, PromptMark)]
        if Mark.PROMPT in marks and marks[-1] in (Mark.PROMPT, Mark.INPUT):
            pane.feed(pane.engine.reset_modes_bytes(at_prompt=True))

    # From people

    def pressed(self, pane: Pane, event: InputEvent) -> None:
        """Input that was given to the pane: a key that interrupts its agent is evidence."""
        match event:
            case Key(action=action) if action is not KeyAction.RELEASE:
                key = key_name(event)
            case Text(data=data) if data in TYPED_INTERRUPTS:
                key = TYPED_INTERRUPTS[data]
            case _:
                return
        adapter = self._session.parts.agents.by_name(self._session.board.record(pane.id).agent)
        if adapter is not None and key in adapter.interrupt_keys:
            self._session.observe(pane.id, [InterruptPressed(at=self._session.now())])


MARKS = frozenset(Mark)
