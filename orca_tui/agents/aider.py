"""Aider. It runs a command when it is about to wait for input after an answer; its screen tells the rest.

It runs the command before a question as well as before its prompt, so the end that is told there settles like a
level, and a question on the screen goes before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orca_tui.agents.hooks import moment, read_hook
from orca_tui.agents.launching import CommandLine, LaunchContext, Launched, unchanged
from orca_tui.agents.resuming import NOTHING_KEPT, Kept
from orca_tui.status.events import Event, Says, StateSaid
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Source

WAITS = "waits"
"""The event that its command names."""

PROFILE = Profile(
    expects=(Source.HOOK,),
    blind_spots=(
        BlindSpot(source=Source.HOOK, misses=Missed.ASK, shown_by=(Source.SCREEN,), after_s=0.0),
        BlindSpot(source=Source.HOOK, misses=Missed.START, shown_by=(Source.SCREEN,), after_s=0.0),
    ),
)

COMMAND_LINE = CommandLine(
    other_options=frozenset(
        {
            "-h",
            "--help",
            "--version",
            "-m",
            "--message",
            "--msg",
            "-f",
            "--message-file",
            "--exit",
            "--list-models",
            "--models",
            "--gui",
            "--browser",
            "--lint",
            "--test",
            "--commit",
            "--apply",
            "--show-repo-map",
            "--show-prompts",
            "--just-check-update",
            "--upgrade",
            "--update",
            "--install-main-branch",
        }
    ),
)
OWN_NOTIFICATIONS = frozenset({"--notifications", "--no-notifications", "--notifications-command"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Aider:
    """Aider."""

    name: str = "aider"
    title: str = "Aider"
    commands: frozenset[str] = frozenset({"aider"})
    packages: frozenset[str] = frozenset({"aider", "aider-chat"})
    install: str = "pip install aider-chat"
    interrupt_keys: frozenset[str] = frozenset({"ctrl+c"})
    newline_key: str = "alt+enter"
    profile: Profile = PROFILE
    kept_options: Kept = NOTHING_KEPT

    def launch(self, argv: Sequence[str], context: LaunchContext, /) -> Launched:
        """With our command, unless the user has one. It inherits the terminal, whose input is none of its business."""
        words = COMMAND_LINE.interactive(argv, context)
        if words is None or words.options & OWN_NOTIFICATIONS:
            return unchanged(argv)
        command = f"{context.hook} {WAITS} </dev/null"
        return Launched(argv=words.with_options(["--notifications", "--notifications-command", command]))

    def files(self, _hook: str, /) -> Mapping[str, bytes]:
        """None."""
        return {}

    def resume(self, _session_id: str, /) -> tuple[str, ...]:
        """It has one history in each directory, and no sessions."""
        return ()

    def report_posted(self, body: bytes, _pane: str, at: float) -> list[Event]:
        """It has answered, and waits."""
        report = read_hook(body)
        if report.event != WAITS:
            return []
        told_at = moment(report, at)
        return [
            _says(told_at, Says.WORKING, "it has answered"),
            _says(told_at, Says.IDLE, "it is about to wait for input"),
        ]


def _says(at: float, says: Says, detail: str) -> StateSaid:
    return StateSaid(at=at, source=Source.HOOK, says=says, detail=detail)
