"""The settings and the paths; the only reader of the process environment. Opens no socket, starts nothing."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.base.reasons import reason_of
from orca_tui.base.toml_text import for_people, line_of, parse_toml, with_choices

if TYPE_CHECKING:
    import platformdirs

SocketKind: TypeAlias = Literal["wire", "http", "intake", "keeper"]

APP = "orca-tui"
DEFAULT_SERVER = "default"
SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
SOCKET_PATH_LIMIT = 100
"""Bytes: the kernel takes 108 on Linux and 104 on macOS, less the terminator and a lock's suffix."""


class Keys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[keys]`: `bindings` maps an action of `ui/actions.py` to keys; `""` takes its keys away."""

    prefix: str = "ctrl+b"
    bindings: dict[str, str | list[str]] = {}


class Ui(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[ui]`"""

    theme: str = "auto"
    """`auto`: light or dark as the outer terminal is."""
    sidebar: bool = True
    sidebar_width: int = 30
    sidebar_side: Literal["left", "right"] = "left"
    ascii: bool = False
    """Only ASCII characters in our own chrome."""


class Notifications(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[notifications]`"""

    desktop: bool = True
    bell: bool = False
    """Ring the outer terminal's bell too."""


class Terminal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[terminal]`"""

    scrollback_lines: int = 10_000
    clipboard: bool = True
    """The focused pane's program may set the clipboard (OSC 52); reading it is never allowed."""
    shell: list[str] = []
    """The command of a shell pane; empty: `$SHELL`, else /bin/sh."""
    allow_checksum: bool = False
    """Programs may ask for checksums of their screen (DECRQCRA), as conformance tests do."""
    allow_window_ops: bool = False
    """Programs may ask for another size (`CSI 8 t`) of a pane that no UI shows."""
    graphics: Literal["off", "kitty"] = "off"
    """Pictures in panes, by kitty's graphics protocol, where the outer terminal has that too."""


class Persistence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[persistence]`"""

    screens: bool = True
    """Keep what panes show on the disk, so that a server that crashed shows it again. False: where output may
    hold secrets; programs and layout are kept all the same, and programs are asked to draw themselves anew."""


class Control(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[control]`"""

    authority: Literal["own", "tab", "all"] = "own"
    """What programs in panes may have the server do without a grant: with their own pane, read and write notices in
    their tab, or everything."""


