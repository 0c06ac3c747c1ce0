"""Agents of which all that is known was written down as data: by us for a few, by users in their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.launching import LaunchContext, Launched, unchanged
from orca_tui.agents.resuming import NOTHING_KEPT, Kept
from orca_tui.status.profile import NO_PROFILE, Profile

SESSION = "{session}"
"""Stands for the id of a session in `resume_with`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredAgent:
    """An adapter without code of its own. Its state is read by rules, OSC 7501, 9999 and 26."""

    name: str
    title: str
    commands: frozenset[str]
    packages: frozenset[str] = frozenset()
    install: str = ""
    command: tuple[str, ...] = ()
    """What `open --agent NAME` runs; empty: the program of the agent's name."""
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = NO_PROFILE
    kept_options: Kept = NOTHING_KEPT
    prompt_as: tuple[str, ...] | None = None
    """What stands before a first prompt that is given as an argument; None: prompts are pasted."""
    resume_with: tuple[str, ...] = ()
    """What is added to `command` to go on with the session `{session}`."""

    def launch(self, argv: Sequence[str], _context: LaunchContext, /) -> Launched:
        """As it was given."""
        return unchanged(argv)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        if not self.resume_with:
            return ()
        return (
            *(self.command or (self.name,)),
            *(word.replace(SESSION, session_id) for word in self.resume_with),
        )

    def first_prompt(self, text: str, /) -> tuple[str, ...]:
        """The words that hand it a prompt at its start; empty where a prompt has to be pasted."""
        return () if self.prompt_as is None else (*self.prompt_as, text)
