"""Codex. It reports by OSC 7501 without being asked; the title is the fallback for older versions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents import codex_hooks, codex_notices
from orca_tui.agents.adapter import NEW_LINE_KEY
from orca_tui.agents.hooks import moment, never_failing, read_hook
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched, unchanged
from orca_tui.agents.notice_hooks import NoticeHooks
from orca_tui.agents.resuming import Kept
from orca_tui.status.events import Event
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

PROFILE = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,  # Any title but a spinner counts as idle, also one that a shell left.
    blind_spots=(
        # The title is the same after a good end; the error is on the screen by then, which is read 0.2 s later.
        BlindSpot(source=Source.TITLE, misses=Missed.FAILURE, shown_by=(Source.SCREEN,), after_s=1.0),
    ),
    expects=(Source.PROGRAM_STATUS, Source.HOOK, Source.TITLE),
)

NO_DAEMON = "--no-daemon"

CONSENT = (
    "With hooks, Codex tells of its session, its prompts and its answers, and takes notices along. It runs only "
    "hooks that you trust, so orca-tui adds them, and the trust in them, to the command line of each Codex that it "
    "starts. They send what happens to orca-tui on this machine. No file of Codex is changed."
)

COMMAND_LINE = CommandLine(
    oldest=(0, 169),
    # Options that start no session in this terminal, or one of a server that is not ours to configure.
    other_options=frozenset({"-h", "--help", "-V", "--version", "--remote"}),
    # Those that are no interactive session; `resume` and `fork` are.
    subcommands=frozenset(
        {
            "a",
            "agents",
            "app-server",
            "apply",
            "archive",
            "cloud",
            "completion",
            "debug",
            "delete",
            "doctor",
            "e",
            "exec",
            "exec-server",
            "features",
            "help",
            "login",
            "logout",
            "mcp",
            "mcp-server",
            "migrate-nfs-db",
            "migrate-rollouts",
            "plugin",
            "queue",
            "remote-control",
            "review",
            "sandbox",
            "unarchive",
            "update",
        }
    ),
)

KEPT_OPTIONS = Kept(
    flags=frozenset(
        {
            "--oss",
            "--strict-config",
            "--search",
            "--no-alt-screen",
            "--no-daemon",
            "--approve-for-me",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
        }
    ),
    valued=frozenset(
        {
            "-c",
            "--config",
            "--enable",
            "--disable",
            "--local-provider",
            "-m",
            "--model",
            "-p",
            "--profile",
            "-s",
            "--sandbox",
            "-a",
            "--ask-for-approval",
            "--add-dir",
            "-C",
            "--cd",
        }
    ),
)
"""Options of a user that still hold when a conversation is gone on with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Codex:
    """The Codex command line."""

    name: str = "codex"
    title: str = "Codex"
    commands: frozenset[str] = frozenset({"codex"})
    packages: frozenset[str] = frozenset({"@openai/codex"})
    install: str = "npm install -g @openai/codex"
    interrupt_keys: frozenset[str] = frozenset({"escape", "ctrl+c"})
    newline_key: str = NEW_LINE_KEY
    profile: Profile = PROFILE
    kept_options: Kept = KEPT_OPTIONS

    consent: str = CONSENT
    notice_hooks: NoticeHooks = codex_notices.NOTICE_HOOKS

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """Without its shared daemon, in which hooks would have the environment of whichever pane came first;
        with our hooks, if the user has agreed to them.
        """
        words = COMMAND_LINE.interactive(argv, context)
        if words is None:
            return unchanged(argv)
        added = [] if NO_DAEMON in words.options else [NO_DAEMON]
        if context.allowed and not any(_sets_hooks(word) for word in argv):
            added += codex_hooks.options(never_failing(context.hook))
        return Launched(argv=words.with_options(added))

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, session_id: str, /) -> tuple[str, ...]:
        return ("codex", "resume", session_id)

    def report_posted(self, body: bytes, _pane: str, at: float) -> list[Event]:
        """What one of its hooks posted."""
        report = read_hook(body)
        return codex_hooks.events_of(report, moment(report, at))


def _sets_hooks(word: str) -> bool:
    """The value of a `-c` that the user gave, be it in the same word; ours would take its place."""
    return re.match(r"(--config=|-c)?\s*hooks\s*[.=]", word) is not None