class Plugins(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[plugins]`: of the user's own plugins, which run in one process beside the server."""

    enabled: bool = True
    blocked_after_s: float = 5.0
    """A plugin that holds up all others for so long is ended."""
    memory_mb: int = 512
    """For all of them together."""
    setup_s: float = 10.0
    """For setup, and for dispose."""
    command_s: float = 60.0
    """For a command of the palette."""


class AgentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[agents.NAME]`: an agent of the user's own, or more of one that is built in (`agents/custom.py` checks it)."""

    extends: str | None = None
    """The built-in agent of the same name, to which `match` and `rules` are added."""
    title: str = ""
    """What people read; empty: the name."""
    command: tuple[str, ...] = ()
    """What `open --agent NAME` runs; empty: the program of that name."""
    match: tuple[str, ...] = ()
    """Programs and packages by which it is recognised; empty: the program of `command`."""
    interrupt: tuple[str, ...] = ("escape", "ctrl+c")
    """Keys that interrupt it."""
    program_status: bool = False
    """It tells its state itself, by OSC 7501, 9999 or 26."""
    prompt: Literal["paste", "argument"] = "paste"
    """How a prompt is given to it when it is started."""
    prompt_flag: str = ""
    """The option before a prompt that is an argument."""
    resume: tuple[str, ...] = ()
    """Words that are added to `command` to go on with the session `{session}`."""
    keep: tuple[str, ...] = ()
    """Options of its command that hold for a conversation that is gone on with: `--yolo`, `--model NAME`."""
    rules: str | tuple[dict[str, Any], ...] = ()
    """A rule file, relative to the folder of the settings, or `[[agents.NAME.rules]]`."""

    def given(self) -> frozenset[str]:
        """The fields that are not as they are by default."""
        default = AgentSettings()
        return frozenset(
            name for name in self.__struct_fields__ if getattr(self, name) != getattr(default, name)
        )


BUILT_IN_AGENTS = (
    "opencode",
    "claude",
    "codex",
    "gemini",
    "copilot",
    "pi",
    "qwen",
    "amp",
    "droid",
    "aider",
    "cursor",
)
"""In the order in which they are offered; `agents/registry.py` has all about them."""
SHELL = "shell"
"""What is opened in place of an agent."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of `config.toml`, with their defaults."""

    keys: Keys = Keys()
    ui: Ui = Ui()
    notifications: Notifications = Notifications()
    terminal: Terminal = Terminal()
    persistence: Persistence = Persistence()
    control: Control = Control()
    plugins: Plugins = Plugins()
    agents: dict[str, AgentSettings] = {}

    def agent_names(self) -> tuple[str, ...]:
        """What can be opened as an agent: the built-in ones, the user's own, a shell."""
        own = (name for name in self.agents if name not in BUILT_IN_AGENTS)
        return (*BUILT_IN_AGENTS, *own, SHELL)


class Paths(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything of this user is."""

    config_file: Path
    state_dir: Path
    cache_dir: Path
    runtime_dir: Path
    opencode_config_dir: Path
    """OpenCode's global config directory."""

    @property
    def plugins_dir(self) -> Path:
        """The user's own plugins."""
        return self.config_file.parent / "plugins"

    def plugins_log_file(self, server: str) -> Path:
        """What plugins print."""
        return self.state_dir / f"{checked_server_name(server)}.plugins.log"

    def socket(self, server: str, kind: SocketKind) -> Path:
        """A socket's path; `Invalid` when the kernel could not bind it."""
        return socket_path(self.runtime_dir, server, kind)

    def session_dir(self, server: str) -> Path:
        """What a server of that name leaves for the next one."""
        return self.state_dir / "servers" / checked_server_name(server)

    def lock_file(self, server: str) -> Path:
        """Held by the server of that name as long as it lives; beside what it protects, where nothing cleans up."""
        return self.session_dir(server) / "lock"

    def keeper_lock_file(self, server: str) -> Path:
        """Held by the keeper of that server's programs."""
        return self.session_dir(server) / "keeper.lock"

    def keeper_log_file(self, server: str) -> Path:
        return self.state_dir / f"{checked_server_name(server)}.keeper.log"

    def inflight_file(self, server: str) -> Path:
        """Memory that a killed server leaves to the next; no disk where the runtime directory is none."""
        return self.runtime_dir / f"{checked_server_name(server)}.inflight"

    def unread_file(self, server: str) -> Path:
        """Input that a server leaves to the next, where the keeper's socket is: it goes with it."""
        return self.runtime_dir / f"{checked_server_name(server)}.unread"

    def notices_file(self, server: str) -> Path:
        """Where a server keeps the notices that wait for agents."""
        return self.state_dir / f"{checked_server_name(server)}.notices"

    def log_file(self, server: str) -> Path:
        return self.state_dir / f"{checked_server_name(server)}.log"


class Environment:
    """A process's environment variables, read only here. Hand it on; do not read `os.environ` elsewhere."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = dict(variables)

    @classmethod
    def of_this_process(cls) -> Environment:
        return cls(os.environ)

    def get(self, name: str) -> str | None:
        """A variable's value; an empty one counts as unset, as XDG wants it."""
        return self.variables.get(name) or None

    def sendable(self) -> Environment:
        """The same without what no message can carry: names and values that are no UTF-8."""
        return Environment({name: value for name, value in self.variables.items() if is_text(name + value)})

    def server_name(self) -> str:
        return self.get("ORCA_TUI_SERVER") or DEFAULT_SERVER

    def paths(self) -> Paths:
        """All paths, by `XDG_*` where set (absolute ones only), else by the platform's custom."""
        home = Path(self.get("HOME") or Path.home())
        config = self._xdg("XDG_CONFIG_HOME")
        state = self._xdg("XDG_STATE_HOME")
        cache = self._xdg("XDG_CACHE_HOME")
        return Paths(
            config_file=(config / APP if config else _platform(lambda dirs: dirs.user_config_path))
            / "config.toml",
            state_dir=state / APP if state else _platform(lambda dirs: dirs.user_state_path),
            cache_dir=cache / APP if cache else _platform(lambda dirs: dirs.user_cache_path),
            runtime_dir=self.runtime_dir(),
            opencode_config_dir=(config or home / ".config") / "opencode",
        )

    def runtime_dir(self) -> Path:
        """Where the sockets are: all that most commands need of the paths."""
        runtime = self._xdg("XDG_RUNTIME_DIR")
        return runtime / APP if runtime else _platform(lambda dirs: dirs.user_runtime_path)

    def _xdg(self, name: str) -> Path | None:
        value = self.get(name)
        return Path(value) if value and value.startswith("/") else None


def _platform(pick: Callable[[platformdirs.PlatformDirs], Path]) -> Path:
    """A directory by the platform's custom."""
    import platformdirs  # It would cost 10 ms where XDG variables say everything.

    with warnings.catch_warnings():
        # That there is no runtime directory is no news for stderr: the server checks the one it gets.
        warnings.simplefilter("ignore")
        return pick(platformdirs.PlatformDirs(APP, appauthor=False))


def socket_path(runtime_dir: Path, server: str, kind: SocketKind) -> Path:
    """A socket's path; `Invalid` when the kernel could not bind it."""
    path = runtime_dir / f"{checked_server_name(server)}.{kind}"
    if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
        raise Invalid(f"the socket path {path} is too long; set XDG_RUNTIME_DIR to a shorter directory")
    return path


def is_text(value: str) -> bool:
    """Whether a string can be sent; Python smuggles bytes that are no UTF-8 as lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def checked_server_name(name: str) -> str:
    """The name itself, when it can be part of a file name; raises `Invalid`."""
    if not SERVER_NAME.fullmatch(name):
        raise Invalid(f"{name!r} is no server name; use letters, digits, '.', '_' and '-', at most 32")
    return name


def load(path: Path) -> Config:
    """Read the settings; a missing file means defaults. Raises `ConfigError` with line and reason."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), None, reason_of(error)) from error
    return parse(text, str(path))


def parse(text: str, path: str) -> Config:
    """Settings from TOML text; raises `ConfigError`."""
    table = parse_toml(text, path)
    try:
        _check_agents(table.get("agents"))
        config = msgspec.convert(table, Config)
        _check_ranges(config)
    except (msgspec.ValidationError, Invalid) as error:
        raise ConfigError(
            path, line_of(text, str(error)), for_people(with_choices(str(error), Config))
        ) from error
    return config


def placed(path: Path, error: Invalid) -> ConfigError:
    """The error of a setting that only others can check, with its line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # Gone or changed since it was read.
        text = ""
    return ConfigError(str(path), line_of(text, error.message), for_people(error.message))


def _check_agents(agents: object) -> None:
    """One by one, since the library does not tell in which table of many a mistake is."""
    for name, table in agents.items() if isinstance(agents, dict) else ():
        try:
            msgspec.convert(table, AgentSettings)
        except msgspec.ValidationError as error:
            place = f"`$.agents.{name}"
            reason = str(error)
            raise Invalid(
                reason.replace("`$", place) if "`$" in reason else f"{reason} - at {place}`"
            ) from error


def _check_ranges(config: Config) -> None:
    if not 16 <= config.ui.sidebar_width <= 80:
        raise Invalid("expected 16 to 80 - at `$.ui.sidebar_width`")
    if not 0 <= config.terminal.scrollback_lines <= 1_000_000:
        raise Invalid("expected 0 to 1000000 - at `$.terminal.scrollback_lines`")
    plugins = config.plugins
    if not 128 <= plugins.memory_mb <= 1_000_000:  # The host alone has a third of the least.
        raise Invalid("expected 128 to 1000000 - at `$.plugins.memory_mb`")
    for name in ("blocked_after_s", "setup_s", "command_s"):
        if not 0.1 <= getattr(plugins, name) <= 86400:
            raise Invalid(f"expected 0.1 to 86400 - at `$.plugins.{name}`")
