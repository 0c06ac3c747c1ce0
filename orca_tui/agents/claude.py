"""Claude Code. Its OSC 7501 reports tell everything but the session; titles only count where it sends none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orca_tui.agents.titles import BRAILLE_SPINNER, rule, said
from orca_tui.status.events import Event, Says
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

TITLES = (
    rule(rf"(?:[◐◑]|{BRAILLE_SPINNER}) ", Says.WORKING, "title starts with a spinner"),
    # The same while a dialog waits for an answer: it only proves that nothing runs.
    rule("✳ ", Says.AT_REST, "title starts with ✳"),
)

PROFILE = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,
    blind_spots=(
        # No hook tells of Esc; the title follows it at once. The pause lets a hook of the same moment come
        # first.
        BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.TITLE,), after_s=1.5),
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Claude:
    """Claude Code, 2.1.295 and later for OSC 7501."""

    name: str = "claude"
    title: str = "Claude Code"
    commands: frozenset[str] = frozenset({"claude"})
    packages: frozenset[str] = frozenset({"@anthropic-ai/claude-code"})
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    profile: Profile = PROFILE

    def title_said(self, title: str, at: float, /) -> list[Event]:
        """Spinner: working. `✳`: at rest or waiting. The plain title of newer versions says nothing."""
        return said(TITLES, title, at)

    def launch(self, argv: Sequence[str], _version: str | None, /) -> tuple[str, ...]:
        """As it was given."""
        return tuple(argv)
