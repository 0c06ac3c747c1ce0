"""Claude Code. Its OSC 7501 reports tell everything but the session, which hooks and its session file name; those
tell of versions that do not speak it. Titles count least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orca_tui.agents import claude_hooks, claude_notices, claude_session
from orca_tui.agents.adapter import NEW_LINE_KEY, FileSaid
from orca_tui.agents.hooks import moment, read_hook
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched, plugin_option
from orca_tui.agents.notice_hooks import NoticeHooks
from orca_tui.agents.resuming import Kept
from orca_tui.status.events import Event
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

SHOWN_BY = (Source.TITLE, Source.SCREEN)
SETTLE_S = 0.5
"""A hook is started up to 0.25 s after what it tells of, so what is seen meanwhile may be older than its word."""
TITLE_SETTLE_S = 0.8
"""The title rests as soon as a dialog opens, and the hook of that dialog may come 0.55 s later."""

PROFILE = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,
    expects=(Source.PROGRAM_STATUS, Source.SESSION_FILE, Source.HOOK),
    blind_spots=(
        # No hook tells of Esc, nor of a permission that was given before its tool has ended, nor of the start of
        # a prompt that waited for the turn before it.
        BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.SCREEN,), after_s=SETTLE_S),
        BlindSpot(
            source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.TITLE,), after_s=TITLE_SETTLE_S
        ),
        BlindSpot(source=Source.HOOK, misses=Missed.ANSWER, shown_by=SHOWN_BY, after_s=SETTLE_S),
        BlindSpot(source=Source.HOOK, misses=Missed.START, shown_by=SHOWN_BY, after_s=SETTLE_S),
        # Before the first prompt nothing but its footer tells that nobody is signed in.
        *(
            BlindSpot(source=source, misses=Missed.SIGN_IN, shown_by=(Source.SCREEN,), after_s=SETTLE_S)
            for source in (Source.PROGRAM_STATUS, Source.SESSION_FILE, Source.HOOK)
        ),
    ),
)

COMMAND_LINE = CommandLine(
    oldest=(2, 1),
    other_options=frozenset(
        {"-p", "--print", "-h", "--help", "-v", "--version", "--bg", "--background", "--cloud", "--desktop"}
    ),
    session_options=frozenset(
        {
            "--session-id",
            "-r",
            "--resume",
            "-c",
            "--continue",
            "--fork-session",
            "--from-pr",
            "--teleport",
        }
    ),
    subcommands=frozenset(
        {
            "agents",
            "attach",
            "auth",
            "auto-mode",
            "config",
            "doctor",
            "gateway",
            "import",
            "install",
            "kill",
            "logs",
            "mcp",
            "plugin",
            "plugins",
            "purge",
            "respawn",
            "rm",
            "setup-token",
            "stop",
            "ultrareview",
            "update",
            "upgrade",
        }
    ),
)

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "--dangerously-skip-permissions",
            "--allow-dangerously-skip-permissions",
            "--ide",
            "--chrome",
            "--no-chrome",
            "--verbose",
            "--brief",
            "--bare",
            "--safe-mode",
            "--restricted",
            "--strict-mcp-config",
            "--disable-slash-commands",
            "--ax-screen-reader",
        }
    ),
    valued=frozenset(
        {
            "--model",
            "--fallback-model",
            "--permission-mode",
            "--effort",
            "--agent",
            "--agents",
            "--settings",
            "--setting-sources",
            "--append-system-prompt",
            "--system-prompt",
            "--plugin-dir",
            "--plugin-url",
            "--autocompact",
        }
    ),
    listed=frozenset(
        {
            "--add-dir",
            "--allowedTools",
            "--allowed-tools",
            "--disallowedTools",
            "--disallowed-tools",
            "--tools",
            "--mcp-config",
            "--betas",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Claude:
    """Claude Code, 2.1.295 and later for OSC 7501."""

    name: str = "claude"
    title: str = "Claude Code"
    commands: frozenset[str] = frozenset({"claude"})
    packages: frozenset[str] = frozenset({"@anthropic-ai/claude-code"})
    install: str = "npm install -g @anthropic-ai/claude-code"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS
    notice_hooks: NoticeHooks = claude_notices.NOTICE_HOOKS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With our plugin, and with a session of a known id unless the command names one."""
        launched = COMMAND_LINE.with_session(argv, context, plugin_option(context))
        begun = launched.session_id == context.session_id
        return launched if begun else replace(launched, session_id=None)  # One that forks shows another.

    def files(self, hook: str, /) -> Mapping[str, bytes]:
        """The plugin with our hooks."""
        return claude_hooks.plugin_files(hook)

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("claude", "--resume", session_id)

    def report_posted(self, body: bytes, _pane: str, at: float) -> list[Event]:
        """What one of its hooks posted."""
        report = read_hook(body)
        return claude_hooks.events_of(report, moment(report, at))

    def state_folder(self, environment: Mapping[str, str], /) -> str | None:
        return claude_session.folder(environment)

    def state_said(self, content: bytes, at: float, /) -> FileSaid | None:
        return claude_session.read(content, at)
