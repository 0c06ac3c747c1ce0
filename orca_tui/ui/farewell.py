"""How the UI ends: the exit code and what is printed then."""

from __future__ import annotations

import msgspec

from orca_tui.base.errors import OrcaError
from orca_tui.config import DEFAULT_SERVER


class Farewell(msgspec.Struct, frozen=True, kw_only=True):
    exit_code: int
    text: str
    again: bool = False
    """The program should begin again, as it is installed now."""


def detached(reason: str, server: str) -> Farewell:
    """The UI was left; agents go on."""
    return Farewell(exit_code=0, text=f"{reason}; agents go on working, `{_command(server)}` comes back")


def server_stopped(reason: str) -> Farewell:
    """Somebody stopped the server; that was meant."""
    return Farewell(exit_code=0, text=reason)


def server_gone(error: OrcaError, server: str) -> Farewell:
    """The connection broke, or what came over it cannot be used."""
    return Farewell(exit_code=error.exit_code, text=f"{error.message}; `{_command(server)}` starts again")


def again() -> Farewell:
    """The server is another version's, and so is what is installed by now."""
    return Farewell(exit_code=0, text="", again=True)


def broken(server: str) -> Farewell:
    """A mistake of ours, whose place is printed above this."""
    text = f"the UI made a mistake and ended; agents go on working, `{_command(server)}` comes back"
    return Farewell(exit_code=1, text=text)


def _command(server: str) -> str:
    return "orca-tui" if server == DEFAULT_SERVER else f"orca-tui --server {server}"
