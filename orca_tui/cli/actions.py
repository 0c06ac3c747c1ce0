"""What each generated command does beside asking the server: fields that only the caller has, and questions."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from orca_tui.base.errors import Conflict, Invalid
from orca_tui.base.toml_text import for_people, with_choices
from orca_tui.cli.caller import environment_to_send, working_directory
from orca_tui.cli.generated import Action
from orca_tui.cli.printing import print_item, print_reply
from orca_tui.cli.session import LEAVE_TIMEOUT_S, Session, standard_output, write_line
from orca_tui.commands.spec import Command
from orca_tui.config import is_text


def action_for(spec: Command[Any, Any]) -> Action:
    """The way a command is run."""
    special: dict[str, Action] = {
        "open": _open,
        "paste": _paste,
        "send": _send,
        "wait": _wait,
        "server stop": _stop,
        "agents list": _agents,
        "agents allow": _call_or_start,
        "agents deny": _call_or_start,
        "sessions list": _call_or_start,
        "sessions restore": _restore,
        "sessions forget": _call_or_start,
    }
    return special.get(spec.name, _stream if spec.stream else _call)


def request_of(spec: Command[Any, Any], fields: dict[str, Any]) -> Any:
    """The request, checked as the server will; raises `Invalid`."""
    if not all(map(is_text, _texts(fields))):
        raise Invalid("an argument is not UTF-8")
    try:
        return msgspec.convert(fields, spec.request)
    except msgspec.ValidationError as error:
        raise Invalid(for_people(with_choices(str(error), spec.request))) from error


def _call(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    request = request_of(spec, fields)
    with session.connect() as client:
        print_reply(session, spec, client.call(spec, request))
    return 0


def _call_or_start(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    request = request_of(spec, fields)
    with session.connect_or_start() as client:
        print_reply(session, spec, client.call(spec, request))
    return 0


def _stream(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    request = request_of(spec, fields)
    with session.connect() as client:
        client.read_by(standard_output())
        for item in client.stream(spec, request):
            print_item(session, spec, item)
    return 0


def _agents(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    """Looked for where a pane that is opened from here would find them."""
    path = environment_to_send(session.outside.environment).get("PATH")
    return _call_or_start(session, spec, fields | {"path": path})


def _open(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    request = open_request(session, spec, fields)
    with session.connect_or_start() as client:
        print_reply(session, spec, client.call(spec, request))
    return 0


def open_request(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> Any:
    """The request for a pane of the caller's own: its directory and its whole environment."""
    environment = session.outside.environment
    own = {
        "cwd": working_directory(environment.variables, fields.get("cwd")),
        "environment": environment_to_send(environment),
    }
    return request_of(spec, fields | own)


def _restore(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    environment = environment_to_send(session.outside.environment)
    return _call_or_start(session, spec, fields | {"environment": environment})


def _paste(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    if fields.get("text", "-") == "-":
        if sys.stdin.isatty():
            write_line("orca-tui: reading the text from this terminal; Ctrl-D ends it", sys.stderr)
        fields = fields | {"text": _standard_input()}
    return _call(session, spec, fields)


def _send(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    if fields.get("text") == "-":
        fields = fields | {"text": _standard_input()}
    return (_wait if "wait" in fields else _call)(session, spec, fields)


def _wait(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    """Nobody waits any more when what would be printed has no reader."""
    request = request_of(spec, fields)
    with session.connect() as client:
        client.read_by(standard_output())
        print_reply(session, spec, client.call(spec, request))
    return 0


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise Invalid("standard input is not UTF-8") from error


def _stop(session: Session, spec: Command[Any, Any], fields: dict[str, Any]) -> int:
    """Ask only when the server says that agents run, and only a person.

    The programs of a server that has crashed are still there; another one ends them.
    """
    crashed = session.outside.holds_programs(session.server)
    with session.connect_or_start() if crashed else session.connect() as client:
        try:
            reply = client.call(spec, request_of(spec, fields))
        except Conflict as conflict:
            if session.json or not session.is_at_a_terminal() or not _agreed(conflict):
                raise
            reply = client.call(spec, request_of(spec, fields | {"yes": True}))
        client.wait_closed(LEAVE_TIMEOUT_S)
    session.wait_gone()
    print_reply(session, spec, reply)
    return 0


def _agreed(conflict: Conflict) -> bool:
    sys.stderr.write(f"{conflict.message}\nStop the server and end them? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for pair in value.items() for part in pair for text in _texts(part)]
        case list() | tuple():
            return [text for part in value for text in _texts(part)]
        case _:
            return []
