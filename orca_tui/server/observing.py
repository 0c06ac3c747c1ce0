"""What programs tell their terminals, translated for the status core and for people. No rules about status."""

from __future__ import annotations

import logging
from typing import assert_never

from orca_tui.agents import program_status, reported_json, reported_pairs, shell
from orca_tui.agents.rules import told
from orca_tui.agents.rules_regions import Glance, Region
from orca_tui.commands.events import TitleEvent
from orca_tui.commands.values import LARGEST_SIDE
from orca_tui.server.foreground import ForegroundWatch
from orca_tui.server.leftovers import Leftovers
from orca_tui.server.notify import offer_clipboard, tell_notified
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.status.events import (
    AgentRecognised,
    Event,
    InterruptPressed,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgramState,
    ProgressShown,
    Says,
    StateSaid,
)
from orca_tui.status.record import Source
from orca_tui.term.engine import (
    AgentReport,
    Bell,
    ClipboardWrite,
    DirectoryChanged,
    Fact,
    Notification,
    PicturesChanged,
    ProgramStatus,
    Progress,
    PromptMark,
    SizeWished,
    TerminalReset,
    TitleChanged,
)
from orca_tui.term.input_events import InputEvent, Key, KeyAction, Paste, Text
from orca_tui.term.key_names import key_name
from orca_tui.wire import PaneRepictured

NOTIFY_EVERY_S = 2.0  # What programs notify of, per pane: text in a log file can forge it.
REPORT_READERS = {26: reported_pairs.read, 9999: reported_json.read}
"""By the number of the OSC."""
SIGN_OF_LIFE_EVERY_S = 30.0  # It only counts after many minutes without one.
NO_PROGRESS = 0  # OSC 9;4;0
TYPED_INTERRUPTS = {b"\x1b": "escape", b"\x03": "ctrl+c"}

logger = logging.getLogger(__name__)


