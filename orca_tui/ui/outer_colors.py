"""The default colors that the outer terminal has told, and the theme that suits them. No I/O."""

from __future__ import annotations

from orca_tui.commands.ui import OuterColors
from orca_tui.term.replies import ColorReport, ColorScheme, Reply

FOREGROUND, BACKGROUND, CURSOR = 10, 11, 12  # The numbers of the OSCs that ask for them.
BY_THE_TERMINAL = "auto"
"""The setting by which the theme follows the outer terminal."""
DARK_THEME, LIGHT_THEME = "textual-dark", "textual-light"


class ToldColors:
    """What one outer terminal has told so far."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[int, int, int]] = {}

    def take(self, reply: Reply) -> bool:
        """Learn from a reply; True when the colors are known now and were others before."""
        if not isinstance(reply, ColorReport) or reply.index is not None:
            return False
        before = self.colors
        self._told[reply.slot] = (reply.red, reply.green, reply.blue)
        return self.colors is not None and self.colors != before

    def contradicts(self, reply: Reply) -> bool:
        """Whether a reply tells of another scheme than that of the known colors: they are to be asked for again."""
        known = BACKGROUND in self._told
        return known and isinstance(reply, ColorScheme) and reply.dark is self.light

    @property
    def colors(self) -> OuterColors | None:
        """None until text and background are known; a terminal without a cursor color uses that of the text."""
        foreground, background = self._told.get(FOREGROUND), self._told.get(BACKGROUND)
        if foreground is None or background is None:
            return None
        return OuterColors(
            foreground=foreground, background=background, cursor=self._told.get(CURSOR, foreground)
        )

    @property
    def light(self) -> bool:
        """Text is darker than what it stands on; an unknown terminal counts as dark, as most are."""
        foreground = self._told.get(FOREGROUND, (127, 127, 127))
        return sum(self._told.get(BACKGROUND, (0, 0, 0))) > sum(foreground)

    def theme(self, wanted: str) -> str:
        """The theme for a setting."""
        if wanted != BY_THE_TERMINAL:
            return wanted
        return LIGHT_THEME if self.light else DARK_THEME
