"""What agents say when a turn fails, and what it means."""

from __future__ import annotations

import pytest

from orca_tui.status.failures import MAX_RESET_S, Failure, failure
from orca_tui.status.record import Kind

NOW = 1_795_963_474.0  # 2026-11-29T14:44:34Z

MESSAGES = {
    # Claude Code
    "API Error: Request rejected (429) · fake 429": Kind.RATE_LIMIT,
    "You've hit your session limit · resets 7pm (Europe/Berlin)": Kind.RATE_LIMIT,
    "You've hit your limit · resets 7pm": Kind.RATE_LIMIT,
    "5-hour limit reached ∙ resets 3am": Kind.RATE_LIMIT,
    "Credit balance is too low": Kind.RATE_LIMIT,
    "Please run /login · API Error: 401 invalid x-api-key": Kind.AUTH,
    "Invalid API key · Fix external API key": Kind.AUTH,
    "OAuth token has expired. Please obtain a new token": Kind.AUTH,
    "API Error: 500 fake 500. This is a server-side issue, usually temporary — try again in a moment. If it"
    " persists, check your inference gateway (127.0.0.1:18801).": Kind.API,
    "API Error: 529 Overloaded": Kind.API,
    "API Error (Connection error.)": Kind.API,
    "Unable to connect to Anthropic services": Kind.API,
    # Codex
    "You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours 12 minutes.": Kind.RATE_LIMIT,
    "exceeded retry limit, last status: 429 Too Many Requests": Kind.RATE_LIMIT,
    "exceeded retry limit, last status: 500 Internal Server Error": Kind.API,
    "unexpected status 401 Unauthorized: Missing bearer": Kind.AUTH,
    "stream disconnected before completion": Kind.API,
    # Gemini
    "[API Error: You exceeded your current quota, please check your plan and billing details.]": Kind.RATE_LIMIT,
    '[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]': Kind.RATE_LIMIT,
    "[API Error: API key not valid. Please pass a valid API key.]": Kind.AUTH,
    # Quotas that offer a login
    "Usage limit reached. Sign in with another account to continue.": Kind.RATE_LIMIT,
    "Quota exhausted: your sign-in has expired its allowance, run /login": Kind.RATE_LIMIT,
    # Neither
    "the tool crashed": Kind.OTHER,
    "limited progress was made": Kind.OTHER,
    "": Kind.OTHER,
}

RESETS = {
    "Claude AI usage limit reached|1795970000": 1_795_970_000,
    '{"error":"rate_limit","resets_at":1795970000}': 1_795_970_000,
    "rate limit; resets at 2026-11-29T16:00:00Z": 1_795_968_000,
    "rate limit; resets at 2026-11-29 17:00 +01:00": 1_795_968_000,
    "Rate limit reached. Please try again in 1.5s.": NOW + 1.5,
    "Rate limit reached. Please retry after 37 seconds": NOW + 37,
    "usage limit: try again in 3 days 4 hours 12 minutes.": NOW + 3 * 86400 + 4 * 3600 + 12 * 60,
    "quota: resets in 1h30m": NOW + 5400,
}

NO_RESETS = [
    "You've hit your session limit · resets 7pm (Europe/Berlin)",
    "rate limit; resets at 16:00",
    "rate limit; resets on 2026-11-29",
    "rate limit; resets at 2026-13-29T16:00:00Z",
    "rate limit; try again in a moment",
    "rate limit; try again in 3 attempts",
    "rate limit; resets at 2026-11-29T14:00:00Z",  # Past.
    "usage limit reached|1999999999",  # Years ahead.
    "500 server error, try again in 5 seconds",  # No limit that could end.
]


@pytest.mark.parametrize(("message", "kind"), MESSAGES.items())
def test_a_message_tells_what_failed(message: str, kind: Kind) -> None:
    assert failure(message, NOW).kind is kind


def test_a_failure_without_a_message_is_of_no_known_kind() -> None:
    assert failure(None, NOW) == Failure(kind=Kind.OTHER)


@pytest.mark.parametrize(("message", "resets_at"), RESETS.items())
def test_a_limit_that_names_its_end_tells_it(message: str, resets_at: float) -> None:
    found = failure(message, NOW)

    assert found.kind is Kind.RATE_LIMIT
    assert found.resets_at == pytest.approx(resets_at)


@pytest.mark.parametrize("message", NO_RESETS)
def test_a_reset_that_is_not_one_moment_is_not_told(message: str) -> None:
    assert failure(message, NOW).resets_at is None


def test_a_reset_is_never_past_nor_beyond_the_longest_window() -> None:
    assert failure(f"rate limit|{int(NOW + MAX_RESET_S) + 60}", NOW).resets_at is None
