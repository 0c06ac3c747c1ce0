"""Finds, loads and checks libghostty-vt, the shared library inside the pyghostty wheel.

pyghostty itself is never imported: it parses 80 KB of C when it is (144 ms, more than half of our start).
`ghostty_abi.py` holds the same declarations compiled beforehand, which loads in 6 ms, from a read-only
installation too and without a cache to keep. What makes that safe is the library's own type table: every
constant, size and offset that we use is compared with it before the first call.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from orca_tui.base.errors import EngineUnavailable
from orca_tui.term.cells import CELL_BITS

CData: TypeAlias = Any
"""A C value of cffi, which has no types of its own."""

LIBRARY_NAMES = ("libghostty-vt.so", "libghostty-vt.dylib")
BUILD_HASH_BYTES = 16


@dataclass(frozen=True, slots=True)
class GhosttyLibrary:
    """The loaded library; `ffi` and `lib` are cffi's, `build` names what its snapshots depend on."""

    ffi: Any
    lib: Any
    build: str


def load_library(package: Path | None = None) -> GhosttyLibrary:
    """Load the library of `package`, by default the installed pyghostty; `EngineUnavailable` says why not."""
    package = package or _installed_package()
    path = next((path for name in LIBRARY_NAMES if (path := package / "_lib" / name).exists()), None)
    if path is None:
        raise EngineUnavailable(
            f"pyghostty has no terminal engine for {sys.platform}: it exists for Linux with glibc and for macOS",
            path=str(package),
        )
    try:
        from orca_tui.term.ghostty_abi import ffi

        lib = ffi.dlopen(str(path))
        table_json = ffi.string(lib.ghostty_type_json())
    except (ImportError, OSError, AttributeError) as error:
        raise EngineUnavailable(f"the terminal engine does not load here: {error}", path=str(path)) from error
    _check_table(ffi, table_json, path)
    return GhosttyLibrary(ffi=ffi, lib=lib, build=_build(_version(package), table_json))


def _installed_package() -> Path:
    spec = importlib.util.find_spec("pyghostty")  # Looks for it without running it.
    if spec is None or not spec.submodule_search_locations:
        raise EngineUnavailable(
            "pyghostty, the terminal engine, is not installed; `pip install pyghostty` adds it"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _version(package: Path) -> str:
    """The package's version, read as text: importlib.metadata would cost 60 ms."""
    found = re.search(r"__version__\s*=\s*[\"']([^\"']+)", (package / "__init__.py").read_text())
    if found is None:
        raise EngineUnavailable("the installed pyghostty does not tell its version", path=str(package))
    return found.group(1)


def _build(version: str, table_json: bytes) -> str:
    return blake2b(version.encode() + b"\0" + table_json, digest_size=BUILD_HASH_BYTES).hexdigest()


def _check_table(ffi: Any, table_json: bytes, path: Path) -> None:
    wrong = _wrong_types(ffi, msgspec.json.decode(table_json)["types"])
    if wrong:
        raise EngineUnavailable(
            f"this pyghostty has another interface ({', '.join(wrong)}); install the version that orca-tui needs",
            path=str(path),
            types=wrong,
        )


def _wrong_types(ffi: Any, types: dict[str, Any]) -> list[str]:
    """Names of our declarations that the library's table of types does not confirm."""
    declared = [name for name in ffi.list_types()[0] if not name.endswith("Fn")]  # It has no function types.
    wrong = [name for name in declared if name not in types or not _agrees(ffi, name, types[name])]
    bits = types.get("GhosttyCell", {}).get("bits", {})
    found = {name: (entry["lsb"], entry["width"]) for name, entry in bits.items() if name in CELL_BITS}
    return sorted(wrong if found == CELL_BITS else [*wrong, "GhosttyCell"])


def _agrees(ffi: Any, name: str, entry: dict[str, Any]) -> bool:
    ctype = ffi.typeof(name)
    if entry["kind"] == "enum":
        values = {entry["prefix"] + short: value for short, value in entry["values"].items()}
        return all(values.get(constant) == value for constant, value in ctype.relements.items())
    if ffi.sizeof(ctype) != entry["size"]:
        return False
    if entry["kind"] not in ("struct", "union"):
        return True
    theirs = entry["fields"]
    ours = {field: place for field, place in ctype.fields if not field.startswith("_")}
    return all(field in theirs and place.offset == theirs[field]["offset"] for field, place in ours.items())