class Observer:
    """The `PaneListener` of every pane."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._foreground = ForegroundWatch(session)
        self._leftovers = Leftovers(session.parts.processes)

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
            for event in self._taken(pane, fact, at):
                if self._is_own(pane, event):
                    session.observe(pane.id, [event])
        if pane.id not in session.panes:
            return
        if pane.facts.title != title:
            session.events.publish(TitleEvent(pane=pane.id, title=pane.facts.title, at=at))
        if (pane.facts.title, pane.facts.directory) != (title, directory):
            session.tell_changed(pane)
        self._reset_modes_at_prompt(pane, facts)
        if any(isinstance(fact, TitleChanged | PromptMark) for fact in facts):
            self._foreground.suspect(pane)

    def wrote(self, pane: Pane) -> None:
        """Its screen may say something new; and an agent that writes lives."""
        session = self._session
        self._leftovers.wrote(pane)
        session.screens.wrote(pane)
        now = session.parts.clock.monotonic()
        last = pane.facts.sign_of_life_at
        if last is not None and now - last < SIGN_OF_LIFE_EVERY_S:
            return
        pane.facts.sign_of_life_at = now
        if pane.id in session.panes and session.board.record(pane.id).agent is not None:
            life = StateSaid(at=session.now(), source=Source.OUTPUT, says=Says.WORKING, detail="output")
            session.observe(pane.id, [life])

    def giving(self, pane: Pane) -> None:
        """Nobody's modes may make of it what its program does not want."""
        self._leftovers.reset(pane)

    def fell_silent(self, pane: Pane) -> None:
        """Something may have ended without a word."""
        self._leftovers.reset(pane)
        self._foreground.suspect(pane)

    def resized(self, pane: Pane) -> None:
        """Its record names its size."""
        self._session.tell_changed(pane)

    def exited(self, pane: Pane, exit_code: int) -> None:
        """The pane stays, with the last screen; a plain shell that ended well takes its pane along."""
        session = self._session
        logger.info("program ended with %d", exit_code, extra={"pane": pane.id})
        self._foreground.forget(pane.id)
        self._leftovers.forget(pane.id)
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
                pane.facts.titled_by_program = not self._shell_in_front(pane)
                return self._session.screens.shown(pane, Source.TITLE)
            case DirectoryChanged(path=path):
                pane.facts.directory = path
                pane.facts.tells_directory = True
            case Notification(title=title, body=body):
                return self._notified(pane, title, body, at)
            case Progress(state=state, percent=percent):
                pane.facts.progress = f"{state}" if percent is None else f"{state};{percent}"
                shown = ProgressShown(at=at, percent=None if state == NO_PROGRESS else percent)
                return [shown, *self._session.screens.shown(pane, Source.PROGRESS)]
            case PromptMark(kind=kind, exit_code=exit_code):
                return shell.prompt_marked(kind, exit_code, at)
            case ProgramStatus(payload=payload):
                return program_status.read(payload, at)
            case ClipboardWrite(text=text):
                if self._session.parts.config.terminal.clipboard:
                    offer_clipboard(self._session.uis, pane.id, text)
            case SizeWished(cols=cols, rows=rows):
                if pane.id not in self._session.uis.sizes():
                    pane.want_size(min(cols, LARGEST_SIDE), min(rows, LARGEST_SIDE), at_once=True)
            case PicturesChanged(images=images):
                self._session.uis.tell(PaneRepictured(pane=pane.id, images=images))
            case AgentReport(number=number, payload=payload):
                return self._reported(pane, number, payload, at)
            case TerminalReset():
                pane.facts.title = pane.facts.progress = ""
                return [ProgressShown(at=at, percent=None), ProgramReported(at=at, state=ProgramState.CLEAR)]
            case Bell():
                pass  # It says nothing of an agent.
            case _:
                assert_never(fact)
        return []

    def _shell_in_front(self, pane: Pane) -> bool:
        """The pane's own shell holds its terminal, so that it is the one that writes."""
        if pane.facts.is_agent or pane.master is None:
            return False
        return self._session.parts.processes.foreground_group(pane.master) == pane.pid

    def _reported(self, pane: Pane, number: int, payload: str, at: float) -> list[Event]:
        """A report by OSC 26 or 9999, unless the pane's agent has a better way to tell."""
        agent = self._session.board.record(pane.id).agent
        takes = self._session.parts.agents.takes_reports(agent)
        return REPORT_READERS[number](payload, at) if takes else []

    def _is_own(self, pane: Pane, event: Event) -> bool:
        """A program that names an agent and its session names those of the agent in this pane, or of none."""
        return (
            not isinstance(event, AgentRecognised) or event.agent == self._session.board.record(pane.id).agent
        )

    def _notified(self, pane: Pane, title: str, body: str, at: float) -> list[Event]:
        """A shell's program notified. An agent's own notification would repeat what its status rings for, but it may
        be all that says that the agent waits.
        """
        session = self._session
        info = session.info(pane)
        now = session.parts.clock.monotonic()
        last = pane.facts.notified_at
        if last is not None and now - last < NOTIFY_EVERY_S:
            return []
        pane.facts.notified_at = now
        if info.agent is None:
            tell_notified(session.uis, info, title, body)
            return []
        rules = session.parts.agents.rules(info.agent).at(Region.NOTIFICATION)
        glance = Glance(notification="\n".join(filter(None, (title, body))))
        found = told(rules, Source.PROGRESS, glance, at)
        if found is None or found.said.says is Says.NOTHING:
            return []
        pane.facts.asked_by_notification = True
        return found.events()

    def _reset_modes_at_prompt(self, pane: Pane, facts: tuple[Fact, ...]) -> None:
        """A prompt is being drawn, so whatever full-screen program set modes before is gone."""
        marks = [fact.kind for fact in facts if isinstance(fact, PromptMark)]
        if Mark.PROMPT in marks and marks[-1] in (Mark.PROMPT, Mark.INPUT):
            pane.end_modes(at_prompt=True)

    # From people

    def pressed(self, pane: Pane, event: InputEvent) -> None:
        """Input that was given to the pane: a key that interrupts its agent is evidence."""
        if pane.facts.asked_by_notification and isinstance(event, Key | Text | Paste):
            # Whoever types there has seen what was asked; nothing else tells that it was answered.
            pane.facts.asked_by_notification = False
            self._session.observe(pane.id, self._session.screens.shown(pane, Source.PROGRESS))
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
