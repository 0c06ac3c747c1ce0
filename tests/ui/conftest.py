"""Fixtures of the UI's tests: the real engine, and a whole server in this process."""

from __future__ import annotations

from tests.server.conftest import api, engines, server

__all__ = ["api", "engines", "server"]
