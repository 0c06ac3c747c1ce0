"""The machine that measures, in words: figures of two machines are never mixed."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

import psutil


def machine() -> dict[str, str]:
    return {
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processor": f"{os.cpu_count()} × {_processor()}",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "Python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("textual", "pyghostty")},
        **{name: version for name in ("pyte", "cmux") if (version := _installed(name))},
        "tmux": _said(["tmux", "-V"]).removeprefix("tmux "),
        "node": _said(["node", "--version"]).removeprefix("v"),
    }


def load() -> float:
    """How many processes wanted a CPU in the last minute: figures of a busy machine are worth little."""
    return os.getloadavg()[0]


def in_words(facts: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    models = [line for line in path.read_text().splitlines() if "model name" in line] if path.exists() else []
    return models[0].partition(": ")[2] if models else platform.processor()


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _said(argv: list[str]) -> str:
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return "none"
