"""The terminal engine as the rest of the program sees it. No implementation here: `ghostty_engine.py` has it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol, TypeAlias

import msgspec

CELL_PX = (8, 16)
"""A cell's width and height in the pixel sizes told to children, who only use their ratio."""


class TerminalColors(msgspec.Struct, frozen=True, kw_only=True):
    """Default colors told to children that ask (OSC 10, 11, 12), as red, green and blue."""

    foreground: tuple[int, int, int] = (0xD8, 0xD8, 0xD8)
    background: tuple[int, int, int] = (0x10, 0x10, 0x10)
    cursor: tuple[int, int, int] = (0xD8, 0xD8, 0xD8)

    @property
    def dark(self) -> bool:
        """Whether children should choose colors for a dark background (mode 2031, `CSI ? 996 n`)."""
        return sum(self.background) < sum(self.foreground)


class Permissions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user lets programs ask of their terminal that they could misuse; conformance tests need it."""

    checksum: bool = False
    """DECRQCRA: a program may ask what is on its screen, other programs' output included."""
    window_size: bool = False
    """`CSI 8 t`: a program may ask for another size."""


class MouseTracking(StrEnum):
    """Which mouse events the child asked for (DEC modes 9, 1000, 1002, 1003)."""

    OFF = "off"
    X10 = "x10"
    NORMAL = "normal"
    BUTTON = "button"
    ANY = "any"


class MouseFormat(StrEnum):
    """How the child wants mouse events written (default, 1005, 1006, 1015, 1016)."""

    X10 = "x10"
    UTF8 = "utf8"
    SGR = "sgr"
    URXVT = "urxvt"
    SGR_PIXELS = "sgr_pixels"


class InputModes(msgspec.Struct, frozen=True, kw_only=True):
    """The child's modes that decide how input is encoded."""

    cursor_keys: bool = False
    """DECCKM (1): arrows as SS3."""
    keypad: bool = False
    """DECPAM (ESC =): the keypad sends application sequences."""
    bracketed_paste: bool = False
    """2004."""
    focus_events: bool = False
    """1004."""
    mouse: MouseTracking = MouseTracking.OFF
    mouse_format: MouseFormat = MouseFormat.X10
    alternate_scroll: bool = True
    """1007: the wheel sends arrows on the alternate screen when no mouse mode is on."""
    alternate_screen: bool = False
    kitty_flags: int = 0
    """The active kitty keyboard flags of the active screen."""
    modify_other_keys: int = 0
    """xterm's modifyOtherKeys, 0 to 2."""
    backarrow_sends_backspace: bool = False
    """DECBKM (67): Backspace sends BS instead of DEL."""


# Facts: what a child told its terminal beside the text on the screen.


class TitleChanged(msgspec.Struct, frozen=True, kw_only=True, tag="title"):
    """OSC 0 or 2; control and bidi characters are stripped, at most 256 characters."""

    title: str


class DirectoryChanged(msgspec.Struct, frozen=True, kw_only=True, tag="cwd"):
    """OSC 7 or OSC 1337 CurrentDir: an absolute path."""

    path: str


class Bell(msgspec.Struct, frozen=True, kw_only=True, tag="bell"):
    """BEL outside any sequence."""


class Notification(msgspec.Struct, frozen=True, kw_only=True, tag="notification"):
    """OSC 9, 777 or 99."""

    title: str
    body: str


class Progress(msgspec.Struct, frozen=True, kw_only=True, tag="progress"):
    """OSC 9;4. `state`: 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; `percent` when given."""

    state: int
    percent: int | None = None


class PromptMark(msgspec.Struct, frozen=True, kw_only=True, tag="prompt"):
    """OSC 133: `kind` is A (prompt), B (input), C (output), D (finished, with `exit_code` when given)."""

    kind: str
    exit_code: int | None = None


class ProgramStatus(msgspec.Struct, frozen=True, kw_only=True, tag="program_status"):
    """OSC 7501, undecoded: the text after `7501;` (a query is answered by the engine and is no fact)."""

    payload: str


