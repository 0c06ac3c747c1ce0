"""What our own UI says to the server beside the public commands."""

from __future__ import annotations

import msgspec

from orca_tui.commands import values
from orca_tui.commands.spec import Command, Empty, Reach, Touches
from orca_tui.wire import PaneView, UiItem


class AttachRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cols: int
    rows: int
    """The outer terminal's size."""


class AttachItem(msgspec.Struct, frozen=True, kw_only=True):
    item: UiItem


ATTACH = Command(
    name="ui.attach",
    help="Follow everything there is to show; the first item is the whole state.",
    request=AttachRequest,
    reply=AttachItem,
    touches=Touches(reach=Reach.SERVER),
    stream=True,
    internal=True,
)


class OuterColors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The outer terminal's default colors: red, green and blue, 0 to 255 each."""

    foreground: tuple[values.ColorPart, values.ColorPart, values.ColorPart]
    background: tuple[values.ColorPart, values.ColorPart, values.ColorPart]
    cursor: tuple[values.ColorPart, values.ColorPart, values.ColorPart]


class ViewRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of what this UI has on screen, each time that changes.

    The server starts frames for channels that are new, ends them for channels that are gone, and gives panes
    the sizes that the UI used last has room for.
    """

    panes: tuple[PaneView, ...]
    focused: str | None = None
    """The pane that has this UI's keyboard."""
    terminal_focused: bool = True
    """The outer terminal window has the focus."""
    colors: OuterColors | None = None
    """None as long as the outer terminal has not told them; some never do."""
    pictures: bool = False
    """The outer terminal shows pictures, and the user wants them."""


VIEW = Command(
    name="ui.view",
    help="Say which panes are on screen.",
    request=ViewRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)


class HistoryRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    channel: int


HISTORY = Command(
    name="ui.history",
    help="Send the pane's snapshot again, scrollback included.",
    request=HistoryRequest,
    reply=Empty,
    touches=Touches(reach=Reach.SERVER),
    internal=True,
)


class PictureRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pane: str
    image: int
    placement: int
    """Both as in a cell of the pane's screen."""
    offset: int = 0
    """In the image's data."""


class PictureReply(msgspec.Struct, frozen=True, kw_only=True):
    key: int
    """Of the image, of which a pane can show several pictures."""
    cols: int
    rows: int
    source: tuple[int, int, int, int]
    """Left, top, width and height of what is shown, in pixels."""
    format: int
    compression: str
    width: int
    height: int
    size: int
    """Of all data, in bytes."""
    data: bytes
    """Those from the offset on, as many as come at once."""


PICTURE = Command(
    name="ui.picture",
    help="Tell a picture of a pane: how it is shown, and a part of its data.",
    request=PictureRequest,
    reply=PictureReply,
    touches=Touches(reach=Reach.SERVER, targets=("pane",)),
    internal=True,
)
