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

TAG_MASK = 0x3
"""What the content is. 0: a codepoint; 1: the first codepoint of several, the rest is asked for; 2: no text, a palette
index as background; 3: no text, red, green and blue, lowest byte first, as background."""

CONTENT_SHIFT = 2
CODEPOINT_MASK = 0x1FFFFF
COLOR_MASK = 0xFFFFFF

STYLE_SHIFT = 26
STYLE_MASK = 0xFFFF

WIDE_SHIFT = 42
WIDE_MASK = 0x3
"""0: a narrow character; 3: the blank at the right edge where a wide one did not fit and wrapped; else see below."""
WIDE = 1
"""The left half of a wide character."""
WIDE_SPACER_TAIL = 2
"""The right half of a wide character."""
