"""What a pane is beside its engine, its program and its status. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field

from orca_tui.base.ids import new_name


def new_inbox() -> str:
    """Of a pane that never had one."""
    return f"pane:{new_name()}"


@dataclass(kw_only=True, slots=True)
class PaneFacts:
    """What is known of a pane beside its status; changed by its owner, the session."""

    command: tuple[str, ...]
    directory: str
    """As the program last told it (OSC 7), else where it was started."""
    tells_directory: bool = False
    name: str = ""
    title: str = ""
    titled_by_program: bool = False
    """Another program than the pane's shell set the title."""
    progress: str = ""
    """OSC 9;4 as it was last told, `STATE` or `STATE;PERCENT`."""
    agent: str | None = None
    """Its own program is that agent, so that only its exit ends that."""
    asked: tuple[str, ...] = ()
    """The command as somebody asked for it, without what an agent needs."""
    added: tuple[tuple[str, str], ...] = ()
    """Variables that were set for it."""
    relaunch: bool = False
    """After a reboot it is started again without being asked for."""
    closes_on_clean_exit: bool = False
    """A plain shell: its pane goes with it when it exits with 0, as in tmux."""
    notified_at: float | None = None
    """Monotonic seconds of the last notification that was passed on."""
    inbox: str = field(default_factory=new_inbox)
    """Where notices wait for the pane until its agent names a session; unlike the pane's id never used again."""
    openers: tuple[str, ...] = ()
    """The pane whose program opened it, then the one whose program opened that, and so on."""
    granted: tuple[str, ...] = ()
    """What its programs may do beside what panes may: ids of panes, `tab`, `all`."""
    asked_by_notification: bool = False
    """Its agent has notified of something that it needs, and nobody has typed since."""
    sign_of_life_at: float | None = None
    """Monotonic seconds of the last output that was told as one."""
    note: str = ""
    """What went wrong beside it when it was opened, such as the status plugin's installation; for `explain`."""

    @property
    def is_agent(self) -> bool:
        return self.agent is not None
