"""A whole server in this process, for what plugins ask of it."""

from __future__ import annotations

from tests.server.conftest import api, server

__all__ = ["api", "server"]
