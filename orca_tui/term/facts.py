"""Turns what a child sent in OSC sequences into facts. All of it is untrusted: cleaned and cut to size."""

from __future__ import annotations

import re
from base64 import b64decode
from urllib.parse import unquote, urlsplit

from orca_tui.term.engine import (
    AgentReport,
    ClipboardWrite,
    DirectoryChanged,
    Fact,
    Notification,
    ProgramStatus,
    Progress,
    PromptMark,
    TitleChanged,
)

TITLE_LENGTH = 256
BODY_LENGTH = 1024
PATH_LENGTH = 4096  # PATH_MAX of Linux.
CLIPBOARD_BYTES = 100 * 1024

NOT_TEXT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
"""Control characters, and those that reorder or hide text. Joiners stay: emoji and some scripts need them."""

SPACES = re.compile("[\t\n\r]+")

PROMPT_KINDS = frozenset("ABCD")
"""The marks of OSC 133 that all emitters share; the other letters tell nothing more about a command."""

STATUS_QUERY = (7501, "?")
"""The OSC by which a program asks whether its terminal understands program status."""


def clean(text: str, length: int) -> str:
    """One line of plain text, at most `length` characters."""
    return NOT_TEXT.sub("", SPACES.sub(" ", text)).strip()[:length]


def title_fact(title: str) -> TitleChanged:
    return TitleChanged(title=clean(title, TITLE_LENGTH))


def notification_fact(title: str, body: str) -> Notification:
    return Notification(title=clean(title, TITLE_LENGTH), body=clean(body, BODY_LENGTH))


def progress_fact(state: int, percent: int) -> Progress:
    """OSC 9;4; a negative percentage means that none was given."""
    return Progress(state=state, percent=percent if 0 <= percent <= 100 else None)


def directory_fact(told: str, hostname: str) -> DirectoryChanged | None:
    """OSC 7 (a `file:` URL), OSC 1337 CurrentDir and OSC 9;9 (a path); None unless absolute and of this machine."""
    path = told
    if "://" in told:
        try:
            url = urlsplit(told)
        except ValueError:
            return None
        if url.scheme not in ("file", "kitty-shell-cwd") or not _is_here(url.hostname or "", hostname):
            return None
        path = unquote(url.path, errors="replace") if url.scheme == "file" else url.path
    if not path.startswith("/") or len(path) > PATH_LENGTH or NOT_TEXT.search(path):
        return None
    return DirectoryChanged(path=path)


def _is_here(host: str, hostname: str) -> bool:
    """Whether a URL's host is this machine; some programs write its name with the domain, some without."""
    return host in ("", "localhost") or host.partition(".")[0] == hostname.lower().partition(".")[0]


def clipboard_fact(data: bytes) -> ClipboardWrite | None:
    """OSC 52; None for an empty or an over-long text, and for what is no text."""
    if not data or len(data) > CLIPBOARD_BYTES:
        return None
    try:
        return ClipboardWrite(text=data.decode())
    except UnicodeDecodeError:
        return None


def prompt_fact(payload: str) -> PromptMark | None:
    """OSC 133: `A`, `B`, `C` or `D`, then options; the first option of `D` is the exit code."""
    kind, _, options = payload.partition(";")
    if kind not in PROMPT_KINDS:
        return None
    code = options.partition(";")[0] if kind == "D" else ""
    return PromptMark(kind=kind, exit_code=int(code) if re.fullmatch(r"-?[0-9]{1,10}", code) else None)


def osc_fact(number: int, payload: str, notifications: KittyNotifications) -> Fact | None:
    """The fact of an OSC sequence that the side scanner found."""
    match number:
        case 133:
            return prompt_fact(payload)
        case 99:
            return notifications.take(payload)
        case 7501:
            return ProgramStatus(payload=payload)
        case _:
            return AgentReport(number=number, payload=payload)


class KittyNotifications:
    """OSC 99 notifications, which may come in several pieces; holds the unfinished ones of one terminal.

    https://sw.kovidgoyal.net/kitty/desktop-notifications/
    """

    UNFINISHED_KEPT = 16  # More than any program builds at the same time.

    def __init__(self) -> None:
        self._parts: dict[str, dict[str, str]] = {}

    def take(self, payload: str) -> Notification | None:
        """Add one piece; the notification once its last piece is there."""
        metadata, _, text = payload.partition(";")
        options = dict(pair.split("=", 1) for pair in metadata.split(":") if "=" in pair)
        kind, name = options.get("p", "title"), options.get("i", "")
        if kind not in ("title", "body"):
            return None
        if options.get("e") == "1":
            text = _decoded_base64(text)
        parts = self._parts.setdefault(name, {"title": "", "body": ""})
        parts[kind] = (parts[kind] + text)[:BODY_LENGTH]
        if options.get("d") == "0":
            while len(self._parts) > self.UNFINISHED_KEPT:
                del self._parts[next(iter(self._parts))]
            return None
        del self._parts[name]
        return notification_fact(parts["title"], parts["body"]) if parts["title"] or parts["body"] else None


def _decoded_base64(text: str) -> str:
    try:
        return b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")
    except ValueError:
        return ""
