"""Writing to the outer terminal: only what changed."""

from __future__ import annotations

from orca_tui.ui.outer_terminal import CursorLook, NoticeStyle
from orca_tui.ui.outer_writer import OuterWriter


class Written(list[str]):
    """Everything that was written."""

    def take(self) -> str:
        text = "".join(self)
        self.clear()
        return text


def test_the_same_cursor_and_title_are_written_once() -> None:
    written = Written()
    writer = OuterWriter(written.append, NoticeStyle.NONE)
    look = CursorLook(place=(1, 2), shape=2)

    writer.set_cursor(look)
    writer.set_title("orca-tui ▲1")
    assert written.take() != ""

    writer.set_cursor(look)
    writer.set_title("orca-tui ▲1")
    assert written.take() == ""


def test_title_and_cursor_are_given_back_as_they_were() -> None:
    written = Written()
    writer = OuterWriter(written.append, NoticeStyle.NONE)
    writer.set_title("orca-tui")
    assert written.take().startswith("\x1b[22;2t")

    writer.restore()

    assert written.take() == "\x1b[23;2t\x1b[0 q"


def test_a_title_that_was_never_set_is_not_given_back() -> None:
    written = Written()

    OuterWriter(written.append, NoticeStyle.NONE).restore()

    assert written.take() == "\x1b[0 q"


def test_bell_and_notification_are_what_the_settings_say() -> None:
    written = Written()
    writer = OuterWriter(written.append, NoticeStyle.OSC_9)

    writer.notify("a", "b", bell=True, desktop=False)
    assert written.take() == "\a"
    writer.notify("a", "b", bell=False, desktop=True)
    assert written.take() == "\x1b]9;a: b\x07"
    writer.notify("a", "b", bell=False, desktop=False)
    assert written.take() == ""
