"""The tables of keys: numbers, final bytes and names, shared by the decoder and the encoder. Data only.

Sources: xterm's ctlseqs and the kitty keyboard protocol, "Functional key definitions" and "Legacy ctrl mapping".
"""

from __future__ import annotations

from orca_tui.term.input_events import Modifiers

LOCKS = Modifiers.CAPS_LOCK | Modifiers.NUM_LOCK
"""States of the keyboard rather than keys that somebody holds."""

COMMANDS = Modifiers.ALT | Modifiers.CTRL | Modifiers.SUPER | Modifiers.HYPER | Modifiers.META
"""The modifiers that make a command of a key that would type text."""

C0_KEYS = {9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace"}
"""Keys whose number in the kitty protocol is the character they have always sent."""


def _numbered(first: int, *names: str) -> dict[int, str]:
    return dict(enumerate(names, first))


PRIVATE_KEYS: dict[int, str] = {
    **_numbered(57358, "caps_lock", "scroll_lock", "num_lock", "print_screen", "pause", "menu"),
    **_numbered(57376, *(f"f{number}" for number in range(13, 36))),
    **_numbered(57399, *(f"kp_{digit}" for digit in range(10))),
    **_numbered(57409, "kp_decimal", "kp_divide", "kp_multiply", "kp_subtract", "kp_add", "kp_enter"),
    **_numbered(57415, "kp_equal", "kp_separator", "kp_left", "kp_right", "kp_up", "kp_down"),
    **_numbered(57421, "kp_pageup", "kp_pagedown", "kp_home", "kp_end", "kp_insert", "kp_delete", "kp_begin"),
    **_numbered(57428, "media_play", "media_pause", "media_play_pause", "media_reverse", "media_stop"),
    **_numbered(57433, "media_fast_forward", "media_rewind", "media_track_next", "media_track_previous"),
    **_numbered(57437, "media_record", "lower_volume", "raise_volume", "mute_volume"),
    **_numbered(57441, "left_shift", "left_control", "left_alt", "left_super", "left_hyper", "left_meta"),
    **_numbered(
        57447, "right_shift", "right_control", "right_alt", "right_super", "right_hyper", "right_meta"
    ),
    **_numbered(57453, "iso_level3_shift", "iso_level5_shift"),
}
"""Keys that Unicode has no character for, by their number in the kitty protocol (`CSI number u`)."""

KEY_BY_NUMBER: dict[int, str] = C0_KEYS | PRIVATE_KEYS
"""`CSI number u`: every key that has a name."""

MODIFIER_KEYS = frozenset(
    {name for number, name in PRIVATE_KEYS.items() if number >= 57441}
    | {"caps_lock", "scroll_lock", "num_lock"}
)
"""Keys that do nothing by themselves."""

KEY_BY_LETTER: dict[str, str] = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "E": "kp_begin",
    "F": "end",
    "H": "home",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}
"""`CSI letter`, `SS3 letter` and `CSI 1 ; modifiers letter`."""

KEY_BY_TILDE: dict[int, str] = {
    **_numbered(1, "home", "insert", "delete", "end", "pageup", "pagedown", "home", "end"),
    **_numbered(11, "f1", "f2", "f3", "f4", "f5"),
    **_numbered(17, "f6", "f7", "f8", "f9", "f10"),
    **_numbered(23, "f11", "f12", "f13", "f14"),
    **_numbered(28, "f15", "f16"),
    **_numbered(31, "f17", "f18", "f19", "f20"),
    **_numbered(42, *(f"f{number}" for number in range(21, 36))),
    57427: "kp_begin",
}
"""`CSI number ~`: VT220 numbers, rxvt's home and end, and xterm's for F21 and up."""

KEY_BY_KEYPAD_LETTER: dict[str, str] = {
    " ": "space",
    "I": "tab",
    "M": "kp_enter",
    "X": "kp_equal",
    "j": "kp_multiply",
    "k": "kp_add",
    "l": "kp_separator",
    "m": "kp_subtract",
    "n": "kp_decimal",
    "o": "kp_divide",
    **{chr(ord("p") + digit): f"kp_{digit}" for digit in range(10)},
}
"""`SS3 letter` of a keypad in application mode (DECPAM)."""

KEYPAD_TEXT: dict[str, str] = {
    **{f"kp_{digit}": str(digit) for digit in range(10)},
    "kp_decimal": ".",
    "kp_divide": "/",
    "kp_multiply": "*",
    "kp_subtract": "-",
    "kp_add": "+",
    "kp_equal": "=",
    "kp_separator": ",",
}
"""What a keypad key types."""

KEYPAD_TWINS: dict[str, str] = {
    f"kp_{name}": name
    for name in (
        *("enter", "left", "right", "up", "down"),
        *("pageup", "pagedown", "home", "end", "insert", "delete"),
    )
}
"""The key of the main block that a keypad key stands for where nobody asked to tell them apart."""

RXVT_ARROWS = {"a": "up", "b": "down", "c": "right", "d": "left"}
"""rxvt: `CSI letter` is shift+arrow, `SS3 letter` is ctrl+arrow."""

RXVT_SUFFIXES = {
    "$": Modifiers.SHIFT,
    "^": Modifiers.CTRL,
    "@": Modifiers.CTRL | Modifiers.SHIFT,
}
"""rxvt writes the modifiers of `CSI number ~` in the place of the tilde."""

LINUX_FUNCTION_KEYS = {"A": "f1", "B": "f2", "C": "f3", "D": "f4", "E": "f5"}
"""The Linux console: `CSI [ letter`."""

CONTROL_BYTES: dict[str, int] = {
    **{chr(ord("a") + index): index + 1 for index in range(26)},
    **{"space": 0, "@": 0, "2": 0, "3": 27, "4": 28, "5": 29, "6": 30, "7": 31, "8": 127},
    **{"[": 27, "\\": 28, "]": 29, "^": 30, "_": 31, "/": 31, "?": 127, "~": 30, "`": 0},
    **{"{": 27, "|": 28, "}": 29},
}
"""What ctrl makes of a key in a legacy terminal; keys that are not here are left as they are."""

LETTER_BY_KEY: dict[str, str] = {name: letter for letter, name in KEY_BY_LETTER.items()}
"""Keys that are sent with a letter."""

TILDE_BY_KEY: dict[str, int] = {
    name: number for number, name in sorted(KEY_BY_TILDE.items(), reverse=True) if name not in LETTER_BY_KEY
}
"""Keys that are sent as `CSI number ~`."""

NUMBER_BY_TEXT_KEY: dict[str, int] = {name: number for number, name in C0_KEYS.items()}
"""Enter, Tab, Escape, Backspace and space by their code."""
