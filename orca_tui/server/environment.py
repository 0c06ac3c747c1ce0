"""The environment of a pane's program. Pure: variables in, variables out.

Rule 1: the base is the environment of the client that asked for the pane, never the server's own.
Rule 2: what another multiplexer, terminal or agent told its own children is taken away.
Rule 3: the user's own settings always arrive, whatever they are named.
Rule 4: what the caller sets explicitly beats all but the pane's identity and directory.
Rule 5: a pane's programs find `orca-tui`, wherever it is installed; what PATH finds of others comes first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orca_tui import __version__

TOKEN = "ORCA_TUI_TOKEN"
"""The variable by which a pane's programs name themselves."""

TERMINAL = {
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "TERM_PROGRAM": "orca-tui",
    "TERM_PROGRAM_VERSION": __version__,
}
"""What our terminal is. Claude Code and Copilot go by TERM_PROGRAM."""

REMOVED_NAMES = frozenset(
    {
        # Multiplexers and terminals: with TMUX set, Claude Code writes its title once and never again.
        "TMUX",
        "TMUX_PANE",
        "STY",
        "VTE_VERSION",
        "WT_SESSION",
        # Claude Code, for what it starts; its own settings (CLAUDE_CODE_USE_BEDROCK ...) are not among them.
        "CLAUDECODE",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_PID",
        "CLAUDE_PROJECT_DIR",
        "CLAUDE_ENV_FILE",
        "AI_AGENT",
        "AGENT",
        "GEMINI_CLI",
        "QWEN_CODE",
        "OPENCODE",
        "OPENCODE_PID",
        # Codex, for what it starts; CODEX_HOME and its keys are the user's.
        "CODEX_CI",
        "CODEX_MANAGED_BY_BUN",
        "CODEX_MANAGED_BY_NPM",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
    }
)
REMOVED_PREFIXES = ("ZELLIJ", "KITTY_", "WEZTERM_", "GHOSTTY_", "ITERM_", "HERDR_")

LOGIN_NAMES = frozenset(
    {"HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SSH_AUTH_SOCK"}
)
LOGIN_PREFIXES = ("LC_", "XDG_")
"""What a login gives everybody; enough for a program to find its files."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PaneIdentity:
    """How a pane's program finds the server and names itself."""

    server: str
    pane: str
    token: str
    intake: str
    """Path of the intake socket."""
    api: str
    """Path of the HTTP API's."""
    programs: str
    """The folder with our own command."""


def pane_environment(
    base: Mapping[str, str],
    identity: PaneIdentity,
    directory: str,
    added: Iterable[tuple[str, str]] = (),
) -> dict[str, str]:
    """The whole environment of a pane's program."""
    asked = {name: value for name, value in base.items() if not _removed(name)} | TERMINAL | dict(added)
    return {
        **asked,
        "PATH": _path(asked.get("PATH", ""), identity.programs),
        "ORCA_TUI": "1",
        "ORCA_TUI_SERVER": identity.server,
        "ORCA_TUI_PANE": identity.pane,
        TOKEN: identity.token,
        "ORCA_TUI_INTAKE": identity.intake,
        "ORCA_TUI_API": identity.api,
        "PWD": directory,
    }


def _path(path: str, programs: str) -> str:
    folders = path.split(os.pathsep) if path else []
    return os.pathsep.join(folders if programs in folders else [*folders, programs])


def login_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The base for a pane whose client sent no environment (HTTP): what a login would give, nothing else."""
    return {
        name: value
        for name, value in variables.items()
        if name in LOGIN_NAMES or name.startswith(LOGIN_PREFIXES)
    }


def _removed(name: str) -> bool:
    return name in REMOVED_NAMES or name.startswith(REMOVED_PREFIXES)
