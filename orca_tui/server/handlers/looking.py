"""list, get, read, explain: what there is, told without changing anything."""

from __future__ import annotations

from orca_tui.base.errors import Invalid
from orca_tui.commands.explain import EXPLAIN, ExplainReply, ExplainRequest, Observed
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.list import LIST, ListReply
from orca_tui.commands.read import READ, ReadReply, ReadRequest
from orca_tui.commands.spec import Empty
from orca_tui.layout import all_panes, focused_pane
from orca_tui.server.dispatch import Caller
from orca_tui.server.explaining import missing_sources
from orca_tui.server.handlers.handler import AnyHandler, Call, at_once
from orca_tui.server.panes import Pane
from orca_tui.server.records import with_load
from orca_tui.server.reduced import reduced_pane
from orca_tui.server.session import Session
from orca_tui.status.effects import Observation
from orca_tui.term.engine import TerminalEngine
from orca_tui.wire import PaneInfo


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    looking = Looking(session)
    return (
        Call(LIST, looking.list_panes),
        Call(GET, looking.get),
        at_once(READ, looking.read),
        Call(EXPLAIN, looking.explain),
    )


class Looking:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def list_panes(self, _: Empty, caller: Caller) -> ListReply:
        session = self._session
        panes = [session.panes[pane_id] for pane_id in all_panes(session.layout)]
        return ListReply(panes=tuple(self._told(panes, caller)), focused=focused_pane(session.layout))

    async def get(self, request: GetRequest, caller: Caller) -> PaneInfo:
        return self._told([self._session.pane(request.pane)], caller)[0]

    def read(self, request: ReadRequest) -> ReadReply:
        engine = self._session.pane(request.pane).engine
        lines = _ansi_lines(engine, request) if request.ansi else _plain_lines(engine, request)
        if request.lines is not None:
            lines = lines[-request.lines :]
        return ReadReply(text="\n".join(lines))

    async def explain(self, request: ExplainRequest, _: Caller) -> ExplainReply:
        session = self._session
        pane = session.pane(request.pane)
        missing = await missing_sources(session, pane)
        info = session.info(session.pane(request.pane))
        seen = session.board.explain(pane.id)
        source = info.evidence.source if info.evidence else None
        return ExplainReply(
            pane=info,
            verdict=_verdict(info, pane.facts.note),
            source=source,
            rule=next((one.why for one in reversed(seen) if one.taken and one.source == source), None),
            missing=missing,
            observations=tuple(_observed(one) for one in seen),
        )

    def _told(self, panes: list[Pane], caller: Caller) -> list[PaneInfo]:
        """Panes' records, as far as the caller may know them."""
        reads = self._session.gate.reads
        infos = self._measured(panes)
        return [info if reads(caller, info.pane) else reduced_pane(info) for info in infos]

    def _measured(self, panes: list[Pane]) -> list[PaneInfo]:
        loads = self._session.metrics.loads(pane.pid for pane in panes if pane.pid is not None)
        for pane in panes:
            self._find_directory(pane)
        return [
            with_load(self._session.info(pane), loads.get(pane.pid) if pane.pid else None) for pane in panes
        ]

    def _find_directory(self, pane: Pane) -> None:
        """Where the program is now, unless it tells that by itself (OSC 7)."""
        if not pane.facts.tells_directory and pane.pid is not None:
            found = self._session.parts.processes.directory(pane.pid)
            pane.facts.directory = found or pane.facts.directory


def _plain_lines(engine: TerminalEngine, request: ReadRequest) -> list[str]:
    screen = engine.screen_text(unwrap=request.unwrap).split("\n")
    if request.source == "screen":
        return screen
    everything = engine.history_text(unwrap=request.unwrap).split("\n")
    return everything if request.source == "all" else everything[: len(everything) - len(screen)]


def _ansi_lines(engine: TerminalEngine, request: ReadRequest) -> list[str]:
    if request.unwrap:
        raise Invalid("lines with colours cannot be unwrapped; leave out either --ansi or --unwrap")
    screen = [row.ansi.rstrip(" ") for row in engine.all_rows()]
    if request.source == "screen":
        return _without_blank_end(screen)
    history = _history_ansi(engine)
    return history if request.source == "scrollback" else _without_blank_end(history + screen)


def _history_ansi(engine: TerminalEngine) -> list[str]:
    """The rows above the screen, read page by page through the viewport."""
    lines: list[str] = []
    left = engine.scrollback_rows()
    try:
        while left > 0:
            engine.scroll(left)
            page = [row.ansi.rstrip(" ") for row in engine.all_rows()[: min(left, engine.rows)]]
            lines += page
            left -= len(page)
    finally:
        engine.scroll(0)
    return lines


def _without_blank_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _verdict(info: PaneInfo, note: str) -> str:
    evidence = info.evidence
    why = f"{evidence.source} said: {evidence.detail}" if evidence else "nothing has been observed yet"
    status = "no status: a shell without an agent" if info.is_plain_shell else info.status
    sure = "" if info.confirmed else " (unconfirmed: that source has fallen silent)"
    return f"{status}, because {why}{sure}" + (f"; {note}" if note else "")


def _observed(observation: Observation) -> Observed:
    return Observed(
        at=observation.at,
        source=observation.source,
        what=observation.what,
        taken=observation.taken,
        why=observation.why,
        status=observation.status,
    )
