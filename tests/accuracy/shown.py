"""What a UI was shown of a pane: the statuses from when to when, and when the bell rang."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from orca_tui.server.mailbox import Mailbox
from orca_tui.status.record import Kind, Status
from orca_tui.wire import PaneChanged, PaneInfo, Rang, Synced, UiItem

SETTLED_MS = 1000.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A status that was shown from `at` to `until` (ms since the recording began).

    `kind` is the first that it was told with; `interrupted` what it said of that in its first second.
    """

    at: float
    until: float
    status: Status
    kind: Kind | None = None
    interrupted: bool = False
    code: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Bell:
    """The bell rang, while that status was shown."""

    at: float
    status: Status


class Watcher(Mailbox):
    """The mailbox of a UI that looks at once; what a sidebar would have shown is in `spans` and `bells`."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        super().__init__()
        self._now_ms = now_ms
        self._spans: list[Span] = []
        self.bells: list[Bell] = []

    def put(self, item: UiItem) -> None:
        match item:
            case Synced(panes=panes):
                for pane in panes:
                    self._saw(pane)
            case PaneChanged(pane=pane):
                self._saw(pane)
            case Rang():
                self.bells.append(Bell(at=self._now_ms(), status=self._spans[-1].status))
            case _:
                pass

    def spans(self) -> list[Span]:
        """What was shown for any time at all."""
        ended = [
            replace(span, until=following.at)
            for span, following in zip(self._spans, self._spans[1:], strict=False)
        ]
        last = [replace(span, until=self._now_ms()) for span in self._spans[-1:]]
        return [span for span in [*ended, *last] if span.until > span.at]

    def _saw(self, pane: PaneInfo) -> None:
        now = self._now_ms()
        span = Span(
            at=now,
            until=now,
            status=pane.status,
            kind=pane.kind,
            interrupted=pane.interrupted,
            code=pane.exit_code,
        )
        if self._spans and self._spans[-1].status is pane.status:
            before = self._spans[-1]
            settled = now - before.at > SETTLED_MS
            interrupted = before.interrupted if settled else span.interrupted
            self._spans[-1] = replace(
                span, at=before.at, kind=before.kind or span.kind, interrupted=interrupted
            )
        else:
            self._spans.append(span)
