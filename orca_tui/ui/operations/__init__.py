"""What actions do: each is a method here, named by the table in `actions.py`. Commands to the server and dialogs."""

from __future__ import annotations

import msgspec

from orca_tui.ui.operations.attention import Attention
from orca_tui.ui.operations.authority import Authority
from orca_tui.ui.operations.consent import Consent
from orca_tui.ui.operations.copying import Copying
from orca_tui.ui.operations.host import Host
from orca_tui.ui.operations.notices import Notices
from orca_tui.ui.operations.panes import Panes
from orca_tui.ui.operations.plugins import Plugins
from orca_tui.ui.operations.sessions import Sessions
from orca_tui.ui.operations.tabs import Tabs
from orca_tui.ui.operations.view import View

__all__ = [
    "Attention",
    "Authority",
    "Consent",
    "Copying",
    "Host",
    "Notices",
    "Operations",
    "Panes",
    "Plugins",
    "Sessions",
    "Tabs",
    "View",
]


class Operations(msgspec.Struct, frozen=True, kw_only=True):
    """The parts by the names that `Action.handler` uses."""

    panes: Panes
    tabs: Tabs
    attention: Attention
    notices: Notices
    authority: Authority
    view: View
    consent: Consent
    copying: Copying
    sessions: Sessions
    plugins: Plugins

    @classmethod
    def of(cls, host: Host) -> Operations:
        return cls(
            panes=Panes(host),
            tabs=Tabs(host),
            attention=Attention(host),
            notices=Notices(host),
            authority=Authority(host),
            view=View(host),
            consent=Consent(host),
            copying=Copying(host),
            sessions=Sessions(host),
            plugins=Plugins(host),
        )
