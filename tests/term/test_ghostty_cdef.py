"""The committed declarations are those that cffi makes of the C text, and the library agrees with them."""

from __future__ import annotations

import pytest

from orca_tui.term.cell_style import RAW_STYLE
from orca_tui.term.cells import CELL_BITS, CELL_BYTES
from orca_tui.term.ghostty_abi import ffi
from orca_tui.term.ghostty_cdef import ABI_MODULE, abi_source


def test_the_committed_module_is_the_generated_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert ABI_MODULE.read_text() == abi_source(), "run `python -m orca_tui.term.ghostty_cdef`"
    capsys.readouterr()  # cffi prints which file it writes.


def test_structs_passed_by_value_in_place_of_unions_go_through_memory() -> None:
    """Up to 16 bytes an ABI may use registers, where a struct and a union could differ."""
    for name in ("GhosttyPoint", "GhosttyTerminalScrollViewport"):
        assert ffi.sizeof(name) > 16


def test_raw_styles_are_the_style_struct_without_its_size() -> None:
    assert ffi.sizeof("GhosttyStyle") - ffi.offsetof("GhosttyStyle", "fg_color") == RAW_STYLE.size


def test_cells_have_the_size_that_the_masks_are_made_for() -> None:
    assert ffi.sizeof("GhosttyCell") == CELL_BYTES
    assert max(lowest + width for lowest, width in CELL_BITS.values()) <= 8 * CELL_BYTES
