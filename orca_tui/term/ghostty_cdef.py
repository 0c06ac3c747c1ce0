"""What of libghostty-vt we call, as C declarations, and how `ghostty_abi.py` is generated from them.

Only the declarations in use are here. They are checked against the type table of the library itself when
it is loaded (`ghostty_library.py`), so a constant or layout that differs is refused, not misread. Run
`python -m orca_tui.term.ghostty_cdef` after a change; a test compares the generated module.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

ABI_MODULE = Path(__file__).with_name("ghostty_abi.py")

HEADER = '''"""Generated from `ghostty_cdef.py` by `python -m orca_tui.term.ghostty_cdef`; do not edit."""

# ruff: noqa
# fmt: off
'''

CDEF = """
typedef enum { GHOSTTY_SUCCESS = 0, GHOSTTY_NO_VALUE = -4 } GhosttyResult;

const char *ghostty_type_json(void);
void ghostty_free(const void *allocator, uint8_t *ptr, size_t len);

typedef struct { const uint8_t *ptr; size_t len; } GhosttyString;
typedef struct { uint8_t r; uint8_t g; uint8_t b; } GhosttyColorRgb;

typedef bool (*GhosttyWriterFn)(void *userdata, const uint8_t *data, size_t len);
typedef struct { GhosttyWriterFn write; void *userdata; } GhosttyWriter;

/* The terminal */

typedef struct GhosttyTerminalImpl *GhosttyTerminal;
typedef uint16_t GhosttyMode;
typedef struct { GhosttyMode mode; bool value; } GhosttyTerminalModeConfig;

typedef enum {
  GHOSTTY_TERMINAL_OPT_USERDATA = 0,
  GHOSTTY_TERMINAL_OPT_WRITE_PTY = 1,
  GHOSTTY_TERMINAL_OPT_BELL = 2,
  GHOSTTY_TERMINAL_OPT_XTVERSION = 4,
  GHOSTTY_TERMINAL_OPT_TITLE_CHANGED = 5,
  GHOSTTY_TERMINAL_OPT_SIZE = 6,
  GHOSTTY_TERMINAL_OPT_COLOR_SCHEME = 7,
  GHOSTTY_TERMINAL_OPT_DEVICE_ATTRIBUTES = 8,
  GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND = 11,
  GHOSTTY_TERMINAL_OPT_COLOR_BACKGROUND = 12,
  GHOSTTY_TERMINAL_OPT_COLOR_CURSOR = 13,
  GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT = 15,
  GHOSTTY_TERMINAL_OPT_APC_MAX_BYTES = 19,
  GHOSTTY_TERMINAL_OPT_PWD_CHANGED = 25,
  GHOSTTY_TERMINAL_OPT_CLIPBOARD_WRITE = 26,
  GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES = 27,
  GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_LINES = 28,
  GHOSTTY_TERMINAL_OPT_DESKTOP_NOTIFICATION = 29,
  GHOSTTY_TERMINAL_OPT_PROGRESS_REPORT = 30,
  GHOSTTY_TERMINAL_OPT_CONTINUATION_MAX_BYTES = 31,
  GHOSTTY_TERMINAL_OPT_MODE_DEFAULT = 33,
  GHOSTTY_TERMINAL_OPT_MODE = 34,
  GHOSTTY_TERMINAL_OPT_TERMINFO_NAME = 37,
} GhosttyTerminalOption;

typedef enum {
  GHOSTTY_TERMINAL_DATA_COLS = 1,
  GHOSTTY_TERMINAL_DATA_ROWS = 2,
  GHOSTTY_TERMINAL_DATA_CURSOR_X = 3,
  GHOSTTY_TERMINAL_DATA_CURSOR_Y = 4,
  GHOSTTY_TERMINAL_DATA_ACTIVE_SCREEN = 6,
  GHOSTTY_TERMINAL_DATA_KITTY_KEYBOARD_FLAGS = 8,
  GHOSTTY_TERMINAL_DATA_SCROLLBAR = 9,
  GHOSTTY_TERMINAL_DATA_TITLE = 12,
  GHOSTTY_TERMINAL_DATA_PWD = 13,
  GHOSTTY_TERMINAL_DATA_SCROLLBACK_ROWS = 15,
  GHOSTTY_TERMINAL_DATA_SCROLLBACK_MAX_BYTES = 34,
  GHOSTTY_TERMINAL_DATA_MODE = 37,
  GHOSTTY_TERMINAL_DATA_VT_GROUND = 38,
} GhosttyTerminalData;