class AgentReport(msgspec.Struct, frozen=True, kw_only=True, tag="agent_report"):
    """OSC 26 (pairs) or 9999 (JSON), undecoded: the text after the number."""

    number: int
    payload: str


class ClipboardWrite(msgspec.Struct, frozen=True, kw_only=True, tag="clipboard"):
    """OSC 52 write, decoded; at most 100 KiB. Reads are never answered."""

    text: str


class SizeWished(msgspec.Struct, frozen=True, kw_only=True, tag="size"):
    """`CSI 8 t` of a program that may ask for it: the cells that it would like to have."""

    cols: int
    rows: int


class PicturesChanged(msgspec.Struct, frozen=True, kw_only=True, tag="pictures"):
    """Cells with these images (`PictureCell.image`) show something else, or nothing, from now on."""

    images: tuple[int, ...]


class TerminalReset(msgspec.Struct, frozen=True, kw_only=True, tag="reset"):
    """RIS (`ESC c`): everything the child had said of itself is void."""


Fact: TypeAlias = (
    TitleChanged
    | DirectoryChanged
    | Bell
    | Notification
    | Progress
    | PromptMark
    | ProgramStatus
    | AgentReport
    | ClipboardWrite
    | SizeWished
    | PicturesChanged
    | TerminalReset
)


class RowMarks(msgspec.Struct, frozen=True, kw_only=True):
    """Rows, counted from the oldest of the scrollback."""

    wrapped: tuple[int, ...] = ()
    """Those that go on in the next one."""
    prompts: tuple[int, ...] = ()
    """Those where a shell's prompt begins, by OSC 133."""


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """The cursor as drawn: cells from 0 in the viewport, invisible while scrolled out of it."""

    x: int
    y: int
    visible: bool
    shape: str
    """`block`, `bar`, `underline` or `block_hollow`."""
    blinking: bool


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """An image, as the program sent it, and the cells that it is to fill."""

    key: int
    """Of the image: the same in all pictures of it, and given to no other one of this terminal soon."""
    cols: int
    rows: int
    source: tuple[int, int, int, int]
    """Left, top, width and height of the part that is shown, in pixels."""
    format: int
    """24 and 32: bits of a pixel; 100: PNG."""
    compression: str
    """`z` for zlib."""
    width: int
    height: int
    data: bytes


class PictureCell(msgspec.Struct, frozen=True):
    """A cell of the screen that shows a part of a picture."""

    x: int
    image: int
    """32 bits; with `placement` it names the picture (`TerminalEngine.picture`)."""
    placement: int
    """24 bits; 0 for none in particular."""
    row: int
    """Of the picture's, from 0, like `col`."""
    col: int


class PictureRun(msgspec.Struct, frozen=True):
    """Cells that follow each other, which are a run of blanks in a row."""

    run: int
    """Which one of `Row.runs`."""
    cells: tuple[PictureCell, ...]


class Row(msgspec.Struct, frozen=True):
    """One row, ready to be drawn or read."""

    runs: tuple[tuple[str, bytes], ...]
    """Text with its style: `b""` is the default style, else a raw style for `cell_style.cell_style`."""
    ansi: str
    """The row as text with SGR sequences, each styled run closed by `ESC [ m`; exactly `cols` cells wide."""
    text: str
    """The row without styles, wide characters once and without filler, trailing blanks kept."""
    pictures: tuple[PictureRun, ...] = ()
    """What could be shown in place of some of its blanks."""


class FedOutput(msgspec.Struct, frozen=True):
    """What one `feed` brought beside the new screen."""

    applied: bytes
    """What the engine really took: `data` itself, unless a work-around changed it (DECSTR, DECCOLM ...).

    Viewing engines are given exactly these bytes through `apply`, in this order, so they stay equal.
    """
    replies: bytes
    """Answers to the child's queries, to be written to its PTY."""
    facts: tuple[Fact, ...]


