"""What the server needs to know of one kind of agent. A protocol only: one file per agent implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from orca_tui.agents.launching import LaunchContext, Launched
from orca_tui.agents.resuming import Kept
from orca_tui.status.events import Event
from orca_tui.status.profile import Profile

NEW_LINE_KEY = "ctrl+j"
"""The line feed, which nearly all agents take for a new line."""


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
    def install(self) -> str:
        """A command that installs it; empty where we know of none."""
        ...

    @property
    def interrupt_keys(self) -> frozenset[str]:
        """Keys that interrupt it, spelled as `escape` or `ctrl+c`; the server reports them to the board."""
        ...

    @property
    def newline_key(self) -> str:
        """The key that makes a new line in its prompt where it cannot be told of Shift+Enter, spelled the same."""
        ...

    @property
    def profile(self) -> Profile:
        """What its sources of evidence are known to miss."""
        ...

    @property
    def kept_options(self) -> Kept:
        """Options of a user that still hold when a conversation is gone on with."""
        ...

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """What to start instead of `argv`."""
        ...

    def files(self, hook: str, /) -> Mapping[str, bytes]:
        """What must lie in the adapter's own folder before a launch, by path in it; `hook` as in `LaunchContext`."""
        ...

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        """The bare command that goes on with a session; empty where there is none."""
        ...


@runtime_checkable
class ReportReader(Protocol):
    """An adapter whose agent posts reports to the intake."""

    def report_posted(self, body: bytes, pane: str, at: float) -> list[Event]:
        """What a body says that was posted for `pane` under the adapter's name.

        Raises `Invalid` or `TooLarge` for a body that cannot be used, also one that names another pane.
        """
        ...


@runtime_checkable
class NeedsConsent(Protocol):
    """An adapter that does something only after the user has agreed to it."""

    @property
    def consent(self) -> str:
        """What that is, in a few sentences for people."""
        ...


@runtime_checkable
class Extended(NeedsConsent, Protocol):
    """An adapter whose hooks lie in a folder of the agent's own, where they are put with the user's consent."""

    def extension_folder(self, environment: Mapping[str, str], /) -> str | None:
        """That folder, which is ours alone, for programs with that environment."""
        ...

    def extension_files(self, hook: str, /) -> Mapping[str, bytes]:
        """What lies in it, by path; `hook` as in `LaunchContext`."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class FileSaid:
    """One reading of a file in which an agent keeps its state."""

    session_id: str
    began_at: float
    """When the agent's process says that it started, Unix seconds: a file that is older is another's."""
    events: tuple[Event, ...]
    """What it says, for the time at which it was read."""


@runtime_checkable
class StateFileKeeper(Protocol):
    """An adapter whose agent keeps its state in a file of its own that is named after its process, `PID.json`."""

    def state_folder(self, environment: Mapping[str, str], /) -> str | None:
        """Where a program with that environment has these files."""
        ...

    def state_said(self, content: bytes, at: float, /) -> FileSaid | None:
        """What a file says; None for one that is torn or none of the agent's."""
        ...


@runtime_checkable
class LogKeeper(Protocol):
    """An adapter whose agent writes what happens in a session to the end of a file, a JSON object a line."""

    def log_file(self, environment: Mapping[str, str], session_id: str, /) -> str | None:
        """Where a program with that environment has the log of a session."""
        ...

    def log_begins(self, line: bytes, /) -> bool:
        """Whether a line is the first that a program wrote which began or went on with the session."""
        ...

    def logged(self, line: bytes, at: float, /) -> list[Event]:
        """What a whole line says; nothing for one that cannot be read. `at` is when it was read."""
        ...