typedef struct { uint64_t total; uint64_t offset; uint64_t len; } GhosttyTerminalScrollbar;

GhosttyResult ghostty_terminal_new(const void *allocator, GhosttyTerminal *terminal, uint16_t cols, uint16_t rows);
void ghostty_terminal_free(GhosttyTerminal terminal);
GhosttyResult ghostty_terminal_resize(
    GhosttyTerminal terminal, uint16_t cols, uint16_t rows, uint32_t cell_width_px, uint32_t cell_height_px);
GhosttyResult ghostty_terminal_set(GhosttyTerminal terminal, GhosttyTerminalOption option, const void *value);
GhosttyResult ghostty_terminal_get(GhosttyTerminal terminal, GhosttyTerminalData data, void *out);
void ghostty_terminal_vt_write(GhosttyTerminal terminal, const uint8_t *data, size_t len);
GhosttyResult ghostty_terminal_continuation_alloc(
    GhosttyTerminal terminal, const void *allocator, uint8_t **out_ptr, size_t *out_len);

/* cffi cannot pass a union by value; where the library has one, a struct of the same size and alignment
   stands for it, which every ABI that we run on passes the same way (more than 16 bytes: in memory). */

typedef enum { GHOSTTY_SCROLL_VIEWPORT_BOTTOM = 1, GHOSTTY_SCROLL_VIEWPORT_ROW = 3 }
    GhosttyTerminalScrollViewportTag;
typedef struct { size_t row; uint64_t _rest; } GhosttyTerminalScrollViewportValue;
typedef struct { GhosttyTerminalScrollViewportTag tag; GhosttyTerminalScrollViewportValue value; }
    GhosttyTerminalScrollViewport;
void ghostty_terminal_scroll_viewport(GhosttyTerminal terminal, GhosttyTerminalScrollViewport behavior);

typedef enum { GHOSTTY_TERMINAL_COMPRESSION_MODE_INCREMENTAL = 0 } GhosttyTerminalCompressionMode;
typedef enum { GHOSTTY_TERMINAL_COMPRESSION_RESULT_PENDING = 1 } GhosttyTerminalCompressionResult;
GhosttyResult ghostty_terminal_compress(
    GhosttyTerminal terminal, GhosttyTerminalCompressionMode mode, GhosttyTerminalCompressionResult *out_result);

typedef enum {
  GHOSTTY_POINT_TAG_ACTIVE = 0,
  GHOSTTY_POINT_TAG_VIEWPORT = 1,
  GHOSTTY_POINT_TAG_SCREEN = 2,
} GhosttyPointTag;
typedef struct { uint16_t x; uint32_t y; } GhosttyPointCoordinate;
typedef struct { GhosttyPointCoordinate coordinate; uint64_t _rest; } GhosttyPointValue;
typedef struct { GhosttyPointTag tag; GhosttyPointValue value; } GhosttyPoint;
typedef struct { size_t size; void *node; uint16_t x; uint16_t y; } GhosttyGridRef;
GhosttyResult ghostty_terminal_grid_ref(GhosttyTerminal terminal, GhosttyPoint point, GhosttyGridRef *out_ref);
GhosttyResult ghostty_grid_ref_hyperlink_uri(
    const GhosttyGridRef *ref, uint8_t *buf, size_t buf_len, size_t *out_len);

