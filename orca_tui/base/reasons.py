"""Errors of the system in words for people, without Python's own spelling of them."""

from __future__ import annotations


def reason_of(error: OSError | UnicodeError) -> str:
    """`Permission denied` for `[Errno 13] Permission denied: '/x'`; who calls names the file."""
    if isinstance(error, UnicodeError):
        return "it is not UTF-8"
    return error.strerror or str(error) or type(error).__name__
