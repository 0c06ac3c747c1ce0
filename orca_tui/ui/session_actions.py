"""Actions on the session as a whole: a part of the table in `actions.py`."""

from __future__ import annotations

from orca_tui.ui.action import Action

SESSION: tuple[Action, ...] = (
    Action(
        id="plugins",
        title="Plugins",
        description="List your own plugins: how they stand and what went wrong; set one up again.",
        keys=("prefix P",),
        handler="plugins.show",
    ),
    Action(
        id="detach",
        title="Detach",
        description="Leave; all agents go on working.",
        keys=("prefix d",),
        handler="view.detach",
        hint="detach",
    ),
    Action(
        id="restore",
        title="Restore a session",
        description="Bring back what was there before a reboot or a stop.",
        keys=("prefix R",),
        handler="sessions.restore",
    ),
    Action(
        id="redraw",
        title="Redraw",
        description="Draw the whole screen again.",
        keys=("prefix r",),
        handler="view.redraw",
    ),
)
