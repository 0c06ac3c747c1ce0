"""The one list of commands: where each spec is, so that the command line can load one without the others."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from orca_tui.commands.spec import Command

PLACES: dict[str, tuple[str, str]] = {
    "detach": ("detach", "DETACH"),
    "server status": ("server_status", "SERVER_STATUS"),
    "server stop": ("server_stop", "SERVER_STOP"),
    "open": ("open", "OPEN"),
    "list": ("list", "LIST"),
    "get": ("get", "GET"),
    "wait": ("wait", "WAIT"),
    "events": ("events", "EVENTS"),
    "stream": ("stream", "STREAM"),
    "read": ("read", "READ"),
    "type": ("type", "TYPE"),
    "paste": ("paste", "PASTE"),
    "keys": ("keys", "KEYS"),
    "input": ("input", "INPUT"),
    "send": ("send", "SEND"),
    "inbox list": ("inbox", "INBOX_LIST"),
    "inbox cancel": ("inbox", "INBOX_CANCEL"),
    "inbox update": ("inbox", "INBOX_UPDATE"),
    "active": ("active", "ACTIVE"),
    "interrupt": ("interrupt", "INTERRUPT"),
    "grant": ("authority", "GRANT"),
    "revoke": ("authority", "REVOKE"),
    "grants": ("authority", "GRANTS"),
    "whoami": ("authority", "WHOAMI"),
    "focus": ("targets", "FOCUS"),
    "seen": ("targets", "SEEN"),
    "rename": ("targets", "RENAME"),
    "close": ("targets", "CLOSE"),
    "move": ("arranging", "MOVE"),
    "resize": ("arranging", "RESIZE"),
    "zoom": ("arranging", "ZOOM"),
    "arrange": ("arranging", "ARRANGE"),
    "explain": ("explain", "EXPLAIN"),
    "agents list": ("agents", "AGENTS"),
    "agents allow": ("agents", "ALLOW"),
    "agents deny": ("agents", "DENY"),
    "sessions list": ("sessions", "SESSIONS"),
    "sessions restore": ("sessions", "RESTORE"),
    "sessions forget": ("sessions", "FORGET"),
    "plugins list": ("plugins", "PLUGINS"),
    "plugins reload": ("plugins", "RELOAD"),
    "plugins run": ("plugins", "RUN"),
    "ui.ratio": ("arranging", "SET_RATIO"),
    "ui.attach": ("ui", "ATTACH"),
    "ui.view": ("ui", "VIEW"),
    "ui.history": ("ui", "HISTORY"),
    "ui.picture": ("ui", "PICTURE"),
    "host.orders": ("plugin_host", "ORDERS"),
    "host.answer": ("plugin_host", "ANSWER"),
    "host.report": ("plugin_host", "REPORT"),
    "host.notify": ("plugin_host", "NOTIFY"),
}
"""Every command that a server answers, in the order in which help shows them: module and constant."""


def load(name: str) -> Command[Any, Any]:
    """The spec of one command; `KeyError` when there is none of that name."""
    module, constant = PLACES[name]
    spec: Command[Any, Any] = getattr(import_module(f"orca_tui.commands.{module}"), constant)
    return spec
