"""Qwen Code. Its title tells what it does, and it is told its session's id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched
from orca_tui.agents.resuming import Kept
from orca_tui.status.profile import Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    first_rest_proves_nothing=True,  # Its title is plain before there is a prompt, and at a dialog of the start.
    expects=(Source.TITLE,),
)

COMMAND_LINE = CommandLine(
    oldest=(0, 24),
    other_options=frozenset(
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
    ),
    session_options=frozenset({"--session-id", "-r", "--resume", "-c", "--continue"}),
    subcommands=frozenset({"auth", "channel", "extensions", "hooks", "mcp", "review", "serve", "update"}),
)

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
        return COMMAND_LINE.with_session(argv, context)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("qwen", "--resume", session_id)
