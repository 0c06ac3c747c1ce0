"""The characters of our chrome."""

from __future__ import annotations

from typing import Any

from msgspec.structs import astuple
from rich.cells import cell_len

from orca_tui.ui.symbols import ASCII, UNICODE, Symbols, symbols_for


def marks(symbols: Symbols) -> list[str]:
    def flat(value: Any) -> list[str]:
        if isinstance(value, str):
            return [value]
        return [mark for one in (value.values() if isinstance(value, dict) else value) for mark in flat(one)]

    return flat(astuple(symbols))


def test_every_mark_is_one_cell_wide() -> None:
    for symbols in (UNICODE, ASCII):
        assert {cell_len(mark) for mark in marks(symbols)} == {1}


def test_ascii_is_ascii() -> None:
    assert all(mark.isascii() for mark in marks(ASCII))
    assert symbols_for(ascii_only=True) is ASCII
    assert symbols_for(ascii_only=False) is UNICODE


def test_no_two_statuses_look_alike() -> None:
    for symbols in (UNICODE, ASCII):
        assert len(set(symbols.statuses.values())) == len(symbols.statuses)
