"""One terminal: libghostty-vt behind `TerminalEngine`, with what it lacks worked around.

The work-arounds are bytes written into the stream at their place (`FedOutput.applied`), so that a viewing
engine that applies the same bytes, cut anywhere, is equal to this one.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import assert_never

from orca_tui.term.cell_style import StyleSequences
from orca_tui.term.engine import (
    Cursor,
    FedOutput,
    InputModes,
    Permissions,
    Picture,
    Row,
    RowMarks,
    SizeWished,
    TerminalColors,
)
from orca_tui.term.facts import STATUS_QUERY, KittyNotifications, clean, osc_fact
from orca_tui.term.ghostty_callbacks import Callbacks, Outbox
from orca_tui.term.ghostty_checksum import area_asked, checksum_report
from orca_tui.term.ghostty_defaults import (
    COLOR_SCHEME_REPORTS,
    limit_scrollback,
    scheme_report,
    set_colors,
)
from orca_tui.term.ghostty_format import LINK_BYTES, link_uri, plain_text, screen_selection, vt_sequences
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.ghostty_marks import row_marks
from orca_tui.term.ghostty_modes import ORIGIN, SYNCHRONIZED_OUTPUT, TerminalModes
from orca_tui.term.ghostty_numbers import TerminalNumbers, within_limits
from orca_tui.term.ghostty_pictures import PictureHands
from orca_tui.term.ghostty_resize import Resizer
from orca_tui.term.ghostty_snapshot import continuation
from orca_tui.term.ghostty_snapshots import Snapshots
from orca_tui.term.osc import (
    CapabilitiesAsked,
    ChecksumAsked,
    ColumnSwitchAllowed,
    CursorPositionAsked,
    FullResetSeen,
    OscSeen,
    ScanEvent,
    SideScanner,
    SizeAsked,
    SoftResetSeen,
)
from orca_tui.term.pictures.scan import PictureSeen
from orca_tui.term.pictures.store import PictureStore
from orca_tui.term.rows import RowReader
from orca_tui.term.scrollback import limit_for_lines, lines_of_limit
from orca_tui.term.workarounds import (
    ASK_MARGINS,
    ASK_POSITION,
    FORBID_COLUMN_SWITCH,
    STATUS_ANSWER,
    private_position,
    soft_reset,
    unknown_capabilities,
    without_column_switch,
)


class GhosttyEngine:
    """One terminal of the library; `GhosttyFactory` makes it, `close` frees it."""

    def __init__(
        self,
        library: GhosttyLibrary,
        callbacks: Callbacks,
        sequences: StyleSequences,
        terminal: CData,
        colors: TerminalColors,
        permissions: Permissions,
        pictures: PictureStore | None,
    ) -> None:
        self._library, self._permissions = library, permissions
        self._ffi, self._lib = library.ffi, library.lib
        self._hold(terminal)
        self._scrollbar = self._ffi.new("GhosttyTerminalScrollbar*")
        self.cols, self.rows = self._numbers.cols, self._numbers.rows
        self._outbox = Outbox(cols=self.cols, rows=self.rows, colors=colors)
        self._callbacks = callbacks  # Kept, like the handle, since the terminal only points to them.
        self._handle = callbacks.attach(terminal, self._outbox)
        permitted = permissions.checksum or permissions.window_size
        self._scanner = SideScanner(
            continuation(library, terminal), permitted=permitted, pictures=pictures is not None
        )
        self._notifications = KittyNotifications()
        self._reader = RowReader(library, terminal, sequences)
        self._pictures = PictureHands(library, terminal, self._modes, pictures)
        self._free = weakref.finalize(self, _free, library, terminal, self._reader)
        self._free.atexit = False  # The process ends: nothing is gained by tidying up.

    def close(self) -> None:
        """Free the terminal; it is blank for whoever still asks."""
        self._hold(self._ffi.NULL)
        self._pictures.close()
        self._free()

    def _hold(self, terminal: CData) -> None:
        self._terminal = terminal
        self._numbers = TerminalNumbers(self._library, terminal)
        self._modes = TerminalModes(self._library, terminal)
        self._resizer = Resizer(self._library, terminal, self._modes)
        self._snapshots = Snapshots(self._library, terminal, self._modes)
        self._input_modes: InputModes | None = None

    # Bytes in

    def feed(self, data: bytes) -> FedOutput:
        """Take output of the child, cut anywhere."""
        outbox = self._outbox
        outbox.clear()
        events = self._scanner.scan(data)
        if events:
            data = self._write_with_events(data, events)
        else:
            self._write(data)
        if self._keep_columns() and not self._modes.in_sequence():
            self._write(FORBID_COLUMN_SWITCH)
            data += FORBID_COLUMN_SWITCH
        data += self._resizer.mend(self._written)
        return FedOutput(data, b"".join(outbox.replies), tuple(outbox.facts))

    def apply(self, data: bytes) -> None:
        """Take bytes that another engine of this pane has applied."""
        self._write(data)
        self._keep_columns()
        self._outbox.clear()

    def _write(self, data: bytes) -> None:
        self._lib.ghostty_terminal_vt_write(self._terminal, data, len(data))
        self._input_modes = None

    def _write_with_events(self, data: bytes, events: list[ScanEvent]) -> bytes:
        """Write the bytes up to each event, then act on it; the bytes as the engine has them."""
        applied = []
        at = 0
        for event in events:
            applied.append(self._write_event(data[at : event.end], event))
            at = event.end
        self._write(data[at:])
        changed = b"".join(applied) + data[at:]
        return data if changed == data else changed

    def _write_event(self, data: bytes, event: ScanEvent) -> bytes:
        """Write the bytes that end in `event`, with what it needs; returns what was written."""
        match event:
            case ColumnSwitchAllowed(other_modes=modes):
                return self._written(without_column_switch(data, modes))
            case SoftResetSeen():
                self._write(data)
                return data + self._written(soft_reset(*self._numbers.cursor))
            case CursorPositionAsked():
                self._write(data)
                self._outbox.replies += map(private_position, self._answers(ASK_POSITION))
            case CapabilitiesAsked(names=names):
                earlier = len(self._outbox.replies)
                self._write(data)
                self._outbox.replies += unknown_capabilities(names, self._outbox.replies[earlier:])
            case ChecksumAsked(numbers=numbers):
                self._write(data)
                self._answer_checksum(numbers)
            case SizeAsked(numbers=numbers):
                self._write(data)
                self._take_size(numbers)
            case FullResetSeen():
                self._write(data)
                self._outbox.tell_reset()
                self._pictures.reset(self._outbox)
            case PictureSeen():
                self._write(data)
                return data + self._pictures.take(event, self._outbox, self._written)
            case OscSeen(number=number, payload=payload):
                self._write(data)
                self._take_osc(number, payload)
            case _:
                assert_never(event)
        return data

    def _written(self, data: bytes) -> bytes:
        self._write(data)
        return data

    def _take_osc(self, number: int, payload: str) -> None:
        if (number, payload) == STATUS_QUERY:
            self._outbox.replies.append(STATUS_ANSWER)
        elif (fact := osc_fact(number, payload, self._notifications)) is not None:
            self._outbox.facts.append(fact)

    def _answers(self, question: bytes) -> list[bytes]:
        """What the engine answers to a question of ours, which changes nothing and viewing engines need not see."""
        replies = self._outbox.replies
        earlier = len(replies)
        self._write(question)
        answers = replies[earlier:]
        del replies[earlier:]
        return answers

    def _answer_checksum(self, numbers: tuple[int, ...]) -> None:
        if self._permissions.checksum:
            margins = b"".join(self._answers(ASK_MARGINS)) if self._modes.is_set(ORIGIN) else b""
            area = area_asked(numbers, self.cols, self.rows, margins)
            self._outbox.replies.append(checksum_report(self._library, self._terminal, numbers[0], area))

    def _take_size(self, numbers: tuple[int, ...]) -> None:
        """Rows and columns, which stay as they are where no number is given."""
        if self._permissions.window_size:
            rows, cols = (*numbers, 0, 0)[:2]
            self._outbox.facts.append(SizeWished(cols=cols or self.cols, rows=rows or self.rows))

    def set_colors(self, colors: TerminalColors) -> bytes:
        """Tell the child these default colors; the report of mode 2031 when they are darker or lighter now."""
        before, self._outbox.colors = self._outbox.colors, colors
        if not self._terminal:
            return b""
        set_colors(self._library, self._terminal, colors)
        if before.dark == colors.dark or not self._modes.is_set(COLOR_SCHEME_REPORTS):
            return b""
        return scheme_report(colors)

    # Size

    def resize(self, cols: int, rows: int) -> bytes:
        """Change the size, reflowing; returns replies (mode 2048 reports) for the child."""
        outbox = self._outbox
        outbox.clear()
        outbox.cols, outbox.rows = within_limits(cols), within_limits(rows)
        if not self._terminal or (outbox.cols, outbox.rows) == (self.cols, self.rows):
            return b""
        lines = lines_of_limit(self._numbers.scrollback_max_bytes, self.cols)
        limit = limit_for_lines(lines, outbox.cols)
        if outbox.cols > self.cols:
            limit_scrollback(self._library, self._terminal, limit)
        self._resizer.resize(outbox.cols, outbox.rows)
        self._resizer.mend(self._written)
        if outbox.cols < self.cols:
            limit_scrollback(self._library, self._terminal, limit)
        self.cols, self.rows = outbox.cols, outbox.rows
        return b"".join(outbox.replies)

    def _keep_columns(self) -> bool:
        """Take back a change of columns by DECCOLM that the side scanner did not see coming."""
        if not self._terminal or self._numbers.cols == self.cols:
            return False
        self._resizer.resize(self.cols, self.rows)
        return True

    # What is on the screen

    def cursor(self) -> Cursor:
        return self._reader.cursor()

    def held(self) -> bool:
        return self._modes.is_set(SYNCHRONIZED_OUTPUT)

    def dirty_rows(self) -> Iterator[tuple[int, Row]]:
        return self._reader.changed()

    def all_rows(self) -> list[Row]:
        return self._reader.visible()

    def scroll(self, offset_rows: int) -> int:
        """Show the viewport `offset_rows` above the newest row (0 = live); returns the offset in effect."""
        lib = self._lib
        target = self._ffi.new("GhosttyTerminalScrollViewport*", {"tag": lib.GHOSTTY_SCROLL_VIEWPORT_BOTTOM})
        if offset_rows > 0:
            target.tag = lib.GHOSTTY_SCROLL_VIEWPORT_ROW
            target.value.row = max(self.scrollback_rows() - offset_rows, 0)
        lib.ghostty_terminal_scroll_viewport(self._terminal, target[0])
        return self.scroll_offset()

    def scroll_offset(self) -> int:
        bar = self._scrollbar
        self._lib.ghostty_terminal_get(self._terminal, self._lib.GHOSTTY_TERMINAL_DATA_SCROLLBAR, bar)
        return int(bar.total - bar.len - bar.offset)

    def scrollback_rows(self) -> int:
        return self._numbers.scrollback_rows

    def link_at(self, x: int, y: int) -> str:
        if not (0 <= x < self.cols and 0 <= y < self.rows):
            return ""
        return clean(link_uri(self._library, self._terminal, x, y), LINK_BYTES)

    # Text

    def history_text(self, *, unwrap: bool) -> str:
        return plain_text(self._library, self._terminal, unwrap=unwrap)

    def screen_text(self, *, unwrap: bool) -> str:
        screen = screen_selection(self._library, self._terminal, self.cols, self.rows)
        if screen is None:
            return ""
        return plain_text(self._library, self._terminal, unwrap=unwrap, selection=screen)

    def row_marks(self) -> RowMarks:
        return row_marks(self._library, self._terminal, self.scrollback_rows() + self.rows)

    def vt_text(self) -> bytes:
        return vt_sequences(self._library, self._terminal)

    # Pictures

    def answer_pictures(self, shown: bool) -> None:
        self._pictures.answer(shown)

    def picture(self, image: int, placement: int) -> Picture | None:
        return self._pictures.picture(image, placement)

    # State

    def snapshot(self, *, with_history: bool) -> bytes | None:
        return self._snapshots.take(with_history=with_history)

    def modes(self) -> InputModes:
        if self._input_modes is None:
            self._input_modes = self._modes.input_modes()
        return self._input_modes

    def reset_modes_bytes(self, *, at_prompt: bool = False, keyboard: bool = False) -> bytes:
        return self._modes.reset_bytes(at_prompt=at_prompt, keyboard=keyboard)

    def compress(self) -> bool:
        lib, result = self._lib, self._ffi.new("GhosttyTerminalCompressionResult*")
        lib.ghostty_terminal_compress(
            self._terminal, lib.GHOSTTY_TERMINAL_COMPRESSION_MODE_INCREMENTAL, result
        )
        return bool(result[0] == lib.GHOSTTY_TERMINAL_COMPRESSION_RESULT_PENDING)


def _free(library: GhosttyLibrary, terminal: CData, reader: RowReader) -> None:
    reader.close()
    library.lib.ghostty_terminal_free(terminal)
