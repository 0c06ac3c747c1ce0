"""Starts programs of the user's desktop, such as the browser for a link."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping

SCHEMES = ("http://", "https://", "ftp://", "mailto:")
"""What a program in a pane can have opened by a click; a `file:` link could start whatever lies there."""
OPENERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("xdg-open", ("DISPLAY", "WAYLAND_DISPLAY")),
    ("open", ()),
)
"""Programs that open a link, and of which variables one must be set: without a desktop, xdg-open starts a browser
for terminals, and that one would draw over us. `open` is the one of macOS."""

OPENED_WITHIN_S = 3.0
"""Openers hand the link on and end; one that goes on for so long has not failed."""


def opener(variables: Mapping[str, str]) -> str | None:
    """The program that opens links here; None where there is no desktop."""
    for name, needed in OPENERS:
        if needed and not any(variables.get(variable) for variable in needed):
            continue
        if path := shutil.which(name, path=variables.get("PATH")):
            return path
    return None


async def open_link(url: str, variables: Mapping[str, str]) -> bool:
    """Have the desktop open a link; False when it could not, or it is a link that it is not asked to open."""
    program = opener(variables)
    if program is None or not url.lower().startswith(SCHEMES):
        return False
    nothing = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            url,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            env=dict(variables),
            start_new_session=True,
        )
        async with asyncio.timeout(OPENED_WITHIN_S):
            return await process.wait() == 0
    except TimeoutError:
        return True  # It is the browser itself.
    except OSError:
        return False
