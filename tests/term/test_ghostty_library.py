"""A library that is missing, broken or another one is refused with one clear sentence."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from orca_tui.base.errors import EngineUnavailable
from orca_tui.term.cells import CELL_BITS
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_abi import ffi
from orca_tui.term.ghostty_cdef import CDEF
from orca_tui.term.ghostty_library import _build, _wrong_types, load_library


@pytest.fixture(scope="module")
def installed() -> Path:
    spec = importlib.util.find_spec("pyghostty")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])


@pytest.fixture(scope="module")
def table() -> bytes:
    library = load_library()
    told: bytes = library.ffi.string(library.lib.ghostty_type_json())
    return told


def copied(installed: Path, to: Path) -> Path:
    """A pyghostty folder that may be spoilt."""
    (to / "_lib").mkdir(parents=True)
    shutil.copy(installed / "__init__.py", to)
    for path in (installed / "_lib").iterdir():
        shutil.copy(path, to / "_lib")
    return to


def changed(table: bytes, kind: str, *path: str, value: object) -> dict[str, Any]:
    types: dict[str, Any] = msgspec.json.decode(table)["types"]
    entry = types[kind]
    for step in path[:-1]:
        entry = entry[step]
    entry[path[-1]] = value
    return types


def test_the_installed_library_is_loaded(installed: Path) -> None:
    assert load_library().build == load_library(installed).build


def test_every_function_that_is_declared_exists() -> None:
    library = load_library()
    functions = re.findall(r"\b(ghostty_[a-z0-9_]+)\(", CDEF)

    assert len(functions) > 30
    assert all(getattr(library.lib, function) for function in functions)


def test_a_platform_without_a_library_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('__version__ = "0.1.3"\n')

    with pytest.raises(EngineUnavailable, match="it exists for Linux with glibc and for macOS") as caught:
        GhosttyFactory(package=tmp_path)
    assert caught.value.facts == {"path": str(tmp_path)}


def test_a_library_that_cannot_be_loaded_is_told_so(tmp_path: Path, installed: Path) -> None:
    package = copied(installed, tmp_path / "pyghostty")
    for path in (package / "_lib").iterdir():
        path.write_bytes(b"not a library")

    with pytest.raises(EngineUnavailable, match="does not load here"):
        load_library(package)


def test_a_package_without_a_version_is_told_so(tmp_path: Path, installed: Path) -> None:
    package = copied(installed, tmp_path / "pyghostty")
    (package / "__init__.py").write_text("")

    with pytest.raises(EngineUnavailable, match="does not tell its version"):
        load_library(package)


def test_a_missing_package_is_told_so(tmp_path: Path) -> None:
    """In a Python of its own that sees this checkout and msgspec, but no pyghostty."""
    msgspec_folder = Path(msgspec.__file__).parent
    (tmp_path / "msgspec").symlink_to(msgspec_folder)
    code = (
        "from orca_tui.base.errors import EngineUnavailable\n"
        "from orca_tui.term.ghostty_library import load_library\n"
        "try:\n load_library()\n"
        "except EngineUnavailable as error:\n print(error)\n"
    )
    checkout = Path(__file__).parents[2]
    told = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": f"{checkout}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert (
        told.stdout == "pyghostty, the terminal engine, is not installed; `pip install pyghostty` adds it\n"
    )


def test_the_table_of_the_installed_library_agrees(table: bytes) -> None:
    assert _wrong_types(ffi, msgspec.json.decode(table)["types"]) == []


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("GhosttyStyle", ("size",), 80),
        ("GhosttyStyle", ("fields", "bold", "offset"), 57),
        ("GhosttyStyle", ("fields", "underline"), None),
        ("GhosttyTerminalOption", ("values", "BELL"), 3),
        ("GhosttyTerminalData", ("values",), {}),
        ("GhosttyMode", ("size",), 4),
        ("GhosttyCell", ("bits", "style_id", "lsb"), 27),
        ("GhosttyCell", ("bits", "wide", "width"), 3),
        ("GhosttyCell", ("bits",), {}),
        ("GhosttyPoint", ("size",), 32),
    ],
)
def test_a_table_that_differs_is_noticed(
    table: bytes, kind: str, path: tuple[str, ...], value: object
) -> None:
    if value is None:
        types = msgspec.json.decode(table)["types"]
        del types[kind][path[0]][path[1]]
    else:
        types = changed(table, kind, *path, value=value)

    assert _wrong_types(ffi, types) == [kind]


def test_a_type_that_is_gone_is_noticed(table: bytes) -> None:
    types = msgspec.json.decode(table)["types"]
    del types["GhosttySnapshotDecoder"], types["GhosttyStyle"]

    assert _wrong_types(ffi, types) == ["GhosttySnapshotDecoder", "GhosttyStyle"]


def test_the_build_names_the_version_and_the_table(table: bytes) -> None:
    builds = {_build("0.1.3", table), _build("0.1.4", table), _build("0.1.3", table + b" ")}

    assert len(builds) == 3


def test_all_parts_of_a_cell_are_checked(table: bytes) -> None:
    bits = msgspec.json.decode(table)["types"]["GhosttyCell"]["bits"]

    assert {name: (bits[name]["lsb"], bits[name]["width"]) for name in CELL_BITS} == CELL_BITS


def test_loading_does_not_import_pyghostty() -> None:
    """Its import alone takes longer than all of ours."""
    code = (
        "import sys; from orca_tui.term.ghostty import GhosttyFactory; GhosttyFactory()\n"
        "print('pyghostty' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )

    assert told.stdout == "False\n"
