"""What a child is answered, and what is learnt of it, in the order of its output and however that is cut."""

from __future__ import annotations

import gc
import os
import weakref

import pytest

from orca_tui.term.engine import (
    CELL_PX,
    AgentReport,
    Bell,
    ClipboardWrite,
    DirectoryChanged,
    Fact,
    Notification,
    ProgramStatus,
    Progress,
    PromptMark,
    TerminalColors,
    TerminalReset,
    TitleChanged,
)
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.input_encoder import CELL_PX as ENCODED_CELL_PX

ANSWERS = [
    ("DA1", b"\x1b[c", b"\x1b[?62;6;22;52c"),
    ("DECID", b"\x1bZ", b"\x1b[?62;6;22;52c"),
    ("DA2", b"\x1b[>c", b"\x1b[>1;10;0c"),
    ("DA3", b"\x1b[=c", b"\x1bP!|6F726361\x1b\\"),
    ("XTVERSION", b"\x1b[>q", b"\x1bP>|orca-tui 9.9\x1b\\"),
    ("DSR", b"\x1b[5n", b"\x1b[0n"),
    ("CPR", b"\x1b[3;7H\x1b[6n", b"\x1b[3;7R"),
    ("DECXCPR", b"\x1b[3;7H\x1b[?6n", b"\x1b[?3;7;1R"),
    ("DECXCPR in the scroll region", b"\x1b[5;10r\x1b[?6h\x1b[2;3H\x1b[?6n", b"\x1b[?2;3;1R"),
    ("DECRQM 2026", b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    ("DECRQM 2027", b"\x1b[?2027$p", b"\x1b[?2027;1$y"),
    ("DECRQM of no mode", b"\x1b[?7501$p", b"\x1b[?7501;0$y"),
    ("DECRQSS", b"\x1b[1m\x1bP$qm\x1b\\", b"\x1bP1$r0;1m\x1b\\"),
    ("kitty keyboard", b"\x1b[>5u\x1b[?u", b"\x1b[?5u"),
    ("foreground", b"\x1b]10;?\x07", b"\x1b]10;rgb:d8d8/d8d8/d8d8\x07"),
    ("background", b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:1010/1010/1010\x1b\\"),
    ("cursor color", b"\x1b]12;?\x07", b"\x1b]12;rgb:d8d8/d8d8/d8d8\x07"),
    ("a color that was set", b"\x1b]11;#123456\x07\x1b]11;?\x07", b"\x1b]11;rgb:1212/3434/5656\x07"),
    ("palette", b"\x1b]4;1;?\x07", b"\x1b]4;1;rgb:cccc/6666/6666\x07"),
    ("color scheme", b"\x1b[?996n", b"\x1b[?997;1n"),
    ("size in cells", b"\x1b[18t", b"\x1b[8;24;80t"),
    ("size of a cell", b"\x1b[16t", b"\x1b[6;16;8t"),
    ("size in pixels", b"\x1b[14t", b"\x1b[4;384;640t"),
    ("resize reports", b"\x1b[?2048h", b"\x1b[48;24;80;384;640t"),
    ("XTGETTCAP TN", b"\x1bP+q544e\x1b\\", b"\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"),
    ("XTGETTCAP RGB", b"\x1bP+q524742\x1b\\", b"\x1bP1+r524742=38\x1b\\"),
    ("XTGETTCAP of no capability", b"\x1bP+q7a7a\x1b\\", b"\x1bP0+r7a7a\x1b\\"),
    (
        "XTGETTCAP of several",
        b"\x1bP+q524742;7a7a;5375\x1b\\",
        b"\x1bP1+r524742=38\x1b\\\x1bP1+r5375\x1b\\\x1bP0+r7a7a\x1b\\",
    ),
    ("program status", b"\x1b]7501;?\x1b\\", b"\x1b]7501;?\x1b\\"),
    ("program status with BEL", b"\x1b]7501;?\x07", b"\x1b]7501;?\x1b\\"),
]

SILENT = [
    ("the title, which another program may have set", b"\x1b]2;evil\x07\x1b[21t"),
    ("the clipboard", b"\x1b]52;c;?\x07"),
    ("ENQ", b"\x05"),
    ("images, since none is drawn", b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"),
    ("a checksum of the screen", b"\x1b[1;1;1;1;1;1*y"),
]

FACTS: list[tuple[str, bytes, Fact]] = [
    ("OSC 0", b"\x1b]0;a title\x07", TitleChanged(title="a title")),
    ("OSC 2", b"\x1b]2;\xe2\x9c\xb3 caf\xc3\xa9\x1b\\", TitleChanged(title="✳ café")),
    ("OSC 2 with bidi", b"\x1b]2;a\xe2\x80\xaeb\x07", TitleChanged(title="ab")),
    ("an empty title", b"\x1b]2;\x07", TitleChanged(title="")),
    ("OSC 7", b"\x1b]7;file://workstation/home/a%20b\x07", DirectoryChanged(path="/home/a b")),
    ("OSC 1337 CurrentDir", b"\x1b]1337;CurrentDir=/srv\x07", DirectoryChanged(path="/srv")),
    ("OSC 9;9", b"\x1b]9;9;/srv\x07", DirectoryChanged(path="/srv")),
    ("BEL", b"\x07", Bell()),
    ("OSC 9", b"\x1b]9;done\x07", Notification(title="", body="done")),
    ("OSC 777", b"\x1b]777;notify;Claude;needs you\x07", Notification(title="Claude", body="needs you")),
    ("OSC 99", b"\x1b]99;i=1;Hello\x1b\\", Notification(title="Hello", body="")),
    ("OSC 9;4 with percent", b"\x1b]9;4;1;50\x07", Progress(state=1, percent=50)),
    ("OSC 9;4 indeterminate", b"\x1b]9;4;3\x07", Progress(state=3)),
    ("OSC 9;4 removed", b"\x1b]9;4;0\x07", Progress(state=0)),
    ("OSC 133 A", b"\x1b]133;A\x07", PromptMark(kind="A")),
    ("OSC 133 D", b"\x1b]133;D;2\x07", PromptMark(kind="D", exit_code=2)),
    (
        "OSC 7501",
        b"\x1b]7501;state=working:app=claude\x1b\\",
        ProgramStatus(payload="state=working:app=claude"),
    ),
    (
        "OSC 9999",
        b'\x1b]9999;{"state":"working"}\x07',
        AgentReport(number=9999, payload='{"state":"working"}'),
    ),
    ("OSC 26", b"\x1b]26;Status=idle\x1b\\", AgentReport(number=26, payload="Status=idle")),
    ("OSC 52", b"\x1b]52;c;aGVsbG8=\x07", ClipboardWrite(text="hello")),
]

NO_FACTS = [
    b"\x1b]7;file://elsewhere/home\x07",
    b"\x1b]1337;SetMark\x07",
    b"\x1b]52;c;!!!\x07",
    b"\x1b]52;c;\x07",
    b"\x1b]2;\xff\xfe\x07",
    b"\x1b]0;cancelled\x18",
    b"\x1b]777;precmd\x07",
    b"\x1b]0;" + b"x" * 100_000 + b"\x07",
]


@pytest.fixture
def engine(factory: GhosttyFactory) -> GhosttyEngine:
    return factory.new(80, 24, scrollback_lines=100)


def fed_in_pieces(engine: GhosttyEngine, pieces: list[bytes]) -> tuple[bytes, tuple[Fact, ...]]:
    """All replies and facts of the pieces."""
    outputs = [engine.feed(piece) for piece in pieces]
    return b"".join(output.replies for output in outputs), tuple(
        fact for output in outputs for fact in output.facts
    )


@pytest.mark.parametrize(
    ("query", "answer"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS]
)
def test_a_query_is_answered_however_it_is_cut(factory: GhosttyFactory, query: bytes, answer: bytes) -> None:
    for cut in range(len(query) + 1):
        engine = factory.new(80, 24, scrollback_lines=0)

        assert fed_in_pieces(engine, [query[:cut], query[cut:]]) == (answer, ())


@pytest.mark.parametrize("query", [case[1] for case in SILENT], ids=[case[0] for case in SILENT])
def test_what_children_must_not_learn_is_not_answered(engine: GhosttyEngine, query: bytes) -> None:
    assert engine.feed(query).replies == b""


def test_replies_come_in_the_order_of_their_queries(engine: GhosttyEngine) -> None:
    queries = b"\x1b[>q\x1b]7501;?\x1b\\\x1b[c\x1b[?6n\x1b[6n\x1b]7501;?\x07"

    assert engine.feed(queries).replies == (
        b"\x1bP>|orca-tui 9.9\x1b\\\x1b]7501;?\x1b\\\x1b[?62;6;22;52c\x1b[?1;1;1R\x1b[1;1R\x1b]7501;?\x1b\\"
    )


@pytest.mark.parametrize(("told", "fact"), [case[1:] for case in FACTS], ids=[case[0] for case in FACTS])
def test_a_fact_is_told_once_however_it_is_cut(factory: GhosttyFactory, told: bytes, fact: Fact) -> None:
    for cut in range(len(told) + 1):
        engine = factory.new(80, 24, scrollback_lines=0)

        assert fed_in_pieces(engine, [b"text" + told[:cut], told[cut:] + b"more"]) == (b"", (fact,))


@pytest.mark.parametrize("told", NO_FACTS, ids=lambda told: repr(told[:24]))
def test_what_is_no_fact_is_not_told(engine: GhosttyEngine, told: bytes) -> None:
    assert engine.feed(told).facts == ()


def test_facts_come_in_the_order_of_the_output(engine: GhosttyEngine) -> None:
    facts = engine.feed(b"".join(told for _, told, _ in FACTS)).facts

    assert facts == tuple(fact for _, _, fact in FACTS)


def test_a_reset_is_told_among_the_other_facts(engine: GhosttyEngine) -> None:
    facts = engine.feed(b"\x1b]2;before\x07\x1bc\x1b]2;after\x07").facts

    assert [fact for fact in facts if not isinstance(fact, Progress)] == [
        TitleChanged(title="before"),
        TerminalReset(),
        TitleChanged(title="after"),
    ]


def test_resets_in_a_row_are_one(engine: GhosttyEngine) -> None:
    assert engine.feed(b"\x1bc" * 1000).facts == engine.feed(b"\x1bc").facts


def test_bells_in_a_row_are_one(engine: GhosttyEngine) -> None:
    assert engine.feed(b"\x07" * 10_000).facts == (Bell(),)
    assert engine.feed(b"\x07\x1b]2;t\x07\x07").facts == (Bell(), TitleChanged(title="t"), Bell())


def test_children_see_the_colors_that_the_factory_was_given() -> None:
    colors = TerminalColors(foreground=(0, 0, 0), background=(255, 255, 255), cursor=(1, 2, 3))
    engine = GhosttyFactory(colors=colors).new(80, 24, scrollback_lines=0)

    assert engine.feed(b"\x1b]11;?\x07\x1b[?996n").replies == b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?997;2n"


LIGHT = TerminalColors(foreground=(0, 0, 0), background=(250, 250, 250), cursor=(9, 9, 9))


def test_other_colors_are_answered_from_then_on_and_told_to_a_child_that_follows_them() -> None:
    engine = GhosttyFactory().new(80, 24, scrollback_lines=0)
    assert engine.set_colors(LIGHT) == b""  # It has not asked to be told.

    assert engine.feed(b"\x1b]11;?\x07\x1b[?996n").replies == b"\x1b]11;rgb:fafa/fafa/fafa\x07\x1b[?997;2n"
    engine.feed(b"\x1b[?2031h")
    assert engine.set_colors(LIGHT) == b""
    assert engine.set_colors(TerminalColors()) == b"\x1b[?997;1n"
    assert engine.set_colors(LIGHT) == b"\x1b[?997;2n"


def test_colors_that_a_child_has_set_stay_its_own() -> None:
    engine = GhosttyFactory().new(80, 24, scrollback_lines=0)
    engine.feed(b"\x1b]11;rgb:12/34/56\x07")

    engine.set_colors(LIGHT)

    assert engine.feed(b"\x1b]11;?\x07").replies == b"\x1b]11;rgb:1212/3434/5656\x07"


def test_sizes_in_pixels_agree_with_mouse_reports_in_pixels() -> None:
    assert CELL_PX == ENCODED_CELL_PX


def test_an_engine_outlives_its_factory() -> None:
    factory = GhosttyFactory()
    gone = weakref.ref(factory)
    engine = factory.new(80, 24, scrollback_lines=0)
    del factory
    gc.collect()

    assert gone() is None
    assert engine.feed(b"\x1b[5n\x07").replies == b"\x1b[0n"


def test_an_engine_that_is_dropped_is_freed(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=0)
    free, gone = engine._free, weakref.ref(engine)
    del engine
    gc.collect()

    assert gone() is None
    assert not free.alive


def test_a_failing_callback_is_logged_and_not_printed(
    factory: GhosttyFactory,
    engine: GhosttyEngine,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    handle = factory._callbacks.attach(engine._terminal, None)  # type: ignore[arg-type]  # There is nobody to tell.
    engine.feed(b"\x07after")

    assert handle is not None
    assert [record.message for record in caplog.records] == ["terminal callback failed"]
    assert "AttributeError" in caplog.text
    assert capfd.readouterr() == ("", "")
    assert engine.screen_text(unwrap=False) == "after"


def test_directories_of_this_machine_are_taken_by_default() -> None:
    engine = GhosttyFactory().new(80, 24, scrollback_lines=0)

    assert engine.feed(b"\x1b]7;file://%s/tmp\x07" % os.uname().nodename.encode()).facts == (
        DirectoryChanged(path="/tmp"),
    )
