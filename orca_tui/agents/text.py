"""Text of agents made fit for one line of ours, or for a few. Untrusted: control characters go."""

from __future__ import annotations

import unicodedata

MAX_PROMPT = 200  # Characters; one line of a list.
MAX_MESSAGE = 2000  # Characters; a few lines of a preview.

_HIDDEN = frozenset({"Cc", "Cf", "Cs"})


def one_line(text: str | None, limit: int = MAX_PROMPT) -> str | None:
    """The text as one line of at most `limit` characters; None when nothing is left."""
    if text is None:
        return None
    # Enough of a long text to fill the line even if it starts with blank ones.
    return _cut(" ".join(_visible(text[: 8 * limit]).split()), limit)


def paragraphs(text: str | None, limit: int = MAX_MESSAGE) -> str | None:
    """The text with its line breaks, of at most `limit` characters; None when nothing is left."""
    if text is None:
        return None
    lines = (_visible(line).rstrip() for line in text[: 8 * limit].splitlines())
    return _cut("\n".join(lines).strip(), limit)


def _visible(text: str) -> str:
    return "".join(
        " " if character in "\t\n\r" else character
        for character in text
        if character in "\t\n\r" or unicodedata.category(character) not in _HIDDEN
    )


def _cut(text: str, limit: int) -> str | None:
    if len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    return text or None
