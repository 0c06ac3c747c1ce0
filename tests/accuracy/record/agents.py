"""How each agent is set up for a recording: offline, onboarded, with hooks of ours, against a fake model."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from status_plugin.generate import plugin_bytes
from tests.e2e.opencode import SDK_LOCK, settings

SINK = Path(__file__).with_name("hook_sink.py")
KEY = "sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
CLAUDE_EVENTS = (
    *("SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse"),
    *("PostToolUseFailure", "PermissionRequest", "PermissionDenied", "Notification", "Stop"),
    *("StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"),
)
CODEX_EVENTS = (
    *("SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PermissionRequest"),
    *("PostToolUse", "PreCompact", "PostCompact", "SubagentStart", "SubagentStop"),
    *("Stop", "Interrupt"),
)
GEMINI_EVENTS = (
    *("SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeTool"),
    *("AfterTool", "Notification"),
)
COPILOT_EVENTS = (
    *("sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse"),
    *("permissionRequest", "notification", "agentStop", "subagentStart", "subagentStop"),
    *("errorOccurred", "preCompact"),
)
CODEX_TIMEOUT_S = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What an agent is started with."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    watched: tuple[str, ...] = ()
    """Glob patterns below the home."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where an agent runs: its binary, its home, its project below that, the port of its fake model."""

    binary: str
    home: Path
    project: Path
    port: int
    options: tuple[str, ...] = field(default=())
    trusted: bool = True


def _hook(event: str, *output: str) -> str:
    return shlex.join([sys.executable, "-I", "-S", str(SINK), event, *output])


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def claude(place: Place) -> Setup:
    """Claude Code with a plugin folder that holds our hooks."""
    plugin = place.home / "plugin"
    _write(
        plugin / ".claude-plugin" / "plugin.json", {"name": "recorder", "version": "1", "description": "-"}
    )
    hooks = {
        event: [{"hooks": [{"type": "command", "command": _hook(event), "async": True}]}]
        for event in CLAUDE_EVENTS
    }
    _write(plugin / "hooks" / "hooks.json", {"hooks": hooks})
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(place.project): {"hasTrustDialogAccepted": True}} if place.trusted else {},
    }
    _write(place.home / ".claude.json", state)
    options = place.options or ("--permission-mode", "manual")
    return Setup(
        argv=(place.binary, "--plugin-dir", str(plugin), "--session-id", str(uuid.uuid4()), *options),
        environment={
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{place.port}",
            "ANTHROPIC_API_KEY": KEY,
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_MAX_RETRIES": "2",
        },
        watched=(".claude/sessions/*.json",),
    )


def codex(place: Place) -> Setup:
    """Codex with hooks of this invocation, and their hashes, so that it does not ask to review them."""
    trust = f'[projects."{place.project}"]\ntrust_level = "trusted"\n' if place.trusted else ""
    config = (
        'model = "gpt-5"\nmodel_provider = "fake"\ncheck_for_update_on_startup = false\n'
        f'[model_providers.fake]\nname = "fake"\nbase_url = "http://127.0.0.1:{place.port}/v1"\n'
        f'wire_api = "responses"\nenv_key = "FAKE_KEY"\n{trust}'
    )
    _write(place.home / ".codex" / "config.toml", config)
    arguments: list[str] = []
    trusted = []
    for event in CODEX_EVENTS:
        command = _hook(event)
        hook = f'{{type="command",command={json.dumps(command)},timeout={CODEX_TIMEOUT_S}}}'
        arguments += ["-c", f"hooks.{event}=[{{hooks=[{hook}]}}]"]
        trusted.append(_codex_trust(event, command))
    state = "hooks.state={" + ",".join(trusted) + "}"
    return Setup(
        argv=(place.binary, "--no-daemon", *arguments, "-c", state, *place.options),
        environment={"CODEX_HOME": str(place.home / ".codex"), "FAKE_KEY": "fake"},
    )


def _codex_trust(event: str, command: str) -> str:
    label = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).removeprefix("_")
    hook = {"type": "command", "command": command, "timeout": CODEX_TIMEOUT_S, "async": False}
    identity = json.dumps({"event_name": label, "hooks": [hook]}, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(identity.encode()).hexdigest()
    return f'"/<session-flags>/config.toml:{label}:0:0"={{trusted_hash="sha256:{digest}"}}'


def gemini(place: Place) -> Setup:
    """Gemini CLI with an extension that holds our hooks."""
    folder = place.home / ".gemini"
    _write(folder / "settings.json", {"security": {"auth": {"selectedType": "gemini-api-key"}}})
    if place.trusted:
        _write(folder / "trustedFolders.json", {str(place.project): "TRUST_FOLDER"})
    extension = folder / "extensions" / "recorder"
    _write(extension / "gemini-extension.json", {"name": "recorder", "version": "1.0.0"})
    hooks = {
        event: [{"hooks": [{"type": "command", "name": event, "command": _hook(event, "{}")}]}]
        for event in GEMINI_EVENTS
    }
    _write(extension / "hooks" / "hooks.json", {"hooks": hooks})
    return Setup(
        argv=(place.binary, "--session-id", str(uuid.uuid4()), *place.options),
        environment={
            "GEMINI_API_KEY": "fake",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{place.port}",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        },
    )


def copilot(place: Place) -> Setup:
    """GitHub Copilot CLI, offline with a model of one's own."""
    plugin = place.home / "plugin"
    _write(
        plugin / "plugin.json",
        {"name": "recorder", "version": "1.0.0", "description": "-", "hooks": "hooks.json"},
    )
    hooks = {event: [{"type": "command", "bash": _hook(event), "timeoutSec": 5}] for event in COPILOT_EVENTS}
    _write(plugin / "hooks.json", {"version": 1, "hooks": hooks})
    trusted = [str(place.project)] if place.trusted else []
    _write(place.home / ".copilot" / "config.json", {"trustedFolders": trusted})
    session = str(uuid.uuid4())
    return Setup(
        argv=(place.binary, "--plugin-dir", str(plugin), "--session-id", session, *place.options),
        environment={
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{place.port}/v1",
            "COPILOT_PROVIDER_API_KEY": "fake",
            "COPILOT_MODEL": "gpt-5",
        },
        watched=(".copilot/session-state/*/events.jsonl",),
    )


def opencode(place: Place) -> Setup:
    """OpenCode 1 with our status plugin, whose tables are what is recorded."""
    folder = place.home / ".config" / "opencode"
    _write(folder / "plugins" / "orca-tui-status.js", plugin_bytes().decode())
    (folder / "node_modules").mkdir()  # With this lock it does not wait for a plugin SDK from the network.
    _write(folder / "package-lock.json", SDK_LOCK)
    _write(folder / "opencode.json", settings(place.port))
    return Setup(
        argv=(place.binary, *place.options),
        environment={
            "XDG_CONFIG_HOME": str(place.home / ".config"),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        },
    )


SETUPS: dict[str, Callable[[Place], Setup]] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "copilot": copilot,
    "opencode": opencode,
}
