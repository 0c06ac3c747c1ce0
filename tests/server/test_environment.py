"""The environment of a pane, name by name."""

from __future__ import annotations

import pytest

from orca_tui import __version__
from orca_tui.server.environment import PaneIdentity, login_environment, pane_environment

IDENTITY = PaneIdentity(
    server="work",
    pane="p3",
    token="secret",
    intake="/run/orca-tui/work.intake",
    api="/run/orca-tui/work.http",
    programs="/opt/orca-tui/bin",
)

SET = {
    "ORCA_TUI": "1",
    "ORCA_TUI_SERVER": "work",
    "ORCA_TUI_PANE": "p3",
    "ORCA_TUI_TOKEN": "secret",
    "ORCA_TUI_INTAKE": "/run/orca-tui/work.intake",
    "ORCA_TUI_API": "/run/orca-tui/work.http",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "TERM_PROGRAM": "orca-tui",
    "TERM_PROGRAM_VERSION": __version__,
    "PWD": "/src/api",
    "PATH": "/opt/orca-tui/bin",
}

REMOVED = [
    *("TMUX", "TMUX_PANE", "STY", "VTE_VERSION", "WT_SESSION"),
    *("ZELLIJ", "ZELLIJ_SESSION_NAME", "KITTY_WINDOW_ID", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"),
    *("ITERM_SESSION_ID", "HERDR_PANE"),
    *("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION"),
    *("CLAUDE_PID", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "AI_AGENT", "AGENT"),
    *("OPENCODE", "OPENCODE_PID"),
    *("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"),
    *("CODEX_MANAGED_BY_NPM", "CODEX_MANAGED_BY_BUN"),
]

KEPT = [
    *("HOME", "LANG", "LC_ALL", "SHELL", "EDITOR", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "DISPLAY"),
    *("CODEX_HOME", "CODEX_API_KEY", "CODEX_UNSAFE_ALLOW_NO_SANDBOX"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_CONFIG_DIR", "ANTHROPIC_API_KEY"),
    *("OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG", "OPENCODE_DISABLE_AUTOUPDATE", "OPENAI_API_KEY"),
    *("AGENT_HOME", "TMUX_TMPDIR", "STYLE", "AGENTS", "MY_KITTY_", "GEMINI_API_KEY"),
]


def environment(base: dict[str, str], added: list[tuple[str, str]] | None = None) -> dict[str, str]:
    return pane_environment(base, IDENTITY, "/src/api", added or [])


@pytest.mark.parametrize(
    ("theirs", "path"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin:/opt/orca-tui/bin"),
        ("/opt/orca-tui/bin:/bin", "/opt/orca-tui/bin:/bin"),
        ("", "/opt/orca-tui/bin"),
    ],
)
def test_programs_find_us_after_all_that_path_finds(theirs: str, path: str) -> None:
    assert environment({"PATH": theirs})["PATH"] == path
    assert environment({"PATH": "/other"}, [("PATH", theirs)])["PATH"] == path


def test_exactly_these_are_set() -> None:
    assert environment({}) == SET


@pytest.mark.parametrize("name", REMOVED)
def test_what_others_told_their_children_is_removed(name: str) -> None:
    assert environment({name: "theirs"}) == SET


@pytest.mark.parametrize("name", KEPT)
def test_the_users_own_settings_arrive(name: str) -> None:
    assert environment({name: "mine"}) == {**SET, name: "mine"}


@pytest.mark.parametrize("name", sorted(SET.keys() - {"PATH"}))
def test_an_outer_panes_or_terminals_values_are_replaced(name: str) -> None:
    assert environment({name: "outer"}) == SET


def test_what_the_caller_sets_arrives_whatever_its_name() -> None:
    added = [("CLAUDECODE", "1"), ("TERM", "dumb"), ("TWICE", "first"), ("TWICE", "second")]

    assert environment({"CLAUDECODE": "outer"}, added) == {
        **SET,
        "CLAUDECODE": "1",
        "TERM": "dumb",
        "TWICE": "second",
    }


def test_nobody_sets_a_panes_identity_or_directory_from_outside() -> None:
    assert environment({}, [("ORCA_TUI_TOKEN", "forged"), ("ORCA_TUI_PANE", "p1"), ("PWD", "/")]) == SET


def test_without_a_client_only_what_a_login_gives_is_taken_from_the_server() -> None:
    own = {
        "HOME": "/home/me",
        "PATH": "/bin",
        "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": "/home/me/.config",
        "PYTHONPATH": "/src",
        "OPENAI_API_KEY": "of whoever started the server",
        "ORCA_TUI_TOKEN": "of the pane it was started from",
    }

    assert set(login_environment(own)) == {"HOME", "PATH", "LC_ALL", "XDG_CONFIG_HOME"}
