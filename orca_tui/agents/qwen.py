"""Qwen Code. Its title tells what it does, and it is told its session's id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.launching import LaunchContext, Launched, interactive, is_older, unchanged, with_session
from orca_tui.agents.resuming import Kept
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    first_rest_proves_nothing=True,  # Its title is plain before there is a prompt, and at a dialog of the start.
    expects=(Source.TITLE,),
)

OLDEST_VERSION = (0, 24)
"""Older ones may not know the option that is added; nobody has tried."""
OTHER_OPTIONS = frozenset(
    {
        "-p",
        "--prompt",
        "-h",
        "--help",
        "-v",
        "--version",
        "--acp",
        "--experimental-acp",
        "-l",
        "--list-extensions",
        "-o",
        "--output-format",
        "--input-format",
    }
)
"""Options that start no session in this terminal."""
SESSION_OPTIONS = frozenset({"--session-id", "-r", "--resume", "-c", "--continue"})
"""Options that say themselves which session is begun or gone on with."""
SUBCOMMANDS = frozenset({"auth", "channel", "extensions", "hooks", "mcp", "review", "serve", "update"})

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "-d",
            "--debug",
            "--bare",
            "-s",
            "--sandbox",
            "-y",
            "--yolo",
            "--experimental-lsp",
            "--screen-reader",
            "--openai-logging",
        }
    ),
    valued=frozenset(
        {
            "-m",
            "--model",
            "--approval-mode",
            "--system-prompt",
            "--append-system-prompt",
            "--mcp-config",
            "--openai-base-url",
            "--openai-logging-dir",
            "--max-session-turns",
            "--auth-type",
        }
    ),
    listed=frozenset(
        {
            "--allowed-mcp-server-names",
            "--allowed-tools",
            "-e",
            "--extensions",
            "--include-directories",
            "--add-dir",
            "--core-tools",
            "--exclude-tools",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with; no keys, which other commands would show."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Qwen:
    """Qwen Code."""

    name: str = "qwen"
    title: str = "Qwen Code"
    commands: frozenset[str] = frozenset({"qwen"})
    packages: frozenset[str] = frozenset({"@qwen-code/qwen-code"})
    install: str = "npm install -g @qwen-code/qwen-code"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With a session of a known id, unless the command names one."""
        words = interactive(argv, other_options=OTHER_OPTIONS, subcommands=SUBCOMMANDS)
        if words is None or is_older(context.version, OLDEST_VERSION):
            return unchanged(argv)
        return with_session(words, context, SESSION_OPTIONS)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("qwen", "--resume", session_id)
