"""The fake model that each agent talks to while it is recorded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

MODELS: Mapping[str, str] = {
    "claude": "tests.hosts.fake_anthropic",
    "codex": "tests.hosts.fake_openai_responses",
    "gemini": "tests.hosts.fake_gemini",
    "copilot": "tests.hosts.fake_openai",
    "opencode": "tests.hosts.fake_openai",
}


@contextmanager
def fake_model(agent: str) -> Iterator[int]:
    """The model's port, as long as the context is open."""
    with subprocess.Popen(
        [sys.executable, "-m", MODELS[agent]], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()
