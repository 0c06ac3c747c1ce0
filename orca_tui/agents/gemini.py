"""Gemini CLI. Its title is complete for working, waiting and idle, interrupts included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.launching import LaunchContext, Launched, unchanged
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    first_rest_proves_nothing=True,  # `◇ Ready` also stands there while the trust dialog waits.
    blind_spots=(
        # The title is the same after a good end; the error is on the screen by then, which is read 0.2 s later.
        BlindSpot(source=Source.TITLE, misses=Missed.FAILURE, shown_by=(Source.SCREEN,), after_s=1.0),
    ),
    expects=(Source.TITLE,),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gemini:
    """Gemini CLI."""

    name: str = "gemini"
    title: str = "Gemini CLI"
    commands: frozenset[str] = frozenset({"gemini"})
    packages: frozenset[str] = frozenset({"@google/gemini-cli"})
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    profile: Profile = PROFILE

    def launch(self, argv: Sequence[str], _context: LaunchContext, /) -> Launched:
        """As it was given."""
        return unchanged(argv)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("gemini", "--resume", session_id)
