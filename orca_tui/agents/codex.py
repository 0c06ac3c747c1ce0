"""Codex. It reports by OSC 7501 without being asked; the title is the fallback for older versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.launching import LaunchContext, Launched, unchanged
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,  # Any title but a spinner counts as idle, also one that a shell left.
    expects=(Source.PROGRAM_STATUS, Source.HOOK, Source.TITLE),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Codex:
    """The Codex command line."""

    name: str = "codex"
    title: str = "Codex"
    commands: frozenset[str] = frozenset({"codex"})
    packages: frozenset[str] = frozenset({"@openai/codex"})
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    profile: Profile = PROFILE

    def launch(self, argv: Sequence[str], _context: LaunchContext, /) -> Launched:
        """As it was given."""
        return unchanged(argv)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("codex", "resume", session_id)
