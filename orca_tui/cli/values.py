"""How click reads the values that the specs describe, and what the shell may complete for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from orca_tui.base.errors import ConfigError, Invalid, OrcaError
from orca_tui.cli.session import Session
from orca_tui.commands.index import load
from orca_tui.commands.spec import Empty
from orca_tui.config import Config
from orca_tui.config import load as load_settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_OF_TEXT = 40  # Characters of a notice beside its id.

COMMON_KEYS = (
    "enter", "escape", "tab", "shift+tab", "space", "backspace", "delete", "up", "down", "left", "right",
    "home", "end", "pageup", "pagedown", "ctrl+c", "ctrl+d", "ctrl+z", "alt+enter", "shift+enter",
    *(f"f{number}" for number in range(1, 13)),
)  # fmt: skip
"""Offered on tab; every other key name works too."""


def reader(parse: Callable[[str], Any]) -> Callable[[Any], Any]:
    """A spec's `parse` for click; its `Invalid` becomes a usage error."""

    def read(value: Any) -> Any:
        try:
            return parse(value)
        except Invalid as error:
            raise click.BadParameter(error.message) from error

    return read


def completer(kind: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell offers for values of a kind (`pane`, `target`, `agent`, `key`, `status` ...) on tab."""

    def complete(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(value, help=about)
            for value, about in _candidates(kind, context, start)
            if value.startswith(start)
        ]

    return complete


def _candidates(kind: str, context: click.Context, start: str) -> list[tuple[str, str | None]]:
    match kind:
        case "pane" | "target":
            session = context.find_object(Session)
            return _running(session, tabs=kind == "target") if session else []
        case "notice":
            session = context.find_object(Session)
            return _waiting(session) if session else []
        case "own_plugin":
            session = context.find_object(Session)
            return _plugins(session) if session else []
        case "agent":
            session = context.find_object(Session)
            return [(name, None) for name in _agent_names(session)] if session else []
        case "status":
            from orca_tui.commands.values import STATUS_WORDS

            given = start[: start.rfind(",") + 1]
            return [(f"{given}{word}", None) for word in STATUS_WORDS]
        case _:
            return [(key, None) for key in COMMON_KEYS]


def _agent_names(session: Session) -> tuple[str, ...]:
    """The built-in ones alone when the settings cannot be used: a completion never complains."""
    try:
        return load_settings(session.paths.config_file).agent_names()
    except ConfigError:
        return Config().agent_names()


def _waiting(session: Session) -> list[tuple[str, str | None]]:
    """The ids of notices that can be taken back."""
    spec = load("inbox list")
    try:
        with session.connect() as client:
            notices = client.call(spec, spec.request()).notices
    except OrcaError:
        return []
    return [(notice.id, notice.text.partition("\n")[0][:MOST_OF_TEXT]) for notice in notices]


def _plugins(session: Session) -> list[tuple[str, str | None]]:
    """The ids of the user's own plugins."""
    try:
        with session.connect() as client:
            plugins = client.call(load("plugins list"), Empty()).plugins
    except OrcaError:
        return []
    return [(plugin.id, plugin.state) for plugin in plugins]


def _running(session: Session, *, tabs: bool) -> list[tuple[str, str | None]]:
    """The ids of the running server; none when there is none: a completion never complains."""
    try:
        with session.connect() as client:
            panes = client.call(load("list"), Empty()).panes
    except OrcaError:
        return []
    found: dict[str, str | None] = {
        pane.pane: f"{pane.name or pane.agent or pane.title} ({pane.status})" for pane in panes
    }
    if tabs:
        for pane in panes:
            found |= {pane.tab: None, pane.workspace: None}
    return list(found.items())
