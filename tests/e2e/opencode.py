"""A real OpenCode 1 that runs offline in a sandbox against the fake model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.sandbox import Sandbox

HERE = Path(__file__).parent
BINARIES = HERE / "node_modules" / ".bin"
FAKE_MODEL = HERE.parent / "hosts" / "fake_openai.py"

# OpenCode installs its plugin SDK into every config directory when a plugin is there, and waits for it. Without a
# network that takes 80 s; an empty node_modules with this lock says that it has been done.
SDK_LOCK = {
    "lockfileVersion": 3,
    "requires": True,
    "packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}},
}


class OpenCode:
    """Configures a sandbox for OpenCode and runs its fake model."""

    def __init__(self, sandbox: Sandbox) -> None:
        assert (BINARIES / "opencode").exists(), "run `make test`, which installs the agents"
        self.sandbox = sandbox
        self.config_dir = Path(sandbox.env["XDG_CONFIG_HOME"]) / "opencode"
        self.plugin = self.config_dir / "plugins" / "orca-tui-status.js"
        self.requests = sandbox.root / "requests.jsonl"
        self._model = subprocess.Popen(
            [sys.executable, str(FAKE_MODEL), "--log", str(self.requests)], stdout=subprocess.PIPE, text=True
        )
        assert self._model.stdout is not None
        self._configure(int(self._model.stdout.readline()))

    def _configure(self, port: int) -> None:
        modules = self.config_dir / "node_modules"
        modules.mkdir(parents=True)
        (self.config_dir / "package-lock.json").write_text(json.dumps(SDK_LOCK))
        (self.config_dir / "opencode.json").write_text(json.dumps(settings(port)))
        catalogue = self.sandbox.root / "models.json"
        catalogue.write_text("{}")
        self.sandbox.env |= {
            "PATH": f"{BINARIES}:{self._searcher()}:{self.sandbox.env['PATH']}",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            # Its own catalogue of all models in the world takes a core for seconds, and it is read at each start.
            "OPENCODE_MODELS_PATH": str(catalogue),
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        }

    def _searcher(self) -> Path:
        """A directory with a ripgrep that finds nothing: where there is none, OpenCode tries to fetch one from the
        network, in vain and for seconds."""
        directory = self.sandbox.root / "bin"
        directory.mkdir()
        program = directory / "rg"
        program.write_text("#!/bin/sh\nexit 1\n")
        program.chmod(0o755)
        return directory

    def open(self, *options: str) -> str:
        """Open OpenCode's TUI in a pane and wait until it takes a prompt."""
        pane = self.sandbox.open("--agent", "opencode", "--cwd", str(self.sandbox.project), *options)
        self.sandbox.shows(pane, "Ask anything", timeout=60)
        return pane

    def prompt(self, pane: str, *steps: dict[str, Any]) -> None:
        """Type a prompt that scripts the model, and submit it."""
        self.sandbox.run("paste", pane, script(*steps))
        self.sandbox.shows(pane, "DO:")
        self.sandbox.run("keys", pane, "enter")

    def held(self, name: str) -> dict[str, Any]:
        """A step that answers once it is released by its name: the turn runs as long as the test needs."""
        return {"text": "finished", "after": str(self._gate(name))}

    def release(self, name: str) -> None:
        self._gate(name).touch()

    def _gate(self, name: str) -> Path:
        return self.sandbox.root / name

    def asked(self, text: str) -> list[dict[str, Any]]:
        """The requests for the agent's model that hold a text anywhere."""
        lines = self.requests.read_text().splitlines()
        return [one for one in map(json.loads, lines) if one["tools"] and text in str(one["conversation"])]

    def asked_last(self, text: str) -> list[dict[str, Any]]:
        """Those whose last message holds it: the turns that it started."""
        return [one for one in self.asked(text) if text in one["conversation"][-1]]

    def close(self) -> None:
        self._model.kill()
        self._model.wait()
        assert self._model.stdout is not None
        self._model.stdout.close()


def script(*steps: dict[str, Any]) -> str:
    """The prompt that makes the fake model play these steps."""
    return "DO:" + json.dumps(list(steps), separators=(",", ":"))


def settings(port: int) -> dict[str, Any]:
    """An `opencode.json` with one provider, the fake one, that asks before it runs bash."""
    model = {"name": "Fake", "tool_call": True, "limit": {"context": 100000, "output": 8000}}
    options = {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": "sk-fake"}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Fake",
        "options": options,
        "models": {"fake": model},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "model": "fake/fake",
        "small_model": "fake/fake",
        "enabled_providers": ["fake"],
        "permission": {"bash": "ask"},
        "provider": {"fake": provider},
    }