typedef uint64_t GhosttyRow;
typedef enum { GHOSTTY_ROW_DATA_WRAP = 1, GHOSTTY_ROW_DATA_SEMANTIC_PROMPT = 6 } GhosttyRowData;
typedef enum { GHOSTTY_ROW_SEMANTIC_NONE = 0, GHOSTTY_ROW_SEMANTIC_PROMPT = 1 } GhosttyRowSemanticPrompt;
GhosttyResult ghostty_grid_ref_row(const GhosttyGridRef *ref, GhosttyRow *out_row);
GhosttyResult ghostty_row_get(GhosttyRow row, GhosttyRowData data, void *out);

/* What the terminal calls back */

typedef enum { GHOSTTY_COLOR_SCHEME_LIGHT = 0, GHOSTTY_COLOR_SCHEME_DARK = 1 } GhosttyColorScheme;
typedef struct { uint16_t conformance_level; uint16_t features[64]; size_t num_features; }
    GhosttyDeviceAttributesPrimary;
typedef struct { uint16_t device_type; uint16_t firmware_version; uint16_t rom_cartridge; }
    GhosttyDeviceAttributesSecondary;
typedef struct { uint32_t unit_id; } GhosttyDeviceAttributesTertiary;
typedef struct {
  GhosttyDeviceAttributesPrimary primary;
  GhosttyDeviceAttributesSecondary secondary;
  GhosttyDeviceAttributesTertiary tertiary;
} GhosttyDeviceAttributes;
typedef struct { uint16_t rows; uint16_t columns; uint32_t cell_width; uint32_t cell_height; }
    GhosttySizeReportSize;
typedef struct { GhosttyString mime; GhosttyString data; } GhosttyClipboardContent;
typedef enum { GHOSTTY_CLIPBOARD_LOCATION_STANDARD = 0 } GhosttyClipboardLocation;
typedef struct {
  size_t size;
  GhosttyClipboardLocation location;
  const GhosttyClipboardContent *contents;
  size_t contents_len;
  GhosttyString name;
  bool granted;
  bool can_remember;
  const void *ctx;
  void (*reply)(void);
} GhosttyClipboardWrite;
typedef struct { size_t size; GhosttyString title; GhosttyString body; } GhosttyTerminalDesktopNotification;
typedef enum { GHOSTTY_TERMINAL_PROGRESS_STATE_REMOVE = 0 } GhosttyTerminalProgressState;
typedef struct { size_t size; GhosttyTerminalProgressState state; int8_t progress; }
    GhosttyTerminalProgressReport;

typedef void (*GhosttyTerminalWritePtyFn)(
    GhosttyTerminal terminal, void *userdata, const uint8_t *data, size_t len);
typedef void (*GhosttyTerminalBellFn)(GhosttyTerminal terminal, void *userdata);
typedef GhosttyString (*GhosttyTerminalXtversionFn)(GhosttyTerminal terminal, void *userdata);
typedef void (*GhosttyTerminalTitleChangedFn)(GhosttyTerminal terminal, void *userdata);
typedef void (*GhosttyTerminalPwdChangedFn)(GhosttyTerminal terminal, void *userdata);
typedef bool (*GhosttyTerminalSizeFn)(GhosttyTerminal terminal, void *userdata, GhosttySizeReportSize *out_size);
typedef bool (*GhosttyTerminalColorSchemeFn)(
    GhosttyTerminal terminal, void *userdata, GhosttyColorScheme *out_scheme);
typedef bool (*GhosttyTerminalDeviceAttributesFn)(
    GhosttyTerminal terminal, void *userdata, GhosttyDeviceAttributes *out_attrs);
typedef void (*GhosttyTerminalClipboardWriteFn)(
    GhosttyTerminal terminal, void *userdata, const GhosttyClipboardWrite *write);
typedef void (*GhosttyTerminalDesktopNotificationFn)(
    GhosttyTerminal terminal, void *userdata, const GhosttyTerminalDesktopNotification *notification);
typedef void (*GhosttyTerminalProgressReportFn)(
    GhosttyTerminal terminal, void *userdata, const GhosttyTerminalProgressReport *report);

/* Rows as they are drawn */