class TerminalEngine(Protocol):
    """One terminal. Not thread-safe: one owner."""

    cols: int
    rows: int

    def feed(self, data: bytes) -> FedOutput:
        """Take output of the child, cut anywhere: the server's way in."""
        ...

    def apply(self, data: bytes) -> None:
        """Take bytes that another engine of this pane has applied: a viewer's way in; answers nothing."""
        ...

    def resize(self, cols: int, rows: int) -> bytes:
        """Change the size; returns replies (mode 2048 reports) for the child.

        The primary screen is reflowed, the alternate cut off; what remains of a wide character there is erased.
        """
        ...

    def row_marks(self) -> RowMarks:
        """Which rows go on and where prompts begin, scrollback included; takes some 40 ms for 10,000 rows."""
        ...

    def set_colors(self, colors: TerminalColors) -> bytes:
        """Tell the child these default colors from now on; returns the report that it asked for (mode 2031)."""
        ...

    def snapshot(self, *, with_history: bool) -> bytes | None:
        """The whole state as the library's own bytes; None while a sequence is open that is over-long, or during
        which the size has changed. Where the library makes none, they are of a screen that is about the same.

        Without history it is small and shows the same screen, whatever is fed after it. But a resize that makes
        room fills it from the scrollback, which such an engine has little of: it then needs a fresh snapshot.
        """
        ...

    def modes(self) -> InputModes: ...

    def cursor(self) -> Cursor: ...

    def held(self) -> bool:
        """True while the child holds the screen with synchronized output (mode 2026)."""
        ...

    def dirty_rows(self) -> Iterator[tuple[int, Row]]:
        """Rows changed since the last call, top first, each with its index; marks them clean."""
        ...

    def all_rows(self) -> list[Row]:
        """Every visible row; leaves dirtiness alone."""
        ...

    def scroll(self, offset_rows: int) -> int:
        """Show the viewport `offset_rows` above the newest row (0 = live); returns the offset in effect."""
        ...

    def scroll_offset(self) -> int:
        """The offset in effect: output grows it while the viewport is not at 0, so that the view stays put."""
        ...

    def scrollback_rows(self) -> int: ...

    def link_at(self, x: int, y: int) -> str:
        """The URI of the OSC 8 link under a cell of the viewport, control characters stripped; `""` for none."""
        ...

    def history_text(self, *, unwrap: bool) -> str:
        """Scrollback and screen as plain text."""
        ...

    def screen_text(self, *, unwrap: bool) -> str:
        """The visible screen as plain text, wide characters without filler, trailing blanks trimmed."""
        ...

    def vt_text(self) -> bytes:
        """Scrollback and screen as sequences that any terminal shows: approximate, for what has no snapshot."""
        ...

    def answer_pictures(self, shown: bool) -> None:
        """Whether programs are told that pictures are shown; without the setting nothing changes that they are not."""
        ...

    def picture(self, image: int, placement: int) -> Picture | None:
        """What a cell with these ids shows a part of; None when nobody knows."""
        ...

    def reset_modes_bytes(self, *, at_prompt: bool = False, keyboard: bool = False) -> bytes:
        """Sequences that end mouse, focus, paste, report, keyboard, sync and alternate-screen modes now set.

        They also end an open sequence, show a hidden cursor, wrap lines and give the wheel back (mode 1007). Empty
        when there is nothing to do. The caller feeds them as output, so that every engine of the pane agrees.

        `at_prompt`: a shell is drawing its prompt and has set paste and keyboard modes for its own line editor, so
        these are left alone; `keyboard`: but this shell has no use for keyboard modes, which thus are a dead program's.
        """
        ...

    def compress(self) -> bool:
        """Compress a part of the scrollback, for a pane that is quiet; True while there is more to do."""
        ...

    def close(self) -> None: ...


class EngineFactory(Protocol):
    """Makes engines; `ghostty.GhosttyFactory` is the one implementation."""

    build: str
    """Hash of the library's type table and version: snapshots are exchanged only between equal builds."""

    def new(self, cols: int, rows: int, *, scrollback_lines: int) -> TerminalEngine: ...

    def restore(self, snapshot: bytes) -> TerminalEngine:
        """The engine of a snapshot, callbacks set again; `EngineMismatch` when it cannot be read."""
        ...
