"""The one tree of errors. Facts are fields; every class knows its code, its exit code and its HTTP status.

Raise the narrowest class; catch at the edge that can act (CLI: exit code, HTTP: status, UI: toast).
"""

from __future__ import annotations

from typing import ClassVar


class OrcaError(Exception):
    """Something that a person or a program asked for could not be done."""

    code: ClassVar[str] = "failed"
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, /, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts
        """What a caller may branch on, such as `pane` or `path`; JSON values only."""

    def described(self) -> dict[str, object]:
        """The error as HTTP answers it and `--json` prints it; the code and the message beat a fact of that name."""
        own: dict[str, object] = {"code": self.code, "message": self.message}
        return own | self.facts | own


class Invalid(OrcaError):
    """The request itself is wrong: unknown field, bad value, impossible size."""

    code = "invalid"
    exit_code = 2
    http_status = 400


class Conflict(OrcaError):
    """The thing is not in the state that the request needs, such as a server that still runs agents."""

    code = "conflict"
    exit_code = 3
    http_status = 409


class InboxConflict(Conflict):
    """Nothing was taken back or changed: the notice was handed over, cancelled before, or never known.

    `facts` hold `id`, and `receipt` only when there is evidence that the notice arrived.
    """

    code = "inbox_conflict"

    def __init__(
        self, notice_id: str, receipt: object = None, *, message: str = "this cancellation removed nothing"
    ) -> None:
        super().__init__(message, id=notice_id, receipt=receipt)


class NotFound(OrcaError):
    """No pane, tab, workspace or file of that name."""

    code = "not_found"
    exit_code = 4
    http_status = 404


class PaneNotFound(NotFound):
    """No pane of that id; `facts["pane"]` names it."""

    def __init__(self, pane: str) -> None:
        super().__init__(f"no pane {pane!r}; `orca-tui list` shows the panes there are", pane=pane)


class Refused(OrcaError):
    """The caller may not do that: a token, a peer or an authority is missing."""

    code = "refused"
    exit_code = 5
    http_status = 403


class Unauthorized(Refused):
    """The token is missing or belongs to no pane."""

    code = "unauthorized"
    http_status = 401


class TooLarge(Invalid):
    """A body or frame is over its limit; `facts["limit_bytes"]` is the limit."""

    code = "too_large"
    http_status = 413

    def __init__(self, what: str, limit_bytes: int) -> None:
        super().__init__(f"{what} is larger than {limit_bytes} bytes", limit_bytes=limit_bytes)


class TooSlow(Invalid):
    """A regular expression takes too long on a text; `facts` hold it and its limit in seconds."""

    def __init__(self, pattern: str, limit_s: float) -> None:
        super().__init__(
            f"the regular expression takes longer than {limit_s:g} s; make it simpler",
            pattern=pattern,
            limit_s=limit_s,
        )


class TimedOut(OrcaError):
    """What was waited for did not happen in time."""

    code = "timeout"
    exit_code = 124
    http_status = 408


class Unsupported(OrcaError):
    """This agent, platform or terminal cannot do that."""

    code = "unsupported"
    http_status = 501


class ProtocolMismatch(Unsupported):
    """The server speaks another version of the wire protocol; `facts["server_version"]` is its orca-tui's."""

    code = "protocol_mismatch"


class ServerUnavailable(OrcaError):
    """No server answers on the socket, or it went away during the call.

    One that was started and has ended leaves its exit code in `facts["exit_code"]`.
    """

    code = "unavailable"
    http_status = 503

    @property
    def crashed(self) -> bool:
        """The started server was ended by a signal; what it choked on, the next one may put aside."""
        exit_code = self.facts.get("exit_code")
        return isinstance(exit_code, int) and exit_code < 0


class EngineUnavailable(OrcaError):
    """The terminal engine cannot be used on this machine."""

    code = "engine_unavailable"


class EngineMismatch(OrcaError):
    """The other side's engine has another build, so its snapshots cannot be read here."""

    code = "engine_mismatch"


class ConfigError(OrcaError):
    """The settings file cannot be used; `facts` hold `path`, `line` and `reason`."""

    code = "config"

    def __init__(self, path: str, line: int | None, reason: str) -> None:
        where = f"{path}:{line}" if line else path
        super().__init__(f"{where}: {reason}", path=path, line=line, reason=reason)


class Undelivered(OrcaError):
    """A notice that was waited for has failed or was cancelled; `facts` hold `id`, `state` and `why`."""

    code = "undelivered"


class PluginFailed(OrcaError):
    """One of the user's plugins could not do that; `facts` hold `plugin` and `fault`."""

    code = "plugin_failed"


class StoreFailed(OrcaError):
    """Something could not be stored, such as on a full disk; it was not done."""

    code = "store_failed"
    http_status = 507


class SpawnFailed(OrcaError):
    """The child process could not be started; the pane shows why."""

    code = "spawn_failed"


ERRORS_BY_CODE: dict[str, type[OrcaError]] = {
    kind.code: kind
    for kind in (
        OrcaError,
        Invalid,
        Conflict,
        InboxConflict,
        NotFound,
        Refused,
        Unauthorized,
        TooLarge,
        TimedOut,
        Unsupported,
        ProtocolMismatch,
        ServerUnavailable,
        EngineUnavailable,
        EngineMismatch,
        ConfigError,
        Undelivered,
        PluginFailed,
        StoreFailed,
        SpawnFailed,
    )
}
"""How a code received over the wire becomes an exception again."""


def error_from_code(code: str, message: str, facts: dict[str, object]) -> OrcaError:
    """Build the exception for an error received over the wire; one of a code unknown here keeps that code."""
    kind = ERRORS_BY_CODE.get(code) or _unknown(code)
    error = kind.__new__(kind)
    # The message is complete already, so a class that composes its own is not asked to do it again.
    OrcaError.__init__(error, message, **facts)
    return error


def _unknown(unknown_code: str) -> type[OrcaError]:
    class UnknownError(OrcaError):
        """Something that only a newer server has a class for."""

        code = unknown_code

    return UnknownError
