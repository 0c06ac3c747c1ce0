"""Where agents' own settings can switch hooks off, ours included. Pure: names files and reads what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

SWITCH = "disableAllHooks"
"""What Claude Code and Copilot both call it."""
CLAUDE_FILES = ("settings.json", "settings.local.json")


def settings_files(agent: str, environment: Mapping[str, str], directory: str) -> tuple[str, ...]:
    """The files of an agent that a program with that environment and working directory reads."""
    home = environment.get("HOME", "")
    match agent:
        case "claude":
            own = environment.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
            folders = (own, f"{directory.rstrip('/')}/.claude")
            return tuple(f"{folder}/{name}" for folder in folders for name in CLAUDE_FILES)
        case "copilot":
            own = environment.get("COPILOT_HOME") or f"{home}/.copilot"
            return (f"{own}/settings.json", f"{own}/config.json")
        case _:
            return ()


def switches_hooks_off(content: bytes) -> bool:
    """Whether settings say so; what cannot be read does not."""
    try:
        settings: Any = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(settings, dict) and settings.get(SWITCH) is True
