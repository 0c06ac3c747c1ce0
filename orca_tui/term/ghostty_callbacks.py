"""What a terminal calls back while it is fed: replies for the child and facts for the server.

The C callbacks are made once and shared; each terminal is given its own `Outbox` through its user data.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from types import TracebackType

from orca_tui.term.engine import CELL_PX, Bell, Fact, TerminalColors, TerminalReset
from orca_tui.term.facts import clipboard_fact, directory_fact, notification_fact, progress_fact, title_fact
from orca_tui.term.ghostty_library import CData, GhosttyLibrary

logger = logging.getLogger(__name__)

DA1_LEVEL = 62
DA1_FEATURES = (6, 22, 52)
"""VT220 with selective erase, ANSI colors and OSC 52. Nothing that we do not do: programs act on it."""
DA2_TYPE, DA2_FIRMWARE, DA2_ROM = 1, 10, 0
"""As Ghostty answers, whose engine this is: a VT220, firmware 10."""
DA3_UNIT = 0x6F726361
"""`orca`."""

TERMINFO_NAME = b"xterm-256color"
"""What XTGETTCAP tells as TN: the TERM that children are given."""


@dataclass(slots=True)
class Outbox:
    """What one terminal has said since `clear`, and what its size callback answers."""

    cols: int
    rows: int
    colors: TerminalColors
    replies: list[bytes] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def clear(self) -> None:
        self.replies.clear()
        self.facts.clear()

    def tell_reset(self) -> None:
        """Resets in a row are one, with the end of progress that the engine tells before each."""
        self.facts.append(TerminalReset())
        if self.facts[-4:-2] == self.facts[-2:]:
            del self.facts[-2:]


class Callbacks:
    """The callbacks of all terminals of a library, and the fixed answers they give."""

    def __init__(self, library: GhosttyLibrary, *, version: str, hostname: str) -> None:
        self._ffi, self._lib = library.ffi, library.lib
        self._hostname = hostname
        self._name_bytes, self._name = self._string(f"orca-tui {version}".encode())
        self._term_bytes, self._term = self._string(TERMINFO_NAME)
        lib, callback = self._lib, self._ffi.callback
        self._options: tuple[tuple[int, CData], ...] = tuple(
            (option, callback(kind, function, onerror=_log_failure))
            for option, kind, function in (
                (lib.GHOSTTY_TERMINAL_OPT_WRITE_PTY, "GhosttyTerminalWritePtyFn", self._write_pty),
                (lib.GHOSTTY_TERMINAL_OPT_BELL, "GhosttyTerminalBellFn", self._bell),
                (lib.GHOSTTY_TERMINAL_OPT_XTVERSION, "GhosttyTerminalXtversionFn", self._xtversion),
                (lib.GHOSTTY_TERMINAL_OPT_TITLE_CHANGED, "GhosttyTerminalTitleChangedFn", self._title),
                (lib.GHOSTTY_TERMINAL_OPT_PWD_CHANGED, "GhosttyTerminalPwdChangedFn", self._directory),
                (lib.GHOSTTY_TERMINAL_OPT_SIZE, "GhosttyTerminalSizeFn", self._size),
                (lib.GHOSTTY_TERMINAL_OPT_COLOR_SCHEME, "GhosttyTerminalColorSchemeFn", self._color_scheme),
                (
                    lib.GHOSTTY_TERMINAL_OPT_DEVICE_ATTRIBUTES,
                    "GhosttyTerminalDeviceAttributesFn",
                    self._device_attributes,
                ),
                (
                    lib.GHOSTTY_TERMINAL_OPT_CLIPBOARD_WRITE,
                    "GhosttyTerminalClipboardWriteFn",
                    self._clipboard,
                ),
                (
                    lib.GHOSTTY_TERMINAL_OPT_DESKTOP_NOTIFICATION,
                    "GhosttyTerminalDesktopNotificationFn",
                    self._notification,
                ),
                (lib.GHOSTTY_TERMINAL_OPT_PROGRESS_REPORT, "GhosttyTerminalProgressReportFn", self._progress),
            )
        )

    def attach(self, terminal: CData, outbox: Outbox) -> CData:
        """Let `terminal` speak into `outbox`; the returned handle must be kept as long as the terminal."""
        handle = self._ffi.new_handle(outbox)
        self._lib.ghostty_terminal_set(terminal, self._lib.GHOSTTY_TERMINAL_OPT_USERDATA, handle)
        self._lib.ghostty_terminal_set(terminal, self._lib.GHOSTTY_TERMINAL_OPT_TERMINFO_NAME, self._term)
        # The library draws no images: it is to keep none, to open no file for one, and to answer nothing.
        for option, kind in (
            (self._lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT, "uint64_t*"),
            (self._lib.GHOSTTY_TERMINAL_OPT_APC_MAX_BYTES, "size_t*"),
        ):
            self._lib.ghostty_terminal_set(terminal, option, self._ffi.new(kind, 0))
        for option, function in self._options:
            self._lib.ghostty_terminal_set(terminal, option, function)
        return handle

    def _string(self, text: bytes) -> tuple[CData, CData]:
        """A GhosttyString and the memory that it points to."""
        memory = self._ffi.from_buffer("uint8_t[]", text)
        return memory, self._ffi.new("GhosttyString*", {"ptr": memory, "len": len(text)})

    def _outbox(self, userdata: CData) -> Outbox:
        outbox: Outbox = self._ffi.from_handle(userdata)
        return outbox

    def _bytes(self, text: CData) -> bytes:
        return bytes(self._ffi.buffer(text.ptr, text.len)) if text.len else b""

    def _told(self, terminal: CData, data: int) -> str:
        """A text that the terminal keeps, such as its title."""
        out = self._ffi.new("GhosttyString*")
        if self._lib.ghostty_terminal_get(terminal, data, out):
            return ""
        return self._bytes(out).decode("utf-8", "replace")

    def _write_pty(self, _terminal: CData, userdata: CData, data: CData, length: int) -> None:
        self._outbox(userdata).replies.append(bytes(self._ffi.buffer(data, length)))

    def _bell(self, _terminal: CData, userdata: CData) -> None:
        """Bells in a row are one: a binary file rings thousands of times."""
        facts = self._outbox(userdata).facts
        if not facts or not isinstance(facts[-1], Bell):
            facts.append(Bell())

    def _xtversion(self, _terminal: CData, _userdata: CData) -> CData:
        return self._name[0]

    def _title(self, terminal: CData, userdata: CData) -> None:
        title = self._told(terminal, self._lib.GHOSTTY_TERMINAL_DATA_TITLE)
        self._outbox(userdata).facts.append(title_fact(title))

    def _directory(self, terminal: CData, userdata: CData) -> None:
        told = self._told(terminal, self._lib.GHOSTTY_TERMINAL_DATA_PWD)
        if (fact := directory_fact(told, self._hostname)) is not None:
            self._outbox(userdata).facts.append(fact)

    def _size(self, _terminal: CData, userdata: CData, out: CData) -> bool:
        outbox = self._outbox(userdata)
        out.columns, out.rows = outbox.cols, outbox.rows
        out.cell_width, out.cell_height = CELL_PX
        return True

    def _color_scheme(self, _terminal: CData, userdata: CData, out: CData) -> bool:
        lib, dark = self._lib, self._outbox(userdata).colors.dark
        out[0] = lib.GHOSTTY_COLOR_SCHEME_DARK if dark else lib.GHOSTTY_COLOR_SCHEME_LIGHT
        return True

    def _device_attributes(self, _terminal: CData, _userdata: CData, out: CData) -> bool:
        out.primary.conformance_level = DA1_LEVEL
        out.primary.num_features = len(DA1_FEATURES)
        for index, feature in enumerate(DA1_FEATURES):
            out.primary.features[index] = feature
        out.secondary.device_type = DA2_TYPE
        out.secondary.firmware_version = DA2_FIRMWARE
        out.secondary.rom_cartridge = DA2_ROM
        out.tertiary.unit_id = DA3_UNIT
        return True

    def _clipboard(self, _terminal: CData, userdata: CData, write: CData) -> None:
        for index in range(write.contents_len):
            content = write.contents[index]
            if self._bytes(content.mime) == b"text/plain":
                if (fact := clipboard_fact(self._bytes(content.data))) is not None:
                    self._outbox(userdata).facts.append(fact)
                return

    def _notification(self, _terminal: CData, userdata: CData, told: CData) -> None:
        title, body = (self._bytes(part).decode("utf-8", "replace") for part in (told.title, told.body))
        self._outbox(userdata).facts.append(notification_fact(title, body))

    def _progress(self, _terminal: CData, userdata: CData, report: CData) -> None:
        self._outbox(userdata).facts.append(progress_fact(int(report.state), int(report.progress)))


def _log_failure(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """C code cannot take an exception; cffi would print it over the user interface."""
    logger.error("terminal callback failed", exc_info=(kind, error, trace))
