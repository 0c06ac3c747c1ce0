"""focus, seen, rename, move, resize, zoom, arrange: where panes stand and what they are called."""

from __future__ import annotations

from pathlib import PurePath

from orca_tui.base.errors import Conflict, Invalid
from orca_tui.base.ids import PaneId
from orca_tui.commands.arranging import (
    ARRANGE,
    MOVE,
    RESIZE,
    SET_RATIO,
    ZOOM,
    ArrangeRequest,
    MoveRequest,
    ResizeRequest,
    SetRatioRequest,
    ZoomRequest,
)
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import FOCUS, RENAME, SEEN, RenameRequest, SeenRequest, TargetRequest
from orca_tui.layout import (
    Direction,
    Layout,
    Rect,
    arrange,
    find_pane,
    find_workspace,
    focus,
    move_to_new_tab,
    move_to_new_workspace,
    move_to_tab,
    neighbour,
    panes_of,
    rename,
    resize,
    set_ratio,
    swap,
    zoom,
)
from orca_tui.server.handlers.handler import AnyHandler, at_once
from orca_tui.server.names import one_line
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.status.events import Seen

USUAL_SIZE = (120, 40)  # For going by direction while no UI is attached; only proportions matter.


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    arranging = Arranging(session)
    return (
        at_once(FOCUS, arranging.focus),
        at_once(SEEN, arranging.seen),
        at_once(RENAME, arranging.rename),
        at_once(MOVE, arranging.move),
        at_once(RESIZE, arranging.resize),
        at_once(ZOOM, arranging.zoom),
        at_once(ARRANGE, arranging.arrange),
        at_once(SET_RATIO, arranging.set_ratio),
    )


class Arranging:
    def __init__(self, session: Session) -> None:
        self._session = session

    def focus(self, request: TargetRequest) -> Empty:
        return self._change(focus(self._layout, request.target))

    def seen(self, request: SeenRequest) -> Empty:
        pane = self._session.pane(request.pane)
        self._session.observe(pane.id, [Seen(at=self._session.now())])
        return Empty()

    def rename(self, request: RenameRequest) -> Empty:
        name = one_line(request.name)
        if request.target.startswith("p"):
            pane = self._session.pane(request.target)
            pane.facts.name = name
            self._session.tell_changed(pane)
            self._session.keeping.saver.changed()
            return Empty()
        if request.target.startswith("w") and not name:
            name = self._directory_name(request.target)
        return self._change(rename(self._layout, request.target, name))

    def _directory_name(self, workspace_id: str) -> str:
        """What a workspace is called without a name of its own: after the directory of its first pane."""
        first = next(panes_of(find_workspace(self._layout, workspace_id).tabs[0].root))
        return PurePath(self._session.pane(first).facts.directory).name

    def move(self, request: MoveRequest) -> Empty:
        pane = self._session.pane(request.pane).id
        match request:
            case MoveRequest(direction=Direction() as direction, tab=None, workspace=None):
                return self._change(self._moved_towards(pane, direction))
            case MoveRequest(direction=None, tab="new", workspace=None):
                return self._change(move_to_new_tab(self._layout, pane))
            case MoveRequest(direction=None, tab=str() as tab, workspace=None):
                return self._change(move_to_tab(self._layout, pane, tab))
            case MoveRequest(direction=None, tab=None, workspace="new"):
                return self._change(move_to_new_workspace(self._layout, pane))
            case MoveRequest(direction=None, tab=None, workspace=str() as workspace):
                return self._change(move_to_new_tab(self._layout, pane, workspace))
            case _:
                raise Invalid("give exactly one of direction, tab and workspace")

    def resize(self, request: ResizeRequest) -> Empty:
        pane = self._session.pane(request.pane)
        match request:
            case ResizeRequest(size=None, direction=Direction() as direction):
                return self._change(resize(self._layout, pane.id, direction, request.percent / 100))
            case ResizeRequest(size=(cols, rows), direction=None):
                return self._set_size(pane, cols, rows)
            case _:
                raise Invalid("give either a direction or a size")

    def _set_size(self, pane: Pane, cols: int, rows: int) -> Empty:
        shown = self._session.uis.sizes().get(pane.id)
        if shown is not None:
            raise Conflict(
                f"pane {pane.id} is shown by a UI, whose place for it counts: {shown[0]}x{shown[1]}; "
                "resize its split, or detach the UI",
                pane=pane.id,
            )
        pane.want_size(cols, rows, at_once=True)
        return Empty()

    def zoom(self, request: ZoomRequest) -> Empty:
        return self._change(zoom(self._layout, self._session.pane(request.pane).id, request.on))

    def arrange(self, request: ArrangeRequest) -> Empty:
        return self._change(arrange(self._layout, request.tab, request.preset))

    def set_ratio(self, request: SetRatioRequest) -> Empty:
        return self._change(set_ratio(self._layout, request.tab, request.path, request.ratio))

    @property
    def _layout(self) -> Layout:
        return self._session.layout

    def _change(self, layout: Layout) -> Empty:
        self._session.change_layout(layout)
        return Empty()

    def _moved_towards(self, pane: PaneId, direction: Direction) -> Layout:
        """The layout with the pane and its neighbour there exchanged; the same where there is none."""
        used_last = self._session.uis.used_last
        cols, rows = used_last.size if used_last else USUAL_SIZE
        _, tab = find_pane(self._layout, pane)
        other = neighbour(tab.root, pane, direction, Rect(0, 0, cols, rows))
        return swap(self._layout, pane, other) if other else self._layout
