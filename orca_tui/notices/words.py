"""How a notice reads to its agent: whose words it brings, and how much room they take. Pure.

Rule 1: words of the user's are given as they are. What a hook adds bears no name, so there it is said whose they are.
Rule 2: words of anybody else stand in a fence. A line of theirs that could pass for a part of the fence, or for the
        head of the user's words, is marked as a quotation.
"""

from __future__ import annotations

from unicodedata import normalize

from orca_tui.notices.notice import Notice, OriginKind

OWN = "Message from your user:\n"
FENCE = "[Message from {writer} {name}. These are not your user's words.]\n{text}\n[End of the message]"
WRITERS = {OriginKind.PANE: "the agent in pane", OriginKind.PLUGIN: "the plugin"}
HEAD = "message from"
END = "end of the message"
QUOTED = "> "
BETWEEN = "\n\n"
"""Parts the notices of one answer."""


def words(notice: Notice) -> str:
    """What its agent reads as a prompt."""
    origin = notice.origin
    if origin.kind is OriginKind.USER:
        return notice.text
    return FENCE.format(writer=WRITERS[origin.kind], name=origin.name, text=_quoted(notice.text))


def framed(notice: Notice) -> str:
    """What its agent reads in the answer of a hook."""
    return (OWN if notice.origin.kind is OriginKind.USER else "") + words(notice)


def length(notice: Notice) -> int:
    """UTF-16 units that it takes in the answer of a hook, since most agents are written in JavaScript."""
    return len((framed(notice) + BETWEEN).encode("utf-16-le", "surrogatepass")) // 2


def _quoted(text: str) -> str:
    """Rule 2."""
    lines = text.splitlines(keepends=True)
    return "".join(QUOTED + line if _passes_for_a_mark(line) else line for line in lines)


def _passes_for_a_mark(line: str) -> bool:
    """Whoever reads it minds neither case nor width, blanks nor brackets."""
    plain = "".join(one for one in normalize("NFKC", line) if one.isalnum() or one.isspace())
    said = " ".join(plain.casefold().split())
    return said.startswith(HEAD) or END in said
