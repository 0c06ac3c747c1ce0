"""Claude Code, Codex and Gemini CLI as a sandbox has them: offline, past their first questions, quiet otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.sandbox import Sandbox
from tests.hosts.fake_anthropic import AnthropicApi
from tests.hosts.fake_gemini import GeminiApi
from tests.hosts.fake_openai_responses import ResponsesApi
from tests.hosts.model_api import Dialect

BINARIES = Path(__file__).parent / "node_modules" / ".bin"
CLAUDE_KEY = "sk-ant-api03-" + "a" * 32
KEY_TAIL_CHARS = 20  # By so many Claude Code remembers a key that its user allowed.
RETRIES = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Screen:
    """What an agent shows at the moments that scenarios wait for, and the keys that answer it."""

    asks: str
    """While a permission dialog waits, and at no other time."""
    yes: tuple[str, ...] = ("enter",)
    no: tuple[str, ...]
    """The keys that answer the dialog with the plain No."""
    runs: str
    """While a tool runs, with the command in place of `{}`."""
    interrupted: str
    failed: str
    """Once it has given up after an error of its model."""
    compact: str
    """The command that compacts the session."""
    compacted: str
    new_session: str
    """The command that begins a new session in the running agent."""
    leave: str
    """The command that ends the agent."""
    resume: tuple[str, ...]
    """The arguments that go on with the last session."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RealAgent:
    """How one agent is started in a sandbox, and what it shows when it takes a prompt."""

    name: str
    command: tuple[str, ...]
    takes_prompt: str
    screen: Screen
    dialect: Callable[[], Dialect]
    prepare: Callable[[Sandbox, str], None]
    """Writes its settings into the sandbox; the second is the URL of its model."""

    def install(self, sandbox: Sandbox, model_url: str) -> None:
        """Put the agent on the sandbox's PATH, and its settings where it looks for them."""
        assert (BINARIES / self.name).exists(), "run `make test`, which installs the agents"
        if str(BINARIES) not in sandbox.env["PATH"]:
            sandbox.env["PATH"] = f"{BINARIES}:{sandbox.env['PATH']}"
        self.prepare(sandbox, model_url)


def prepare_claude(sandbox: Sandbox, model_url: str) -> None:
    home = Path(sandbox.env["HOME"])
    settings = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [CLAUDE_KEY[-KEY_TAIL_CHARS:]], "rejected": []},
        "projects": {str(sandbox.project): {"hasTrustDialogAccepted": True}},
    }
    (home / ".claude.json").write_text(json.dumps(settings))
    sandbox.env |= {
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": CLAUDE_KEY,
        "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "false",  # A request after each turn, which no script foresees.
        "DISABLE_AUTOUPDATER": "1",
    }


def prepare_codex(sandbox: Sandbox, model_url: str) -> None:
    home = sandbox.root / "codex"
    home.mkdir()
    (home / "config.toml").write_text(
        f"""\
model = "gpt-5"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "{model_url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = {RETRIES}
stream_max_retries = 0
[projects."{sandbox.project}"]
trust_level = "trusted"
"""
    )
    sandbox.env |= {"CODEX_HOME": str(home), "FAKE_KEY": "none"}


def prepare_gemini(sandbox: Sandbox, model_url: str) -> None:
    folder = Path(sandbox.env["HOME"]) / ".gemini"
    folder.mkdir()
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / "trustedFolders.json").write_text(json.dumps({str(sandbox.project): "TRUST_FOLDER"}))
    sandbox.env |= {
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": model_url,
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


CLAUDE = RealAgent(
    name="claude",
    # The mode that asks; the usual one lets a model decide what is asked.
    command=("claude", "--permission-mode", "manual"),
    takes_prompt="? for shortcuts",
    screen=Screen(
        asks="Do you want to proceed?",
        no=("4",),
        runs="$ {}",
        interrupted="Interrupted · What should Claude do instead?",
        failed="API Error: ",
        compact="/compact",
        compacted="Compacted (ctrl+o to see full summary)",
        new_session="/clear",
        leave="/exit",
        resume=("--continue",),
    ),
    dialect=AnthropicApi,
    prepare=prepare_claude,
)
CODEX = RealAgent(
    name="codex",
    # Without it the first Codex leaves a server behind, which the next ones share.
    command=("codex", "--no-daemon"),
    takes_prompt="gpt-5 default",
    screen=Screen(
        asks="Would you like to run the following command?",
        no=("3",),
        runs="Running {}",
        interrupted="Conversation interrupted",
        failed="■ ",
        compact="/compact",
        compacted="Context compacted",
        new_session="/new",
        leave="/quit",
        resume=("resume", "--last"),
    ),
    dialect=ResponsesApi,
    prepare=prepare_codex,
)
GEMINI = RealAgent(
    name="gemini",
    # A fixed model, so that no other one is asked first which it shall be.
    command=("gemini", "--model", "gemini-2.5-flash"),
    takes_prompt="Type your message",
    screen=Screen(
        asks="Allow execution of",
        no=("3",),
        runs="⊷  Shell {}",
        interrupted="Request cancelled.",
        failed="[API Error",
        compact="/compress",
        compacted="Compression was not beneficial",
        new_session="/clear",
        leave="/quit",
        resume=("--resume", "latest"),
    ),
    dialect=GeminiApi,
    prepare=prepare_gemini,
)
