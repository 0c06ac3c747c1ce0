"""What the server needs to know of one kind of agent. A protocol only: one file per agent implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from orca_tui.agents.launching import LaunchContext, Launched
from orca_tui.status.events import Event
from orca_tui.status.profile import Profile


class AgentAdapter(Protocol):
    """One kind of agent: facts and translations, no state and no I/O."""

    @property
    def name(self) -> str:
        """`claude`: what records, settings and the command line call it."""
        ...

    @property
    def title(self) -> str:
        """`Claude Code`: what people read."""
        ...

    @property
    def commands(self) -> frozenset[str]:
        """Names of its executables."""
        ...

    @property
    def packages(self) -> frozenset[str]:
        """Names of the packages that hold it, as `npx` and paths below `node_modules` spell them."""
        ...

    @property
    def interrupt_keys(self) -> frozenset[str]:
        """Keys that interrupt it, spelled as `escape` or `ctrl+c`; the server reports them to the board."""
        ...

    @property
    def profile(self) -> Profile:
        """What its sources of evidence are known to miss."""
        ...

    def title_said(self, title: str, at: float, /) -> list[Event]:
        """What a window title (OSC 0 or 2) says of its state; empty when it says nothing."""
        ...

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """What to start instead of `argv`."""
        ...

    def files(self, hook: str, /) -> Mapping[str, bytes]:
        """What must lie in the adapter's own folder before a launch, by path in it; `hook` as in `LaunchContext`."""
        ...

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        """The command that goes on with a session; empty where there is none."""
        ...


@runtime_checkable
class ReportReader(Protocol):
    """An adapter whose agent posts reports to the intake."""

    def report_posted(self, body: bytes, pane: str, at: float) -> list[Event]:
        """What a body says that was posted for `pane` under the adapter's name.

        Raises `Invalid` or `TooLarge` for a body that cannot be used, also one that names another pane.
        """
        ...
