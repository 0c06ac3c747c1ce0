"""Plugins of the user's own: `from orca_tui.plugins import Context` in a file of the plugins folder.

They run in one process beside the server, the host, which is a client of the control API and nothing more.
"""

from orca_tui.base.errors import InboxConflict, OrcaError
from orca_tui.commands.active import Running
from orca_tui.commands.events import ClosedEvent, Event, NoticeEvent, OpenedEvent, RingEvent, StatusEvent
from orca_tui.commands.inbox import NoticeInfo
from orca_tui.commands.send import SendReply
from orca_tui.plugins.context import Context
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo

__all__ = [
    "ClosedEvent",
    "Context",
    "Event",
    "InboxConflict",
    "NoticeEvent",
    "NoticeInfo",
    "OpenedEvent",
    "OrcaError",
    "PaneInfo",
    "RingEvent",
    "Running",
    "SendReply",
    "Status",
    "StatusEvent",
]
