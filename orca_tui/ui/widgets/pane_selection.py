"""The selection in one pane while the mouse makes it; the text comes from the model."""

from __future__ import annotations

import msgspec

from orca_tui.base.clock import Clock
from orca_tui.ui.clicks import Clicks
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.selection import Selection, Shape, Span, Spot, Unit, selected_text


class PaneSelection:
    """What is selected, in lines of the scrollback."""

    def __init__(self, model: PaneModel, clock: Clock) -> None:
        self._model = model
        self._clicks = Clicks(clock)
        self._selection: Selection | None = None
        self._moved = False
        self.span: Span | None = None
        """The first and the last selected cell; None while nothing is."""

    def begin(self, x: int, y: int, shape: Shape = Shape.FLOW) -> bool:
        """The button went down; True when what is drawn changed. A block grows by cells, however often it was
        clicked."""
        spot = self._spot(x, y)
        if shape is Shape.BLOCK:
            self._clicks.forget()
        self._moved = False
        return self._select(Selection(anchor=spot, head=spot, unit=self._clicks.press(spot), shape=shape))

    def extend(self, x: int, y: int) -> bool:
        """The pointer moved with the button down."""
        if self._selection is None:
            return False
        selection = msgspec.structs.replace(self._selection, head=self._spot(x, y))
        self._moved = self._moved or selection.head != selection.anchor
        return self._select(selection)

    def clear(self) -> bool:
        """Select nothing; True when something was selected."""
        return self._select(None)

    def text(self) -> str:
        """What is selected, as it is copied."""
        return "" if self.span is None else selected_text(self.span, self._model.text_of, self._model.cols)

    def _select(self, selection: Selection | None) -> bool:
        before, self._selection = self.span, selection
        shown = selection is not None and (self._moved or selection.unit is not Unit.CELL)
        self.span = selection.span(self._model.text_of) if selection is not None and shown else None
        return self.span != before

    def _spot(self, x: int, y: int) -> Spot:
        return Spot(self._model.first_line + y, x)