typedef uint64_t GhosttyCell;
typedef struct { const GhosttyCell *ptr; size_t len; } GhosttyCellsView;
typedef enum { GHOSTTY_STYLE_COLOR_NONE = 0, GHOSTTY_STYLE_COLOR_PALETTE = 1, GHOSTTY_STYLE_COLOR_RGB = 2 }
    GhosttyStyleColorTag;
typedef union { uint8_t palette; GhosttyColorRgb rgb; uint64_t _padding; } GhosttyStyleColorValue;
typedef struct { GhosttyStyleColorTag tag; GhosttyStyleColorValue value; } GhosttyStyleColor;
typedef struct {
  size_t size;
  GhosttyStyleColor fg_color;
  GhosttyStyleColor bg_color;
  GhosttyStyleColor underline_color;
  bool bold;
  bool italic;
  bool faint;
  bool blink;
  bool inverse;
  bool invisible;
  bool strikethrough;
  bool overline;
  int underline;
} GhosttyStyle;
typedef struct { uint8_t *ptr; size_t cap; size_t len; } GhosttyBuffer;

/* Single cells, for checksums */

typedef enum { GHOSTTY_CELL_DATA_PROTECTED = 8 } GhosttyCellData;
GhosttyResult ghostty_grid_ref_cell(const GhosttyGridRef *ref, GhosttyCell *out_cell);
GhosttyResult ghostty_grid_ref_graphemes(
    const GhosttyGridRef *ref, uint32_t *buf, size_t buf_len, size_t *out_len);
GhosttyResult ghostty_grid_ref_style(const GhosttyGridRef *ref, GhosttyStyle *out_style);
GhosttyResult ghostty_cell_get(GhosttyCell cell, GhosttyCellData data, void *out);

typedef struct GhosttyRenderStateImpl *GhosttyRenderState;
typedef struct GhosttyRenderStateRowIteratorImpl *GhosttyRenderStateRowIterator;
typedef struct GhosttyRenderStateRowCellsImpl *GhosttyRenderStateRowCells;
typedef enum { GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR = 4, GHOSTTY_RENDER_STATE_DATA_CURSOR = 18 }
    GhosttyRenderStateData;
typedef enum { GHOSTTY_RENDER_STATE_ROW_DATA_CELLS = 3, GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW = 5 }
    GhosttyRenderStateRowData;
typedef enum {
  GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE = 2,
  GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_UTF8 = 9,
} GhosttyRenderStateRowCellsData;
typedef enum {
  GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_BAR = 0,
  GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_BLOCK = 1,
  GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_UNDERLINE = 2,
  GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_BLOCK_HOLLOW = 3,
} GhosttyRenderStateCursorVisualStyle;
typedef struct {
  size_t size;
  bool viewport_has_value;
  uint16_t viewport_x;
  uint16_t viewport_y;
  bool wide_tail;
  bool visible;
  bool blinking;
  bool password_input;
  GhosttyRenderStateCursorVisualStyle visual_style;
} GhosttyRenderStateCursor;

GhosttyResult ghostty_render_state_new(const void *allocator, GhosttyRenderState *state);
void ghostty_render_state_free(GhosttyRenderState state);
GhosttyResult ghostty_render_state_update(GhosttyRenderState state, GhosttyTerminal terminal);
GhosttyResult ghostty_render_state_clean(GhosttyRenderState state);
GhosttyResult ghostty_render_state_get(GhosttyRenderState state, GhosttyRenderStateData data, void *out);
GhosttyResult ghostty_render_state_row_iterator_new(const void *allocator, GhosttyRenderStateRowIterator *out);
void ghostty_render_state_row_iterator_free(GhosttyRenderStateRowIterator iterator);
bool ghostty_render_state_row_iterator_next(GhosttyRenderStateRowIterator iterator);
bool ghostty_render_state_row_iterator_next_dirty(GhosttyRenderStateRowIterator iterator, uint16_t *out_y);
GhosttyResult ghostty_render_state_row_get(
    GhosttyRenderStateRowIterator iterator, GhosttyRenderStateRowData data, void *out);
