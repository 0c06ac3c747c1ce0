"""What an agent's failure was, read from its message. Pure; knows the words of many agents, and none by name.

Rule 1: spent quotas and rate limits go before refused credentials: their messages often offer another login.
Rule 2: a time of reset counts only where the text gives one moment: a Unix time, a date with time and zone
        (RFC 3339), or a duration from now. `resets 7pm` may be any day's, in any zone.
"""

from __future__ import annotations

import re
from calendar import timegm
from dataclasses import dataclass

from orca_tui.status.record import Kind

MAX_RESET_S = 32 * 24 * 3600.0
"""The longest window that agents have is a month; a reset beyond it, or in the past, is a misread number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """What went wrong; `resets_at` in Unix seconds, only if the message gives it."""

    kind: Kind
    resets_at: float | None = None


WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            Kind.RATE_LIMIT,
            r"\b429\b|rate.?limit|too many requests|quota|resource.?exhausted|out of credits"
            r"|(?:hit|reached|exceeded)\b.{0,40}(?<!retry )limit\b|\blimit (?:reached|exceeded|will reset)"
            r"|\b(?:usage|session|weekly|daily|monthly|\d+-hour|request|token) limit"
            r"|credit balance|insufficient (?:credits|balance|funds)|billing",
        ),
        (
            Kind.AUTH,
            r"\b401\b|unauthori[sz]ed|authenticat|/login\b|\b(?:log|sign)(?:ged)? ?-?in\b|not logged in"
            r"|(?:invalid|incorrect|missing|expired|revoked)\b.{0,20}\b(?:api.?key|token|credential)"
            r"|(?:api.?key|token|credential|session)s?\b.{0,30}\b(?:invalid|expired|revoked|not valid|missing)",
        ),
        (
            Kind.API,
            r"\b(?:400|403|404|408|413|422|5\d\d)\b|api error|server.?error|overloaded|bad gateway"
            r"|service unavailable|stream disconnected|connection (?:error|refused|reset)|fetch failed"
            r"|unable to connect|econn|enotfound|timed? ?out|network|model_not_found|invalid_request"
            r"|retry limit",
        ),
    )
)

UNIX_TIME = re.compile(r"(?:\||reset\w*\D{0,12})(\d{10})(?:\d{3})?\b", re.IGNORECASE)
MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)(?!\w)"
)
DURATION = re.compile(
    r"\b(?:try again|retry|resets?|available again|wait)\b[\w ]{0,12}?\b(?:in|after|for)\s+(?=\d)",
    re.IGNORECASE,
)
PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)(?:,?\s+(?:and\s+)?)?", re.IGNORECASE)
UNIT_S = {
    "ms": 0.001,
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "d": 86400,
    "day": 86400,
}


def failure(message: str | None, at: float) -> Failure:
    """What a failure was by its message, told at `at` (Unix seconds)."""
    kind = next((kind for kind, words in WORDS if words.search(message or "")), Kind.OTHER)
    return Failure(kind=kind, resets_at=_reset(message or "", at) if kind is Kind.RATE_LIMIT else None)


def _reset(message: str, at: float) -> float | None:
    """Rule 2."""
    resets_at = _unix_time(message) or _moment(message)
    if resets_at is None:
        after_s = _duration(message)
        resets_at = None if after_s is None else at + after_s
    return resets_at if resets_at is not None and at < resets_at <= at + MAX_RESET_S else None


def _unix_time(message: str) -> float | None:
    found = UNIX_TIME.search(message)
    return float(found[1]) if found else None


def _moment(message: str) -> float | None:
    found = MOMENT.search(message)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60):
        return None
    return float(timegm((year, month, day, hour, minute, second)) - _offset_s(found[7]))


def _offset_s(zone: str) -> int:
    """Seconds east of UTC."""
    if zone in ("Z", "UTC"):
        return 0
    digits = zone[1:].replace(":", "")
    offset = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -offset if zone[0] == "-" else offset


def _duration(message: str) -> float | None:
    """Seconds; None where a unit is not known, for then the number means something else."""
    found = DURATION.search(message)
    if found is None:
        return None
    total, part = 0.0, PART.match(message, found.end())
    while part is not None:
        unit = part[2].lower()
        factor = UNIT_S.get(unit) or UNIT_S.get(unit.removesuffix("s"))
        if factor is None:
            break
        total += float(part[1]) * factor
        part = PART.match(message, part.end())
    return total or None
