"""Gemini CLI. Its title is complete for working, waiting and idle, interrupts included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents import gemini_hooks, gemini_notices
from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.hooks import moment, read_hook
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched
from orca_tui.agents.notice_hooks import NoticeHooks
from orca_tui.agents.resuming import Kept
from orca_tui.status.events import Event
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    first_rest_proves_nothing=True,  # `◇ Ready` also stands there while the trust dialog waits.
    blind_spots=(
        # The title is the same after a good end; the error is on the screen by then, which is read 0.2 s later.
        BlindSpot(source=Source.TITLE, misses=Missed.FAILURE, shown_by=(Source.SCREEN,), after_s=1.0),
        BlindSpot(source=Source.TITLE, misses=Missed.SIGN_IN, shown_by=(Source.SCREEN,), after_s=0.5),
    ),
    expects=(Source.TITLE,),
)

CONSENT = (
    "With an extension, Gemini CLI tells which session it shows, also after /clear and when you started it by hand, "
    "and takes notices along with your prompts. "
    "orca-tui would put it into Gemini CLI's own folder, as extensions/orca-tui-status, where every Gemini CLI of "
    "yours loads it; outside of orca-tui it does nothing. `orca-tui agents deny gemini` removes it."
)

COMMAND_LINE = CommandLine(
    oldest=(0, 61),
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
            "--list-sessions",
            "--delete-session",
            "-o",
            "--output-format",
        }
    ),
    session_options=frozenset({"--session-id", "-r", "--resume", "--session-file"}),
    subcommands=frozenset({"mcp", "extensions", "extension", "skills", "skill", "hooks", "hook", "gemma"}),
)

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "-d",
            "--debug",
            "-s",
            "--sandbox",
            "-y",
            "--yolo",
            "--skip-trust",
            "--screen-reader",
        }
    ),
    valued=frozenset(
        {
            "-m",
            "--model",
            "--approval-mode",
        }
    ),
    listed=frozenset(
        {
            "--policy",
            "--admin-policy",
            "--allowed-mcp-server-names",
            "--allowed-tools",
            "-e",
            "--extensions",
            "--include-directories",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gemini:
    """Gemini CLI."""

    name: str = "gemini"
    title: str = "Gemini CLI"
    commands: frozenset[str] = frozenset({"gemini"})
    packages: frozenset[str] = frozenset({"@google/gemini-cli"})
    install: str = "npm install -g @google/gemini-cli"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS
    consent: str = CONSENT
    notice_hooks: NoticeHooks = gemini_notices.NOTICE_HOOKS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With a session of a known id, unless the command names one."""
        return COMMAND_LINE.with_session(argv, context)

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None: its extension has a place of its own."""
        return {}

    def extension_folder(self, environment: Mapping[str, str], /) -> str | None:
        return gemini_hooks.extension_folder(environment)

    def extension_files(self, hook: str, /) -> Mapping[str, bytes]:
        return gemini_hooks.extension_files(hook)

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("gemini", "--resume", session_id)

    def report_posted(self, body: bytes, _pane: str, at: float) -> list[Event]:
        """What its hook posted."""
        report = read_hook(body)
        return gemini_hooks.events_of(report, moment(report, at))
