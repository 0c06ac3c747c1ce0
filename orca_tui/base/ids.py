"""Names of things: panes, tabs, workspaces, and the secrets that panes are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType

PaneId = NewType("PaneId", str)
"""`p1`, `p2` ...: unique within a server, never used twice by it."""

TabId = NewType("TabId", str)
"""`t1`, `t2` ..."""

WorkspaceId = NewType("WorkspaceId", str)
"""`w1`, `w2` ..."""

TOKEN_BYTES = 32  # 256 bits: not to be guessed, and short enough for an environment variable.

NAME_BYTES = 10  # 80 bits: enough that two never meet, and still to be read out.


def new_token() -> str:
    """A secret for one pane: URL-safe text, 43 characters."""
    import secrets  # Only servers mint tokens, and its imports cost every command 5 ms.

    return secrets.token_urlsafe(TOKEN_BYTES)


def new_name() -> str:
    """A name that nothing else has: 20 hexadecimal digits."""
    import secrets

    return secrets.token_hex(NAME_BYTES)


def next_number(taken: Iterable[str]) -> int:
    """The number after the highest one in ids such as `p3`; 1 when there are none."""
    return max((int(name[1:]) for name in taken), default=0) + 1
