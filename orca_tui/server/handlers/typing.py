"""type, paste, keys, input: what a script gives to a pane's program."""

from __future__ import annotations

from orca_tui.base.errors import Invalid
from orca_tui.commands.input import INPUT, InputRequest
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.paste import PASTE, PasteRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.server.handlers.handler import AnyHandler, at_once
from orca_tui.server.observing import Observer
from orca_tui.server.session import Session
from orca_tui.term.input_events import InputEvent, Paste, Text
from orca_tui.term.key_names import parse_key


def handlers(session: Session, observer: Observer) -> tuple[AnyHandler, ...]:
    typing = Typing(session, observer)
    return (
        at_once(TYPE, typing.type),
        at_once(PASTE, typing.paste),
        at_once(KEYS, typing.keys),
        at_once(INPUT, typing.input),
    )


class Typing:
    def __init__(self, session: Session, observer: Observer) -> None:
        self._session = session
        self._observer = observer

    def type(self, request: TypeRequest) -> Empty:
        return self._press(request.pane, [_text(request.text)])

    def paste(self, request: PasteRequest) -> Empty:
        return self._press(request.pane, [Paste(text=request.text)])

    def keys(self, request: KeysRequest) -> Empty:
        return self._press(request.pane, [parse_key(name) for name in request.keys])

    def input(self, request: InputRequest) -> Empty:
        match request:
            case InputRequest(text=str() as text, paste=None, keys=None):
                return self._press(request.pane, [_text(text)])
            case InputRequest(text=None, paste=str() as text, keys=None):
                return self._press(request.pane, [Paste(text=text)])
            case InputRequest(text=None, paste=None, keys=tuple() as keys):
                return self._press(request.pane, [parse_key(name) for name in keys])
            case _:
                raise Invalid("give exactly one of text, paste and keys")

    def _press(self, pane_id: str, events: list[InputEvent]) -> Empty:
        pane = self._session.pane(pane_id)
        for event in events:
            pane.press(event)
            self._observer.pressed(pane, event)
        return Empty()


def _text(text: str) -> Text:
    return Text(data=text.encode("utf-8", "surrogateescape"))
