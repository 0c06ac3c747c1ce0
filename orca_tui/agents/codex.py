"""Codex. It reports by OSC 7501 without being asked; the title is the fallback for older versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.launching import LaunchContext, Launched, unchanged
from orca_tui.agents.titles import BRAILLE_SPINNER, rule, said
from orca_tui.status.events import Event, Says
from orca_tui.status.profile import Profile

TITLES = (
    rule(rf"{BRAILLE_SPINNER} ", Says.WORKING, "title starts with a spinner"),
    # Blinks between `[ ! ]` and `[ . ]` once a second.
    rule(r"\[ [!.] \] Action Required", Says.WAITING, "title says Action Required"),
    rule(r"\S", Says.IDLE, "title without a spinner"),
)

PROFILE = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,  # Any title but a spinner counts as idle, also one that a shell left.
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

    def title_said(self, title: str, at: float, /) -> list[Event]:
        """Spinner: working. `Action Required`: waiting. Anything else: idle."""
        return said(TITLES, title, at)

    def launch(self, argv: Sequence[str], _context: LaunchContext, /) -> Launched:
        """As it was given."""
        return unchanged(argv)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("codex", "resume", session_id)
