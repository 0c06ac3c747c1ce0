"""Where the parts of a cell are in the engine's 64-bit cell, as `ghostty_library.py` checks at start."""

from __future__ import annotations

CELL_BITS = {
    "content_tag": (0, 2),
    "content": (2, 24),
    "style_id": (26, 16),
    "wide": (42, 2),
}
"""Name in the library's type table -> lowest bit and width."""

CELL_BYTES = 8

TAG_SHIFT = 0
TAG_MASK = 0x3
TAG_CODEPOINT = 0
TAG_GRAPHEME = 1
"""The first codepoint of several: the rest is asked for."""
TAG_BACKGROUND_PALETTE = 2
"""No text: a palette index as background."""
TAG_BACKGROUND_RGB = 3
"""No text: red, green and blue, lowest byte first, as background."""

CONTENT_SHIFT = 2
CODEPOINT_MASK = 0x1FFFFF
COLOR_MASK = 0xFFFFFF

STYLE_SHIFT = 26
STYLE_MASK = 0xFFFF

WIDE_SHIFT = 42
WIDE_MASK = 0x3
WIDE = 1
"""The left half of a wide character."""
WIDE_SPACER_TAIL = 2
"""The right half of a wide character."""
WIDE_SPACER_HEAD = 3
"""The blank at the right edge where a wide character did not fit and wrapped."""
