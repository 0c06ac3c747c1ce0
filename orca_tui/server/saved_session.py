"""A session as it is kept on the disk: the layout, and of every pane what brings it back. Values and bytes.

A file begins with a line that names its format and holds a checksum; the rest is JSON. Holds tokens, prompts and
variables that were set for panes: store it 0600.
"""

from __future__ import annotations

import zlib

import msgspec

from orca_tui.layout import Layout
from orca_tui.server.persist_snapshot import Damaged

VERSION = 1
"""Rises with every change that an earlier program could not read."""
MAGIC = b"orca-tui session"


class SavedPane(msgspec.Struct, frozen=True, kw_only=True):
    """One pane."""

    id: str
    command: tuple[str, ...]
    """What runs in it."""
    asked: tuple[str, ...] = ()
    """What somebody asked for, before an agent's own options were added."""
    added: tuple[tuple[str, str], ...] = ()
    """Variables that were set for it."""
    directory: str
    tells_directory: bool = False
    name: str = ""
    title: str = ""
    titled_by_program: bool = False
    progress: str = ""
    agent: str | None = None
    """Its own program is that agent."""
    closes_on_clean_exit: bool = False
    """It is a plain shell."""
    note: str = ""
    inbox: str = ""
    """Where notices wait for the pane itself."""
    guest: bool = False
    """The session that its agent names was in another pane."""
    token: str = ""
    openers: tuple[str, ...] = ()
    """The pane whose program opened it, and the one whose program opened that in turn ..."""
    granted: tuple[str, ...] = ()
    """What its programs may do by its user's word."""
    size: tuple[int, int]
    exit_code: int | None = None
    held: bool = False
    """Its program waits for a key to be started again."""
    relaunch: bool = False
    runs_agent: bool = False
    """An agent was there, be it in a shell."""
    resumes: tuple[str, str] | None = None
    """The agent and the session that was there last."""
    prompted: bool = False
    """That session has something to go on with."""
    status: bytes = b""
    """For `Board.open`."""


class SavedSession(msgspec.Struct, frozen=True, kw_only=True):
    """All of a server."""

    server: str
    keeper: str = ""
    """The life of the keeper that holds the programs."""
    saved_at: float
    """Unix seconds."""
    layout: Layout
    panes: tuple[SavedPane, ...] = ()
    ending: tuple[str, ...] = ()
    """Closed panes whose programs may still be there."""


def encoded(session: SavedSession) -> bytes:
    """A file's bytes."""
    body = msgspec.json.encode(session)
    return b"%s %d %08x\n%s\n" % (MAGIC, VERSION, zlib.crc32(body), body)


def decoded(data: bytes) -> SavedSession:
    """The session of a file; raises `Damaged`, also for a version that is not known."""
    head, _, rest = data.partition(b"\n")
    body = rest.removesuffix(b"\n")
    if head != b"%s %d %08x" % (MAGIC, VERSION, zlib.crc32(body)):
        raise Damaged("a saved session is damaged or of another version")
    try:
        return msgspec.json.decode(body, type=SavedSession)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged("a saved session cannot be read") from error
