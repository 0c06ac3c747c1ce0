"""The way into the UI: builds the app from what it is handed, runs it on the terminal, and says how it ended."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.driver import Driver
from textual.theme import BUILTIN_THEMES

from orca_tui.base import garbage
from orca_tui.base.clock import Clock
from orca_tui.base.errors import ConfigError
from orca_tui.config import Config, Environment
from orca_tui.term.engine import EngineFactory
from orca_tui.ui import settings
from orca_tui.ui.app import OrcaApp
from orca_tui.ui.attendance import ServerStarter
from orca_tui.ui.driver import OrcaDriver
from orca_tui.ui.farewell import Farewell, broken
from orca_tui.ui.link import Connector
from orca_tui.ui.settings import Settings


def run_ui(
    *,
    connect: Connector,
    config_file: Path,
    clock: Clock,
    engines: EngineFactory,
    environment: Environment,
    cwd: str,
    server: str,
    start_server: ServerStarter,
    driver_class: type[Driver] = OrcaDriver,
) -> int | None:
    """Be the UI of a running server until it is left; blocks, and returns the exit code.

    None: another version's server has taken over, and the program should begin again. `start_server` starts one
    when it is gone.

    `connect` is `AsyncClient.connect` with the server's socket, role `ui` and `engines.build`. Raises what the
    server refuses with (`ServerUnavailable`, `EngineMismatch`) before the terminal is touched.
    """
    chosen, problem = first_settings(config_file)

    def app() -> OrcaApp:
        return OrcaApp(
            settings=chosen,
            engines=engines,
            clock=clock,
            environment=environment,
            cwd=cwd,
            server=server,
            config_file=config_file,
            problem=problem,
            started=garbage.settle,
            start_server=start_server,
            driver_class=driver_class,
        )

    farewell = asyncio.run(_run(app, connect, server))
    if farewell.again:
        return None
    if farewell.text:
        (sys.stderr if farewell.exit_code else sys.stdout).write(f"orca-tui: {farewell.text}\n")
    return farewell.exit_code


async def _run(make: Callable[[], OrcaApp], connect: Connector, server: str) -> Farewell:
    app = make()
    asyncio.get_running_loop().set_exception_handler(partial(_panic, app))
    await app.connect(connect)
    farewell = await app.run_async()
    if farewell is None and (app.return_code or 1) == 1:
        return broken(server)
    # A signal has ended it; its exit code says which.
    return farewell or Farewell(exit_code=app.return_code or 1, text="")


def _panic(app: OrcaApp, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A mistake of ours in a callback ends the UI and is printed; by itself asyncio would write over the screen."""
    error = context.get("exception")
    if isinstance(error, Exception) and app.is_running:
        from rich.traceback import Traceback  # A tenth of the start, needed only at such an end.

        app.panic(Traceback.from_exception(type(error), error, error.__traceback__))
    else:
        loop.default_exception_handler(context)


def first_settings(config_file: Path) -> tuple[Settings, ConfigError | None]:
    """The settings to start with: the defaults, and why, when the file cannot be used."""
    try:
        return settings.load(config_file, BUILTIN_THEMES), None
    except ConfigError as error:
        return settings.checked(Config(), BUILTIN_THEMES), error
