"""What both HTTP doors share: errors as JSON, the peer check, and how a door is opened. Logs no contents."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import msgspec
from aiohttp import web

from orca_tui.base.errors import Invalid, NotFound, OrcaError, Refused, TooLarge
from orca_tui.server.mistakes import place_of
from orca_tui.server.peer import Peer, own_peer

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

BEARER = re.compile(r"Bearer +([A-Za-z0-9_\-]{1,256})", re.IGNORECASE)
SHUTDOWN_TIMEOUT_S = 1.0  # Streams never end by themselves, so a stopping server does not wait for them long.
LINGERING_S = 1.0  # How long a refused body is still swallowed, so that its sender can read the refusal.

logger = logging.getLogger(__name__)


def json_answer(value: object, status: int = 200) -> web.Response:
    """A response with a JSON body."""
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")


def error_body(error: OrcaError) -> dict[str, object]:
    """`{"error": {"code", "message", ...facts}}`"""
    return {"error": error.described()}


def error_answer(error: OrcaError, status: int | None = None) -> web.Response:
    """An error with its own status, unless another one is given."""
    return json_answer(error_body(error), status or error.http_status)


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every failure as our error body; what nobody expected is logged by its place and answered with 500."""
    try:
        return await handler(request)
    except OrcaError as error:
        return error_answer(error)
    except web.HTTPRequestEntityTooLarge:
        return error_answer(TooLarge("the body", request.client_max_size))
    except web.RequestPayloadError:
        return error_answer(Invalid("the body is broken: its length or its chunks are not as announced"))
    except web.HTTPException as error:
        return _aiohttp_error(request, error)
    except ConnectionError:
        raise  # The client left: aiohttp ends the connection.
    except Exception as error:
        logger.error("request failed: %s", place_of(error))
        return error_answer(OrcaError("the server made a mistake; its log says where"))


@web.middleware
async def own_user_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse other users' processes before anything of the request is looked at."""
    peer(request)
    return await handler(request)


def peer(request: web.Request) -> Peer:
    """Who asks; raises `Refused` for another user."""
    connection = request.get_extra_info("socket")
    if connection is None:
        raise Refused("the client is gone")
    return own_peer(connection)


def bearer(request: web.Request) -> str | None:
    """The token that the request shows, if it is one."""
    found = BEARER.fullmatch(request.headers.get("Authorization", ""))
    return found[1] if found else None


@asynccontextmanager
async def opened(
    listener: socket.socket, app: web.Application, *, idle_s: float, decompress: bool
) -> AsyncIterator[None]:
    """Serve an application on a listening Unix socket.

    A handler is cancelled when its client hangs up. `idle_s` bounds how long a connection may stay without a
    complete request head.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=_silent_logger(),
        handler_cancellation=True,
        shutdown_timeout=SHUTDOWN_TIMEOUT_S,
        lingering_time=LINGERING_S,
        keepalive_timeout=idle_s,
        auto_decompress=decompress,
    )
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await asyncio.shield(runner.cleanup())


def _aiohttp_error(request: web.Request, error: web.HTTPException) -> web.Response:
    """aiohttp's own refusals (no such route, no such method) in our words."""
    if isinstance(error, web.HTTPMethodNotAllowed):
        allowed = ", ".join(sorted(error.allowed_methods))
        answer = error_answer(Invalid(f"{request.path} takes {allowed}, not {request.method}"), error.status)
        answer.headers["Allow"] = allowed
        return answer
    if isinstance(error, web.HTTPNotFound):
        return error_answer(NotFound(f"no {request.path} here; GET /v1/schema lists the routes"))
    return error_answer(Invalid(error.reason), error.status)


def _silent_logger() -> logging.Logger:
    """For aiohttp, which logs malformed requests with the line that was malformed: a token may stand in it."""
    return logging.Logger("aiohttp", level=logging.CRITICAL + 1)
