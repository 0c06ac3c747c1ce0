"""Asking a program for its version, once per installed file. The program is somebody else's: it may hang."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

TIMEOUT_S = 10.0  # OpenCode takes 1.3 s, on a loaded machine several times that.
MAX_BYTES = 4096
VERSION = re.compile(r"\d+\.\d+(?:[\w.+-]*\w)?")
"""Within `1.18.33`, `codex-cli 0.98.0`, `2.1.3 (Claude Code)` and `GitHub Copilot CLI 1.0.102.` alike."""

_Key: TypeAlias = tuple[str, int, int]


class VersionProbe:
    """Versions by path, size and modification time of the executable."""

    def __init__(self) -> None:
        self._known: dict[_Key, asyncio.Future[str | None]] = {}

    async def version(self, program: Path, environment: Mapping[str, str]) -> str | None:
        """The first version number that `program --version` prints; None when it says none in time.

        Those who ask at the same time share one run.
        """
        try:
            facts = os.stat(program)
        except OSError:
            return None
        key = (str(program), facts.st_mtime_ns, facts.st_size)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = asyncio.get_running_loop().create_future()
            await self._ask(program, environment, known, key)
        return await asyncio.shield(known)

    async def _ask(
        self, program: Path, environment: Mapping[str, str], answer: asyncio.Future[str | None], key: _Key
    ) -> None:
        version: str | None = None
        try:
            version = await _printed_version(program, environment)
        finally:
            answer.set_result(version)
            if version is None:
                del self._known[key]  # Ask again next time: it may have been the load.


async def _printed_version(program: Path, environment: Mapping[str, str]) -> str | None:
    try:
        process = await asyncio.create_subprocess_exec(
            str(program),
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=dict(environment),
            cwd=os.sep,
            start_new_session=True,
        )
    except OSError:
        return None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            output = await _beginning(process.stdout)
            await process.wait()
    except BaseException as error:
        _kill_session(
            process.pid
        )  # Also when the program has ended, and what it has started holds its output.
        await process.wait()
        if isinstance(error, TimeoutError):
            return None
        raise
    version = VERSION.search(output.decode(errors="replace"))
    return version[0] if version is not None and process.returncode == 0 else None


async def _beginning(output: asyncio.StreamReader) -> bytes:
    """The first `MAX_BYTES` of what it prints, in however many pieces they come."""
    try:
        return await output.readexactly(MAX_BYTES)
    except asyncio.IncompleteReadError as error:
        return error.partial


def _kill_session(leader: int) -> None:
    """End a program and what it has started: many are scripts around the program that hangs."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
