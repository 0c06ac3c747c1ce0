"""Settings: defaults, errors with their lines, and where everything of a user is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orca_tui.base.errors import ConfigError, Invalid
from orca_tui.config import (
    SOCKET_PATH_LIMIT,
    Config,
    Environment,
    checked_server_name,
    load,
    parse,
)

XDG = {
    "HOME": "/home/u",
    "XDG_CONFIG_HOME": "/x/config",
    "XDG_STATE_HOME": "/x/state",
    "XDG_CACHE_HOME": "/x/cache",
    "XDG_RUNTIME_DIR": "/x/run",
}


def error_of(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        parse(text, "config.toml")
    return raised.value


# Settings


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path / "config.toml") == Config()


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[ui]\ntheme = "nord"\n[keys.bindings]\nzoom = ["z", "f11"]\nclose = ""\n')

    config = load(path)

    assert (config.ui.theme, config.ui.sidebar) == ("nord", True)
    assert config.keys.bindings == {"zoom": ["z", "f11"], "close": ""}
    assert config.terminal == Config().terminal


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("[ui]\ntheme = ", 2, "Invalid value"),
        ("[ui\n", 1, "Expected"),
        ('[ui]\nsidebar = true\n\ntheem = "nord"\n', 4, "theem"),
        ("[notify]\ndesktop = false\n", 1, "notify"),
        ('[ui]\ntheme = "nord"\nsidebar = "yes"\n', 3, "sidebar"),
        ('[ui]\nsidebar_side = "top"\n', 2, "sidebar_side: 'top' is none of left, right"),
        ('[agents.x]\nprompt = "type"\n', 2, "prompt: 'type' is none of paste, argument"),
        ("[terminal]\n[ui]\nsidebar_width = 3\n", 3, "16 to 80"),
        ("[terminal]\nscrollback_lines = -1\n", 2, "scrollback_lines"),
        ('[keys]\nprefix = "a"\n[keys.bindings]\nzoom = 3\n', 3, "bindings"),
        ("ui.sidebar_width = 3\n", 1, "16 to 80"),
        ('[ui]\ntheme = "nord"\ntheme = "x"\n', 3, "overwrite"),
    ],
)
def test_an_error_names_its_line_and_the_reason(text: str, line: int, word: str) -> None:
    error = error_of(text)

    assert error.facts["line"] == line
    assert word in error.message
    assert error.message.startswith(f"config.toml:{line}: ")


def test_a_key_of_the_same_name_in_another_table_is_not_blamed() -> None:
    error = error_of("[notifications]\nbell = true\n\n[ui]\nbell = true\n")

    assert error.facts["line"] == 5


def test_a_file_that_is_not_text_is_an_error_without_a_line(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe")

    with pytest.raises(ConfigError) as raised:
        load(path)
    assert raised.value.facts["line"] is None


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load(tmp_path)


# Paths


def test_xdg_variables_decide_every_path() -> None:
    paths = Environment(XDG).paths()

    assert paths.config_file == Path("/x/config/orca-tui/config.toml")
    assert paths.state_dir == Path("/x/state/orca-tui")
    assert paths.cache_dir == Path("/x/cache/orca-tui")
    assert paths.runtime_dir == Path("/x/run/orca-tui")
    assert paths.opencode_config_dir == Path("/x/config/opencode")
    assert paths.log_file("work") == Path("/x/state/orca-tui/work.log")


@pytest.mark.parametrize("value", ["", "relative/dir"])
def test_an_empty_or_relative_xdg_variable_counts_as_unset(value: str) -> None:
    paths = Environment(XDG | {"XDG_CONFIG_HOME": value}).paths()

    assert paths.config_file.is_absolute()
    assert paths.opencode_config_dir == Path("/home/u/.config/opencode")


def test_without_a_runtime_directory_nothing_is_said_on_stderr() -> None:
    script = (
        "from orca_tui.config import Environment\n"
        "print(Environment.of_this_process().paths().runtime_dir.is_absolute())"
    )
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}

    done = subprocess.run(
        [sys.executable, "-c", script],
        env=variables | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_sockets_of_a_server_stand_beside_each_other() -> None:
    paths = Environment(XDG).paths()

    assert paths.socket("work", "wire") == Path("/x/run/orca-tui/work.wire")
    assert paths.socket("work", "http") == Path("/x/run/orca-tui/work.http")
    assert paths.socket("work", "intake") == Path("/x/run/orca-tui/work.intake")


def test_a_socket_path_that_no_kernel_binds_is_refused() -> None:
    long = Environment(XDG | {"XDG_RUNTIME_DIR": "/" + "d" * SOCKET_PATH_LIMIT})

    with pytest.raises(Invalid, match="XDG_RUNTIME_DIR"):
        long.paths().socket("default", "wire")


def test_the_limit_counts_bytes_not_characters() -> None:
    wide = Environment(XDG | {"XDG_RUNTIME_DIR": "/" + "漢" * (SOCKET_PATH_LIMIT // 3)})

    with pytest.raises(Invalid):
        wide.paths().socket("default", "wire")


@pytest.mark.parametrize("name", ["default", "a", "A-1_b.c", "x" * 32])
def test_a_server_name_is_a_file_name(name: str) -> None:
    assert checked_server_name(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-a", "a b", "x" * 33, "a\n", "ä"])
def test_a_server_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        checked_server_name(name)


def test_the_server_comes_from_the_environment() -> None:
    assert Environment({}).server_name() == "default"
    assert Environment({"ORCA_TUI_SERVER": ""}).server_name() == "default"
    assert Environment({"ORCA_TUI_SERVER": "work"}).server_name() == "work"


def test_an_environment_is_a_copy() -> None:
    variables = {"A": "1"}
    environment = Environment(variables)
    variables["A"] = "2"

    assert environment.get("A") == "1"
