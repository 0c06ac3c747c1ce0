"""What the server tells beside the news of panes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import pytest

from orca_tui.config import Notifications
from orca_tui.layout import Layout
from orca_tui.ui.farewell import Farewell
from orca_tui.ui.outer_terminal import NoticeStyle
from orca_tui.ui.outer_writer import OuterWriter
from orca_tui.ui.reception import Reception
from orca_tui.ui.world import WorldItem
from orca_tui.wire import (
    ClipboardOffered,
    ConsentAsked,
    DetachAsked,
    PaneChanged,
    PaneGone,
    PaneRepictured,
    Rang,
    Synced,
    Told,
    UiItem,
)
from tests.ui.examples import pane


@dataclass
class Front:
    notifications: Notifications = field(default_factory=Notifications)
    app_focus: bool = False
    said: list[tuple[str, str]] = field(default_factory=list)
    farewells: list[Farewell] = field(default_factory=list)
    news: list[WorldItem] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    voided: list[tuple[str, tuple[int, ...] | None]] = field(default_factory=list)
    asked: list[ConsentAsked] = field(default_factory=list)
    copied: list[tuple[str, str]] = field(default_factory=list)

    @property
    def pictures(self) -> Front:
        return self

    def void(self, pane: str, images: Collection[int]) -> None:
        self.voided.append((pane, tuple(images)))

    def gone(self, pane: str) -> None:
        self.voided.append((pane, None))

    def all_void(self) -> None:
        self.voided.append(("all", None))

    def copy(self, text: str, *, by: str = "") -> None:
        self.copied.append((text, by))

    @property
    def performer(self) -> Front:
        return self

    def ask_consent(self, asked: ConsentAsked) -> None:
        self.asked.append(asked)

    def say(self, text: str, severity: str = "information") -> None:
        self.said.append((text, severity))

    def part(self, farewell: Farewell) -> None:
        self.farewells.append(farewell)

    def hear(self, item: UiItem) -> None:
        outer = OuterWriter(self.written.append, NoticeStyle.OSC_9)
        Reception(self, world=self.news.append, outer=outer, server="default").take(item)


@pytest.fixture
def front() -> Front:
    return Front()


def test_what_is_void_of_the_panes_pictures_is_told(front: Front) -> None:
    void = PaneRepictured(pane="p1", images=(7, 8))
    items: list[UiItem] = [void, PaneGone(pane="p1"), Synced(layout=Layout(), panes=())]
    for item in items:
        front.hear(item)

    assert front.voided == [("p1", (7, 8)), ("p1", None), ("all", None)]


RING = Rang(pane="p1", title="p1 claude", body="done")


def test_news_of_panes_go_to_the_desk(front: Front) -> None:
    items: list[UiItem] = [PaneChanged(pane=pane("p1")), PaneGone(pane="p1")]

    for item in items:
        front.hear(item)

    assert front.news == items


def test_a_ring_is_told_to_the_desktop_when_nobody_looks(front: Front) -> None:
    front.hear(RING)

    assert front.written == ["\x1b]9;p1 claude: done\x07"]


def test_a_ring_is_not_told_to_somebody_who_looks(front: Front) -> None:
    front.app_focus = True

    front.hear(RING)

    assert front.written == []


def test_the_settings_say_how_one_is_told(front: Front) -> None:
    front.notifications = Notifications(desktop=False, bell=True)

    front.hear(RING)

    assert front.written == ["\a"]


def test_the_clipboard_of_a_program_is_told_with_its_pane(front: Front) -> None:
    front.app_focus = True

    front.hear(ClipboardOffered(pane="p3", text="secret"))

    assert front.copied == [("secret", "p3")]


def test_a_program_does_not_set_the_clipboard_while_nobody_looks(front: Front) -> None:
    front.hear(ClipboardOffered(pane="p3", text="secret"))

    assert front.copied == []


def test_what_the_server_has_to_say_is_said(front: Front) -> None:
    front.hear(Told(text="p1: no program runs there", severity="error"))

    assert front.said == [("p1: no program runs there", "error")]


def test_a_question_of_the_server_is_asked(front: Front) -> None:
    asked = ConsentAsked(agent="codex", title="Codex", text="With hooks ...")

    front.hear(asked)

    assert front.asked == [asked]


def test_being_asked_to_leave_ends_the_ui(front: Front) -> None:
    front.hear(DetachAsked(reason="detached"))
    front.hear(DetachAsked(reason="the server stops", stopping=True))

    assert [farewell.exit_code for farewell in front.farewells] == [0, 0]
    assert "comes back" in front.farewells[0].text
    assert front.farewells[1].text == "the server stops"
