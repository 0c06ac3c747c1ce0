"""Texts and the cells that they take: Unicode 16, UAX 11 and 29, as all terminals with grapheme clusters have it."""

from __future__ import annotations

WIDTHS: dict[str, tuple[str, int]] = {
    "ascii": ("a", 1),
    "latin": ("é", 1),
    "combining acute": ("e\u0301", 1),
    "two combining marks": ("o\u0308\u0323", 1),
    "enclosing circle": ("o\u20dd", 1),
    "CJK": ("端", 2),
    "hangul syllable": ("한", 2),
    "hangul jamo": ("\u1112\u1161\u11ab", 2),
    "fullwidth letter": ("Ａ", 2),
    "halfwidth katakana": ("ｱ", 1),
    "emoji": ("😀", 2),
    "emoji with skin tone": ("👍🏽", 2),
    "family by joiners": ("👩\u200d👩\u200d👧\u200d👦", 2),
    "rainbow flag": ("🏳\ufe0f\u200d🌈", 2),
    "flag": ("🇳🇴", 2),
    "two flags": ("🇳🇴🇸🇪", 4),
    "heart as emoji": ("❤\ufe0f", 2),
    "heart as text": ("❤\ufe0e", 1),
    "keycap": ("1\ufe0f\u20e3", 2),
    "devanagari conjunct": ("क्ष", 2),
    "thai with sara am": ("ก\u0e33", 2),
    "zero width joiner alone between letters": ("a\u200db", 2),
    "box drawing": ("─│┼", 3),
    "ambiguous, which is narrow": ("①αя…●", 5),
    "emoji with its own presentation": ("⌚", 2),
    "astronaut with a skin tone": ("👩🏽\u200d🚀", 2),
    "man without joiner": ("👨👩", 4),
    "arabic": ("سلام", 4),
}
