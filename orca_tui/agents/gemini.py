"""Gemini CLI. Its title is complete for working, waiting and idle, interrupts included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.launching import LaunchContext, Launched, unchanged
from orca_tui.agents.titles import rule, said
from orca_tui.status.events import Event, Says
from orca_tui.status.profile import Profile

TITLES = (
    rule("✋", Says.WAITING, "title starts with ✋"),
    rule("[✦⏲]", Says.WORKING, "title starts with ✦ or ⏲"),
    rule("◇", Says.IDLE, "title starts with ◇"),
)

PROFILE = Profile(first_rest_proves_nothing=True)  # `◇ Ready` also stands there while the trust dialog waits.


@dataclass(frozen=True, kw_only=True, slots=True)
class Gemini:
    """Gemini CLI."""

    name: str = "gemini"
    title: str = "Gemini CLI"
    commands: frozenset[str] = frozenset({"gemini"})
    packages: frozenset[str] = frozenset({"@google/gemini-cli"})
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    profile: Profile = PROFILE

    def title_said(self, title: str, at: float, /) -> list[Event]:
        """`✋` waiting, `✦` and `⏲` working, `◇` idle."""
        return said(TITLES, title, at)

    def launch(self, argv: Sequence[str], _context: LaunchContext, /) -> Launched:
        """As it was given."""
        return unchanged(argv)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("gemini", "--resume", session_id)
