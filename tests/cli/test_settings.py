"""The settings from the command line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from orca_tui.cli.settings import toml_lines
from orca_tui.config import Config, parse
from tests.cli.conftest import Home, Orca


@pytest.fixture
def file(home: Home) -> Path:
    path = home.root / "config" / "orca-tui" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def test_the_path_is_below_xdg_config_home(orca: Orca, file: Path) -> None:
    assert orca("config", "path").out == f"{file}\n"
    assert orca("config", "path", "--json").json() == {"path": str(file)}


def test_no_file_is_fine(orca: Orca, file: Path) -> None:
    assert orca("config", "check").out == f"{file}: not there; the defaults hold\n"
    assert orca("config", "check", "--json").json() == {"path": str(file), "exists": False}


def test_a_good_file_is_ok(orca: Orca, file: Path) -> None:
    file.write_text('[ui]\ntheme = "nord"\n')

    assert (orca("config", "check").code, orca("config", "check").out) == (0, f"{file}: ok\n")


def test_a_bad_file_is_told_with_line_and_reason(orca: Orca, file: Path) -> None:
    file.write_text('[ui]\ntheme = "nord"\nsidebar = "maybe"\n')

    result = orca("config", "check")

    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"orca-tui: {file}:3: ui.sidebar: expected true or false, not a text")
    error = orca("config", "check", "--json").error()
    assert (error["code"], error["line"], error["path"]) == ("config", 3, str(file))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[ui]\ntheme = "nrod"\n', 2, "no theme is called 'nrod'; did you mean 'nord'?"),
        ('[keys]\nprefix = "ctrl+nothing"\n', 2, "nothing"),
        ('[keys.bindings]\nfly = "f"\n', 2, "fly"),
    ],
    ids=["theme", "prefix", "action"],
)
def test_what_only_the_ui_can_tell_is_checked_too(
    orca: Orca, file: Path, text: str, line: int, reason: str
) -> None:
    file.write_text(text)

    result = orca("config", "check")

    assert result.code == 1
    assert result.err.startswith(f"orca-tui: {file}:{line}: ")
    assert reason in result.err


def test_show_prints_what_holds_as_settings_that_say_the_same(orca: Orca, file: Path) -> None:
    file.write_text('[ui]\ntheme = "nord"\n[keys.bindings]\n"zoom" = ["z", "ctrl+b z"]\n')

    shown = orca("config", "show").out

    assert parse(shown, "shown") == parse(file.read_text(), "file")
    assert orca("config", "show", "--json").json()["ui"]["theme"] == "nord"


def test_agents_and_their_rules_are_shown_too(orca: Orca, file: Path) -> None:
    file.write_text(
        '[agents.my-bot]\ncommand = ["bot"]\n[[agents.my-bot.rules]]\nid = "a"\nregion = "bottom"\nsays = "idle"\n'
        """all = [{ contains = ["x", 'y"'] }, { regex = '^\\s' }]\ncount = 3\n"""
    )

    shown = orca("config", "show").out

    assert parse(shown, "shown") == parse(file.read_text(), "file")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[agents.my-bot]\ncommand = ["claude"]\n', 2, "program of claude already"),
        ('[agents.my-bot]\ncommand = ["x"]\n[[agents.my-bot.rules]]\nid = "a"\n', 3, "rule 'a'"),
    ],
)
def test_agents_are_checked_too(orca: Orca, file: Path, text: str, line: int, reason: str) -> None:
    file.write_text(text)

    result = orca("config", "check")

    assert result.code == 1
    assert result.err.startswith(f"orca-tui: {file}:{line}: ")
    assert reason in result.err


@pytest.mark.parametrize("text", ['plain "quoted" \\ back', "tab\tnew\nline", "ünïcode 🦭", "\x7f\x01", ""])
def test_any_text_is_written_as_toml_that_says_the_same(text: str) -> None:
    table = {"a": text, "list": [text, 1, True], "in a table": {text or "empty": text}}

    assert tomllib.loads("\n".join(toml_lines(table))) == table


def test_the_defaults_are_written_whole() -> None:
    defaults = msgspec.to_builtins(Config())

    assert tomllib.loads("\n".join(toml_lines(defaults))) == defaults
