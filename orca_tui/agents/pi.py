"""Pi. It reports by OSC 7501 when its terminal answers, and is told its session's id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched
from orca_tui.agents.resuming import Kept
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source

PROFILE = Profile(emits_program_status=True, expects=(Source.PROGRAM_STATUS,))

COMMAND_LINE = CommandLine(
    oldest=(1, 6),
    other_options=frozenset(
        {"-p", "--print", "-h", "--help", "-v", "--version", "--mode", "--export", "--list-models"}
    ),
    session_options=frozenset(
        {
            "--session-id",
            "--session",
            "--session-dir",
            "--no-session",
            "-c",
            "--continue",
            "-r",
            "--resume",
            "--fork",
        }
    ),
    subcommands=frozenset({"config", "install", "list", "remove", "uninstall", "update"}),
)

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "-nt",
            "--no-tools",
            "-nbt",
            "--no-builtin-tools",
            "-ne",
            "--no-extensions",
            "-ns",
            "--no-skills",
            "-np",
            "--no-prompt-templates",
            "--no-themes",
            "-nc",
            "--no-context-files",
            "--verbose",
            "--offline",
        }
    ),
    valued=frozenset(
        {
            "--provider",
            "--model",
            "--models",
            "--thinking",
            "-t",
            "--tools",
            "--system-prompt",
            "--append-system-prompt",
            "-e",
            "--extension",
            "--skill",
            "--prompt-template",
            "--theme",
            "--session-dir",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with; no keys, which other commands would show."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pi:
    """Pi, 1.1.0 and later for OSC 7501."""

    name: str = "pi"
    title: str = "Pi"
    commands: frozenset[str] = frozenset({"pi"})
    packages: frozenset[str] = frozenset({"@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"})
    install: str = "npm install -g @earendil-works/pi-coding-agent"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With a session of a known id, unless the command names one."""
        return COMMAND_LINE.with_session(argv, context)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("pi", "--session", session_id)
