"""Puts texts into the clipboard and says which way took them. Reads no clipboard.

Rule 1: every text goes to the outer terminal (OSC 52), the only way from another machine. It never says whether it
        took it, so nobody is told that it did.
Rule 2: the first program of this machine that has a clipboard to set gets the text too; its exit code 0 is a yes.
Rule 3: a program that fails is named, and the next one is tried.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from orca_tui.ui.outer_writer import OuterWriter

TAKEN_WITHIN_S = 2.0
"""A program that serves the clipboard goes on in the background by itself; its parent has no reason to stay."""


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A program that sets the clipboard to what it reads."""

    argv: tuple[str, ...]
    needs: str = ""
    """The variable without which it has no clipboard to set."""
    here_only: bool = False
    """It sets the clipboard of the machine that we run on, which over SSH is nobody's."""


TOOLS: tuple[Tool, ...] = (
    Tool(argv=("wl-copy",), needs="WAYLAND_DISPLAY", here_only=True),
    Tool(argv=("xclip", "-selection", "clipboard", "-in"), needs="DISPLAY"),
    Tool(argv=("xsel", "--clipboard", "--input"), needs="DISPLAY"),
    Tool(argv=("pbcopy",), here_only=True),
    Tool(argv=("clip.exe",), needs="WSL_DISTRO_NAME"),
    # By default tmux drops the OSC 52 of programs; with `-w` it sends its own to the terminal around it.
    Tool(argv=("tmux", "load-buffer", "-w", "-"), needs="TMUX"),
)
"""Desktops before tmux, whose buffer the desktop may not see. A DISPLAY over SSH is the one of who looks."""


class ToolFailed(Exception):
    """A program did not take the text; what is said of it is for the person."""


class Teller(Protocol):
    """Who tells the person."""

    def __call__(self, text: str, severity: str = "information") -> None: ...


class Clipboards:
    """The clipboards within reach."""

    def __init__(
        self,
        outer: OuterWriter,
        variables: Mapping[str, str],
        say: Teller,
        *,
        within_s: float = TAKEN_WITHIN_S,
    ) -> None:
        self._outer = outer
        self._variables = variables
        self._say = say
        self._within_s = within_s
        self._turn = asyncio.Lock()
        """One text at a time: the last one is what stays."""

    async def put(self, text: str, *, by: str = "") -> None:
        """Put a text into them, and say how that went; `by` names the program that wants it."""
        async with self._turn:
            self._outer.copy(text)
            failures = []
            for tool in tools_here(self._variables):
                try:
                    await run_tool(tool, text, self._variables, within_s=self._within_s)
                except ToolFailed as failure:
                    failures.append(str(failure))
                else:
                    self._say(words(text, by=by, tool=tool.argv[0], failures=failures))
                    return
            self._say(words(text, by=by, failures=failures), "warning" if failures else "information")


def words(text: str, *, by: str = "", tool: str = "", failures: Sequence[str] = ()) -> str:
    """What is said of a copy; that it arrived, only when a program confirmed it."""
    who = f"{by}: " if by else ""
    way = f"copied ({tool})" if tool else "went to the terminal's clipboard (OSC 52)"
    what = "1 character" if len(text) == 1 else f"{len(text)} characters"
    return "; ".join((*failures, f"{who}{what} {way}"))


def tools_here(variables: Mapping[str, str]) -> list[Tool]:
    """The programs that can set a clipboard here, the best first."""
    remote = bool(variables.get("SSH_CONNECTION"))
    return [
        tool
        for tool in TOOLS
        if (not tool.needs or variables.get(tool.needs))
        and not (tool.here_only and remote)
        and shutil.which(tool.argv[0], path=variables.get("PATH"))
    ]


async def run_tool(tool: Tool, text: str, variables: Mapping[str, str], *, within_s: float) -> None:
    """Give the text to a program; `ToolFailed` unless it ends well in time."""
    name, nothing = tool.argv[0], asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            shutil.which(name, path=variables.get("PATH")) or name,
            *tool.argv[1:],
            stdin=asyncio.subprocess.PIPE,
            stdout=nothing,  # What serves the clipboard from now on inherits it: a pipe would never end.
            stderr=nothing,
            env=dict(variables),
            start_new_session=True,  # The clipboard outlives the terminal.
        )
    except OSError as error:
        raise ToolFailed(f"{name} cannot be started: {error.strerror}") from error
    try:
        async with asyncio.timeout(within_s):
            await _feed(process, text.encode(errors="replace"))
            code = await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise ToolFailed(f"{name} did not take it within {within_s:g} s") from None
    if code:
        raise ToolFailed(f"{name} failed (exit code {code})")


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    """All of it, then the end; a program that does not read it tells by its exit code."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()
