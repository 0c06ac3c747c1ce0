"""One thing that a person can have done, as a value. Which there are: `actions.py`."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Needs(StrEnum):
    """What has to be there for an action to do anything."""

    NOTHING = "nothing"
    PANE = "pane"
    SEVERAL_PANES = "several_panes"
    """In the tab that is shown."""


class Topic(StrEnum):
    """How help groups actions, in this order."""

    PANES = "Panes"
    TABS = "Tabs and workspaces"
    ATTENTION = "Agents that need you"
    NOTICES = "Notices for agents"
    VIEW = "View"
    SESSION = "Session"


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """`keys` are as settings write them: `prefix %` after the prefix, `alt+left` at any time."""

    id: str
    title: str
    description: str
    keys: tuple[str, ...]
    handler: str
    argument: str | None = None
    """Handed to the method; None calls it without one."""
    needs: Needs = Needs.NOTHING
    repeats: bool = False
    """The prefix need not be pressed again for the next of these within half a second."""
    hint: str = ""
    """A word for the hint line; empty: it is not shown there."""
