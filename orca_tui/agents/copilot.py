"""GitHub Copilot CLI. The log of its session tells everything; hooks name the session; its title tells nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents import copilot_hooks, copilot_log, copilot_notices
from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.hooks import moment, read_hook
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched, plugin_option
from orca_tui.agents.notice_hooks import NoticeHooks
from orca_tui.agents.resuming import Kept
from orca_tui.status.events import Event
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

SEEN = (Source.PROGRESS, Source.SCREEN)

PROFILE = Profile(
    expects=(Source.SESSION_FILE, Source.HOOK),
    blind_spots=(
        # No hook tells of an interrupt, nor of a permission that was given before its tool has ended.
        BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=SEEN, after_s=0.5),
        BlindSpot(source=Source.HOOK, misses=Missed.ANSWER, shown_by=(Source.SCREEN,), after_s=0.5),
        # Its progress goes on while an approval waits.
        BlindSpot(source=Source.PROGRESS, misses=Missed.ASK, shown_by=(Source.SCREEN,), after_s=0.3),
        BlindSpot(source=Source.PROGRESS, misses=Missed.FAILURE, shown_by=(Source.SCREEN,), after_s=1.0),
        *(
            BlindSpot(source=source, misses=Missed.SIGN_IN, shown_by=(Source.SCREEN,), after_s=0.5)
            for source in (Source.SESSION_FILE, Source.HOOK, Source.PROGRESS)
        ),
    ),
)

COMMAND_LINE = CommandLine(
    oldest=(1,),
    other_options=frozenset(
        {
            "-p",
            "--prompt",
            "-h",
            "--help",
            "-v",
            "--version",
            "--acp",
            "--connect",
            "--environment-host",
        }
    ),
    session_options=frozenset({"--session-id", "-r", "--resume", "--continue"}),
    subcommands=frozenset(
        {
            "app",
            "completion",
            "config",
            "help",
            "init",
            "instruction",
            "login",
            "lsp",
            "mcp",
            "memories",
            "plugin",
            "sandbox",
            "sessions",
            "skill",
            "update",
            "version",
            "workflow",
        }
    ),
)

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "--fleet",
            "--trust-folder",
            "--disable-client-telemetry",
            "--enable-memory",
            "--allow-all-tools",
            "--allow-all-paths",
            "--allow-all-urls",
            "--allow-all",
            "--yolo",
            "--disallow-temp-dir",
            "--banner",
            "--screen-reader",
            "--plain-diff",
            "--disable-builtin-mcps",
            "--enable-all-github-mcp-tools",
            "--allow-all-mcp-server-instructions",
            "--autopilot",
            "--plan",
            "--experimental",
            "--assisted-approval",
            "--no-custom-instructions",
            "--no-auto-update",
            "--no-ask-user",
            "--no-color",
            "--no-experimental",
            "--no-mouse",
        }
    ),
    valued=frozenset(
        {
            "--model",
            "--reasoning-effort",
            "--context",
            "--auto-tier",
            "--agent",
            "-C",
            "--log-dir",
            "--log-level",
            "--stream",
            "--add-dir",
            "--disable-mcp-server",
            "--enable-mcp-server",
            "--add-github-mcp-toolset",
            "--add-github-mcp-tool",
            "--plugin-dir",
            "--additional-mcp-config",
            "--mcp-github-auth",
            "--max-autopilot-continues",
            "--mode",
            "--max-ai-credits",
        }
    ),
    listed=frozenset(
        {
            "--allow-tool",
            "--deny-tool",
            "--available-tools",
            "--excluded-tools",
            "--secret-env-vars",
            "--allow-url",
            "--deny-url",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Copilot:
    """GitHub Copilot CLI."""

    name: str = "copilot"
    title: str = "GitHub Copilot CLI"
    commands: frozenset[str] = frozenset({"copilot"})
    packages: frozenset[str] = frozenset({"@github/copilot"})
    install: str = "npm install -g @github/copilot"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS
    notice_hooks: NoticeHooks = copilot_notices.NOTICE_HOOKS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With our plugin, and with a session of a known id unless the command names one."""
        return COMMAND_LINE.with_session(argv, context, plugin_option(context))

    def files(self, hook: str, /) -> Mapping[str, bytes]:
        """The plugin with our hooks."""
        return copilot_hooks.plugin_files(hook)

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("copilot", "--resume", session_id)

    def report_posted(self, body: bytes, _pane: str, at: float) -> list[Event]:
        """What one of its hooks posted."""
        report = read_hook(body)
        return copilot_hooks.events_of(report, moment(report, at))

    def log_file(self, environment: Mapping[str, str], session_id: str, /) -> str | None:
        return copilot_log.file_of(environment, session_id)

    def log_begins(self, line: bytes, /) -> bool:
        return copilot_log.begins(line)

    def logged(self, line: bytes, at: float, /) -> list[Event]:
        return copilot_log.events_of(line, at)
