"""Text as our chrome may show it: on one line, without control characters, as wide as its place. Pure."""

from __future__ import annotations

import re
from unicodedata import normalize

from rich.cells import cell_len, set_cell_size

ZERO_WIDTH_JOINER = "\u200d"
"""Makes one picture of several, as emoji families are."""

READ_PER_S = 15
"""Characters that somebody reads who has to notice them first."""
SHORTEST_READING_S = 5.0

EMOJI = "\U0001f300-\U0001faff"
JOINED = EMOJI + "❤♀♂⚕⚖✈⬛⬜➡↔↕⛓☠"
"""What joiners join; the others of these are older than emoji and single cells by themselves."""
TONES = "\U0001f3fb-\U0001f3ff"
TONED = (
    "☝⛹✊-✍🎅🏂-🏄🏇🏊-🏌👂👃👆-👐👦-👸👼💁-💃💅-💇💏💑"
    "💪🕴🕵🕺🖐🖕🖖🙅-🙇🙋-🙏🚣🚴-🚶🛀🛌🤌🤏🤘-🤟🤦🤰-🤹🤽🤾🥷🦵🦶🦸🦹🦻🧍-🧏🧑-🧝🫃-🫅🫰-🫸"
)
"""What may have a skin tone: Emoji_Modifier_Base of Unicode's emoji-data.txt."""

STRAY = re.compile(
    f"(?<![{EMOJI}])(?<![{JOINED}]\ufe0f){ZERO_WIDTH_JOINER}|{ZERO_WIDTH_JOINER}(?![{JOINED}])"
    f"|(?<![{TONED}])[{TONES}]"
    "|(?<![#*0-9©®\u203c-\u20cf\u2100-\u3299\U0001f000-\U0001faff])\ufe0f"  # An emoji of what can be none.
    "|\u034f"  # A mark that joins nothing visible.
    "|\ufe0e"  # Text instead of an emoji, which only some terminals make narrower.
    "|(?<![\u0e01-\u0e2e])\u0e33"  # Sara am without a Thai letter.
    "|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]"  # Hangul letters that are no syllable.
)
"""Parts of clusters that stand where no cluster is: every terminal has its own width for them."""

FLAGS = re.compile("([\U0001f1e6-\U0001f1ff]{2})|[\U0001f1e6-\U0001f1ff]")
"""Two letters are a flag; one by itself is of no certain width."""

MINUTE_S = 60
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
INPUT_DROPPED = "a part of what you typed reached nobody: its pane is gone, or it was too much"


def one_line(text: str) -> str:
    """The text on one line: every run of blanks is one space, and nothing in it moves a cursor or turns it around.

    Control, bidi, private and unassigned characters go, and parts of clusters without the rest: no two terminals
    agree on them, and a line that is wider than was counted would push a border out of its column.
    """
    spaced = re.sub(r"\s+", " ", text)
    shown = "".join(char for char in spaced if char.isprintable() or char == ZERO_WIDTH_JOINER)
    return _whole_clusters(normalize("NFC", shown)).strip()


def fitted(text: str, cells: int, ellipsis: str = "…") -> str:
    """The text cut to at most so many cells; what was cut is shown by the ellipsis."""
    if cell_len(text) <= cells:
        return text
    if cells <= len(ellipsis):
        return ellipsis[: max(cells, 0)]
    return _whole_clusters(set_cell_size(text, cells - len(ellipsis))).rstrip() + ellipsis


def _whole_clusters(text: str) -> str:
    return STRAY.sub("", FLAGS.sub(r"\1", text))


def reading_s(text: str) -> float:
    """How long a text that nobody expects has to be shown, in seconds."""
    return max(SHORTEST_READING_S, len(text) / READ_PER_S)


def elapsed(seconds: float) -> str:
    """A time span in the largest unit that fits: `now`, `3m`, `2h`, `4d`. Changes once a minute at most."""
    if seconds < MINUTE_S:
        return "now"
    if seconds < HOUR_S:
        return f"{int(seconds // MINUTE_S)}m"
    if seconds < DAY_S:
        return f"{int(seconds // HOUR_S)}h"
    return f"{int(seconds // DAY_S)}d"


def ago(seconds: float) -> str:
    """When something was, so long before now: `3m ago`."""
    return "just now" if seconds < MINUTE_S else f"{elapsed(seconds)} ago"


def size_of(count: int | None) -> str:
    """Bytes for people: `48M`, `1.2G`; a dash when they are unknown."""
    if count is None:
        return "-"
    if count < 1 << 30:
        return f"{count / (1 << 20):.0f}M"
    return f"{count / (1 << 30):.1f}G"
