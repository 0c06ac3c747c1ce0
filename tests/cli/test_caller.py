"""What a new pane takes from whoever asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.cli.caller import environment_to_send, working_directory
from orca_tui.config import Environment


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_directory_is_the_one_we_are_in(here: Path) -> None:
    assert working_directory({}, None) == str(here)


def test_a_path_by_links_is_kept_as_the_person_came_by_it(here: Path) -> None:
    link = here.parent / "link"
    link.symlink_to(here)

    assert working_directory({"PWD": str(link)}, None) == str(link)
    assert working_directory({"PWD": str(link)}, "below") == f"{link}/below"


@pytest.mark.parametrize("said", ["/", "relative", "", "/no/such/directory"])
def test_a_pwd_that_is_not_where_we_are_is_not_believed(here: Path, said: str) -> None:
    assert working_directory({"PWD": said}, None) == str(here)


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("/abs/dir", "/abs/dir"),
        ("/abs/../dir/", "/dir"),
        ("sub", "{here}/sub"),
        ("..", "{parent}"),
        (".", "{here}"),
    ],
)
def test_a_wanted_directory_becomes_absolute_and_need_not_exist(here: Path, wanted: str, path: str) -> None:
    expected = path.format(here=here, parent=here.parent)

    assert working_directory({}, wanted) == expected


def test_a_directory_that_was_removed_is_none(here: Path) -> None:
    here.rmdir()

    assert working_directory({"PWD": str(here)}, None) is None
    assert working_directory({}, "/elsewhere") == "/elsewhere"
    with pytest.raises(Invalid):
        working_directory({}, "relative")


def test_the_whole_environment_is_sent(capsys: pytest.CaptureFixture[str]) -> None:
    variables = {"A": "1", "UMLAUT": "ü", "EMPTY": "", "FUNC%%": "() {\n}"}

    assert environment_to_send(Environment(variables)) == variables
    assert capsys.readouterr().err == ""


def test_what_is_no_text_is_left_out_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    variables = {"GOOD": "1", "BAD": "x\udcff", "NA\udcffME": "x"}

    assert environment_to_send(Environment(variables)) == {"GOOD": "1"}
    assert "BAD, NA?ME" in capsys.readouterr().err
