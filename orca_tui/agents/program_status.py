"""OSC 7501, the Program Status Protocol (revision 0.3): the text of one report as an event. Keeps no state.

A report comes from any program that may write to the terminal, so it is read as untrusted text.

Rule 1: pairs stand between `:`; a malformed pair is skipped, an unknown key ignored, the last of two holds.
Rule 2: a report without a known `state` is none.
Rule 3: bad Base64, a control character or anything over its limit drops the whole report.
Rule 4: `kind` belongs to blocked only, `progress` to working and blocked.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Mapping

from orca_tui.status.events import Event, ProgramReported, ProgramState
from orca_tui.status.record import Kind

MAX_REPORT_BYTES = 4096  # From OSC to ST, as the specification says; so are all limits here.
FRAME_BYTES = len("\x1b]7501;") + len("\x1b\\")
MAX_MESSAGE_ENCODED, MAX_MESSAGE_BYTES = 2732, 2048
MAX_TITLE_ENCODED, MAX_TITLE_BYTES = 256, 192
MAX_APP = 32
MAX_LEVELS = 8
MAX_PATH = 128

AGENT_OF_APP: Mapping[str, str] = {"claude-code": "claude", "gemini-cli": "gemini"}
"""Programs that call themselves otherwise than we do."""

_PAIR = re.compile(r"([a-z]{1,16})=([A-Za-z0-9_.,+/=-]*)")
_SEGMENT = re.compile(r"[A-Za-z0-9_.+-]{1,32}")
_PERCENT = re.compile(r"[0-9]{1,3}")
_HIDDEN = frozenset({"Cf", "Co", "Cs"})
"""Unicode categories that are stripped: bidi and zero-width characters, private use, surrogates."""


class _Dropped(Exception):
    """The report breaks rule 3."""


def read(payload: str, at: float) -> list[Event]:
    """The event of the text after `7501;`; empty when the report is none or must be dropped."""
    if len(payload.encode()) + FRAME_BYTES > MAX_REPORT_BYTES:
        return []
    pairs = dict(_pairs(payload))
    try:
        state = ProgramState(pairs.get("state", ""))
    except ValueError:
        return []
    try:
        return [_report(state, pairs, at)]
    except _Dropped:
        return []


def _pairs(payload: str) -> list[tuple[str, str]]:
    found = (_PAIR.fullmatch(part) for part in payload.split(":"))
    return [(match[1], match[2]) for match in found if match]


def _report(state: ProgramState, pairs: Mapping[str, str], at: float) -> ProgramReported:
    app = pairs.get("app")
    if app is not None and len(app) > MAX_APP:
        raise _Dropped
    return ProgramReported(
        at=at,
        state=state,
        path=_path(pairs.get("id")),
        agent=AGENT_OF_APP.get(app, app) if app else None,
        kind=_kind(state, pairs.get("kind")),
        progress=_progress(state, pairs.get("progress")),
        title=_text(pairs.get("title"), MAX_TITLE_ENCODED, MAX_TITLE_BYTES),
        message=_text(pairs.get("msg"), MAX_MESSAGE_ENCODED, MAX_MESSAGE_BYTES),
    )


def _path(text: str | None) -> tuple[str, ...]:
    if not text:
        return ()
    segments = tuple(text.split("/"))
    fits = len(text) <= MAX_PATH and len(segments) <= MAX_LEVELS
    if not fits or not all(_SEGMENT.fullmatch(segment) for segment in segments):
        raise _Dropped
    return segments


def _kind(state: ProgramState, text: str | None) -> Kind | None:
    known = {str(kind): kind for kind in (Kind.PERMISSION, Kind.QUESTION, Kind.AUTH)}
    return known.get(text or "") if state is ProgramState.BLOCKED else None


def _progress(state: ProgramState, text: str | None) -> int | None:
    if text is None or state not in (ProgramState.WORKING, ProgramState.BLOCKED):
        return None
    if not _PERCENT.fullmatch(text) or int(text) > 100:
        raise _Dropped
    return int(text)


def _text(encoded: str | None, max_encoded: int, max_bytes: int) -> str | None:
    """Decoded text without hidden characters, or None when it is absent or empty."""
    if not encoded:
        return None
    if len(encoded) > max_encoded:
        raise _Dropped
    try:
        # The padding may be missing.
        raw = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
        text = raw.decode()
    except (binascii.Error, UnicodeDecodeError):
        raise _Dropped from None
    categories = [unicodedata.category(character) for character in text]
    if len(raw) > max_bytes or "Cc" in categories:
        raise _Dropped
    kept = (
        character for character, category in zip(text, categories, strict=True) if category not in _HIDDEN
    )
    return "".join(kept).strip() or None