GhosttyResult ghostty_render_state_row_cells_new(const void *allocator, GhosttyRenderStateRowCells *out);
void ghostty_render_state_row_cells_free(GhosttyRenderStateRowCells cells);
GhosttyResult ghostty_render_state_row_cells_select(GhosttyRenderStateRowCells cells, uint16_t x);
GhosttyResult ghostty_render_state_row_cells_get(
    GhosttyRenderStateRowCells cells, GhosttyRenderStateRowCellsData data, void *out);

/* Text */

typedef struct GhosttyFormatterImpl *GhosttyFormatter;
typedef enum { GHOSTTY_FORMATTER_FORMAT_PLAIN = 0, GHOSTTY_FORMATTER_FORMAT_VT = 1 } GhosttyFormatterFormat;
typedef struct { size_t size; GhosttyGridRef start; GhosttyGridRef end; bool rectangle; } GhosttySelection;
typedef struct {
  size_t size;
  bool cursor;
  bool style;
  bool hyperlink;
  bool protection;
  bool kitty_keyboard;
  bool charsets;
} GhosttyFormatterScreenExtra;
typedef struct {
  size_t size;
  bool palette;
  bool modes;
  bool scrolling_region;
  bool tabstops;
  bool pwd;
  bool keyboard;
  GhosttyFormatterScreenExtra screen;
} GhosttyFormatterTerminalExtra;
typedef struct {
  size_t size;
  GhosttyFormatterFormat emit;
  bool unwrap;
  bool trim;
  GhosttyFormatterTerminalExtra extra;
  const GhosttySelection *selection;
} GhosttyFormatterTerminalOptions;
GhosttyResult ghostty_formatter_terminal_new(
    const void *allocator, GhosttyFormatter *formatter, GhosttyTerminal terminal,
    GhosttyFormatterTerminalOptions options);
GhosttyResult ghostty_formatter_format_alloc(
    GhosttyFormatter formatter, const void *allocator, uint8_t **out_ptr, size_t *out_len);
void ghostty_formatter_free(GhosttyFormatter formatter);

/* Snapshots */

typedef struct GhosttySnapshotDecoderImpl *GhosttySnapshotDecoder;
typedef enum {
  GHOSTTY_SNAPSHOT_DECODER_OPT_MAX_CONTINUATION_BYTES = 0,
  GHOSTTY_SNAPSHOT_DECODER_OPT_RETAIN_CONTINUATION = 1,
} GhosttySnapshotDecoderOption;
typedef enum { GHOSTTY_SNAPSHOT_DECODER_DATA_SOURCE_OFFSET = 2 } GhosttySnapshotDecoderData;
GhosttyResult ghostty_snapshot_encode(GhosttyTerminal terminal, GhosttyWriter writer);
GhosttyResult ghostty_snapshot_encode_alloc(
    GhosttyTerminal terminal, const void *allocator, uint8_t **out_ptr, size_t *out_len);
GhosttyResult ghostty_snapshot_decoder_new_buf(
    const void *allocator, GhosttySnapshotDecoder *decoder, const uint8_t *ptr, size_t len);
void ghostty_snapshot_decoder_free(GhosttySnapshotDecoder decoder);
GhosttyResult ghostty_snapshot_decoder_set(
    GhosttySnapshotDecoder decoder, GhosttySnapshotDecoderOption option, const void *value);
GhosttyResult ghostty_snapshot_decoder_get(
    GhosttySnapshotDecoder decoder, GhosttySnapshotDecoderData data, void *out);
GhosttyResult ghostty_snapshot_decoder_ready(GhosttySnapshotDecoder decoder, GhosttyTerminal *terminal);
GhosttyResult ghostty_snapshot_decoder_next(GhosttySnapshotDecoder decoder);
"""


def abi_source() -> str:
    """The text of `ghostty_abi.py`, made by cffi; takes some 100 ms, which is why its result is kept."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(CDEF)
    ffi.set_source("ghostty_abi", None)
    with TemporaryDirectory() as folder:
        target = Path(folder, "ghostty_abi.py")
        ffi.emit_python_code(str(target))
        return HEADER + target.read_text()


if __name__ == "__main__":
    ABI_MODULE.write_text(abi_source())
