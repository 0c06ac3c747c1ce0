"""The only composer: turns a command line into the UI, a server or a command, and hands each its parts.

Everything is imported where it is needed, so that a command does not load what the UI or a server need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from orca_tui.base import garbage
from orca_tui.base.clock import Clock, SystemClock
from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.config import Config, Environment, load, placed

if TYPE_CHECKING:
    from orca_tui.agents.registry import Agents
    from orca_tui.cli.outside import Engine, KnownAgent
    from orca_tui.config import Paths

SITE_DIRECTORIES = ("site-packages", "dist-packages")


class Program:
    """The rest of the program, as the command line needs it."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.clock: Clock = SystemClock()

    def start_server(self, server: str) -> int:
        """Start a detached server and return its pid once its sockets answer."""
        from orca_tui.process import daemon

        self.engine()  # Without one the server would only say so in its log.
        return daemon.start(
            [sys.executable, "-P", "-m", "orca_tui", "server", "run", "--server", server],
            log_file=self.environment.paths().log_file(server),
            environment=importable(self.environment.variables),
        )

    def is_locked(self, server: str) -> bool:
        """Whether a server of that name lives, be it that it is just starting or ending."""
        from orca_tui.process.lock import LockFile

        path = self.environment.paths().lock_file(server)
        lock = LockFile.acquire(path) if path.parent.is_dir() else None
        if lock is None:
            return path.exists()
        lock.release()
        return False

    def holds_programs(self, server: str) -> bool:
        """Whether a keeper holds programs for a server of that name, which need not run itself."""
        from orca_tui.process.keeper_presence import keeper_answers

        return keeper_answers(self.environment.paths().socket(server, "keeper"))

    def run_server(self, server: str, ready_fd: int | None) -> int:
        """Be the server until it is stopped."""
        garbage.wait()
        from orca_tui.process.helper import HelperProgram
        from orca_tui.process.kept import KeptSpawner
        from orca_tui.process.table import SystemTable
        from orca_tui.server.app import serve
        from orca_tui.server.parts import Parts
        from orca_tui.server.picture_media import read_medium
        from orca_tui.server.settings import SettingsFile
        from orca_tui.term.engine import Permissions
        from orca_tui.term.ghostty import GhosttyFactory

        config, paths = self._config(), self.environment.paths()
        parts = Parts(
            name=server,
            settings=SettingsFile(paths.config_file, config).now,
            paths=paths,
            environment=self.environment,
            clock=self.clock,
            agents=self._known_agents(config),
            engines=GhosttyFactory(
                hostname=os.uname().nodename,
                permissions=Permissions(
                    checksum=config.terminal.allow_checksum, window_size=config.terminal.allow_window_ops
                ),
                pictures=read_medium if config.terminal.graphics == "kitty" else None,
            ),
            spawner=KeptSpawner(paths.socket(server, "keeper"), lambda: self._start_keeper(paths, server)),
            processes=SystemTable(),
            plugin_host=HelperProgram(
                argv=[sys.executable, "-P", "-u", "-m", "orca_tui", "plugins", "host", "--server", server],
                environment=importable(self._outside_of_panes()),
                log_file=paths.plugins_log_file(server),
            ),
        )
        serve(parts, ready_fd=ready_fd)
        return 0

    def run_plugin_host(self, server: str, stack_fd: int) -> int:
        """Be the plugin host of a running server until it says so."""
        import asyncio

        from orca_tui.plugins.revision import Limits
        from orca_tui.plugins.run import HostParts, run_host
        from orca_tui.process.confined import PeakMemory, confess, confine

        settings, paths = self._config().plugins, self.environment.paths()
        # Twice what plugins may have: who exceeds that is found and named before the kernel refuses more.
        confine(stack_fd=stack_fd, memory_bytes=2 * (settings.memory_mb << 20))
        parts = HostParts(
            socket=paths.socket(server, "wire"),
            folder=paths.plugins_dir,
            clock=self.clock,
            limits=Limits(setup_s=settings.setup_s, command_s=settings.command_s),
            peak_bytes=PeakMemory(),
        )
        try:
            asyncio.run(run_host(parts))
        except BaseException as error:
            confess(stack_fd, error)
            raise
        return 0

    def _outside_of_panes(self) -> dict[str, str]:
        """The environment without what tells a pane's programs who they are, for what is in no pane."""
        variables = self.environment.variables
        return {name: value for name, value in variables.items() if not name.startswith("ORCA_TUI")}

    def _start_keeper(self, paths: Paths, server: str) -> None:
        """Start what holds the panes' programs; returns when it answers."""
        from orca_tui.process import daemon, keeper_script

        daemon.start(
            [
                sys.executable,
                "-I",
                "-S",
                keeper_script.__file__,
                str(paths.socket(server, "keeper")),
                str(paths.keeper_lock_file(server)),
            ],
            log_file=paths.keeper_log_file(server),
            environment=self.environment.variables,
        )

    def run_ui(self, server: str) -> int:
        """Be the UI of a running server until it is detached."""
        garbage.wait()  # A tenth of importing Textual would be looking at what it makes.
        from orca_tui.cli.caller import working_directory
        from orca_tui.client.asynchronous import AsyncClient
        from orca_tui.term.ghostty import GhosttyFactory
        from orca_tui.ui.run import run_ui

        paths, engines = self.environment.paths(), GhosttyFactory(hostname=os.uname().nodename)
        code = run_ui(
            connect=lambda handler: AsyncClient.connect(
                paths.socket(server, "wire"),
                role="ui",
                token=self.environment.get("ORCA_TUI_TOKEN"),
                engine_build=engines.build,
                on_pane_frame=handler,
            ),
            config_file=paths.config_file,
            clock=self.clock,
            engines=engines,
            environment=self.environment.sendable(),
            cwd=working_directory(self.environment.variables, None) or os.sep,
            server=server,
            start_server=lambda: self.start_server(server),
        )
        if code is None:
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
        return code

    def agreed(self, question: str, detail: str) -> bool:
        """Ask on the whole terminal, before there is a UI."""
        from orca_tui.ui.question import ask

        return ask(question, detail)

    def engine(self) -> Engine:
        """The terminal engine that this installation has."""
        from importlib.metadata import version

        from orca_tui.cli.outside import Engine
        from orca_tui.term.ghostty import GhosttyFactory

        return Engine(build=GhosttyFactory().build, version=version("pyghostty"))

    def check_settings(self) -> None:
        """Read the settings with everything that only the UI can tell: actions, keys and themes."""
        from orca_tui.ui import settings

        file = self.environment.paths().config_file
        settings.check(file)
        self._agents(load(file))

    def agents(self) -> list[KnownAgent]:
        """The built-in agents and those of the settings."""
        from orca_tui.agents.adapter import NeedsConsent
        from orca_tui.agents.registry import Agents
        from orca_tui.cli.outside import KnownAgent
        from orca_tui.server.consent import Consent

        consent = Consent(self.environment.paths().state_dir)
        try:
            agents = self._agents(load(self.environment.paths().config_file))
        except ConfigError:  # `check_settings` tells of it.
            agents = Agents()
        return [
            KnownAgent(
                name=adapter.name,
                title=adapter.title,
                commands=tuple(sorted(adapter.commands)),
                packages=tuple(sorted(adapter.packages)),
                sources=tuple(
                    agents.sources(adapter.name, allowed=consent.answer(adapter.name) == "allowed")
                ),
                verified=agents.rules(adapter.name).verified,
                consent=(consent.answer(adapter.name) or "not asked")
                if isinstance(adapter, NeedsConsent)
                else None,
            )
            for adapter in agents.adapters()
        ]

    def program_versions(self, programs: Sequence[tuple[Path, Collection[str]]]) -> list[str | None]:
        """What programs or their packages say of their versions, asked at the same time."""
        import asyncio

        from orca_tui.process.probe import VersionProbe
        from orca_tui.server.versions import Versions

        versions = Versions(VersionProbe())
        # A token lets its bearer report as a pane, and telling a version is no report.
        variables = self._outside_of_panes()

        async def ask() -> list[str | None]:
            asked = (versions.of(str(program), packages, variables) for program, packages in programs)
            return await asyncio.gather(*asked)

        return asyncio.run(ask())

    def _agents(self, config: Config) -> Agents:
        """The agents of the settings; raises `ConfigError`."""
        from orca_tui.agents.registry import Agents

        file = self.environment.paths().config_file
        try:
            return Agents.configured(
                config.agents, lambda path: (file.parent / path).read_text(encoding="utf-8")
            )
        except Invalid as error:
            raise placed(file, error) from error

    def _known_agents(self, config: Config) -> Agents:
        """The same; only the built-in ones when the settings cannot be used, which the log then says."""
        from orca_tui.agents.registry import Agents

        try:
            return self._agents(config)
        except ConfigError as error:
            sys.stderr.write(f"orca-tui: {error.message}; the built-in agents hold\n")
            return Agents()

    def _config(self) -> Config:
        """The settings; the defaults when the file cannot be used, which the log and every UI then say."""
        try:
            return load(self.environment.paths().config_file)
        except ConfigError as error:
            sys.stderr.write(f"orca-tui: {error.message}; the defaults hold\n")
            return Config()


def importable(variables: dict[str, str]) -> dict[str, str]:
    """The environment for another Python of ours, which must find this same package from anywhere.

    An installed package is found by itself; a checkout that was started from its own folder is not.
    """
    root = Path(__file__).resolve().parent.parent
    if root.name in SITE_DIRECTORIES:
        return variables
    path = os.pathsep.join(filter(None, (str(root), variables.get("PYTHONPATH"))))
    return variables | {"PYTHONPATH": path}


def main() -> None:
    """Entry of the `orca-tui` command."""
    garbage.wait()
    try:
        from orca_tui.cli.main import run

        garbage.settle()
        code = run(sys.argv[1:], Program(Environment.of_this_process()))
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
